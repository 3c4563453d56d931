"""The areas of a supplied text: what its addresses name, and no way of it begins or ends at."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from map_tools.facts import NearbyFact, PlaceFact, RoutesFact, TravelFact
from map_tools.types import Place
from modules.context_reader.reader import read_text
from modules.names import normalise

_NUMBERED = re.compile(r"\S*\d\S*")
"""House numbers and postcodes in a part of an address ("London EC3N 4AB")."""


def is_area(context: str | None, name: str) -> bool:
    """True if a name is that of a city, a district or a country in which places of the text lie."""
    return bool(context) and normalise(name) in _areas(context or "")


@lru_cache(maxsize=16)
def _areas(context: str) -> frozenset[str]:
    facts = [finding.fact for finding in read_text(context).findings]
    places = list(_places(facts))
    parts = (part for place in places for part in (place.address or "").split(","))
    areas = {normalise(_NUMBERED.sub("", part)) for part in parts}
    ends = {
        end
        for fact in facts
        if isinstance(fact, TravelFact | RoutesFact)
        for end in (fact.origin, fact.destination)
    }
    centres = {fact.anchor for fact in facts if isinstance(fact, NearbyFact)}
    return frozenset(areas - {normalise(name) for name in (*ends, *centres)} - {""})


def _places(facts: Iterable[object]) -> Iterator[Place]:
    for fact in facts:
        if isinstance(fact, PlaceFact):
            yield fact.place
        elif isinstance(fact, NearbyFact):
            yield from (item.place for item in fact.items)
