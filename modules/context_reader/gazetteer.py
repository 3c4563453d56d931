"""The places of many texts under one roof: which mentions are one place."""

from collections import defaultdict
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any

from map_tools.compute.geodesy import distance_m
from map_tools.maps.names import canonical
from map_tools.text import normalise, slug
from map_tools.types import Place

MOST_BRANCHES = 100
"""Of so many places of one name it is asked whether a mention is one of them."""
SAME_SPOT_M = 150
"""Two positions under one name that are this close are one place; farther apart they are branches."""


@dataclass(slots=True)
class Gazetteer:
    """Gives places their ids across texts.

    Attributes:
        places: Everything known of each place, by id.
    """

    places: dict[str, Place] = field(default_factory=dict)
    _by_name: dict[str, dict[str, None]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=lambda: defaultdict(lambda: 1))

    def add(self, place: Place, *, known: str | None = None, apart: AbstractSet[str] = frozenset()) -> str:
        """Takes over what a text says of a place; returns the place's id here.

        Args:
            place: What the text says.
            known: The id, where the text itself tells that this place was added before.
            apart: Ids this place cannot have, because the text itself tells it from them.
        """
        known = known or self._same(place, apart)
        if known is None:
            known = self._free_id(place.name)
            self.places[known] = place.model_copy(update={"id": known})
        else:
            self.places[known] = _filled(self.places[known], place)
        for name in (place.name, *place.aliases):
            self._by_name.setdefault(normalise(name), {})[known] = None
        return known

    def also_called(self, place_id: str, name: str) -> None:
        """Notes another wording for a place."""
        place = self.places[place_id]
        if normalise(name) not in map(normalise, (place.name, *place.aliases)):
            self.places[place_id] = place.model_copy(update={"aliases": (*place.aliases, name)})
            self._by_name.setdefault(normalise(name), {})[place_id] = None

    def _same(self, place: Place, apart: AbstractSet[str]) -> str | None:
        ids = islice(self._by_name.get(normalise(place.name), ()), MOST_BRANCHES)
        fitting = (each for each in ids if each not in apart and compatible(self.places[each], place))
        return next(fitting, None)

    def _free_id(self, name: str) -> str:
        base = slug(name) or "place"
        place_id = base
        while place_id in self.places:
            self._numbers[base] += 1
            place_id = f"{base}-{self._numbers[base]}"
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
