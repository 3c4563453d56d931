"""The spatial part of a wish, in three steps: geometry, spatial function, parameter (section 4.2)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from map_tools.phrases import Phrase
from map_tools.types import TravelMode
from modules.intents import HERE
from modules.offline.analysis import Analysis
from modules.offline.marks import Mention
from modules.recommender.vocabulary import keys_in
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
)

_ENDS = frozenset({"from", "to", "between"})
_INSIDE = frozenset({"in", "inside"})
_ANCHORING = frozenset({"near", "of", "at", "in", "from", "to", "self", "on", "via", "between"})
_LEAST_STRENGTH = 0.5
"""Words that play the part of a place count even where the map does not know them: the tools tell."""
_BLOCKS = re.compile(r"(?:\d+\s*(?:-|to|or)\s*)?(?P<high>\d+)[\s-]*blocks?\b", re.I)
_MINUTES_S = 60.0


@dataclass(frozen=True, slots=True)
class SpatialReading:
    """Geometry, function and parameter; `stated` where the text gives the parameter itself."""

    geometry: Geometry
    anchors: tuple[str, ...]
    mode: TravelMode
    function: SpatialFunction
    distance_m: float | None
    stated: bool


def read_space(analysis: Analysis, text: str) -> SpatialReading | None:
    """The spatial part of a question.

    Args:
        analysis: Of the question without the words of taste and scale, so that names are names of places.
        text: The question as written, for the phrases that say how near is near.

    Returns:
        None if nothing is measured from: there is no place and no "near me", or a way without two ends.
    """
    found = _geometry(analysis)
    if found is None:
        return None
    geometry, anchors = found
    mode = _mode(text)
    if geometry is Geometry.REGION:
        return SpatialReading(geometry, anchors, mode, SpatialFunction.CONTAINED, None, stated=False)
    route = geometry is Geometry.ROUTE
    function = SpatialFunction.WITHIN_BUFFER if route else SpatialFunction.WITHIN_DISTANCE
    stated_m = _stated_m(analysis, text)
    distance_m = stated_m or (_buffer_m(text, mode) if route else _radius_m(text))
    return SpatialReading(geometry, anchors, mode, function, distance_m, stated=stated_m is not None)


def blocks_in(text: str) -> list[Phrase[str]]:
    """The numbers of blocks in a text; of "8-10 blocks" the greater one."""
    return [Phrase(match.start(), match.end(), match["high"]) for match in _BLOCKS.finditer(text)]


def _geometry(analysis: Analysis) -> tuple[Geometry, tuple[str, ...]] | None:
    """Step 1. A route only between exactly two points; a region only if it is named (rules of F.1)."""
    cues = keys_in("geometry", analysis.text)
    anchors = _anchors(analysis)
    if "route" in cues:
        return _ends_of_route(anchors)
    names = tuple(dict.fromkeys(anchor.place for anchor in anchors))
    if len(names) == 1 and ("region" in cues or analysis.word_before(anchors[0].start) in _INSIDE):
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


def _anchors(analysis: Analysis) -> tuple[Mention, ...]:
    """The places named, lists taken apart."""
    parts = [part for mention in analysis.places for part in mention.split()]
    return tuple(part for part in parts if part.strength >= _LEAST_STRENGTH and part.role in _ANCHORING)


def _mode(text: str) -> TravelMode:
    """How one travels; on foot where nothing else is said, as somebody looking for a table in a city does."""
    said = keys_in("mode", text)
    return next(
        (TravelMode(mode) for mode in ("walking", "bicycling", "driving") if mode in said), TravelMode.WALKING
    )


def _stated_m(analysis: Analysis, text: str) -> float | None:
    """A distance, a number of blocks or of minutes on foot that the text states; the widest one."""
    blocks = [float(phrase.value) for phrase in blocks_in(text)]
    if blocks:
        return max(blocks) * BLOCK_M
    if analysis.distances:
        return max(mark.value for mark in analysis.distances)
    if analysis.durations and "walking" in keys_in("mode", text):
        return max(mark.value for mark in analysis.durations) / _MINUTES_S * WALK_M_PER_MIN
    return None


def _radius_m(text: str) -> float:
    """Step 3 for points: the widest reading that a word asks for, "nearby" where none does."""
    scales = keys_in("scale", text)
    if "far" in scales:
        return NOT_TOO_FAR_M
    if "short" in scales:
        return SHORT_M
    return WALKABLE_M if "walkable" in scales else NEARBY_M


def _buffer_m(text: str, mode: TravelMode) -> float:
    """Step 3 for routes."""
    scales = keys_in("scale", text)
    if "short" in scales:
        return SHORT_M
    if "scenic" in scales:
        return SCENIC_BUFFER_M
    return WALKING_BUFFER_M if mode is TravelMode.WALKING else ROUTE_BUFFER_M
