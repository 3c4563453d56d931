"""Straight-line distance and direction between two places, computed on the ellipsoid."""

from collections.abc import Sequence

from map_tools.compute.geodesy import (
    OCTANT_DEG,
    WINDS,
    angle_between,
    bearing_deg,
    distance_m,
    wind,
    wind_name,
    wind_words,
)
from map_tools.types import LatLng
from mapagent.answer import Quantity, Solution, Text, Value, YesNo
from modules.offline.intents import BearingIntent, DistanceIntent
from modules.solvers.ambiguity import settle
from modules.solvers.common import Trail, position_of, title
from modules.solvers.measures import measure_words
from modules.view import CannotTellError, Found, View

CARDINAL_REACH_DEG = 45.0
"""North, east, south and west are said of anything up to half-way to the next of these four."""

DIAGONAL_REACH_DEG = 22.5
"""North-east and the like name one of eight directions, so reach half an octant to each side."""

RUNNER_UP_DEG = 67.5
"""Directions this near to the bearing may still be the best among given options."""


def solve_distance(intent: DistanceIntent, view: View) -> Solution | None:
    """The geodesic distance between two places, or whether it is at most so much.

    Raises:
        CannotTellError: A place is not found or has no position.
    """
    a, b = view.place(intent.a), view.place(intent.b)
    if a is None or b is None:
        return None

    def judge(reading: tuple[Found, ...]) -> Solution:
        trail = Trail()
        metres = measured_m(view, trail, *reading)
        shown = f"{title(reading[0].place)} to {title(reading[1].place)}: {metres:.0f} m in a straight line."
        if intent.at_least_m is not None:
            beyond = YesNo(value=metres >= intent.at_least_m)
            return trail.answered(beyond, f"{shown} The limit is {intent.at_least_m:g} m.")
        if intent.at_most_m is None:
            return trail.answered(Quantity(value=metres, unit="m"), shown)
        within = YesNo(value=metres <= intent.at_most_m)
        return trail.answered(within, f"{shown} The limit is {intent.at_most_m:g} m.")

    return settle(view, (a, b), judge)


def solve_bearing(intent: BearingIntent, view: View) -> Solution | None:
    """The direction in which one place lies from another, or whether it lies in a given one.

    Raises:
        CannotTellError: A place is not found or has no position, or both are the same spot.
    """
    origin, target = view.place(intent.origin), view.place(intent.target)
    if origin is None or target is None:
        return None
    return settle(view, (origin, target), lambda reading: _bearing(view, intent, *reading))


def _bearing(view: View, intent: BearingIntent, origin: Found, target: Found) -> Solution:
    trail = Trail()
    start, end = located(view, trail, origin), located(view, trail, target)
    if start == end:
        raise CannotTellError(f"{title(origin.place)} and {title(target.place)} are at the same position.")
    bearing = bearing_deg(start, end)
    trail.claim(
        "bearing",
        (origin.evidence_id, target.evidence_id),
        bearing,
        a=title(origin.place),
        b=title(target.place),
    )
    word = wind_name(wind(bearing))
    shown = f"{title(target.place)} lies {word} of {title(origin.place)} (bearing {bearing:.0f}°)."
    if intent.is_direction is not None:
        wanted = wind_named(intent.is_direction)
        off = angle_between(bearing, WINDS.index(wanted) * OCTANT_DEG)
        return trail.answered(YesNo(value=off <= reach_deg(wanted)), shown)
    if intent.among:
        return _one_of(trail, intent.among, bearing, shown)
    first, *others = nearest_winds(bearing)
    if intent.far:
        away = measure_words(measured_m(view, trail, origin, target), "m")
        return trail.answered(Text(text=f"{away}, {wind_name(first)}", topic="direction"), shown)
    return trail.answered(_direction(first), shown, [_direction(one) for one in others])


def _one_of(trail: Trail, among: Sequence[str], bearing: float, shown: str) -> Solution:
    """The direction that fits best of those the question offers."""
    offs = {name: angle_between(bearing, WINDS.index(wind_named(name)) * OCTANT_DEG) for name in among}
    first, *others = sorted(offs, key=lambda name: offs[name])
    if offs[first] > RUNNER_UP_DEG:
        trail.warn(f"The place lies only slightly {wind_name(wind_named(first))}.")
    return trail.answered(
        _direction(wind_named(first)), shown, [_direction(wind_named(one)) for one in others]
    )


def nearest_winds(bearing: float) -> list[str]:
    """The winds near a bearing, nearest first; at least the two next to it."""
    offs = {name: angle_between(bearing, number * OCTANT_DEG) for number, name in enumerate(WINDS)}
    return sorted((name for name in WINDS if offs[name] <= RUNNER_UP_DEG), key=lambda name: offs[name])


def reach_deg(name: str) -> float:
    """How far from a wind's own bearing a place may lie and still be said to be in that direction."""
    return CARDINAL_REACH_DEG if len(name) == 1 else DIAGONAL_REACH_DEG


def wind_named(words: str) -> str:
    """The wind ("N", "NE", ...) these words name.

    Raises:
        CannotTellError: They name none.
    """
    if words.upper() in WINDS:
        return words.upper()
    found = wind_words(words)
    if found is None:
        raise CannotTellError(f"'{words}' is not one of the eight directions of the compass.")
    return found


def located(view: View, trail: Trail, found: Found) -> LatLng:
    """The position of a place from all facts about it.

    Raises:
        CannotTellError: No source gives one; positions are never guessed.
    """
    position = position_of(view, trail, found)
    if position is None:
        raise CannotTellError(f"The position of {title(found.place)} is not known, and it is never guessed.")
    return position


def measured_m(view: View, trail: Trail, a: Found, b: Found) -> float:
    """The geodesic distance between two places, claimed.

    Raises:
        CannotTellError: One has no position.
    """
    metres = distance_m(located(view, trail, a), located(view, trail, b))
    trail.claim("distance", (a.evidence_id, b.evidence_id), metres, a=title(a.place), b=title(b.place))
    return metres


def _direction(name: str) -> Value:
    return Text(text=wind_name(name), topic="direction")
