"""`route`: the way from one place to another."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from map_tools.compute import route_steps
from map_tools.compute.measures import format_distance, format_duration
from map_tools.errors import ToolError
from map_tools.facts import RoutesFact
from map_tools.modes import TOLD
from map_tools.types import Frozen
from map_tools.types import Route as RouteOf
from mapagent.core.answer import Answer, Quantity
from mapagent.core.rendering import clean
from mapagent.interfaces.mcp.programs import answer, call, listed, quoted
from mapagent.interfaces.mcp.replies import Outcome, Reply, clipped
from mapagent.interfaces.mcp.tools.base import PlaceBrief, notes_of, whole
from mapagent.interfaces.mcp.workbench import Workbench

type Mode = Literal["walk", "bike", "drive", "transit"]
MOST_STREETS = 8


class RouteArguments(Frozen):
    """Where from, where to, how. Places are names, addresses, "LAT,LON", or ids from other replies."""

    origin: str = Field(description="Where it begins.", min_length=1)
    destination: str = Field(description="Where it ends.", min_length=1)
    mode: Mode = Field(description="How.")
    via: tuple[str, ...] = Field((), description="Stops on the way, in order.", max_length=10)
    avoid: tuple[Literal["ferry", "toll", "motorway", "stairs", "barriers"], ...] = Field(
        (), description="To do without."
    )
    depart: str | None = Field(None, description='When one leaves: "10:00", "Sun 20:00".', min_length=1)
    alternatives: bool = Field(default=False, description="All routes that the map proposes.")
    steps: bool = Field(default=False, description="Also the steps of the best route.")


class RouteBrief(Frozen):
    """A route without its steps and geometry."""

    streets: tuple[str, ...] = Field(description="The streets, in the order one takes them.")
    distance_m: float | None = None
    duration_s: float | None = None
    ferry: bool = Field(description="It uses a ferry.")
    turns: int = Field(description="How many steps its instructions have.")

    @classmethod
    def of(cls, route: RouteOf) -> "RouteBrief":
        """The route as replies tell it."""
        streets = route_steps.streets(route) or ((route.summary,) if route.summary else ())
        return cls(
            streets=tuple(map(clipped, streets[:MOST_STREETS])),
            distance_m=route.distance_m,
            duration_s=route.duration_s,
            ferry=route_steps.uses_ferry(route),
            turns=len(route.steps),
        )

    def line(self) -> str:
        """Ferry first, then time, distance and streets."""
        ferry = "uses a ferry" if self.ferry else ""
        took = format_duration(self.duration_s) if self.duration_s is not None else "time not known"
        far = format_distance(self.distance_m) if self.distance_m is not None else ""
        over = f"over {', '.join(self.streets)}" if self.streets else ""
        return ", ".join(part for part in (ferry, took, far, over) if part)


class RouteReply(Reply):
    """Routes, best first."""

    shortened: ClassVar[tuple[str, ...]] = ("steps", "routes")

    mode: str
    origin: PlaceBrief
    destination: PlaceBrief
    straight_m: float | None = Field(None, description="The straight line between both ends, in metres.")
    routes: tuple[RouteBrief, ...] = Field(description="The best first.")
    steps: tuple[str, ...] = Field((), description="The steps of the best route, if they were asked for.")

    def lines(self) -> Iterator[str]:
        """Other routes, then the steps, numbered."""
        yield from (f"or: {route.line()}" for route in self.routes[1:])
        yield from (f"{number}. {step}" for number, step in enumerate(self.steps, 1))


class Route:
    """Finds routes."""

    name: ClassVar[str] = "route"
    title: ClassVar[str] = "Find a route"
    description: str = (
        "Finds the way from one place to another (over others, without ferries, tolls, motorways or stairs "
        "if wanted): time, distance, streets in their order, whether it uses a ferry, the straight line "
        "beside it, and the steps if wanted. The geometry stands behind the handle."
    )
    arguments: ClassVar[type[Frozen]] = RouteArguments
    result: ClassVar[type[Reply]] = RouteReply
    open_world: ClassVar[bool] = True

    async def __call__(self, arguments: RouteArguments, bench: Workbench) -> Outcome:
        """The routes that a `travel(…)` rests on."""
        found = await bench.compute(*_program(arguments))
        fact = next((item.value for item in found.evidence if isinstance(item.value, RoutesFact)), None)
        if fact is None or not fact.routes:
            raise ToolError(found.reason or "The map tells no way between them.")
        routes = fact.routes if arguments.alternatives else fact.routes[:1]
        briefs = tuple(map(RouteBrief.of, routes))
        origin, destination = (found.parts[name].places[0] for name in ("origin", "destination"))
        straight_m = _metres(found)
        reply = RouteReply(
            summary=clean(
                f"{origin.name or arguments.origin} → {destination.name or arguments.destination} "
                f"{TOLD[arguments.mode]}: {briefs[0].line()}{_beside(straight_m)}."
            ),
            mode=arguments.mode,
            origin=PlaceBrief.of(origin),
            destination=PlaceBrief.of(destination),
            straight_m=straight_m,
            routes=briefs,
            steps=tuple(clipped(route_steps.step_text(step)) for step in routes[0].steps)
            if arguments.steps
            else (),
            warnings=notes_of(found),
            attribution=found.attribution,
        )
        return Outcome(reply, whole(found))


def _program(asked: RouteArguments) -> tuple[str, ...]:
    """The way as a program; its streets are asked for, so that the whole of it is fetched."""
    way = call(
        "routes" if asked.alternatives else "travel",
        quoted(asked.origin),
        quoted(asked.destination),
        quoted(asked.mode),
        via=listed(asked.via) if asked.via else None,
        avoid=listed(asked.avoid) if asked.avoid else None,
        depart=quoted(asked.depart) if asked.depart else None,
    )
    parts = {
        "origin": "way.origin",
        "destination": "way.destination",
        "straight": "distance(way.origin, way.destination)",
        "streets": "way.streets",
    }
    return (f"way = {way}{'[0]' if asked.alternatives else ''}", answer("way.duration", parts))


def _metres(found: Answer) -> float | None:
    value = found.parts["straight"].value
    return value.value if isinstance(value, Quantity) else None


def _beside(straight_m: float | None) -> str:
    return "" if straight_m is None else f"; {format_distance(straight_m)} in a straight line"
