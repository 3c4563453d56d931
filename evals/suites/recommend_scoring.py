"""Judges a recommendation by withheld truth: which places are named, in which order, and what they fulfil."""

import re

from evals.answers import read_said
from evals.metrics.ranking import CUTS, f1, ndcg_at, ndcg_of_retrieved, precision_at, recall_at
from evals.ports import Item, Score
from evals.suites.recommend_file import RecommendRecord
from map_tools.text import normalise
from mapagent.answer import Answer, Named, NameSet, OptionPick, Status
from mapagent.answer import Sequence as OrderedAnswer

APART = "apart"
"""Value of what counts in no headline, so that a record alone tells it."""
FAILURE = "failure:"
"""Prefix of the value that tells the class of a failure.

Classes of Spatial-RAG's table 5: "nothing fits" (no relevant places, says the method), "dataset" (the truth
is known to be wrong), "region" (the boundary of a named region), "intent" (what is wanted), "format" (no
ranking can be read). Of our own: "geometry" (the first place lies elsewhere than asked, without a region),
"ranking" (it lies right, and is not what was wished for), "set" (all were asked for; others are named).
"""

NAMING = (Named, NameSet, OrderedAnswer, OptionPick)
"""Types of answers that name places."""

_REMARK = re.compile(r"\s+[(–—-]|:\s")
"""What separates a name from what a sentence adds to it."""


def score_recommendation(item: Item, answer: Answer) -> Score:
    """Right if the first place fulfils everything; where all are asked for, if these and no others are named.

    `values` has precision, recall, F1 and NDCG at each of `CUTS` and of the whole list, and whether the first
    place lies, is surrounded and is as was wished (only where a place is named and the wish says so).
    """
    gold: RecommendRecord = item.gold
    named = _named(gold, answer)
    values = _measures(gold, named) | {
        "delivered": float(bool(named)),
        "named": float(len(named)),
        APART: float(bool(item.apart)),
    }
    if named:
        values |= _passes(gold, named[0])
    right = set(named) == gold.relevant if gold.whole else bool(named) and named[0] in gold.relevant
    if not right:
        values[FAILURE + _failure(item, answer, values)] = 1.0
    refused = answer.unanswerable
    return Score(correct=right, refused=refused, invalid=not refused and not named, values=values)


def _named(gold: RecommendRecord, answer: Answer) -> list[str]:
    """The folded names in the order they are named; a remark after a name that is known is left out.

    An answer of another type ("yes", a number) names no place.
    """
    if answer.value is not None and not isinstance(answer.value, NAMING):
        return []
    known = {normalise(name) for name in (*gold.grades, *(gold.lies or ()), *(gold.alike or ()))}
    found = []
    for said in read_said(answer, "name"):
        whole, plain = normalise(said.name), normalise(_REMARK.split(said.name, maxsplit=1)[0])
        found.append(plain if whole not in known and plain in known else whole)
    return [name for name in dict.fromkeys(found) if name]


def _measures(gold: RecommendRecord, named: list[str]) -> dict[str, float]:
    grades = {normalise(name): int(grade) for name, grade in gold.grades.items()}
    values: dict[str, float] = {}
    for k in CUTS:
        precision, recall = precision_at(named, gold.relevant, k), recall_at(named, gold.relevant, k)
        values |= {
            f"precision@{k}": precision,
            f"recall@{k}": recall,
            f"f1@{k}": f1(precision, recall),
            f"ndcg@{k}": ndcg_at(named, grades, k),
            f"ndcg_of_retrieved@{k}": ndcg_of_retrieved(named, grades, k),
        }
    precision = precision_at(named, gold.relevant, len(named)) if named else 0.0
    recall = recall_at(named, gold.relevant, len(named))
    return values | {
        "precision": precision,
        "recall": recall,
        "f1": f1(precision, recall),
        "ndcg": ndcg_at(named, grades),
        "ndcg_of_retrieved": ndcg_of_retrieved(named, grades),
    }


def _passes(gold: RecommendRecord, first: str) -> dict[str, float]:
    """What of the wish the first place fulfils."""
    asked = {"lies": gold.lies, "surrounded": gold.surrounded, "alike": gold.alike}
    return {
        part: float(first in {normalise(name) for name in names})
        for part, names in asked.items()
        if names is not None
    }


def _failure(item: Item, answer: Answer, values: dict[str, float]) -> str:
    """The class of a failure: the first part of the work that is at fault."""
    if item.defective:
        return "dataset"
    if answer.unanswerable:
        return "nothing fits"
    if answer.status is not Status.ANSWERED or (answer.value is not None and not values["delivered"]):
        return "intent"
    if not values["delivered"]:
        return "format"
    if not values.get("lies", 1.0):
        return "region" if item.gold.family == "region" else "geometry"
    return "set" if item.gold.whole else "ranking"
