"""Telling places of one name apart by what differs for a person: the kind, the street, the part of town."""

import asyncio
from collections.abc import Sequence

from map_tools import concepts
from map_tools.errors import LimitError, ToolError
from map_tools.providers.base import Provider
from map_tools.types import Place

SHOWN = 5
"""How many places of one name are told apart."""
STREET_WITHIN_M = 150.0
"""A street farther away is none to find a place by."""
DISTRICT_WITHIN_M = 3_000.0
_DISTRICTS = ("suburb", "neighbourhood", "village", "town", "hamlet")


async def told_apart(places: Sequence[Place], provider: Provider) -> tuple[str, ...]:
    """A description of each of the first places, with no more than it takes to tell them apart.

    Where a map costs nothing to ask, the street or the part of town that an address lacks is looked up.
    """
    shown = places[:SHOWN]
    kinds = [concepts.label_of(place.categories[0]) if place.categories else "" for place in shown]
    streets = [_street(place) for place in shown]
    if provider.capabilities.cheap_names and not _tells(kinds) and not all(streets):
        streets = await _looked_up(shown, streets, provider, ("street",), STREET_WITHIN_M)
    districts = ["" for _ in shown]
    if provider.capabilities.cheap_names and not _tells(kinds) and not _tells(streets):
        districts = await _looked_up(shown, districts, provider, _DISTRICTS, DISTRICT_WITHIN_M)
    told = [
        _described(place, [kind if len(set(kinds)) > 1 else "", street, district])
        for place, kind, street, district in zip(shown, kinds, streets, districts, strict=True)
    ]
    return tuple(
        text if told.count(text) == 1 or place.location is None else f"{text} ({place.location})"
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
