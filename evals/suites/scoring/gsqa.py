"""Answers to questions of GS-QA, judged as GS-QA and Geo-ReAct do, and the figures of a run.

The headline and the published means come first; what is reported apart follows them.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evals.answers import AnswerKind, Said, read_said
from evals.metrics.measures import (
    CAP_M,
    MAX_NAMED,
    TAU_ENTITY,
    TAU_NUMBER,
    any_equal,
    best_angle_error,
    best_containment,
    best_distance_error,
    best_prf,
    best_relative_error,
    by_error,
    by_similarity,
    capped,
    wind_of,
)
from evals.metrics.statistics import ENTITY_TEMPLATES, NUMERIC_TEMPLATES, macro, mean, wilson
from evals.ports import Item, Score
from map_tools.text import normalise
from map_tools.types import LatLng
from mapagent.core.answer import Answer, Status

_FAILED = frozenset({Status.ERROR, Status.LIMIT, Status.NOT_UNDERSTOOD, Status.AMBIGUOUS})


def executed(answer: Answer) -> bool:
    """True for "a non-empty answer without execution errors" (Geo-ReAct, table 2).

    VER is the share of such questions. A refusal names nothing, so it is empty too.
    """
    return answer.status not in _FAILED and bool(answer.text.strip())


AT_PLACE_M = 100.0
"""A position this near to the stored one is that place: storefronts are mapped anywhere on their building."""
STRICT_DEG = 5.0
STRICT_SHARE = 0.01
"""Beside the published tolerances: directions to 5 degrees, numbers to 1 %."""

type Geocoder = Callable[[str], LatLng | None]
"""Finds the position of a name or an address; None if it knows none."""


def score_gsqa(item: Item, answer: Answer, geocode: Geocoder | None = None) -> Score:
    """Right is what Geo-ReAct's accuracy@τ calls right, unless the reply names more than `MAX_NAMED` places.

    `values` has the measures of both papers, for `evals.suites.scoring.gsqa`.
    """
    gold: dict[str, Any] = item.gold
    said = read_said(answer, gold["kind"])
    values = _by_kind(gold, said, answer, geocode)
    values |= _free_text(gold, answer) | {"executed": float(executed(answer)), "named": float(len(said))}
    right = bool(values["right"]) and len(said) <= MAX_NAMED
    refused = answer.unanswerable
    return Score(
        correct=right,
        refused=refused,
        invalid=not refused and not values["attempted"],
        values=values | {"right": float(right)},
    )


def _by_kind(
    gold: dict[str, Any], said: Sequence[Said], answer: Answer, geocode: Geocoder | None
) -> dict[str, float]:
    kind: AnswerKind = gold["kind"]
    if kind == "loc":
        return _location(gold, said, geocode)
    if kind == "angle":
        return _angle(gold, [one.azimuth_deg for one in said if one.azimuth_deg is not None])
    if kind != "name":
        return _number(gold, [value for one in said if (value := one.number(kind)) is not None])
    return _fact(gold, said, answer) if "facts" in gold else _name(gold, said)


def _name(gold: dict[str, Any], said: Sequence[Said]) -> dict[str, float]:
    names = [one.name for one in said if one.name]
    contained = best_containment(names, gold["names"])
    return {
        "attempted": float(bool(names)),
        "similarity": contained,
        "parsed_f1": best_prf(names, gold["names"]).f1,
        "right": float(contained >= TAU_ENTITY),
        "strict": float(any_equal(names, gold["names"])),
    }


def _fact(gold: dict[str, Any], said: Sequence[Said], answer: Answer) -> dict[str, float]:
    """T7 asks for a fact of another source about a place of the map: both are told apart."""
    facts = [one.fact or one.name for one in said if one.fact or one.name]
    contained = best_containment(facts, gold["facts"])
    return {
        "attempted": float(bool(facts)),
        "similarity": contained,
        "parsed_f1": best_prf(facts, gold["facts"]).f1,
        "right": float(contained >= TAU_ENTITY),
        "strict": float(any_equal(facts, gold["facts"])),
        "place_found": float(_mentions(answer, gold["names"])),
    }


def _mentions(answer: Answer, names: Sequence[str]) -> bool:
    """True if the answer, its reason or its derivation names one of the places."""
    told = f"{answer.text} {answer.reason} {answer.explanation}"
    return any(f" {normalise(name)} " in f" {normalise(told)} " for name in names if normalise(name))


def _location(gold: dict[str, Any], said: Sequence[Said], geocode: Geocoder | None) -> dict[str, float]:
    """By address (GS-QA's F1, Geo-ReAct's containment), and by position where there is one."""
    addresses = [one.address for one in said if one.address]
    golds = [LatLng(lat=lat, lng=lon) for lat, lon in gold["positions"]]
    error = best_distance_error(_positions(said, geocode), golds)
    contained = best_containment(addresses, gold["addresses"])
    stated = best_distance_error([one.position for one in said if one.position], golds)
    there = stated is not None and stated * CAP_M <= AT_PLACE_M
    values = {
        "attempted": float(bool(addresses) or error is not None),
        "similarity": 1.0 if there else contained,
        "parsed_f1": best_prf(addresses, gold["addresses"]).f1,
        "right": float(there or contained >= TAU_ENTITY),
        "strict": float(there or any_equal(addresses, gold["addresses"])),
    }
    return values if error is None else values | {"distance_error": error}


def _positions(said: Sequence[Said], geocode: Geocoder | None) -> list[LatLng]:
    """Stated positions; else that of the address, or of the name, in the world (GS-QA asks Nominatim)."""
    found = [one.position or _geocoded(one, geocode) for one in said]
    return [position for position in found if position is not None]


def _geocoded(said: Said, geocode: Geocoder | None) -> LatLng | None:
    if geocode is None:
        return None
    return next((found for text in (said.address, said.name) if text and (found := geocode(text))), None)


def _angle(gold: dict[str, Any], azimuths: Sequence[float]) -> dict[str, float]:
    error = best_angle_error(azimuths, gold["numbers"])
    same = {wind_of(azimuth) for azimuth in azimuths} & {wind_of(azimuth) for azimuth in gold["numbers"]}
    values = {
        "attempted": float(bool(azimuths)),
        "similarity": float(bool(same)),
        "parsed_f1": float(bool(same)),
        "right": float(bool(same)),
        "strict": float(error is not None and error * 180 <= STRICT_DEG),
    }
    return values if error is None else values | {"angle_error": error}


def _number(gold: dict[str, Any], numbers: Sequence[float]) -> dict[str, float]:
    error = best_relative_error(numbers, gold["numbers"])
    values = {
        "attempted": float(error is not None),
        "right": float(error is not None and error <= TAU_NUMBER),
        "strict": float(error is not None and error <= STRICT_SHARE),
    }
    return values if error is None else values | {"relative_error": capped(error)}


def _free_text(gold: dict[str, Any], answer: Answer) -> dict[str, float]:
    """Precision, recall and F1 of the whole reply (GS-QA, table 8)."""
    text = answer.text if answer.status is Status.ANSWERED else ""
    best = best_prf((text,) if text else (), gold["texts"])
    return {"precision": best.precision, "recall": best.recall, "f1": best.f1}


type Judged = tuple[Item, Score]

NEVER = float("inf")
FAMILIES = {
    "name": "names",
    "loc": "locations",
    "angle": "directions",
    "distance": "distances",
    "count": "counts",
    "area": "areas",
    "length": "lengths",
}
_NUMERIC = frozenset({"count", "distance", "area", "length"})


def gsqa_metrics(judged: Sequence[Judged]) -> dict[str, Any]:
    """All figures; means over nothing are None."""
    headline = [pair for pair in judged if not pair[0].apart]
    accuracies = _accuracies(judged)
    return {
        "headline": tally(headline),
        "headline_ver": mean([value(score, "executed") for _, score in headline]),
        "headline_strict": mean([value(score, "strict") for _, score in headline]),
        "headline_without_defective": tally([pair for pair in headline if not pair[0].defective]),
        "headline_by_type": {
            family: tally([pair for pair in headline if pair[0].gold["kind"] == kind])
            for kind, family in FAMILIES.items()
        },
        "entity_macro": macro(accuracies, ENTITY_TEMPLATES),
        "numeric_macro": macro(accuracies, NUMERIC_TEMPLATES),
        "headline_entity_macro": macro(_accuracies(headline), ENTITY_TEMPLATES),
        "headline_numeric_macro": macro(_accuracies(headline), NUMERIC_TEMPLATES),
        "ver": mean([value(score, "executed") for _, score in judged]),
        "apart": _apart(judged),
        "free_text": {
            name: mean([value(s, name) for _, s in judged]) for name in ("precision", "recall", "f1")
        },
        "by_type": {
            family: _measures([pair for pair in judged if pair[0].gold["kind"] == kind])
            for kind, family in FAMILIES.items()
        },
        "by_template": {
            name: _measures([pair for pair in judged if pair[0].category == name]) for name in accuracies
        },
        "sensitivity": {
            "entity": by_similarity(_entity_similarities(judged)),
            "numeric": by_error(_number_errors(judged)),
        },
    }


def tally(judged: Sequence[Judged]) -> dict[str, Any]:
    """Count, right ones, accuracy and its interval."""
    right = sum(score.correct for _, score in judged)
    return {
        "n": len(judged),
        "correct": right,
        "accuracy": right / len(judged) if judged else None,
        "ci95": wilson(right, len(judged)),
    }


def value(score: Score, name: str) -> float:
    """A figure of a question; 0 for a question that failed before it had any."""
    return score.values.get(name, 0.0)


def _accuracies(judged: Iterable[Judged]) -> dict[str, float]:
    members: dict[str, list[bool]] = {}
    for item, score in judged:
        members.setdefault(item.category, []).append(score.correct)
    order = [*ENTITY_TEMPLATES, *NUMERIC_TEMPLATES]
    return {name: sum(members[name]) / len(members[name]) for name in order if name in members}


def _apart(judged: Sequence[Judged]) -> dict[str, Any]:
    """What never counts in the headline: T7 by place and fact, T8, and what the extract does not hold."""
    t7, t8 = (_of(judged, name) for name in ("T7", "T8"))
    rest = [pair for pair in judged if pair[0].apart and pair[0].category not in {"T7", "T8"}]
    return {
        "T7": {
            "n": len(t7),
            "place_found": mean([value(score, "place_found") for _, score in t7]),
            "fact_right": mean([float(score.correct) for _, score in t7]),
            "refused": mean([float(score.refused) for _, score in t7]),
        },
        "T8": {
            "n": len(t8),
            "place_found": mean([float(score.correct) for _, score in t8]),
            "refused": mean([float(score.refused) for _, score in t8]),
        },
        "not_in_the_extract": tally(rest),
    }


def _of(judged: Iterable[Judged], template: str) -> list[Judged]:
    return [pair for pair in judged if pair[0].category == template]


def _measures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Published measures of a group.

    `…_attempted` is the mean over questions with a usable reply, as in GS-QA's tables by template; the other
    one counts the rest as F1 0 and error 1, as in its overall summary.
    """
    scores = [score for _, score in judged]
    found: dict[str, Any] = {
        "n": len(scores),
        "accuracy": mean([float(score.correct) for score in scores]),
        "strict": mean([value(score, "strict") for score in scores]),
        "attempted": mean([value(score, "attempted") for score in scores]),
        "ver": mean([value(score, "executed") for score in scores]),
    }
    if any("parsed_f1" in score.values for score in scores):
        tried = [score for score in scores if value(score, "attempted")]
        found["parsed_f1"] = mean([value(score, "parsed_f1") for score in scores])
        found["parsed_f1_attempted"] = mean([value(score, "parsed_f1") for score in tried])
    for name in ("distance_error", "angle_error", "relative_error"):
        tried = [score for score in scores if name in score.values]
        if tried:
            found[name] = mean([score.values.get(name, 1.0) for score in scores])
            found[f"{name}_attempted"] = mean([score.values[name] for score in tried])
    return found


def _entity_similarities(judged: Iterable[Judged]) -> list[float]:
    return _figures(judged, lambda kind: kind not in _NUMERIC, lambda score: value(score, "similarity"))


def _number_errors(judged: Iterable[Judged]) -> list[float]:
    return _figures(
        judged, lambda kind: kind in _NUMERIC, lambda score: score.values.get("relative_error", NEVER)
    )


def _figures(
    judged: Iterable[Judged], wanted: Callable[[str], bool], figure: Callable[[Score], float]
) -> list[float]:
    return [figure(score) for item, score in judged if wanted(item.gold["kind"])]
