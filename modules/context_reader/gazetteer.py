"""The places of many texts under one roof: which mentions are one place, and where the texts disagree."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from map_tools.compute.geodesy import distance_m
from map_tools.maps.names import canonical
from map_tools.text import normalise, slug
from map_tools.types import Frozen, Place

SAME_SPOT_M = 150
"""Two positions under one name that are this close are one place; farther apart they are branches."""

_COMPARED = ("location", "phone", "website", "rating", "rating_count", "price_level", "hours")
"""Fields whose values a source states as facts, so that two different values are a conflict."""


class Conflict(Frozen):
    """Two texts that say different things; the first one counts.

    Attributes:
        about: Id of a place, or "ORIGIN → DESTINATION (mode)".
        what: The field, or "routes", "travel".
        kept_from: The text whose value stands. `other_from`: the text that says something else.
        kept: The value that stands. `other`: the other one.
    """

    about: str
    what: str
    kept_from: str
    other_from: str
    kept: str
    other: str


@dataclass(slots=True)
class Gazetteer:
    """Gives places their ids across texts.

    Attributes:
        places: Everything known of each place, by id.
        sources: The texts that speak of a place, by its id, in the order they were read.
        conflicts: Where they disagree.
    """

    places: dict[str, Place] = field(default_factory=dict)
    sources: dict[str, list[str]] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    _by_name: dict[str, list[str]] = field(default_factory=dict)
    _names_of: dict[str, set[str]] = field(default_factory=dict)

    def begin(self, source: str, names: Iterable[str]) -> None:
        """A new text, with all names it mentions: they tell towns and branches of one name apart."""
        self._names_of[source] = {normalise(name) for name in names}

    def add(
        self, place: Place, source: str, *, known: str | None = None, apart: AbstractSet[str] = frozenset()
    ) -> str:
        """Takes over what a text says of a place; returns the place's id here.

        Args:
            place: What the text says.
            source: The text.
            known: The id, where the text itself tells that this place was added before.
            apart: Ids this place cannot have, because the text itself tells it from them.
        """
        known = known or self._same(place, source, apart)
        if known is None:
            known = self._free_id(place.name)
            self.places[known] = place.model_copy(update={"id": known})
            self.sources[known] = [source]
        else:
            self._merge(known, place, source)
        for name in (place.name, *place.aliases):
            ids = self._by_name.setdefault(normalise(name), [])
            if known not in ids:
                ids.append(known)
        return known

    def also_called(self, place_id: str, name: str) -> None:
        """Notes another wording for a place."""
        place = self.places[place_id]
        if normalise(name) not in map(normalise, (place.name, *place.aliases)):
            self.places[place_id] = place.model_copy(update={"aliases": (*place.aliases, name)})
            self._by_name.setdefault(normalise(name), []).append(place_id)

    def _same(self, place: Place, source: str, apart: AbstractSet[str]) -> str | None:
        ids = self._by_name.get(normalise(place.name), ())
        fitting = [each for each in ids if each not in apart and compatible(self.places[each], place)]
        return max(fitting, key=lambda each: self._shared_names(each, source), default=None)

    def _shared_names(self, place_id: str, source: str) -> int:
        """How many names this text has in common with the texts that speak of the place."""
        own = self._names_of.get(source, set())
        others = (self._names_of.get(other, set()) for other in self.sources[place_id])
        return max((len(own & names) for names in others), default=0)

    def _merge(self, place_id: str, new: Place, source: str) -> None:
        known = self.places[place_id]
        first = self.sources[place_id][0]
        for name in _COMPARED:
            mine, theirs = getattr(known, name), getattr(new, name)
            if mine is not None and theirs is not None and mine != theirs:
                self._conflict(place_id, name, (first, mine), (source, theirs))
        self.places[place_id] = _filled(known, new)
        if source not in self.sources[place_id]:
            self.sources[place_id].append(source)

    def _conflict(self, place_id: str, what: str, kept: tuple[str, Any], other: tuple[str, Any]) -> None:
        conflict = Conflict(
            about=place_id,
            what=what,
            kept_from=kept[0],
            other_from=other[0],
            kept=_shown(kept[1]),
            other=_shown(other[1]),
        )
        if conflict not in self.conflicts:
            self.conflicts.append(conflict)

    def _free_id(self, name: str) -> str:
        base = slug(name) or "place"
        place_id, number = base, 2
        while place_id in self.places:
            place_id, number = f"{base}-{number}", number + 1
        return place_id


def compatible(a: Place, b: Place) -> bool:
    """True if two entries of one name can be one place.

    Positions decide; without them one address must hold all words of the other, since a source writes the
    same address long in one place and short ("Main Rd - Springfield") in another.
    """
    if a.location is not None and b.location is not None:
        return distance_m(a.location, b.location) <= SAME_SPOT_M
    if a.address is None or b.address is None:
        return True
    words_a, words_b = _address_words(a.address), _address_words(b.address)
    return words_a <= words_b or words_b <= words_a


@lru_cache(maxsize=4096)
def _address_words(address: str) -> frozenset[str]:
    return frozenset(canonical(address).split())


def _filled(known: Place, new: Place) -> Place:
    """The known place with what it lacked; lists and mappings are joined."""
    update: dict[str, Any] = {
        name: getattr(new, name)
        for name in Place.model_fields
        if getattr(known, name) in (None, "", ()) and getattr(new, name) not in (None, "", ())
    }
    update["services"] = {**new.services, **known.services}
    update["attributes"] = {**new.attributes, **known.attributes}
    update["aliases"] = tuple(dict.fromkeys((*known.aliases, *new.aliases)))
    update["categories"] = tuple(dict.fromkeys((*known.categories, *new.categories)))
    return known.model_copy(update=update)


def _shown(value: Any) -> str:
    return str(getattr(value, "text", value))
