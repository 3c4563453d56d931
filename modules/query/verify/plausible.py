"""Checks whether the ways that an answer rests on are possible at all.

Sources err: a place resolved to the wrong spot gives a leg of one metre. A fact is doubted only with a reason in
other facts (MapAgent, appendix A, prints a right answer that rests on a leg of "1 min (1 m)" between two suburbs).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from map_tools.compute.route_steps import uses_ferry
from map_tools.facts import RoutesFact, TravelFact
from map_tools.kinds.concepts import AREA_KINDS
from map_tools.text import normalise, same_name, similarity
from map_tools.types import ID_PREFIX, Place, TravelMode
from mapagent.core.answer import Evidence
from modules.query.verify import measuring

TINY_M, TINY_S = 20.0, 60.0
"""A leg up to this long (or, without a distance, this short in time) is looked at closely."""
APART_M, APART_RATIO = 200.0, 10.0
"""Other facts put two places apart if they give more than this, and more than this times the leg in question."""
DETOUR_RATIO, DETOUR_M = 3.0, 300.0
"""d(A,C) over d(A,B) + d(B,C) stays well below this ratio, beyond detours of one-way streets."""
STRAIGHT_SHARE, STRAIGHT_SLACK_M = 0.95, 150.0
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
FERRY_MPS = 25.0
"""The same for ways that a ferry is part of: a fast catamaran (90 km/h)."""
SAME_STREET = 0.8


@dataclass(frozen=True, slots=True)
class _Leg:
    """One stated way."""

    asked: tuple[str, str]
    ends: tuple[str, str]
    places: tuple[Place | None, Place | None]
    mode: TravelMode
    duration_s: float | None
    distance_m: float | None
    ferry: bool

    def __str__(self) -> str:
        return f"{self.ends[0]} → {self.ends[1]}"

    def joins(self, origin: str, destination: str) -> bool:
        """Whether it leads from one place to the other."""
        return same_name(self.ends[0], origin) and same_name(self.ends[1], destination)

    def strays(self, leg: "_Leg") -> bool:
        """Whether an end is another place than that of its name in a leg, as branches are: both are told by id."""
        pairs = product(zip(self.asked, self.ends, strict=True), zip(leg.asked, leg.ends, strict=True))
        return any(
            mine != theirs
            and mine.startswith(ID_PREFIX)
            and theirs.startswith(ID_PREFIX)
            and same_name(name, other)
            for (mine, name), (theirs, other) in pairs
        )

    @property
    def straight_m(self) -> float | None:
        """The straight line between its ends."""
        a, b = (place.location if place is not None else None for place in self.places)
        return None if a is None or b is None else measuring.inverse(a, b)[0]

    @property
    def tiny(self) -> bool:
        """Whether it is hardly a way at all."""
        if self.distance_m is not None:
            return self.distance_m <= TINY_M
        return self.duration_s is not None and self.duration_s <= TINY_S

    @property
    def fastest_mps(self) -> float:
        """Greatest possible average speed, in m/s."""
        fastest = MAX_SPEED_MPS[self.mode]
        return max(fastest, FERRY_MPS) if self.ferry else fastest


def doubts(evidence: Iterable[Evidence], used: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """What is impossible about the ways that are used, each with whether to reject the answer."""
    items = tuple(evidence)
    legs = tuple(leg for item in items for leg in _legs(item))
    for item in items:
        for leg in _legs(item) if item.id in used else ():
            if not same_name(*leg.ends):
                yield from _about(leg, legs)


def _legs(item: Evidence) -> Iterator[_Leg]:
    fact = item.value
    if isinstance(fact, TravelFact):
        told = [(fact.duration_s, fact.distance_m, fact.ferry)]
    elif isinstance(fact, RoutesFact) and not fact.waypoints:
        told = [(route.duration_s, route.distance_m, uses_ferry(route)) for route in fact.routes]
    else:
        return
    for duration_s, distance_m, ferry in told:
        yield _Leg(
            (fact.origin, fact.destination),
            (fact.origin_name, fact.destination_name),
            (fact.origin_place, fact.destination_place),
            fact.mode,
            duration_s,
            distance_m,
            ferry,
        )


def _about(leg: _Leg, legs: Sequence[_Leg]) -> Iterator[tuple[str, bool]]:
    metres, seconds, straight_m = leg.distance_m, leg.duration_s, leg.straight_m
    if seconds is not None and seconds <= 0 and (metres is None or metres > TINY_M):
        yield f"{leg} is stated to take no time.", True
    if metres is not None and seconds:
        speed = metres / (seconds + (ROUNDING_S if seconds % 60 == 0 else 0.0))
        if speed > leg.fastest_mps:
            yield f"{leg}: {metres:.0f} m in {seconds:.0f} s is {speed * 3.6:.0f} km/h.", True
    if (
        metres is not None
        and straight_m is not None
        and metres < straight_m * STRAIGHT_SHARE - STRAIGHT_SLACK_M
    ):
        wide = any(place is not None and WIDE.intersection(place.categories) for place in leg.places)
        yield f"{leg} is stated as {metres:.0f} m, but the straight line is {straight_m:.0f} m.", not wide
    reason = next(_apart(leg, [one for one in legs if not one.strays(leg)]), None) if leg.tiny else None
    if reason is not None:
        size = "no distance" if metres is None else f"{metres:.0f} m"
        yield f"{leg} is stated as {seconds or 0:.0f} s ({size}), but {reason}.", True


def _apart(leg: _Leg, legs: Sequence[_Leg]) -> Iterator[str]:
    """What puts the two ends of a tiny leg far apart."""
    straight_m = leg.straight_m
    if straight_m is not None and straight_m > APART_M:
        yield f"the two lie {straight_m:.0f} m apart"
    limit_m = max(APART_M, APART_RATIO * (leg.distance_m or 0.0))
    for other in legs:
        joined = other.joins(*leg.ends) or other.joins(*leg.ends[::-1])
        if joined and (other.distance_m or 0.0) > limit_m:
            yield f"{other} is {other.distance_m:.0f} m"
    yield from _by_a_third(leg, [other for other in legs if other.mode is leg.mode])
    yield from _by_address(leg)


def _by_a_third(leg: _Leg, legs: Sequence[_Leg]) -> Iterator[str]:
    """A third place that is much farther from one end than from the other."""
    for onward in legs:
        if onward.distance_m is None or not same_name(onward.ends[0], leg.ends[1]):
            continue
        around_m = (leg.distance_m or 0.0) + onward.distance_m
        for direct in legs:
            far = (direct.distance_m or 0.0) > DETOUR_RATIO * around_m + DETOUR_M
            if far and direct.joins(leg.ends[0], onward.ends[1]):
                yield f"{direct} is {direct.distance_m:.0f} m and {onward} only {onward.distance_m:.0f} m"


def _by_address(leg: _Leg) -> Iterator[str]:
    """Addresses in different streets of different districts."""
    addresses = [place.address if place is not None else None for place in leg.places]
    if not all(addresses):
        return
    parts = [_street_and_district(address or "") for address in addresses]
    if all(similarity(x, y) < SAME_STREET for x, y in zip(*parts, strict=True)):
        yield f"their addresses are '{addresses[0]}' and '{addresses[1]}'"


def _street_and_district(address: str) -> tuple[str, str]:
    """The first two parts of an address without its numbers."""
    words = [
        " ".join(word for word in normalise(part).split() if not any(char.isdigit() for char in word))
        for part in address.split(",")
    ]
    first, second, *_ = (*(part for part in words if part), "", "")
    return first, second
