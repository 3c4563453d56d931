"""Google's place types and our categories, both ways, by the shared table `data/google_types.toml`."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from map_tools.kinds import concepts
from map_tools.types import ADDRESS, Place

_ESTABLISHMENT = ("point_of_interest", "establishment")
_AREAS = frozenset(
    {"country", "state", "county", "admin", "city", "town", "village", "suburb", "neighbourhood"}
)
"""Categories of areas people live in: "political" instead of an establishment
(https://developers.google.com/maps/documentation/places/web-service/place-types#table-b)."""
_NO_ESTABLISHMENT = {ADDRESS: ("street_address",), "street": ("route",)}


@dataclass(frozen=True, slots=True)
class Kind:
    """What a type searches for: one of these categories and, if the type says one, a cuisine."""

    categories: tuple[str, ...]
    cuisine: str | None = None

    def fits(self, place: Place) -> bool:
        """True for a place of this kind."""
        known = not set(self.categories).isdisjoint(place.categories)
        return known and (self.cuisine is None or self.cuisine in _cuisines(place))


def kind_of(google_type: str) -> Kind | None:
    """What a type searches for; None for a type that no table lists."""
    category = _tables().category.get(google_type)
    if category is None:
        return None
    found = concepts.concept(category)
    return Kind(found.ids if found else (category,), _tables().cuisine.get(google_type))


def categories_for(kinds: Iterable[Kind]) -> tuple[str, ...]:
    """The categories of several kinds together."""
    return tuple(dict.fromkeys(category for kind in kinds for category in kind.categories))


def types_of(place: Place) -> tuple[str, ...]:
    """A place's types: its cuisine, what it is, and the general ones every establishment ends in."""
    for category in place.categories:
        if category in _NO_ESTABLISHMENT:
            return _NO_ESTABLISHMENT[category]
    tables = _tables()
    names = [tables.name[category] for category in place.categories if category in tables.name]
    cuisines = _cuisines(place)
    served = [
        name
        for name, cuisine in tables.cuisine.items()
        if cuisine in cuisines and tables.category[name] in place.categories
    ]
    general = ("political",) if not _AREAS.isdisjoint(place.categories) else _ESTABLISHMENT
    return tuple(dict.fromkeys((*served, *names, *general)))


def primary_type_of(place: Place) -> str | None:
    """The type that tells most of a place; None where only the general ones fit."""
    first = types_of(place)[0]
    return None if first in _ESTABLISHMENT else first


def _cuisines(place: Place) -> frozenset[str]:
    return frozenset(part.strip() for part in place.attributes.get("cuisine", "").split(";") if part.strip())


@dataclass(frozen=True, slots=True)
class _Tables:
    """Types to categories and cuisines, and for a category the type it is called by."""

    category: Mapping[str, str]
    cuisine: Mapping[str, str]
    name: Mapping[str, str]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    data = tomllib.loads((files("map_tools.data") / "google_types.toml").read_text("utf-8"))
    category: dict[str, str] = {**data["legacy"]["words"], **data["results"], **data["types"]}
    cuisine: dict[str, str] = data["cuisines"]
    older = frozenset(data["legacy"]["search"].split())

    def rank(name: str) -> tuple[bool, bool, bool]:
        """Of several types of a category: the one that says just that, then the one in use for longest."""
        return name != category[name], name in cuisine, name not in older

    name: dict[str, str] = {}
    for each in sorted(category, key=rank):
        name.setdefault(category[each], each)
    return _Tables(category, cuisine, name)
