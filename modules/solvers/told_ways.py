"""How far places are by the ways a text tells, where it gives neither positions nor a list of them."""

from collections.abc import Sequence

from map_tools.types import TravelMode
from modules.offline.intents import NearbyIntent
from modules.solvers.common import Trail, anchor_words, title
from modules.solvers.route_facts import MODE_WORDS
from modules.view import CannotTellError, Found, Travel, View


def told_ways(
    view: View, trail: Trail, intent: NearbyIntent, founds: Sequence[Found]
) -> tuple[Travel, ...] | None:
    """The way from the anchor to each place, all by one mode; None if the text does not tell them all.

    Lengths by one mode are compared with each other; straight lines they are not, of which the user is told.
    """
    if len(intent.anchors) != 1 or not view.closed:
        return None
    anchor = anchor_words(view, intent.anchors[0])
    for mode in (intent.mode,) if intent.mode is not None else TravelMode:
        ways = _ways(view, anchor, founds, mode)
        if ways is not None:
            trail.warn(
                f"No straight distances are at hand; the lengths of the ways {MODE_WORDS[mode]} are used."
            )
            return ways
    return None


def _ways(view: View, anchor: str, founds: Sequence[Found], mode: TravelMode) -> tuple[Travel, ...] | None:
    """The ways by this mode; None if any of them, or its length, is not told."""
    ways: list[Travel] = []
    for found in founds:
        try:
            way = view.travel(anchor, title(found.place), mode)
        except CannotTellError:
            return None
        if way is None or way.distance_m is None:
            return None
        ways.append(way)
    return tuple(ways)
