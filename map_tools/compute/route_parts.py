"""What all readers of routers' replies share: summaries that tell routes apart, roundabouts, warnings."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from map_tools.compute.street_names import is_number
from map_tools.types import LatLng, Route, RouteStep

SNAP_WARNING_M = 300
"""A route that begins or ends farther than this from the place asked for says so."""

METRES_PER_DEGREE = 111_195
"""Along a meridian on a sphere of 6,371 km: exact to half a percent, enough for a warning."""


def quickest(routes: Sequence[Route]) -> Route:
    """The route of the least time; where none states a time the shortest, of equal ones the first."""
    return min(routes, key=lambda route: (_or_most(route.duration_s), _or_most(route.distance_m)))


def _or_most(value: float | None) -> float:
    return math.inf if value is None else value


def told_apart(routes: Sequence[Route]) -> tuple[Route, ...]:
    """The routes, each with a summary that tells it from the others."""
    summaries = _summaries([_main_streets(route) for route in routes])
    return tuple(
        route.model_copy(update={"summary": summary})
        for route, summary in zip(routes, summaries, strict=True)
    )


def with_whole_roundabouts(steps: Iterable[RouteStep]) -> tuple[RouteStep, ...]:
    """The steps of a leg, in which entering and leaving a roundabout ("roundabout-exit") are one."""
    whole: list[RouteStep] = []
    for step in steps:
        if step.maneuver == "roundabout-exit" and whole and whole[-1].maneuver == "roundabout":
            whole[-1] = _join_roundabout(whole[-1], step)
        else:
            whole.append(step)
    return tuple(whole)


def snap_warnings(geometry: Sequence[LatLng], stops: Sequence[LatLng]) -> Iterator[str]:
    """Sentences on ends of a route that lie far from the places asked for."""
    if not geometry:
        return
    for verb, found, wanted in (("begins", geometry[0], stops[0]), ("ends", geometry[-1], stops[-1])):
        away_m = _rough_distance_m(found, wanted)
        if away_m > SNAP_WARNING_M:
            yield f"The route {verb} at the nearest road, {away_m:.0f} m from the place itself."


def _join_roundabout(enter: RouteStep, leave: RouteStep) -> RouteStep:
    """Entering and leaving a roundabout are one manoeuvre for whoever drives, and for whoever counts."""
    return enter.model_copy(
        update={
            "distance_m": (enter.distance_m or 0) + (leave.distance_m or 0),
            "duration_s": (enter.duration_s or 0) + (leave.duration_s or 0),
            "streets": leave.streets or enter.streets,
            "notes": tuple(dict.fromkeys((*enter.notes, *leave.notes))),
        }
    )


def _main_streets(route: Route) -> tuple[str, ...]:
    """Street names by the length travelled on them, longest first."""
    lengths: Counter[str] = Counter()
    for step in route.steps:
        if step.streets and step.distance_m:
            lengths[step.streets[0]] += round(step.distance_m)
    return tuple(name for name, _ in lengths.most_common())


def _summaries(streets: Sequence[tuple[str, ...]]) -> list[str]:
    """The main street of each route, with a second one where two would be called the same.

    A road's number stands alone only where no street of the route has a name.
    """
    summaries = []
    for index, names in enumerate(streets):
        rivals = [
            other for at, other in enumerate(streets) if at != index and names and other[:1] == names[:1]
        ]
        others = sorted(names[1:], key=is_number)
        own = [name for name in others if all(name not in other for other in rivals)]
        named = bool(others) and is_number(names[0]) and not is_number(others[0])
        beside = (own or others)[:1] if rivals or named else []
        summaries.append(" and ".join((*names[:1], *beside)))
    return summaries


def _rough_distance_m(a: LatLng, b: LatLng) -> float:
    turn = (a.lng - b.lng + 180) % 360 - 180  # the short way round, also across the antimeridian
    east = turn * math.cos(math.radians(a.lat))
    return math.hypot(a.lat - b.lat, east) * METRES_PER_DEGREE
