"""The spatial part of a wish, in three steps: geometry, spatial function, parameter (section 4.2).

Among what is measured from are corners of two streets.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

from map_tools.compute.numbers import plain_pattern, plain_value
from map_tools.phrases import Phrase
from map_tools.types import TravelMode
from modules.offline.analysis import Analysis
from modules.offline.intents import HERE
from modules.offline.marks import Mention
from modules.recommender.vocabulary import corner_links, keys_in, phrases
from modules.recommender.wish import (
    BLOCK_M,
    NEARBY_M,
    NOT_TOO_FAR_M,
    ROUTE_BUFFER_M,
    SCENIC_BUFFER_M,
    SHORT_M,
    WALK_M_PER_MIN,
    WALKABLE_M,
    WALKING_BUFFER_M,
    Geometry,
    SpatialFunction,
    Wind,
)

_ENDS = frozenset({"from", "to", "between"})
_BETWEEN = "between"
_INSIDE = frozenset({"in", "inside"})
_ANCHORING = frozenset({"near", "of", "at", "in", "from", "to", "self", "on", "via", "between"})
_LEAST_STRENGTH, _SURE_STRENGTH = 0.5, 0.7
"""Words that play the part of a place count even where the map does not know them (the tools tell), unless
others are written with a capital or known to the map."""
_THEREABOUTS = re.compile(r"\b(?:near\s?by|close by|near there|around there|in the vicinity)\b", re.I)
"""What is near a place that another sentence names."""
_OF = re.compile(r"\s+of\b", re.I)
_MINUTES_S = 60.0
_SIGNS = ("&", "/")
"""What joins two names in one word for the grammar of names."""
_ARTICLE = "the"

FUNCTIONS: Mapping[Geometry, SpatialFunction] = {
    Geometry.POINT: SpatialFunction.WITHIN_DISTANCE,
    Geometry.ROUTE: SpatialFunction.WITHIN_BUFFER,
    Geometry.REGION: SpatialFunction.CONTAINED,
    Geometry.BETWEEN: SpatialFunction.CONTAINED,
}
"""Step 2: the spatial function follows from the geometry."""


@dataclass(frozen=True, slots=True)
class SpatialReading:
    """Geometry, function and parameter of a wish (`wish.Wish` says what they are)."""

    geometry: Geometry
    anchors: tuple[str, ...]
    wind: Wind | None
    mode: TravelMode
    function: SpatialFunction
    distance_m: float | None
    stated_distance: bool
    corners: Mapping[str, tuple[str, str]]


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


def read_space(analysis: Analysis, text: str) -> SpatialReading | None:
    """The spatial part of a question.

    Args:
        analysis: Of the question without the words of taste and scale, so that names are names of places.
        text: The question as written, for the phrases that say how near is near.

    Returns:
        None if nothing is measured from: there is no place and no "near me", or a way without two ends.
    """
    corners = corners_in(analysis)
    found = _geometry(analysis, _anchors(analysis, corners), in_part=bool(keys_in("part", text)))
    if found is None:
        return None
    geometry, anchors = found
    named = {corner.words: corner.streets for corner in corners if corner.words in anchors}
    return _measured(geometry, anchors, named, analysis, text)


def placed(analysis: Analysis, text: str, *, near: str = "", inside: str = "") -> SpatialReading:
    """The spatial part of a wish where it is settled what is measured from.

    Args:
        analysis: As for `read_space`.
        text: As for `read_space`; it may still say how near is near, and on which side.
        near: What it lies near of, as it is called; comes first.
        inside: What it lies in.
    """
    geometry, name = (Geometry.POINT, near) if near else (Geometry.REGION, inside)
    return _measured(geometry, (name,), {}, analysis, text)


def _measured(
    geometry: Geometry,
    anchors: tuple[str, ...],
    corners: Mapping[str, tuple[str, str]],
    analysis: Analysis,
    text: str,
) -> SpatialReading:
    """Steps 2 and 3."""
    function = FUNCTIONS[geometry]
    mode = _mode(text)
    stated_m = None if function is SpatialFunction.CONTAINED else stated_reach_m(analysis, text)
    distance_m = stated_m or default_reach_m(function, keys_in("scale", text), mode)
    wind = wind_of(geometry, analysis, text)
    return SpatialReading(geometry, anchors, wind, mode, function, distance_m, stated_m is not None, corners)


def blocks_in(text: str) -> list[Phrase[str]]:
    """The numbers of blocks in a text, in digits or words; of "8-10 blocks" the greater one."""
    found = _blocks().finditer(text.lower())
    return [Phrase(match.start(), match.end(), match["high"]) for match in found]


@lru_cache(maxsize=1)
def _blocks() -> re.Pattern[str]:
    number = plain_pattern()
    return re.compile(rf"\b(?:{number}\s*(?:-|–|to|or)\s*)?(?P<high>{number})[\s-]*blocks?\b")


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


def _geometry(
    analysis: Analysis, anchors: tuple[Mention, ...], *, in_part: bool
) -> tuple[Geometry, tuple[str, ...]] | None:
    """Step 1. A route only between exactly two points; a region only if it is named (rules of F.1)."""
    cues = keys_in("geometry", analysis.text)
    if "route" in cues:
        return _ends_of_route(anchors)
    names = tuple(dict.fromkeys(anchor.place for anchor in anchors))
    if len(names) == 2 and all(anchor.role == _BETWEEN for anchor in anchors):
        return Geometry.BETWEEN, names
    if len(names) == 1 and (in_part or "region" in cues or analysis.word_before(anchors[0].start) in _INSIDE):
        return Geometry.REGION, names
    if names:
        return Geometry.POINT, names
    return (Geometry.POINT, (HERE,)) if "here" in cues else None


def _ends_of_route(anchors: Sequence[Mention]) -> tuple[Geometry, tuple[str, ...]] | None:
    """The two ends of a way; where only its end is named, it begins at the user's own position."""
    ends = sorted((one for one in anchors if one.role in _ENDS), key=lambda one: one.role == "to")
    names = tuple(dict.fromkeys(end.place for end in ends))
    if len(names) == 1 and ends[0].role == "to":
        return Geometry.ROUTE, (HERE, *names)
    return (Geometry.ROUTE, names) if len(names) == 2 else None


def _anchors(analysis: Analysis, corners: Sequence[Corner]) -> tuple[Mention, ...]:
    """The places named, lists taken apart; unknown words only where there are no better names."""
    met = [corner.mention() for corner in corners]
    single = (part for mention in analysis.places for part in mention.split() if part.role in _ANCHORING)
    apart = (part for part in single if all(part.end <= one.start or one.end <= part.start for one in met))
    parts = sorted((*met, *apart), key=lambda part: part.start)
    sure = tuple(part for part in parts if part.strength >= _SURE_STRENGTH)
    if not sure and _THEREABOUTS.search(analysis.text):
        sure = tuple(mention for mention in analysis.places if mention.strength >= _SURE_STRENGTH)
    return sure or tuple(part for part in parts if part.strength >= _LEAST_STRENGTH)


def wind_of(geometry: Geometry, analysis: Analysis, text: str) -> Wind | None:
    """The part of a region ("the northern part of"), or the side of a point ("north of")."""
    if geometry is Geometry.REGION:
        parts = keys_in("part", text)
        return cast("Wind", next(iter(parts))) if len(parts) == 1 else None
    if geometry is Geometry.POINT:
        sides = (mark.value for mark in analysis.winds if _OF.match(analysis.text, mark.end))
        return cast("Wind | None", next(sides, None))
    return None


def _mode(text: str) -> TravelMode:
    """How one travels; on foot where nothing else is said, as somebody looking for a table in a city does."""
    said = keys_in("mode", text)
    return next(
        (TravelMode(mode) for mode in ("walking", "bicycling", "driving") if mode in said), TravelMode.WALKING
    )


def stated_reach_m(analysis: Analysis, text: str) -> float | None:
    """A distance, a number of blocks or of minutes on foot that the text states; the widest one."""
    blocks = [number for phrase in blocks_in(text) if (number := plain_value(phrase.value))]
    if blocks:
        return max(blocks) * BLOCK_M
    if analysis.distances:
        return max(mark.value for mark in analysis.distances)
    if analysis.durations and "walking" in keys_in("mode", text):
        return max(mark.value for mark in analysis.durations) / _MINUTES_S * WALK_M_PER_MIN
    return None


def default_reach_m(function: SpatialFunction, scales: frozenset[str], mode: TravelMode) -> float | None:
    """Step 3 where the text states no distance: appendix F.1's defaults.

    Args:
        function: Of the wish.
        scales: What is said of how near is near: keys of the vocabulary's section "scale".
        mode: How one travels.
    """
    if function is SpatialFunction.CONTAINED:
        return None
    if "short" in scales:
        return SHORT_M
    return _buffer_m(scales, mode) if function is SpatialFunction.WITHIN_BUFFER else _radius_m(scales)


def _radius_m(scales: frozenset[str]) -> float:
    """The widest reading that a word asks for, "nearby" where none does."""
    if "far" in scales:
        return NOT_TOO_FAR_M
    return WALKABLE_M if "walkable" in scales else NEARBY_M


def _buffer_m(scales: frozenset[str], mode: TravelMode) -> float:
    if "scenic" in scales:
        return SCENIC_BUFFER_M
    return WALKING_BUFFER_M if mode is TravelMode.WALKING else ROUTE_BUFFER_M


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
