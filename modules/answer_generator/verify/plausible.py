"""Are the facts an answer rests on possible at all?

Sources err: a place resolved to the wrong spot gives a leg of one metre, a round trip measured as a
whole hides its legs. A fact is doubted only with a reason in other facts.
"""

from collections.abc import Iterable, Iterator

from map_tools.areas import AREA_KINDS
from map_tools.facts import RoutesFact
from map_tools.types import TravelMode
from modules.answer_generator.verify.facts import Facts
from modules.answer_generator.verify.lambert import lambert_distance_m
from modules.answer_generator.verify.legs import Leg, all_legs, location_of, place_of
from modules.answer_generator.verify.objection import Objection
from modules.names import normalise, same_name, similarity

TINY_M = 20.0
TINY_S = 60.0
"""A leg up to this long (or, without a distance, this short in time) is looked at closely."""

APART_M = 200.0
"""Other facts put two places apart if they give more than this."""

APART_RATIO = 10.0
"""... and more than this times the leg in question."""

DETOUR_RATIO = 3.0
DETOUR_M = 300.0
"""d(A,C) over d(A,B) + d(B,C) stays well below this ratio, beyond detours of one-way streets."""

STRAIGHT_SHORTFALL = 0.05
STRAIGHT_SLACK_M = 150.0
"""No way is shorter than the straight line; the slack is for points that lie away from an entrance."""

WIDE = AREA_KINDS | {"airport", "beach", "golf_course", "lake", "nature_reserve", "park", "university"}
"""Kinds of places that are kilometres wide: the point that stands for them is not where a way ends."""

ROUNDING_S = 30.0
"""Times printed in whole minutes may be half a minute more."""

MAX_SPEED_MPS = {
    TravelMode.WALKING: 3.0,
    TravelMode.BICYCLING: 14.0,
    TravelMode.DRIVING: 56.0,
    TravelMode.TRANSIT: 120.0,
}
"""Upper limits of an average: a run, a road race (50 km/h), 200 km/h by car, a maglev line (430 km/h)."""

SAME_STREET = 0.8


def check_facts(facts: Facts, used: Iterable[str]) -> Iterator[Objection]:
    """What is impossible about the facts with these ids."""
    ids = frozenset(used)
    legs = all_legs(facts)
    for leg in legs:
        if leg.evidence_id in ids:
            yield from check_leg(leg, legs, facts)
    for item in facts.observed:
        if item.id in ids and isinstance(item.value, RoutesFact):
            yield from check_round_trip(item.value)


def check_round_trip(fact: RoutesFact) -> Iterator[Objection]:
    """A route with stops must state a leg between each two of them; one back to its start needs stops."""
    wanted = len(fact.waypoints) + 1
    way = " → ".join((fact.origin, *fact.waypoints, fact.destination))
    if wanted == 1:
        if same_name(fact.origin, fact.destination):
            yield Objection(
                code="legs_missing", message=f"A route from {fact.origin} to itself says nothing."
            )
        return
    for route in fact.routes:
        timed = [leg for leg in route.legs if leg.duration_s]
        if len(timed) < wanted:
            yield Objection(
                code="legs_missing",
                message=f"The route {way} has {wanted} legs but times for {len(timed)}.",
            )


def check_leg(leg: Leg, legs: Iterable[Leg], facts: Facts) -> Iterator[Objection]:
    """What is impossible about one leg."""
    if same_name(leg.origin, leg.destination):
        return
    yield from _no_time(leg)
    yield from _too_fast(leg)
    yield from _shorter_than_straight(leg, facts)
    if _is_tiny(leg):
        reason = next(_reasons_apart(leg, tuple(legs), facts), None)
        if reason is not None:
            size = "no distance" if leg.distance_m is None else f"{leg.distance_m:.0f} m"
            yield Objection(
                code="implausible_leg",
                message=f"{leg} is stated as {leg.duration_s or 0:.0f} s ({size}), but {reason}.",
            )


def _no_time(leg: Leg) -> Iterator[Objection]:
    if (
        leg.duration_s is not None
        and leg.duration_s <= 0
        and (leg.distance_m is None or leg.distance_m > TINY_M)
    ):
        yield Objection(code="implausible_leg", message=f"{leg} is stated to take no time.")


def _too_fast(leg: Leg) -> Iterator[Objection]:
    if leg.distance_m is None or not leg.duration_s:
        return
    slack = ROUNDING_S if leg.duration_s % 60 == 0 else 0.0
    speed = leg.distance_m / (leg.duration_s + slack)
    if speed > MAX_SPEED_MPS[leg.mode]:
        yield Objection(
            code="implausible_speed",
            message=f"{leg}: {leg.distance_m:.0f} m in {leg.duration_s:.0f} s is {speed * 3.6:.0f} km/h.",
        )


def _shorter_than_straight(leg: Leg, facts: Facts) -> Iterator[Objection]:
    straight = _straight_m(leg, facts)
    if leg.distance_m is None or straight is None:
        return
    if leg.distance_m < straight * (1 - STRAIGHT_SHORTFALL) - STRAIGHT_SLACK_M:
        yield Objection(
            code="shorter_than_straight",
            message=f"{leg} is stated as {leg.distance_m:.0f} m, but the straight line is {straight:.0f} m.",
            severity="warn" if _has_wide_end(leg, facts) else "reject",
        )


def _has_wide_end(leg: Leg, facts: Facts) -> bool:
    """True if an end is a place whose middle may lie kilometres from where one enters it."""
    ends = (place_of(name, facts) for name in (leg.origin, leg.destination))
    return any(place is not None and WIDE.intersection(place.categories) for place in ends)


def _straight_m(leg: Leg, facts: Facts) -> float | None:
    a, b = location_of(leg.origin, facts), location_of(leg.destination, facts)
    return None if a is None or b is None else lambert_distance_m(a, b)


def _is_tiny(leg: Leg) -> bool:
    if leg.distance_m is not None:
        return leg.distance_m <= TINY_M
    return leg.duration_s is not None and leg.duration_s <= TINY_S


def _reasons_apart(leg: Leg, legs: tuple[Leg, ...], facts: Facts) -> Iterator[str]:
    """Facts that put the two ends of a tiny leg far apart, in words."""
    straight = _straight_m(leg, facts)
    if straight is not None and straight > APART_M:
        yield f"the two lie {straight:.0f} m apart"
    yield from _other_ways(leg, legs)
    yield from _by_a_third_place(leg, legs)
    yield from _by_address(leg, facts)


def _other_ways(leg: Leg, legs: tuple[Leg, ...]) -> Iterator[str]:
    """The way back, or another mode or route, that is far longer."""
    limit = max(APART_M, APART_RATIO * (leg.distance_m or 0.0))
    for other in legs:
        back = other.joins(leg.destination, leg.origin)
        if (back or other.joins(leg.origin, leg.destination)) and (other.distance_m or 0.0) > limit:
            yield f"{other} is {other.distance_m:.0f} m"


def _by_a_third_place(leg: Leg, legs: tuple[Leg, ...]) -> Iterator[str]:
    """A third place that is much farther from one end than from the other."""
    for onward in legs:
        if (
            onward.mode is not leg.mode
            or onward.distance_m is None
            or not same_name(onward.origin, leg.destination)
        ):
            continue
        for direct in legs:
            if direct.mode is leg.mode and direct.joins(leg.origin, onward.destination):
                around = (leg.distance_m or 0.0) + onward.distance_m
                if (direct.distance_m or 0.0) > DETOUR_RATIO * around + DETOUR_M:
                    yield f"{direct} is {direct.distance_m:.0f} m and {onward} only {onward.distance_m:.0f} m"


def _by_address(leg: Leg, facts: Facts) -> Iterator[str]:
    """Addresses in different streets of different districts."""
    a, b = place_of(leg.origin, facts), place_of(leg.destination, facts)
    if a is None or b is None or not a.address or not b.address:
        return
    parts_a, parts_b = _street_and_district(a.address), _street_and_district(b.address)
    if all(similarity(x, y) < SAME_STREET for x, y in zip(parts_a, parts_b, strict=False)):
        yield f"their addresses are '{a.address}' and '{b.address}'"


def _street_and_district(address: str) -> tuple[str, str]:
    """The first two parts of an address without its numbers."""
    words = [
        " ".join(word for word in normalise(part).split() if not any(char.isdigit() for char in word))
        for part in address.split(",")
    ]
    named = [part for part in words if part]
    return (named[0] if named else "", named[1] if len(named) > 1 else "")
