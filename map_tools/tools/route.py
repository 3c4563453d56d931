"""Route: the ways from one place to another with their steps (MapAgent paper, appendix C)."""

from typing import Any, ClassVar

from pydantic import Field, model_validator

from map_tools.errors import LimitError, ToolError
from map_tools.facts import Fact, RoutesFact
from map_tools.modes import Mode, merge_mode_alias
from map_tools.providers.base import Provider
from map_tools.tools.base import ToolContext, failure_of, pair
from map_tools.tools.resolve import resolution_facts, resolve_all, trouble, usable
from map_tools.types import Frozen, TravelMode


class RouteParameters(Frozen):
    """Arguments of Route; `mode` is accepted for `travel_mode`."""

    origin: str = Field(description="Where the route starts.", min_length=1)
    destination: str = Field(description="Where it ends.", min_length=1)
    travel_mode: Mode = Field(
        TravelMode.DRIVING, description="driving, walking, bicycling or transit.", validate_default=False
    )
    alternatives: bool = Field(default=False, description="Return several routes if there are several.")
    waypoints: tuple[str, ...] = Field((), description="Stops on the way, in order.")

    @model_validator(mode="before")
    @classmethod
    def _mode_alias(cls, values: Any) -> Any:
        return merge_mode_alias(values)


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
            routes = await provider.directions(
                places[wanted.origin],
                places[wanted.destination],
                mode=wanted.travel_mode,
                waypoints=tuple(places[stop] for stop in wanted.waypoints),
                alternatives=wanted.alternatives,
            )
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
