"""What Valhalla is asked, whatever for: how one travels, what is to be avoided, and which roads a place stands on.

The options: https://valhalla.github.io/valhalla/api/turn-by-turn/api-reference/#costing-options.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from map_tools.errors import UnsupportedError
from map_tools.types import Avoid, LatLng, TravelMode

COSTING = {
    TravelMode.DRIVING: "auto",
    TravelMode.WALKING: "pedestrian",
    TravelMode.BICYCLING: "bicycle",
}
"""Valhalla's costing models
(https://valhalla.github.io/valhalla/api/turn-by-turn/api-reference/#costing-models)."""

MAX_SNAP_M = 5_000
"""A position farther than this from every road has no route; Valhalla's default of 35 km would lend it the
roads of the next town and their travel times."""
NEAR_SEARCH = {"search_cutoff": 1_000}
"""Tried first: almost every place has a road within a kilometre, and looking no farther takes half the
time."""
FULL_SEARCH: Mapping[str, int] = {}
"""Tried where that finds no way: as far as `MAX_SNAP_M`."""
WIDE_SEARCH = {"radius": 200, "minimum_reachability": 100}
"""Tried where no way is found: the nearest road may be a short piece cut off from the rest (a yard, a tunnel,
a road at the extract's edge), so every road within 200 m that leads somewhere is considered. Both are
Valhalla's own upper limits; asking this always would cost four times as much."""
LEADING_ON = {"minimum_reachability": 100}
"""What can be reached is asked for from a road that leads on to many others: from a short piece cut off from the
rest nothing is reached, and no failure says so. 100 is Valhalla's own upper limit."""
ANY_PATH = {"max_hiking_difficulty": 6}
"""On foot every path is taken that the map has, hard ones at the cost and the pace that Valhalla sees in them; left to
itself it knows none above T1, and sends one down the valley and up the next."""
EASY_PATH = {"max_hiking_difficulty": 1}
MOUNTAIN_GRADE = 2
"""From this grade on a path is one for mountain boots, and is told of."""
EITHER_SIDE = {"radius": 15, "rank_candidates": False}
"""A bicycle is pushed across the street: of the carriageways so near to a place each will do."""
REACH_FORM = {"polygons": True, "denoise": 0.1, "generalize": 20}
"""Areas, those set apart from the largest (islands) with a tenth of its size at least, to 20 m at their edges."""

_ONLY: Mapping[Avoid, tuple[TravelMode, str, str]] = {
    Avoid.BARRIERS: (TravelMode.WALKING, "wheelchairs and prams", "on foot"),
    Avoid.BUSY_ROADS: (TravelMode.BICYCLING, "bicycles", "by bike"),
}
"""What can be avoided by one mode alone: the mode, whom such a way is for, and how it is asked for."""
_WITHOUT: Mapping[Avoid, tuple[str, bool | int | float | str]] = {
    Avoid.TOLLS: ("exclude_tolls", True),
    Avoid.MOTORWAYS: ("exclude_highways", True),
    Avoid.FERRIES: ("exclude_ferries", True),
    Avoid.STAIRS: ("step_penalty", 43_200),
    Avoid.BARRIERS: ("type", "wheelchair"),
    Avoid.BUSY_ROADS: ("use_roads", 0.0),
}
"""Stairs can only be made as costly as a detour of half a day, and on wheels one goes at
4 km/h."""
NO_STEPS: Mapping[str, float | str] = {"type": "wheelchair", "walking_speed": 5.1}
"""Tried where a way over stairs costs less than the penalty, as one begins on them: no stairs at all, at the pace of
somebody on foot (Valhalla's default)."""


def costed(mode: TravelMode, **options: bool | float | str) -> dict[str, Any]:
    """How one travels, as requests say it; on wheels over easy paths only.

    Raises:
        UnsupportedError: The mode is not served.
    """
    costing = COSTING.get(mode)
    if costing is None:
        served = ", ".join(known.value for known in COSTING)
        raise UnsupportedError(f"This map has no {mode.value} timetable.", f"It serves {served}.")
    own = ANY_PATH if mode is TravelMode.WALKING and "type" not in options else {}
    return {"costing": costing, "costing_options": {costing: {**own, **options}}, "units": "kilometers"}


def without(mode: TravelMode, avoid: Sequence[Avoid]) -> dict[str, bool | int | float | str]:
    """The options of `costed` for what a way is to do without.

    Raises:
        UnsupportedError: Only another mode can avoid it.
    """
    for one in avoid:
        only, what, how = _ONLY.get(one, (mode, "", ""))
        if mode is not only:
            raise UnsupportedError(f"A way without {one.value} is one for {what}.", f"Ask for it {how}.")
    return dict(_WITHOUT[one] for one in avoid)


def locations(
    stops: Sequence[LatLng], search: Mapping[str, int], costing: str
) -> list[dict[str, float | bool]]:
    """Stops as requests have them, with how their roads are searched for."""
    pushed = costing == COSTING[TravelMode.BICYCLING] and "radius" not in search
    own = {**EITHER_SIDE, **search} if pushed else search
    return [{"lat": stop.lat, "lon": stop.lng, **own} for stop in stops]
