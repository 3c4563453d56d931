"""Google's place types ↔ category ids; the tables are data (`map_tools/data/google_types.toml`)."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from map_tools.kinds import concepts

MAX_SEARCH_TYPES = 50
"""Types one nearby search may name
(https://developers.google.com/maps/documentation/places/web-service/nearby-search, `includedTypes`)."""


@dataclass(frozen=True, slots=True)
class _Tables:
    """The tables as loaded; `searched` and `legacy` say for a category which types to search by."""

    category: Mapping[str, str]
    cuisine: Mapping[str, str]
    searched: Mapping[str, tuple[str, ...]]
    legacy: Mapping[str, tuple[str, ...]]


def categories_of(types: Iterable[str]) -> tuple[str, ...]:
    """The category ids of a place with these types: its own in their order, umbrellas last.

    Args:
        types: Google's types, the primary one first.
    """
    known = _tables().category
    specific = dict.fromkeys(known[name] for name in types if name in known)
    umbrellas = dict.fromkeys(up for category in specific for up in concepts.umbrellas_of(category))
    covered = [category for category in specific if category not in umbrellas]
    return (*covered, *(up for up in umbrellas if up not in covered))


def cuisines_of(types: Iterable[str]) -> tuple[str, ...]:
    """The cuisines the types tell of ("italian_restaurant" → "italian")."""
    known = _tables().cuisine
    return tuple(dict.fromkeys(known[name] for name in types if name in known))


def search_types(categories: Iterable[str]) -> tuple[str, ...]:
    """The types of the Places API (New) that together cover the categories; empty if none of them has one."""
    return _types_of(categories, _tables().searched)[:MAX_SEARCH_TYPES]


def legacy_search_types(categories: Iterable[str]) -> tuple[str, ...]:
    """As `search_types`, for the older Places API."""
    return _types_of(categories, _tables().legacy)


def _types_of(categories: Iterable[str], table: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for category in categories for name in table.get(category, ())))


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    data = tomllib.loads((files("map_tools.data") / "google_types.toml").read_text("utf-8"))
    types: dict[str, str] = data["types"]
    cuisines: dict[str, str] = data["cuisines"]
    plain = [name for name in types if name not in cuisines]
    older = frozenset(data["legacy"]["search"].split())
    return _Tables(
        category={**data["legacy"]["words"], **data["results"], **types},
        cuisine=cuisines,
        searched=_inverted(types, plain),
        legacy=_inverted(types, [name for name in plain if name in older]),
    )


def _inverted(types: Mapping[str, str], names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The types of each category. `names` are without cuisines: such places have the plain type as well."""
    found: dict[str, tuple[str, ...]] = {}
    for name in names:
        found[types[name]] = (*found.get(types[name], ()), name)
    return found
