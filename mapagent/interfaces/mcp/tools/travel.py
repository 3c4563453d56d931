"""`route`: the way from one place to another; `trip`: travel between all places of a trip."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import ClassVar, Literal

from pydantic import Field

from map_tools.compute import route_steps
from map_tools.compute.measures import format_distance, format_duration
from map_tools.errors import ToolError
from map_tools.facts import RoutesFact, TravelFact
from map_tools.types import SYNONYMS, TOLD, Frozen, LatLng
from map_tools.types import Route as RouteOf
from mapagent.core.answer import Answer, Named, Part, Quantity
from mapagent.core.rendering import clean
from mapagent.interfaces.mcp.replies import Outcome, Reply, clipped
from mapagent.interfaces.mcp.tools.base import PlaceBrief, answer, call, listed, notes_of, quoted, whole
from mapagent.interfaces.mcp.workbench import Workbench, candidate_line

type Mode = Literal["walk", "bike", "drive", "transit"]
MOST_STREETS = 8
MOST_PLACES = 12
SAME_SHARE = 0.1
"""Ways there and back whose times differ by less are told as one."""


class RouteArguments(Frozen):
    """Where from, where to, how. Places are names, addresses, "LAT,LON", or ids from other replies."""

    origin: str = Field(description="Where it begins.", min_length=1)
    destination: str = Field(description="Where it ends.", min_length=1)
    mode: Mode = Field(description="How.")
    via: tuple[str, ...] = Field((), description="Stops on the way, in order.", max_length=10)
    avoid: tuple[Literal["ferry", "toll", "motorway", "stairs", "barriers", "busy roads"], ...] = Field(
        (), description="To do without; barriers stop wheels, busy roads only for a bike."
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
    drawn: ClassVar[bool] = True

    async def __call__(self, arguments: RouteArguments, bench: Workbench) -> Outcome:
        """The routes that a `travel(…)` rests on."""
        found = await bench.compute(*_route_program(arguments))
        fact = next((item.value for item in found.evidence if isinstance(item.value, RoutesFact)), None)
        if fact is None or not fact.routes:
            raise ToolError(found.reason or "The map tells no way between them.")
        routes = fact.routes if arguments.alternatives else fact.routes[:1]
        briefs = tuple(map(RouteBrief.of, routes))
        origin, destination = (found.parts[name].places[0] for name in ("origin", "destination"))
        straight_m = _straight_m(found)
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
        return Outcome(reply, whole(found), found)


def _route_program(asked: RouteArguments) -> tuple[str, ...]:
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


def _straight_m(found: Answer) -> float | None:
    value = found.parts["straight"].value
    return value.value if isinstance(value, Quantity) else None


def _beside(straight_m: float | None) -> str:
    return "" if straight_m is None else f"; {format_distance(straight_m)} in a straight line"


class TripArguments(Frozen):
    """Places, and how one travels between them."""

    places: tuple[str, ...] = Field(
        description="Names, addresses, positions or ids; the start first, if there is one.",
        min_length=2,
        max_length=MOST_PLACES,
    )
    modes: tuple[Mode, ...] = Field(description="How; several are measured side by side.", min_length=1)


class LegBrief(Frozen):
    """Travel from one place to another by one mode."""

    origin: str
    destination: str
    mode: str
    duration_s: float | None = None
    distance_m: float | None = None
    straight_m: float | None = Field(None, description="The straight line, in metres.")
    ferry: bool = Field(default=False, description="A ferry is part of it, as far as the map tells.")
    reason: str = Field("", description="Why the time is not known.")


class TripReply(Reply):
    """The places of a trip and the ways between every two of them."""

    shortened: ClassVar[tuple[str, ...]] = ("places", "legs", "failures")

    legs: tuple[LegBrief, ...] = Field(description="For each ordered pair and mode, in seconds and metres.")
    places: tuple[PlaceBrief, ...] = Field((), description="The places, with opening hours where known.")
    failures: tuple[str, ...] = Field((), description="What could not be found out, and what to do.")

    def lines(self) -> Iterator[str]:
        """A line for each two places, with all modes; then the places, then failures."""
        by_ends: dict[tuple[str, str], dict[str, LegBrief]] = {}
        for leg in self.legs:
            by_ends.setdefault((leg.origin, leg.destination), {})[leg.mode] = leg
        told: set[tuple[str, str]] = set()
        for ends, legs in by_ends.items():
            back = by_ends.get((ends[1], ends[0]), {})
            if ends in told:
                continue
            alike = bool(back) and all(_alike(leg, back.get(mode)) for mode, leg in legs.items())
            if alike:
                told.add((ends[1], ends[0]))
            yield _leg_line(ends, legs, "↔" if alike else "→")
        yield from (f"- {place.line()}" for place in self.places)
        yield from (f"- not known: {failure}" for failure in self.failures)


class Trip:
    """Measures travel between every two places of a trip."""

    name: ClassVar[str] = "trip"
    title: ClassVar[str] = "Measure a trip"
    description: str = (
        "Gives travel time and distance between every two of the places, in both directions, by one mode or "
        "by several, with the straight lines beside them, and the opening hours of each place. For the best "
        "order or a whole schedule use run_query or ask_map, which compute it."
    )
    arguments: ClassVar[type[Frozen]] = TripArguments
    result: ClassVar[type[Reply]] = TripReply
    open_world: ClassVar[bool] = True
    drawn: ClassVar[bool] = True

    async def __call__(self, arguments: TripArguments, bench: Workbench) -> Outcome:
        """The cells of `travel(…)` for all pairs; a missing place loses only its own legs."""
        modes = tuple(dict.fromkeys(arguments.modes))
        found = await bench.look_up(*_trip_program(arguments.places, modes))
        stops = found.parts["stops"].members
        legs = tuple(_legs(arguments.places, stops, modes, found))
        unclear = (candidate_line(found),) if found.candidates else ()
        if all(leg.duration_s is None and leg.straight_m is None for leg in legs):
            reasons = (*unclear, *_failures(stops), *(leg.reason for leg in legs))
            raise ToolError(" ".join(dict.fromkeys(reason for reason in reasons if reason)))
        places = [place for stop in stops for place in stop.places]
        told = (*unclear, *_failures(stops), *(leg.reason for leg in legs if leg.reason))
        failures = tuple(dict.fromkeys(told))
        missing = ", as far as the map tells" if failures else ""
        how = ", ".join(TOLD[mode] for mode in modes)
        reply = TripReply(
            summary=f"Between {len(places)} places, {how}{missing}:",
            legs=legs,
            places=tuple(map(PlaceBrief.of, places)),
            failures=failures,
            warnings=notes_of(found),
            attribution=found.attribution,
        )
        return Outcome(reply, whole(found), found)


def _trip_program(places: tuple[str, ...], modes: tuple[str, ...]) -> tuple[str, ...]:
    """Cells of all pairs, there and back, by each mode; and the straight lines."""
    stops = ", ".join(call("place", quoted(place)) for place in places)
    parts = {"stops": "stops", "straight": "[distance(p[0], p[1]) for p in pairs(stops)]"}
    for mode in modes:
        for name, ends in (("there", "p[0], p[1]"), ("back", "p[1], p[0]")):
            way = f'travel({ends}, "{mode}")'
            parts[f"{name}_{mode}_s"] = f"[{way}.duration for p in pairs(stops)]"
            parts[f"{name}_{mode}_m"] = f"[{way}.distance for p in pairs(stops)]"
    return (f"stops = [{stops}]", answer("count(stops)", parts))


def _legs(
    asked: tuple[str, ...], stops: tuple[Part, ...], modes: tuple[str, ...], found: Answer
) -> Iterator[LegBrief]:
    parts, by_ferry = found.parts, set(_by_ferry(found))
    names = [_name(stop, words) for stop, words in zip(stops, asked, strict=True)]
    known = [bool(stop.places) for stop in stops]
    for mode in modes:
        for name in ("there", "back"):
            for number, (first, second) in enumerate(combinations(range(len(stops)), 2)):
                if not (known[first] and known[second]):
                    continue
                origin, destination = (first, second) if name == "there" else (second, first)
                took = parts[f"{name}_{mode}_s"].members[number]
                ends = (stops[origin].places[0].location, stops[destination].places[0].location)
                yield LegBrief(
                    origin=names[origin],
                    destination=names[destination],
                    mode=mode,
                    duration_s=_amount(took),
                    distance_m=_amount(parts[f"{name}_{mode}_m"].members[number]),
                    straight_m=_amount(parts["straight"].members[number]),
                    ferry=(*ends, SYNONYMS.get(mode, mode)) in by_ferry,
                    reason="" if took.known else clipped(took.text),
                )


def _by_ferry(found: Answer) -> Iterator[tuple[LatLng | None, LatLng | None, str]]:
    """The ways that a ferry is part of: where they begin and end, and how one travels."""
    for fact in (item.value for item in found.evidence):
        if isinstance(fact, TravelFact) and fact.ferry and fact.origin_place and fact.destination_place:
            yield fact.origin_place.location, fact.destination_place.location, fact.mode


def _name(stop: Part, words: str) -> str:
    """What a stop is called: as the map has it."""
    value = stop.value
    return clipped(value.name if isinstance(value, Named) and value.name else words)


def _failures(stops: tuple[Part, ...]) -> tuple[str, ...]:
    return tuple(clipped(clean(stop.text)) for stop in stops if not stop.places)


def _amount(part: Part) -> float | None:
    return part.value.value if isinstance(part.value, Quantity) else None


def _alike(leg: LegBrief, back: LegBrief | None) -> bool:
    if back is None or leg.duration_s is None or back.duration_s is None:
        return back is not None and leg.duration_s is None and back.duration_s is None
    return abs(leg.duration_s - back.duration_s) <= SAME_SHARE * max(leg.duration_s, back.duration_s)


def _leg_line(ends: tuple[str, str], legs: Mapping[str, LegBrief], arrow: str) -> str:
    """As "A ↔ B: walk 5 min, 400 m; drive 3 min, 900 m; straight 350 m"."""
    told = []
    for mode, leg in legs.items():
        ferry = "by ferry in part, " if leg.ferry else ""
        took = "no way known" if leg.duration_s is None else format_duration(leg.duration_s)
        far = "" if leg.distance_m is None else f", {format_distance(leg.distance_m)}"
        told.append(f"{mode} {ferry}{took}{far}")
    straight_m = next(iter(legs.values())).straight_m
    if straight_m is not None:
        told.append(f"straight {format_distance(straight_m)}")
    return f"{ends[0]} {arrow} {ends[1]}: {'; '.join(told)}"
