"""Judges one answer to a question of GS-QA, as GS-QA and Geo-ReAct do."""

from collections.abc import Callable, Sequence
from typing import Any

from evals.answers import AnswerKind, Said, read_said
from evals.metrics.errors import (
    CAP_M,
    TAU_NUMBER,
    best_angle_error,
    best_distance_error,
    best_relative_error,
    capped,
    wind_of,
)
from evals.metrics.text import MAX_NAMED, TAU_ENTITY, any_equal, best_containment, best_prf
from evals.metrics.ver import executed
from evals.ports import Item, Score
from map_tools.text import normalise
from map_tools.types import LatLng
from mapagent.answer import Answer, Status

AT_PLACE_M = 100.0
"""A position this near to the stored one is that place: storefronts are mapped anywhere on their building."""
STRICT_DEG = 5.0
STRICT_SHARE = 0.01
"""Beside the published tolerances: directions to 5 degrees, numbers to 1 %."""

type Geocoder = Callable[[str], LatLng | None]
"""Finds the position of a name or an address; None if it knows none."""


def score_gsqa(item: Item, answer: Answer, geocode: Geocoder | None = None) -> Score:
    """Right is what Geo-ReAct's accuracy@τ calls right, unless the reply names more than `MAX_NAMED` places.

    `values` has the measures of both papers, for `evals.suites.gsqa_metrics`.
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
