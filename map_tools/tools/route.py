"""Route: the ways from one place to another with their steps (MapAgent paper, appendix C)."""

from collections.abc import Mapping
from typing import ClassVar, cast

from pydantic import Field

from map_tools.compute import route_steps
from map_tools.errors import LimitError, NoRouteError, ToolError, UnsupportedError
from map_tools.facts import Fact, RoutesFact
from map_tools.providers.base import AvoidsRoads, Provider
from map_tools.tools.base import ArriveBy, DepartAt, ToolContext, TravelParameters, failure_of, pair, times
from map_tools.tools.own import spot_of
from map_tools.tools.resolve import resolution_facts, resolve_all, trouble, usable
from map_tools.types import Avoid, Frozen, Mode, Place, TravelMode
from map_tools.types import Route as MapRoute

_FEATURES: Mapping[str, str] = {
    Avoid.TOLLS: "toll", Avoid.MOTORWAYS: "highway", Avoid.FERRIES: "ferry", Avoid.STAIRS: "stairs",
    Avoid.BARRIERS: "stairs",
}  # fmt: skip
"""What is looked for in the words of a route (`map_tools.compute.route_steps.FEATURES`)."""


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
        "pass), or a street.",
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
        if Avoid.BARRIERS in sought:
            raise UnsupportedError(
                "The source does not tell whether a way can be gone on wheels.", 'Ask without "barriers".'
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
