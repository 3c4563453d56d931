"""Judges one answer to a question of MapQA.

MapQA publishes no measure, and MapAgent's counts a reply as right when it resembles the gold text by 30 of
100, which forgives nearly everything. Here sets of names must be equal, one name must be that name, and a
distance is judged against the distance on the ground.
"""

from typing import Any

from evals.answers import Said, read_said
from evals.metrics.errors import TAU_NUMBER, best_relative_error, capped
from evals.metrics.text import MAX_NAMED, any_equal, best_containment
from evals.metrics.ver import executed
from evals.ports import Item, Score
from evals.suites.mapqa_file import DISTANCE, SETS
from map_tools.text import normalise
from mapagent.answer import Answer, Status

LENIENT_RATIO = 30.0
"""MapAgent's published threshold of `fuzz.ratio`, of 100."""


def score_mapqa(item: Item, answer: Answer) -> Score:
    """Right by the rule of the question's type; `values` has the other measures."""
    gold: dict[str, Any] = item.gold
    said = read_said(answer, "distance" if gold["type"] == DISTANCE else "name")
    if gold["type"] == DISTANCE:
        values = _distance(gold, said)
    elif gold["type"] in SETS:
        values = _set(gold, said)
    else:
        values = _one(gold, said, answer)
    values |= {
        "executed": float(executed(answer)),
        "lenient": _lenient(gold, answer),
        "named": float(len(said)),
    }
    refused = answer.unanswerable
    return Score(
        correct=bool(values["right"]),
        refused=refused,
        invalid=not refused and not said,
        values=values,
    )


def _distance(gold: dict[str, Any], said: tuple[Said, ...]) -> dict[str, float]:
    """Against the true geodesic distance; `planar_right` is agreement with the stored figure."""
    lengths = [one.distance_m for one in said if one.distance_m is not None]
    true_error = best_relative_error(lengths, (gold["true_m"],) if gold["true_m"] is not None else ())
    planar_error = best_relative_error(lengths, (gold["planar_m"],))
    return {
        "right": float(true_error is not None and true_error <= TAU_NUMBER and len(lengths) <= MAX_NAMED),
        "planar_right": float(planar_error is not None and planar_error <= TAU_NUMBER),
        **({"relative_error": capped(true_error)} if true_error is not None else {}),
        **({"planar_error": capped(planar_error)} if planar_error is not None else {}),
    }


def _set(gold: dict[str, Any], said: tuple[Said, ...]) -> dict[str, float]:
    """All of the names and no others; F1 over whole names beside it."""
    right = {normalise(name) for name in gold["answers"]}
    named = {normalise(one.name) for one in said} - {""}
    shared = len(right & named)
    f1 = 2 * shared / (len(right) + len(named)) if right or named else 0.0
    contained = best_containment((one.name for one in said), gold["answers"])
    return {"right": float(bool(right) and right == named), "f1": f1, "similarity": contained}


def _one(gold: dict[str, Any], said: tuple[Said, ...], answer: Answer) -> dict[str, float]:
    """One name; the whole reply may be it too, for names have commas and "and" in them."""
    names = [one.name for one in said if one.name]
    listed = any_equal(names, gold["answers"]) and len(names) <= MAX_NAMED
    same = listed or (bool(said) and any_equal((answer.text,), gold["answers"]))
    return {
        "right": float(same),
        "f1": float(same),
        "similarity": best_containment(names, gold["answers"]),
    }


def _lenient(gold: dict[str, Any], answer: Answer) -> float:
    """1 where MapAgent's published rule would call the reply right."""
    from rapidfuzz import fuzz

    if answer.status is not Status.ANSWERED:
        return 0.0
    return float(fuzz.ratio(answer.text, "; ".join(gold["answers"])) >= LENIENT_RATIO)
