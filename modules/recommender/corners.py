"""Corners of two streets: how a question says them, and where they lie."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from map_tools.errors import PlaceNotFoundError
from map_tools.providers.base import Provider
from map_tools.spatial_db.sources import is_database
from map_tools.types import LatLng
from modules.offline.analysis import Analysis
from modules.offline.marks import Mention
from modules.recommender.errors import CannotTellError
from modules.recommender.vocabulary import corner_links, phrases

_SIGNS = ("&", "/")
"""What joins two names in one word for the grammar of names."""
_ARTICLE = "the"


@dataclass(frozen=True, slots=True)
class Corner:
    """A corner that a question names.

    Attributes:
        start, end: Where its words stand in the text.
        streets: The two streets.
        role: What the words before it make of it (`modules.offline.marks.Mention`).
    """

    start: int
    end: int
    streets: tuple[str, str]
    role: str

    @property
    def words(self) -> str:
        """How it is called."""
        return "the corner of {} and {}".format(*self.streets)

    def mention(self) -> Mention:
        """The corner as one place."""
        return Mention(self.start, self.end, self.words, self.role, strength=1.0)


def corners_in(analysis: Analysis) -> tuple[Corner, ...]:
    """The corners a question names: "the corner of A and B", "the crossing A / B", "where A crosses B"."""
    names = sorted(_names(analysis.places), key=lambda name: name.start)
    found = (
        _behind(analysis, cue.start, cue.end, names, corner_links(cue.value))
        for cue in phrases("corner", analysis.text)
    )
    return tuple({corner.start: corner for corner in found if corner is not None}.values())


def with_corners(anchors: Iterable[str], corners: Sequence[Corner]) -> tuple[str, ...]:
    """Names of places, those of the streets of a corner as the corner."""
    return tuple(dict.fromkeys(_as_corner(anchor, corners) for anchor in anchors))


async def corner_at(
    streets: tuple[str, str], provider: Provider, databases: Path
) -> tuple[LatLng, str] | None:
    """Where two streets of a map meet, and what a reader should know about it.

    Args:
        streets: Their names.
        provider: The map.
        databases: Where databases made of maps are kept.

    Returns:
        None if the provider has no map of its own: its look-up of places may know corners.

    Raises:
        CannotTellError: There is no such street, or they do not meet.
        MapStoreError: The map is damaged.
    """
    if not is_database(provider):
        return None
    from map_tools.spatial_db.memory.opening import engine_of
    from modules.spatial_database.tools.get_region_geometry import GetRegionGeometry, RegionArguments

    engine = await asyncio.to_thread(engine_of, provider, databases)
    try:
        found = await GetRegionGeometry(engine).run(RegionArguments(streets=streets))
    except PlaceNotFoundError as error:
        raise CannotTellError(str(error)) from error
    return None if found.center is None else (found.center, found.note)


def _names(mentions: Iterable[Mention]) -> Iterator[Mention]:
    """The single names among some mentions: lists and names joined by a sign taken apart."""
    for mention in mentions:
        for part in mention.split():
            sign = next((sign for sign in _SIGNS if f" {sign} " in part.text), None)
            if sign is None:
                yield part
                continue
            first, second = part.text.split(f" {sign} ", 1)
            yield replace(part, text=first, end=part.start + len(first))
            yield replace(part, text=second, start=part.end - len(second))


def _behind(
    analysis: Analysis, start: int, end: int, names: Sequence[Mention], links: frozenset[str]
) -> Corner | None:
    """The two names right behind a phrase, if nothing but a link stands between them.

    Where nothing tells names from other words, the phrase may have been taken for a part of the first name.
    """
    pair = [name for name in names if name.end > end and name.start >= start][:2]
    if len(pair) < 2 or analysis.between(end, pair[0].start).strip() not in {"", _ARTICLE}:
        return None
    between = analysis.between(pair[0].end, pair[1].start).removesuffix(f"{_ARTICLE} ").strip()
    if between not in links:
        return None
    first = analysis.text[max(pair[0].start, end) : pair[0].end].strip()
    # "near the corner of": the word itself may be taken for a place, which then has the part of the corner.
    own = next((place.role for place in analysis.places if place.start < end and start < place.end), "near")
    return Corner(start, pair[1].end, (first, pair[1].text), own)


def _as_corner(anchor: str, corners: Sequence[Corner]) -> str:
    said = anchor.casefold()
    for corner in corners:
        streets = [street.casefold() for street in corner.streets]
        if said in streets or all(street in said for street in streets):
            return corner.words
    return anchor
