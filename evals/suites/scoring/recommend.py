"""Wishes with the places that fulfil them, graded; how a recommendation is judged, and the figures of a run.

A recommendation is judged by withheld truth: which places are named, in which order, and what they fulfil.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from evals.answers import read_said
from evals.metrics.measures import CUTS, f1, ndcg_at, ndcg_of_retrieved, precision_at, recall_at
from evals.metrics.statistics import mean, mean_interval
from evals.ports import Item, Score
from evals.suites.files import AskedText, read_typed
from map_tools.text import normalise
from map_tools.types import Frozen, LatLng
from mapagent.core.answer import Answer, Named, NameSet, OptionPick, Status
from mapagent.core.answer import Sequence as OrderedAnswer

FILE_NAMES = ("dataset.json", "dataset.jsonl")

FULL = 2
"""The grade of a place that fulfils all that is wished for; the grade 1 is for a part of several wishes."""

type Grade = Literal[1, 2]
type Names = tuple[Annotated[str, Field(min_length=1)], ...]


class RecommendRecord(Frozen):
    """One wish. Places are known by their names, which no two places of its map share.

    Attributes:
        family: What it is measured from ("point", "route", "region"), or "adjacent" and "around" for MapQA's
            types 1 and 4.
        near: Where the user is, for wishes that say "near me".
        grades: The places that fulfil the wish, `FULL` for those that do in everything.
        whole: All of them are asked for, not the best few.
        lies: The places that lie as asked; None where that is not known.
        surrounded: Those with the surroundings asked for; None where none are.
        alike: Those that are as wished, wherever they lie; None where nothing is wished for.
        apart: Why it counts in no headline; empty if it counts.
        defective: Why the truth is known to be wrong; empty if it is sound.
    """

    id: Annotated[str, Field(min_length=1)]
    family: Literal["point", "route", "region", "adjacent", "around"]
    question: AskedText
    near: LatLng | None = None
    grades: dict[str, Grade]
    whole: bool = False
    lies: Names | None = None
    surrounded: Names | None = None
    alike: Names | None = None
    apart: str = ""
    defective: str = ""

    @model_validator(mode="after")
    def _consistent(self) -> "RecommendRecord":
        if not self.relevant:
            raise ValueError("no place fulfils the wish in everything (grade 2)")
        if self.lies is not None and not self.relevant <= {normalise(name) for name in self.lies}:
            raise ValueError("a place of grade 2 does not lie as asked")
        return self

    @property
    def relevant(self) -> frozenset[str]:
        """The folded names of the places that fulfil all of the wish."""
        return frozenset(normalise(name) for name, grade in self.grades.items() if grade == FULL)


def read_recommend(data: Path) -> tuple[RecommendRecord, ...]:
    """All records in the file's order.

    Raises:
        InputFileError: The file is missing, or a record is malformed or repeats an id; names its line.
    """
    return read_typed(data, RecommendRecord, FILE_NAMES)


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


type Values = Mapping[str, float]
"""The values of a score."""

KINDS = ("precision", "recall", "f1", "ndcg", "ndcg_of_retrieved")
RATES = {
    "delivered": "delivery",
    "lies": "spatial_sparse",
    "surrounded": "spatial_dense",
    "alike": "semantic",
}
"""Values of a score, and the name of their mean in the overview of the first version of Spatial-RAG."""


def recommend_metrics(judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
    """All figures; means over nothing are None. What is reported apart is in `apart` alone."""
    families: dict[str, list[Values]] = {}
    apart: list[Values] = []
    for item, score in judged:
        group = apart if item.apart else families.setdefault(item.category, [])
        group.append(score.values)
    return {
        "headline": figures(values for group in families.values() for values in group),
        "headline_without_defective": figures(
            score.values for item, score in judged if not item.apart and not item.defective
        ),
        "by_family": {name: figures(group) for name, group in sorted(families.items())},
        "apart": figures(apart),
    }


def figures(judged: Iterable[Values]) -> dict[str, Any]:
    """Measures of ranking, pass rates and failures of some questions.

    Pass rates are of the first place named: `delivery` over all questions, the others over those where a
    place was named and the wish has such a part, as the overview counts them.
    """
    scores = list(judged)
    interval = mean_interval(_values(scores, "ndcg@10"))
    return {
        "n": len(scores),
        "whole": {kind: mean(_values(scores, kind)) for kind in KINDS},
        "at": {str(k): {kind: mean(_values(scores, f"{kind}@{k}")) for kind in KINDS} for k in CUTS},
        "ndcg@10_ci95": None if interval is None else [interval.low, interval.high],
        "pass_rates": {name: mean(_present(scores, value)) for value, name in RATES.items()},
        "failures": dict(sorted(_failures(scores).items())),
    }


def _values(scores: Sequence[Values], name: str) -> list[float]:
    """The value of each score; 0 where the method failed before anything could be judged."""
    return [values.get(name, 0.0) for values in scores]


def _present(scores: Sequence[Values], name: str) -> list[float]:
    if name == "delivered":
        return _values(scores, name)
    return [values[name] for values in scores if name in values]


def _failures(scores: Sequence[Values]) -> Counter[str]:
    names = (name for values in scores for name in values if name.startswith(FAILURE))
    return Counter(name.removeprefix(FAILURE) for name in names)
