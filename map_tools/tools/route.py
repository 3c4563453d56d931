"""Route and Trip: the ways from one place to another, and travel times between all places of a trip.

Both as in the MapAgent paper, appendix C. A trip is one matrix and one look-up for each place, all at once, however
many places there are.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations, product
from typing import ClassVar, cast

from pydantic import Field

from map_tools.compute import route_steps
from map_tools.errors import LimitError, NoRouteError, ToolError, UnsupportedError
from map_tools.facts import Fact, FailureFact, RoutesFact, TravelFact
from map_tools.providers.base import AvoidsRoads, Provider, asking_for
from map_tools.tools.base import ArriveBy, DepartAt, ToolContext, TravelParameters, failure_of, pair, times
from map_tools.tools.own import spot_of
from map_tools.tools.place_info import details_by_name, or_loss
from map_tools.tools.resolve import Resolved, resolution_facts, resolve_all, trouble, usable
from map_tools.types import Avoid, Frozen, MatrixCell, Mode, Place, TravelMode
from map_tools.types import Route as MapRoute

_FEATURES: Mapping[str, str] = {
    Avoid.TOLLS: "toll", Avoid.MOTORWAYS: "highway", Avoid.FERRIES: "ferry", Avoid.STAIRS: "stairs",
    Avoid.BARRIERS: "stairs",
}  # fmt: skip
"""What is looked for in the words of a route (`map_tools.compute.route_steps.FEATURES`)."""
_UNTOLD: Mapping[Avoid, str] = {
    Avoid.BARRIERS: "whether a way can be gone on wheels",
    Avoid.BUSY_ROADS: "how busy the roads of a way are",
}
"""What the words of a route do not say."""


class RouteParameters(TravelParameters):
    """Arguments of Route; `mode` is accepted for `travel_mode`."""

    origin: str = Field(description="Where the route starts.", min_length=1)
    destination: str = Field(description="Where it ends.", min_length=1)
    travel_mode: Mode = Field(
        TravelMode.DRIVING, description="driving, walking, bicycling or transit.", validate_default=False
    )
    alternatives: bool = Field(default=False, description="Return several routes if there are several.")
    waypoints: tuple[str, ...] = Field((), description="Stops on the way, in order.")
    avoid: tuple[str, ...] = Field(
        (),
        description="What the way is to do without: tolls, motorways, ferries, stairs, barriers (what wheels do not "
        "pass), busy roads (by bicycle), or a street.",
    )
    depart_at: DepartAt = ""
    arrive_by: ArriveBy = ""


class Route:
    """Finds routes: streets, steps, travel time and distance."""

    name: ClassVar[str] = "Route"
    description: ClassVar[str] = (
        "Finds the route (or several, with alternatives=true) from an origin to a destination, optionally "
        "over waypoints: main streets, step-by-step instructions, travel time and distance."
    )
    parameters: ClassVar[type[Frozen]] = RouteParameters

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """A `PlaceFact` for each stop and a `RoutesFact`; failures are about a stop or about "A → B"."""
        wanted = RouteParameters.model_validate(arguments)
        stops = (wanted.origin, *wanted.waypoints, wanted.destination)
        subject = pair(wanted.origin, wanted.destination)
        resolved = await resolve_all(stops, provider, context)
        facts = resolution_facts(resolved)
        reason = trouble(resolved, stops)
        if reason is not None:
            return (*facts, reason.model_copy(update={"subject": subject}))
        places = usable(resolved)
        try:
            routes = await _directions(wanted, places, provider)
        except (ToolError, LimitError) as error:
            return (*facts, failure_of(error, subject))
        fact = RoutesFact(
            origin=wanted.origin,
            destination=wanted.destination,
            mode=wanted.travel_mode,
            waypoints=wanted.waypoints,
            routes=routes,
            complete=wanted.alternatives,
            origin_place=places[wanted.origin],
            destination_place=places[wanted.destination],
        )
        return (*facts, fact)


async def _directions(
    wanted: RouteParameters, places: Mapping[str, Place], provider: Provider
) -> tuple[MapRoute, ...]:
    """The ways; those that do without what is to be avoided, by the words of their steps.

    A provider that can look for such ways does; of another one the alternatives are looked through.

    Raises:
        ToolError: There is no (such) way.
    """
    origin, destination = spot_of(places[wanted.origin]), spot_of(places[wanted.destination])
    stops = tuple(spot_of(places[stop]) for stop in wanted.waypoints)
    sought = tuple(one for one in Avoid if one in wanted.avoid)
    if sought and provider.capabilities.avoids.issuperset(sought):
        avoiding = cast("AvoidsRoads", provider)
        found = await avoiding.directions(
            origin, destination, mode=wanted.travel_mode, waypoints=stops, alternatives=True, avoid=sought
        )
    else:
        untold = next((one for one in sought if one in _UNTOLD), None)
        if untold is not None:
            raise UnsupportedError(
                f"The source does not tell {_UNTOLD[untold]}.", f'Ask without "{untold.value}".'
            )
        several = wanted.alternatives or bool(wanted.avoid)
        found = await provider.directions(
            origin,
            destination,
            mode=wanted.travel_mode,
            waypoints=stops,
            alternatives=several,
            **times(provider, wanted.travel_mode, wanted.depart_at, wanted.arrive_by),
        )
    if not wanted.avoid:
        return found
    kept = tuple(route for route in found if not any(_has(route, one) for one in wanted.avoid))
    if kept and not any(route.steps for route in kept):
        raise UnsupportedError("What the way runs over is not stated.", "Ask without avoid.")
    if not kept:
        named = " or ".join(wanted.avoid)
        raise NoRouteError(f"No way from {wanted.origin} to {wanted.destination} without {named} is known.")
    return kept if wanted.alternatives else kept[:1]


def _has(route: MapRoute, avoided: str) -> bool:
    """Whether a route has what is to be avoided."""
    feature = _FEATURES.get(avoided)
    if feature is None:
        return route_steps.along_streets(route, avoided)
    told = any(feature in warning.casefold() for warning in route.warnings)
    return told or route_steps.has(route, feature)


type Detailed = tuple[dict[str, Place], tuple[FailureFact, ...]]


class TripParameters(TravelParameters):
    """Arguments of Trip; `mode` is accepted for `travel_mode`."""

    current_location: str = Field(description="Where the trip starts.", min_length=1)
    visiting_places: tuple[str, ...] = Field(description="Places to visit.", min_length=1)
    travel_mode: Mode = Field(TravelMode.DRIVING, description="driving, walking, bicycling or transit.")
    details: bool = Field(default=True, description="Also fetch opening hours and the like of each place.")
    origins: tuple[str, ...] = Field(
        (), description="Measure only from these to the places to visit; left out: between all places."
    )
    depart_at: DepartAt = ""
    arrive_by: ArriveBy = ""


class Trip:
    """Measures travel between every two places of a trip, in both directions."""

    name: ClassVar[str] = "Trip"
    description: ClassVar[str] = (
        "Gives travel time and distance between every two of the places (the start and the places to visit), "
        "in both directions, and the details of each place. Use it for trips over several places."
    )
    parameters: ClassVar[type[Frozen]] = TripParameters

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """A `PlaceFact` for each place and a `TravelFact` (or failure) for each ordered pair.

        A place whose details are lacking has a failure beside its fact.
        """
        wanted = TripParameters.model_validate(arguments)
        starts = wanted.origins or (wanted.current_location, *wanted.visiting_places)
        stops = tuple(dict.fromkeys((*starts, *wanted.visiting_places)))
        source = asking_for(provider, ()) if wanted.details else provider
        resolved = await resolve_all(stops, source, context)
        places = usable(resolved)
        matrix, (details, lost) = await asyncio.gather(
            _matrix(places, provider, wanted.travel_mode, wanted),
            _details(places, source, context) if wanted.details else _unchanged(places),
        )
        complete = {
            text: _with_place(item, details[text]) if isinstance(item, Resolved) and text in details else item
            for text, item in resolved.items()
        }
        ways = product(wanted.origins, wanted.visiting_places) if wanted.origins else permutations(stops, 2)
        legs = (
            _leg(ends, complete, details, matrix, wanted.travel_mode) for ends in ways if ends[0] != ends[1]
        )
        return (*resolution_facts(complete), *lost, *legs)


type Cells = Mapping[tuple[str, str], MatrixCell]


async def _matrix(
    places: Mapping[str, Place], provider: Provider, mode: TravelMode, wanted: TripParameters
) -> Cells | FailureFact:
    origins = [name for name in wanted.origins or places if name in places]
    ends = [name for name in (wanted.visiting_places if wanted.origins else places) if name in places]
    if not origins or not ends or (not wanted.origins and len(places) < 2):
        return {}
    try:
        matrix = await provider.matrix(
            tuple(spot_of(places[name]) for name in origins),
            tuple(spot_of(places[name]) for name in ends),
            mode=mode,
            **times(provider, mode, wanted.depart_at, wanted.arrive_by),
        )
        return {
            (origin, end): matrix.rows[row][column]
            for row, origin in enumerate(origins)
            for column, end in enumerate(ends)
        }
    except (ToolError, LimitError) as error:
        return failure_of(error, "")


async def _details(places: Mapping[str, Place], provider: Provider, context: ToolContext) -> Detailed:
    """All places with their details, fetched at once, and those that could not be had."""
    found = await asyncio.gather(
        *(or_loss(details_by_name(text, place, provider, context), place) for text, place in places.items())
    )
    known = {text: place for text, (place, _) in zip(places, found, strict=True)}
    return known, tuple(lost for _, lost in found if lost is not None)


async def _unchanged(places: dict[str, Place]) -> Detailed:
    return places, ()


def _with_place(item: Resolved, place: Place) -> Resolved:
    return replace(item, place=place)


def _leg(
    ends: tuple[str, str],
    resolved: Mapping[str, Resolved | FailureFact],
    places: Mapping[str, Place],
    matrix: Cells | FailureFact,
    mode: TravelMode,
) -> TravelFact | FailureFact:
    """Travel from one stop to another, or why it is not known."""
    origin, destination = ends
    subject = pair(origin, destination)
    reason = trouble(resolved, ends)
    if reason is not None:
        return reason.model_copy(update={"subject": subject})
    if isinstance(matrix, FailureFact):
        return matrix.model_copy(update={"subject": subject})
    cell = matrix[origin, destination]
    if cell.duration_s is None and cell.distance_m is None:
        return FailureFact(
            code=NoRouteError.code,
            message=f"No {mode.value} way from {origin} to {destination} is known.",
            remedy="Try another mode of travel.",
            subject=subject,
        )
    return TravelFact(
        origin=origin,
        destination=destination,
        mode=mode,
        duration_s=cell.duration_s,
        distance_m=cell.distance_m,
        origin_place=places[origin],
        destination_place=places[destination],
        depart_at=cell.depart_at,
        arrive_at=cell.arrive_at,
        ferry=cell.ferry,
        path_grade=cell.path_grade,
    )
