"""Names told with what else is known of the place: "Sila by Sendlinger Tor", "Toy Museum (Spielzeugmuseum)".

The words are parted in every way into a name and a rest; a place of that name counts only if the rest is true of it: it
is its kind, stands in its address, or names something that it is near to. So no word is left over, and nothing is taken
for what it is not.
"""

import math
from collections.abc import Iterator, Sequence

from map_tools.compute import shapes
from map_tools.kinds import concepts
from map_tools.kinds.concepts import LINEAR
from map_tools.maps.search.names import canonical, small_words
from map_tools.providers.base import HasShapes, Provider
from map_tools.tools.rivals import bears, is_called
from map_tools.types import Candidate, Geometry, LatLng

SURE = 0.85
"""A name is taken for the one that is told from this score on."""
NEAR_M = 400.0
"""So near is what is told to be "at" or "by" something: a few minutes on foot."""
LONGEST = 8
"""Texts of more words are no names with an addition."""
ON_STREET_M = 60.0
"""So near to a street is what stands on it."""
_CANDIDATES = 10


async def described(text: str, provider: Provider, near: LatLng | None) -> tuple[Candidate, ...]:
    """The places that a name and an addition to it mean; empty if there are none.

    Only a provider whose names cost nothing is asked; others read such texts themselves.
    """
    if not provider.capabilities.cheap_names or len(text.split()) > LONGEST:
        return ()
    for name, rest in _parted(text):
        sure = await _sure(name, provider, near)
        fitting = [one for one in sure if _says_kind(rest, one) or _in_address(rest, one)]
        if sure and not fitting:
            fitting = await _nearest(name, rest, provider)
        if fitting:
            return tuple(fitting)
    return ()


def _parted(text: str) -> Iterator[tuple[str, str]]:
    """The ways to part a text into a name and the rest: at a joining word, else those with the longest names first."""
    head, bracket, inner = text.partition("(")
    if bracket:
        yield from ((head.strip(), inner.strip(" )")), (inner.strip(" )"), head.strip()))
        return
    words = text.replace(",", " ").split()
    parts = [(words[:size], words[size:]) for size in range(len(words) - 1, 0, -1)]
    joined = [part for part in parts if part[1][0].lower() in small_words()]
    for own, other in joined or [way for part in parts for way in (part, part[::-1])]:
        name, rest = _bare(own), _bare(other)
        if name and rest:
            yield " ".join(name), " ".join(rest)


def _bare(words: Sequence[str]) -> Sequence[str]:
    """Words without the small ones around them."""
    held = [number for number, word in enumerate(words) if word.lower() not in small_words()]
    return words[held[0] : held[-1] + 1] if held else ()


def _says_kind(rest: str, candidate: Candidate) -> bool:
    """Whether words end with a kind that the place is of: "toy museum"."""
    ends = [span.value.ids for span in concepts.find_in(rest) if span.end == len(rest)]
    return any(not {*ids}.isdisjoint(candidate.place.categories) for ids in ends)


def _in_address(rest: str, candidate: Candidate) -> bool:
    return {*canonical(rest).split()} <= {*canonical(candidate.place.address or "").split()}


async def _nearest(name: str, rest: str, provider: Provider) -> list[Candidate]:
    """The one of a name that is nearest to what the rest names, if it is near to it, or on it where it is a street."""
    apart: list[tuple[float, Candidate]] = []
    for anchor in await _sure(rest, provider, None):
        there = await _geometry(anchor, provider) if is_called(rest, anchor.place) else None
        if there is None:
            continue
        near_m = ON_STREET_M if LINEAR & {*anchor.place.categories} else NEAR_M
        for one in await _sure(name, provider, anchor.place.location):
            place = await _geometry(one, provider)
            away_m = math.inf if place is None else shapes.distance_m(place, there)
            apart += [(away_m, one)] if away_m < near_m else []
    return [min(apart, key=lambda found: found[0])[1]] if apart else []


async def _sure(text: str, provider: Provider, near: LatLng | None) -> list[Candidate]:
    """What is certainly called so: its name begins with the words, whatever stands behind them."""
    found = await provider.find_place(text, near=near, limit=_CANDIDATES)
    return [one for one in found if one.score >= SURE and bears(text, one.place)]


async def _geometry(candidate: Candidate, provider: Provider) -> Geometry | None:
    """The outline or course of a place where it has one, else its position."""
    wide = candidate.outlined or not LINEAR.isdisjoint(candidate.place.categories)
    shape = await provider.shape(candidate.place.id) if wide and isinstance(provider, HasShapes) else None
    return shape or candidate.place.location
