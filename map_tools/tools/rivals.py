"""Places of one name: whether they are rivals for it, and what tells them apart for a person."""

import asyncio
from collections.abc import Sequence

from map_tools.compute.geodesy import distance_m
from map_tools.errors import LimitError, ToolError
from map_tools.kinds import concepts
from map_tools.kinds.concepts import ADDRESSED, LINEAR
from map_tools.providers.base import Provider
from map_tools.text import normalise
from map_tools.types import Place

SHOWN = 20
"""How many places of one name are told apart."""
STREET_WITHIN_M = 150.0
"""A street farther away is none to find a place by."""
DISTRICT_WITHIN_M = 3_000.0
_DISTRICTS = ("suburb", "neighbourhood", "village", "town", "hamlet")
SAME_SPOT_M = 150
"""Two entries of one kind and name this close together are parts of one place (platforms, entrances, an
outline and its point)."""


async def told_apart(places: Sequence[Place], provider: Provider) -> tuple[str, ...]:
    """A description of each of the first places, with no more than it takes to tell them apart.

    Where a map costs nothing to ask, the street or the part of town that an address lacks is looked up.
    """
    shown = places[:SHOWN]
    kinds = [concepts.label_of(place.categories[0]) if place.categories else "" for place in shown]
    streets = [_street(place) for place in shown]
    if provider.capabilities.cheap_names and not _tells(kinds) and not all(streets):
        streets = await _looked_up(shown, streets, provider, ADDRESSED, STREET_WITHIN_M)
    districts = ["" for _ in shown]
    if provider.capabilities.cheap_names and not _tells(kinds) and not _tells(streets):
        districts = await _looked_up(shown, districts, provider, _DISTRICTS, DISTRICT_WITHIN_M)
    told = [
        _described(place, [kind if len(set(kinds)) > 1 else "", street, district])
        for place, kind, street, district in zip(shown, kinds, streets, districts, strict=True)
    ]
    return tuple(
        text
        if told.count(text) == 1 or place.location is None
        else f"{text}, {place.location.lat:.5f}, {place.location.lng:.5f}"
        for text, place in zip(told, shown, strict=True)
    )


def _street(place: Place) -> str:
    """The address as far as the first comma behind a street: "Main Street 5"."""
    return (place.address or "").split(",")[0].strip()


def _tells(texts: Sequence[str]) -> bool:
    """True if each place has a text of its own."""
    return all(texts) and len(set(texts)) == len(texts)


async def _looked_up(
    places: Sequence[Place], known: Sequence[str], provider: Provider, kind: tuple[str, ...], within_m: float
) -> list[str]:
    """What is known, and for those without the name of the nearest place of a kind."""
    found = await asyncio.gather(
        *(
            _nearest(place, provider, kind, within_m) if not text else _as_it_is(text)
            for place, text in zip(places, known, strict=True)
        )
    )
    return list(found)


async def _nearest(place: Place, provider: Provider, kind: tuple[str, ...], within_m: float) -> str:
    if place.location is None or not provider.capabilities.nearby:
        return ""
    try:
        found = await provider.nearby(place.location, radius_m=within_m, categories=kind, limit=1)
    except (ToolError, LimitError):
        return ""
    return found[0].place.name if found else ""


async def _as_it_is(text: str) -> str:
    return text


def _described(place: Place, parts: Sequence[str]) -> str:
    return ", ".join(part for part in (place.name or place.id, *parts) if part)


def are_rivals(text: str, a: Place, b: Place) -> bool:
    """True if nothing but their order tells which is meant: places of a kind, or names the text begins."""
    return _same_kind(a, b) or (_begins(text, a) and _begins(text, b))


def _begins(text: str, place: Place) -> bool:
    """True if the place's names say more than the text, and one of them begins with it."""
    return not is_called(text, place) and bears(text, place)


def is_called(text: str, place: Place) -> bool:
    """True if the text is one of the place's names."""
    return normalise(text) in map(normalise, (place.name, *place.aliases))


def bears(text: str, place: Place) -> bool:
    """True if one of the place's names is the text, or begins with its words."""
    wanted = normalise(text)
    return any(f"{normalise(name)} ".startswith(f"{wanted} ") for name in (place.name, *place.aliases))


def _same_kind(a: Place, b: Place) -> bool:
    if not a.categories or not b.categories:
        return a.categories == b.categories
    return a.categories[0] == b.categories[0]


def lie_apart(a: Place, b: Place) -> bool:
    """True if the two are certainly different places."""
    if a.id == b.id or LINEAR & {*a.categories, *b.categories}:
        return False
    if a.location is not None and b.location is not None:
        return distance_m(a.location, b.location) > SAME_SPOT_M
    return a.address is not None and b.address is not None and normalise(a.address) != normalise(b.address)
