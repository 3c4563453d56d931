"""The legs of travel that the evidence states, each with where its ends lie as far as anything tells."""

from collections.abc import Iterator
from dataclasses import dataclass

from map_tools.facts import Fact, RoutesFact, TravelFact
from map_tools.types import LatLng, Place, TravelMode
from modules.answer_generator.verify.facts import Facts
from modules.names import same_name


@dataclass(frozen=True, slots=True)
class Leg:
    """Travel from one place to another as one fact states it."""

    evidence_id: str
    origin: str
    destination: str
    mode: TravelMode
    duration_s: float | None
    distance_m: float | None

    def joins(self, a: str, b: str) -> bool:
        """True if this leg leads from `a` to `b`."""
        return same_name(self.origin, a) and same_name(self.destination, b)

    def __str__(self) -> str:
        return f"{self.origin} → {self.destination} ({self.mode.value})"


def all_legs(facts: Facts) -> tuple[Leg, ...]:
    """All direct legs: matrix cells, and the best route of each list without stops on the way."""
    return tuple(leg for item in facts.observed for leg in _legs(item.id, item.value))


def _legs(evidence_id: str, fact: Fact) -> Iterator[Leg]:
    if isinstance(fact, TravelFact):
        yield Leg(evidence_id, fact.origin, fact.destination, fact.mode, fact.duration_s, fact.distance_m)
    elif isinstance(fact, RoutesFact) and not fact.waypoints:
        for route in fact.routes:
            yield Leg(
                evidence_id, fact.origin, fact.destination, fact.mode, route.duration_s, route.distance_m
            )


def place_of(name: str, facts: Facts) -> Place | None:
    """What the evidence knows of a place; a fact with a position or an address before one without."""
    found = facts.named(name)
    return max(
        found, key=lambda place: (place.location is not None) + (place.address is not None), default=None
    )


def location_of(name: str, facts: Facts) -> LatLng | None:
    """Where a place lies, if the evidence says so."""
    return next((place.location for place in facts.named(name) if place.location is not None), None)
