"""`route`: ways from one place to another."""

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from map_tools.facts import RoutesFact
from map_tools.tools.route import Route as RouteTool
from map_tools.tools.route import RouteParameters
from map_tools.types import Frozen
from map_tools.types import Route as RouteOf
from mapagent.faces.mcp.replies import Outcome, Reply, clipped
from mapagent.faces.mcp.tools.base import main_fact, whole
from mapagent.faces.mcp.workbench import Workbench
from mapagent.facttext import fact_text


class RouteArguments(RouteParameters):
    """Where from, where to, how. Places are names, addresses, "LAT,LON", or ids from other replies."""

    steps: bool = Field(default=False, description="Also tell the steps of the best route.")


class RouteBrief(Frozen):
    """A route without its steps and geometry."""

    via: str = Field(description="Its main streets.")
    distance_m: float | None = None
    duration_s: float | None = None
    turns: int = Field(description="How many steps its instructions have.")

    @classmethod
    def of(cls, route: RouteOf) -> "RouteBrief":
        """The route as replies tell it."""
        return cls(
            via=clipped(route.summary),
            distance_m=route.distance_m,
            duration_s=route.duration_s,
            turns=len(route.steps),
        )


class RouteReply(Reply):
    """Routes, best first."""

    shortened: ClassVar[tuple[str, ...]] = ("steps", "routes")

    mode: str
    routes: tuple[RouteBrief, ...] = Field(description="The best first.")
    steps: tuple[str, ...] = Field((), description="The steps of the best route, if they were asked for.")

    def lines(self) -> Iterator[str]:
        """The steps, numbered."""
        yield from (f"{number}. {step}" for number, step in enumerate(self.steps, 1))


class Route:
    """Finds routes."""

    name: ClassVar[str] = "route"
    title: ClassVar[str] = "Find a route"
    description: ClassVar[str] = (
        "Finds the route (several with alternatives=true) from an origin to a destination, over waypoints if "
        "given: main streets, travel time in seconds, distance in metres, and the steps if wanted. The "
        "geometry stands behind the handle."
    )
    arguments: ClassVar[type[Frozen]] = RouteArguments
    result: ClassVar[type[Reply]] = RouteReply
    open_world: ClassVar[bool] = True

    async def __call__(self, arguments: RouteArguments, bench: Workbench) -> Outcome:
        """The routes of the `RoutesFact`."""
        asked = arguments.model_dump(mode="json", exclude={"steps"})
        facts = await bench.call(RouteTool.name, asked)
        found = main_fact(facts, RoutesFact)
        best = found.routes[:1]
        reply = RouteReply(
            summary=f"{fact_text(found)}.",
            mode=found.mode.value,
            routes=tuple(map(RouteBrief.of, found.routes)),
            steps=tuple(clipped(step.instruction) for route in best for step in route.steps)
            if arguments.steps
            else (),
            warnings=bench.notices(facts),
            attribution=bench.provider.terms.attribution,
        )
        return Outcome(reply, whole(facts))
