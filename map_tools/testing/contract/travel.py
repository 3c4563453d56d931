"""Checks of routes and matrices: their shape, their units, that no mode's times are another's, and that both agree."""

from datetime import UTC, datetime

from map_tools.compute.geodesy import distance_m
from map_tools.errors import NoRouteError, UnsupportedError
from map_tools.testing.contract.checking import (
    BreachError,
    Check,
    NotApplicableError,
    Subject,
    demand,
    demand_tuple_of,
    demand_value,
    refusal,
)
from map_tools.types import Matrix, MatrixCell, Place, Route, TravelMode

SLOWEST_M_S, FASTEST_M_S = 0.2, 90.0
"""Mean speeds outside this range are no journey: a walker who waits for a ferry, the fastest trains."""
FASTEST_WALK_M_S = 3.0
"""10.8 km/h on foot would be running; map services walk at 1.2 to 1.6 m/s."""
MOST_DETOUR, DETOUR_SLACK_M = 4.0, 1_000.0
"""A way is at most this many times longer than the straight line: with a larger one the unit is wrong (feet
are 3.3 to the metre), or the sample's two places are badly chosen (on two sides of a fjord)."""
SNAP_M = 250.0
"""A way is no shorter than the straight line, but for what lies between its ends and their nearest roads."""
SUM_TOLERANCE = 0.05
"""Share by which the sum of the legs may differ from the whole: services round each of them."""
PAST = datetime(2020, 1, 2, 12, 0, tzinfo=UTC)
"""A moment that is over: services that only take departures in the future must not fail for it."""
AGREEMENT, SLACK_S, SLACK_M = 0.15, 60.0, 100.0
"""How far a cell may be from the nearest of the routes: services compute both with different searches."""
AT_HOME_M, AT_HOME_S = 50.0, 60.0
"""From a place to itself is next to nothing."""


async def modes_refused(subject: Subject) -> str:
    """A mode that is not declared is refused, never answered with the times of another."""
    missing = [mode for mode in TravelMode if mode not in subject.provider.capabilities.modes]
    if not missing:
        raise NotApplicableError("all modes are declared")
    origin, destination = await subject.ends()
    for mode in missing:
        await refusal(subject.provider.directions(origin, destination, mode=mode), UnsupportedError)
        await refusal(subject.provider.matrix((origin,), (destination,), mode=mode), UnsupportedError)
    return f"refused: {', '.join(missing)}"


async def modes_served(subject: Subject) -> str:
    """A mode that is declared is served."""
    declared = subject.provider.capabilities.modes
    undeclared = subject.sample.modes - declared
    demand(not undeclared, f"the sample has ways by {', '.join(sorted(undeclared))}, which is not declared")
    subject.some_mode()
    origin, destination = await subject.ends()
    for mode in subject.modes:
        routes = await subject.provider.directions(origin, destination, mode=mode)
        demand(routes, f"no route by {mode.value}")
    for mode in sorted(
        declared - set(subject.modes)
    ):  # the sample knows no way by it; it is served all the same
        await subject.provider.matrix((origin,), (destination,), mode=mode)
    return f"served: {', '.join(sorted(declared))}"


async def route_types(subject: Subject) -> str:
    """A tuple of well-formed routes."""
    routes = await _routes(subject, subject.some_mode(), alternatives=True)
    demand_tuple_of(Route, routes, "directions")
    demand(routes, "there is no route")
    return f"{len(routes)} routes"


async def route_legs(subject: Subject) -> str:
    """One leg between two stops, and the legs add up to the whole."""
    for mode in subject.modes or (subject.some_mode(),):
        for route in await _routes(subject, mode):
            demand(len(route.legs) == 1, f"{len(route.legs)} legs between two stops by {mode.value}")
            _demand_sum(route)
    return "one leg"


def _demand_sum(route: Route) -> None:
    for what in ("distance_m", "duration_s"):
        whole = getattr(route, what)
        parts = [getattr(leg, what) for leg in route.legs]
        if whole is None or None in parts:
            continue
        demand(
            abs(sum(parts) - whole) <= SUM_TOLERANCE * whole + 1,
            f"the legs' {what} add up to {sum(parts):g}, the route says {whole:g}",
        )


async def route_units(subject: Subject) -> str:
    """Metres and seconds: no shorter than the straight line, at a speed that travels."""
    subject.some_mode()
    origin, destination = await subject.ends()
    told = []
    for mode in subject.modes:
        (route, *_) = await subject.provider.directions(origin, destination, mode=mode)
        if route.duration_s is None:
            raise BreachError(f"the route by {mode.value} has no duration")
        demand(route.duration_s > 0, f"the route by {mode.value} takes {route.duration_s:g} s")
        if route.distance_m is None:
            continue
        _demand_length(route.distance_m, origin, destination)
        speed = route.distance_m / route.duration_s
        demand(
            SLOWEST_M_S <= speed <= FASTEST_M_S,
            f"{route.distance_m:g} m in {route.duration_s:g} s by {mode.value} is {speed:.3g} m/s",
        )
        told.append(f"{mode.value} {speed:.1f} m/s")
    return ", ".join(told) or "no distances"


def _demand_length(length_m: float, origin: Place, destination: Place) -> None:
    if origin.location is None or destination.location is None:
        return
    straight_m = distance_m(origin.location, destination.location)
    demand(
        length_m >= straight_m - SNAP_M,
        f"the way is {length_m:g} m long, the straight line {straight_m:.0f} m",
    )
    demand(
        length_m <= MOST_DETOUR * straight_m + DETOUR_SLACK_M,
        f"the way is {length_m:g} m long, the straight line only {straight_m:.0f} m",
    )


async def walking_is_not_driving(subject: Subject) -> str:
    """Walking goes at a walker's pace, and takes another time than driving."""
    if TravelMode.WALKING not in subject.modes:
        raise NotApplicableError("the sample has no way on foot that the provider serves")
    origin, destination = await subject.ends()
    (walk, *_) = await subject.provider.directions(origin, destination, mode=TravelMode.WALKING)
    told = f"{walk.duration_s} s on foot"
    if walk.distance_m is not None and walk.duration_s:
        speed = walk.distance_m / walk.duration_s
        demand(speed <= FASTEST_WALK_M_S, f"walking at {speed:.1f} m/s")
    if TravelMode.DRIVING in subject.modes:
        (drive, *_) = await subject.provider.directions(origin, destination, mode=TravelMode.DRIVING)
        demand(walk.duration_s != drive.duration_s, f"walking and driving both take {walk.duration_s} s")
        told += f", {drive.duration_s} s by car"
    return told


async def one_route(subject: Subject) -> str:
    """One route, unless alternatives are asked for."""
    mode = subject.some_mode()
    alone = await _routes(subject, mode)
    demand(len(alone) == 1, f"{len(alone)} routes without alternatives=True")
    several = await _routes(subject, mode, alternatives=True)
    demand(several, "no route with alternatives=True")
    return f"{len(several)} with alternatives"


async def waypoints(subject: Subject) -> str:
    """A stop on the way makes a second leg."""
    sample = subject.sample
    if sample.via is None:
        raise NotApplicableError("the sample names no place to go over")
    mode = subject.some_mode()
    origin, destination = await subject.ends()
    stop = await subject.place(sample.via)
    try:
        (route, *_) = await subject.provider.directions(origin, destination, mode=mode, waypoints=(stop,))
    except UnsupportedError as error:
        raise NotApplicableError(str(error)) from error
    demand(len(route.legs) == 2, f"{len(route.legs)} legs over one waypoint")
    _demand_sum(route)
    return "two legs over one waypoint"


async def no_way(subject: Subject) -> str:
    """Where no way leads, that is said."""
    mode = subject.some_mode()
    origin, _ = await subject.ends()
    work = subject.provider.directions(origin, subject.sample.nowhere, mode=mode)
    return str(await refusal(work, NoRouteError))


async def departure(subject: Subject) -> str:
    """A departure that lies in the past does no harm."""
    mode = subject.some_mode()
    origin, destination = await subject.ends()
    routes = await subject.provider.directions(origin, destination, mode=mode, depart_at=PAST)
    demand(routes, "no route for a departure in the past")
    return "answered"


async def _routes(subject: Subject, mode: TravelMode, *, alternatives: bool = False) -> tuple[Route, ...]:
    origin, destination = await subject.ends()
    return await subject.provider.directions(origin, destination, mode=mode, alternatives=alternatives)


async def matrix_shape(subject: Subject) -> str:
    """A row for each origin and a cell for each destination, for the mode asked for."""
    mode = subject.some_mode()
    origin, destination = await subject.ends()
    matrix = await subject.provider.matrix((origin, destination), (destination, origin, origin), mode=mode)
    demand_value(Matrix, matrix, "matrix")
    demand(matrix.mode is mode, f"asked for {mode.value}, the matrix says {matrix.mode.value}")
    shape = [len(row) for row in matrix.rows]
    demand(shape == [3, 3], f"two origins and three destinations gave rows of {shape}")
    return "2 × 3"


async def matrix_order(subject: Subject) -> str:
    """Every cell stands where its origin's row and its destination's column meet."""
    mode = subject.some_mode()
    ends = await subject.ends()
    rows = (await subject.provider.matrix(ends, ends, mode=mode)).rows
    for cell in (rows[0][0], rows[1][1]):
        at_home = (cell.duration_s or 0) <= AT_HOME_S and (cell.distance_m or 0) <= AT_HOME_M
        demand(at_home, f"from a place to itself takes {cell.duration_s} s over {cell.distance_m} m")
    for start, end in ((0, 1), (1, 0)):
        alone = (await subject.provider.matrix((ends[start],), (ends[end],), mode=mode)).rows[0][0]
        cell = rows[start][end]
        same = _alike(cell.duration_s, alone.duration_s, SLACK_S)
        demand(same, f"in a matrix of two it takes {cell.duration_s} s, asked alone {alone.duration_s} s")
    return "rows are origins, columns destinations"


async def matrix_gaps(subject: Subject) -> str:
    """Where no way leads, the cell is empty, and the others are not lost."""
    mode = subject.some_mode()
    origin, destination = await subject.ends()
    matrix = await subject.provider.matrix((origin,), (destination, subject.sample.nowhere), mode=mode)
    known, gap = matrix.rows[0]
    demand(gap == MatrixCell(distance_m=None, duration_s=None), f"the way to nowhere is {gap}")
    demand(known.duration_s, "the other cell is lost")
    return "an empty cell"


async def matrix_agrees(subject: Subject) -> str:
    """A cell says what one of the routes says."""
    subject.some_mode()
    origin, destination = await subject.ends()
    told = []
    for mode in subject.modes:
        matrix = await subject.provider.matrix((origin,), (destination,), mode=mode)
        routes = await subject.provider.directions(origin, destination, mode=mode, alternatives=True)
        cell = matrix.rows[0][0]
        if not any(_agree(cell, route) for route in routes):
            raise BreachError(
                f"by {mode.value} the matrix says {cell.duration_s} s and {cell.distance_m} m, the routes "
                + " or ".join(f"{route.duration_s} s and {route.distance_m} m" for route in routes)
            )
        told.append(f"{mode.value} {cell.duration_s:g} s")
    return ", ".join(told)


def _agree(cell: MatrixCell, route: Route) -> bool:
    if cell.duration_s is None:
        return False
    return _alike(cell.duration_s, route.duration_s, SLACK_S) and _alike(
        cell.distance_m, route.distance_m, SLACK_M
    )


def _alike(one: float | None, other: float | None, slack: float) -> bool:
    """True if two measures agree; what one of them does not tell cannot disagree."""
    if one is None or other is None:
        return True
    return abs(one - other) <= max(slack, AGREEMENT * other)


CHECKS = (
    Check(
        "modes-refused",
        "A mode of travel that is not declared raises UnsupportedError.",
        "Check the mode first; never ask the service with another one.",
        modes_refused,
    ),
    Check(
        "modes-served",
        "Every mode that is declared is served.",
        "Take the mode out of capabilities.modes, or serve it.",
        modes_served,
    ),
    Check(
        "route-types",
        "directions returns a tuple of well-formed routes.",
        "Build Route, RouteLeg and RouteStep with their constructors; return tuple(...).",
        route_types,
    ),
    Check(
        "route-legs",
        "There is one leg between two stops, and legs add up to the whole.",
        "Make one RouteLeg for each two stops; a whole is the sum of its legs.",
        route_legs,
    ),
    Check(
        "route-units",
        "Distances are metres and durations seconds.",
        "Convert the service's units where the reply is parsed.",
        route_units,
    ),
    Check(
        "walking-is-not-driving",
        "Walking times are a walker's, not those of a car.",
        "Ask the service with its walking profile (many servers hold one profile and ignore the name).",
        walking_is_not_driving,
    ),
    Check(
        "one-route",
        "There is one route unless alternatives are asked for.",
        "Cut the list at one; pass `alternatives` on.",
        one_route,
    ),
    Check(
        "waypoints",
        "A waypoint makes a second leg.",
        "Pass the waypoints on, or raise UnsupportedError.",
        waypoints,
    ),
    Check(
        "no-way",
        "Where no way leads, NoRouteError is raised.",
        "Map the service's no-route status to NoRouteError.",
        no_way,
    ),
    Check(
        "departure",
        "A departure in the past is dropped, not an error.",
        "Leave the departure out if it is over.",
        departure,
    ),
    Check(
        "matrix-shape",
        "A matrix has a row for each origin and a cell for each destination.",
        "Fill the rows from the reply's indices; services may send the cells in any order.",
        matrix_shape,
    ),
    Check(
        "matrix-order",
        "Rows are origins and columns destinations.",
        "Do not transpose; from a place to itself is 0.",
        matrix_order,
    ),
    Check(
        "matrix-gaps",
        "Where no way leads, a cell is empty and the others stay.",
        "Use MatrixCell(distance_m=None, duration_s=None) for a pair without a way.",
        matrix_gaps,
    ),
    Check(
        "matrix-agrees",
        "Matrix and routes tell the same times and distances.",
        "Ask both with the same mode, units and traffic.",
        matrix_agrees,
    ),
)
