"""The evidence as verification reads it: by id, by place name, and as the numbers it states.

Only what was observed counts; computed facts are what is being verified and prove nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from map_tools.compute.quantities import find_distances, find_durations
from map_tools.facts import (
    ComputedFact,
    Fact,
    FailureFact,
    NearbyFact,
    NoteFact,
    PlaceFact,
    RoutesFact,
    TravelFact,
)
from map_tools.types import Place
from mapagent.evidence import Evidence
from mapagent.question import Question
from modules.offline.intents import HERE
from modules.names import SAME_SCORE, similarity

QUESTION_ID = "question"
"""The id by which claims refer to the question itself (the user's position, stated stays)."""

HERE_NAME = "your position"

type Named = tuple[str, Place]


class Facts:
    """Observed evidence of one question.

    Args:
        evidence: Everything known; computed facts and failures are left out.
        question: For the user's position and the amounts it states.
    """

    def __init__(self, evidence: Iterable[Evidence], question: Question) -> None:
        self.question = question
        self.observed = tuple(
            item for item in evidence if not isinstance(item.value, ComputedFact | FailureFact)
        )
        self._all_ids = frozenset(item.id for item in evidence) | {QUESTION_ID}
        self._by_id = {item.id: item for item in self.observed}
        self._found: dict[tuple[str, tuple[str, ...] | None], tuple[Place, ...]] = {}

    def unknown(self, ids: Iterable[str]) -> tuple[str, ...]:
        """The ids that no evidence has."""
        return tuple(one for one in ids if one not in self._all_ids)

    def of(self, ids: Iterable[str]) -> tuple[Fact, ...]:
        """The observed facts with these ids."""
        return tuple(self._by_id[one].value for one in ids if one in self._by_id)

    def places(self, ids: Iterable[str] | None = None) -> Iterator[Named]:
        """All places of some evidence (None: of all), each under every name a fact gives it."""
        facts = tuple(item.value for item in self.observed) if ids is None else self.of(ids)
        for fact in facts:
            yield from places_of(fact)

    def named(self, name: str, ids: Iterable[str] | None = None) -> tuple[Place, ...]:
        """The places this name means, most alike first (a name alone may be shared by several)."""
        if name == HERE or (self.question.near is not None and similarity(name, HERE_NAME) >= SAME_SCORE):
            return (Place(id=HERE, name=HERE_NAME, location=self.question.near),)
        key = (name, None if ids is None else tuple(ids))
        if key not in self._found:
            known = self._known if ids is None else _distinct(self.places(key[1]))
            scored = [(_likeness(name, words, place), place) for (words, *_), place in known.items()]
            scored.sort(key=lambda entry: -entry[0])
            self._found[key] = tuple(place for score, place in scored if score >= SAME_SCORE)
        return self._found[key]

    @cached_property
    def _known(self) -> dict[tuple[str, str, str | None], Place]:
        """All places of all evidence, each once under each of its names."""
        return _distinct(self.places())

    def numbers(self, unit: str, ids: Iterable[str] | None = None) -> frozenset[float]:
        """All numbers of a unit ("s", "m", "rating", "rating_count", "price_level") that evidence states."""
        facts = tuple(item.value for item in self.observed) if ids is None else self.of(ids)
        return frozenset(number for fact in facts for kind, number in numbers_of(fact) if kind == unit)

    @cached_property
    def sizes(self) -> frozenset[int]:
        """How many things the facts list: steps of a route, routes, places of a nearby search, namesakes."""
        return frozenset(size for item in self.observed for size in _sizes(item.value))

    @cached_property
    def stated_in_question(self) -> Mapping[str, frozenset[float]]:
        """Durations ("s") and distances ("m") that the question itself states."""
        return {
            "s": frozenset(float(span.value) for span in find_durations(self.question.text)),
            "m": frozenset(float(span.value) for span in find_distances(self.question.text)),
        }


def _distinct(places: Iterable[Named]) -> dict[tuple[str, str, str | None], Place]:
    return {(words, place.id, place.address): place for words, place in places}


def _sizes(fact: Fact) -> Iterator[int]:
    match fact:
        case NearbyFact():
            yield len(fact.items)
        case RoutesFact():
            yield len(fact.routes)
            for route in fact.routes:
                yield len(route.steps)
                yield sum(step.maneuver != "arrive" for step in route.steps)
        case PlaceFact():
            yield len(fact.rivals) + 1


def _likeness(name: str, known: str, place: Place) -> float:
    """A label may carry the address behind the name where names repeat."""
    score = max((similarity(name, one) for one in (known, place.name, *place.aliases) if one), default=0.0)
    if place.address:
        score = max(score, similarity(name, f"{place.name} {place.address}"))
    return score


def places_of(fact: Fact) -> Iterator[Named]:
    """The places one fact speaks of, with the words it uses for each."""
    match fact:
        case PlaceFact():
            yield fact.query, fact.place
        case NearbyFact():
            if fact.anchor_place is not None:
                yield fact.anchor, fact.anchor_place
            for item in fact.items:
                yield item.place.name, item.place
        case TravelFact() | RoutesFact():
            for words, place in (
                (fact.origin, fact.origin_place),
                (fact.destination, fact.destination_place),
            ):
                if place is not None:
                    yield words, place


def numbers_of(fact: Fact) -> Iterator[tuple[str, float]]:
    """The numbers one fact states, each with its unit."""
    match fact:
        case TravelFact():
            yield from _measures(fact.duration_s, fact.distance_m)
        case RoutesFact():
            for route in fact.routes:
                yield from _measures(route.duration_s, route.distance_m)
                for leg in route.legs:
                    yield from _measures(leg.duration_s, leg.distance_m)
                for step in route.steps:
                    yield from _measures(step.duration_s, step.distance_m)
        case NearbyFact():
            yield from _measures(None, fact.radius_m)
            for item in fact.items:
                yield from _measures(None, item.distance_m)
        case NoteFact():
            yield from (("s", float(span.value)) for span in find_durations(fact.text))
            yield from (("m", float(span.value)) for span in find_distances(fact.text))
    for _, place in places_of(fact):
        yield from _place_numbers(place)


def _measures(duration_s: float | None, distance_m: float | None) -> Iterator[tuple[str, float]]:
    if duration_s is not None:
        yield "s", duration_s
    if distance_m is not None:
        yield "m", distance_m


def _place_numbers(place: Place) -> Iterator[tuple[str, float]]:
    for unit in ("rating", "rating_count", "price_level"):
        number = getattr(place, unit)
        if number is not None:
            yield unit, float(number)
