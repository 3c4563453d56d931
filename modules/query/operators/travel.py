"""Operators for ways: one way, alternatives, what can be reached."""

from dataclasses import replace

from map_tools.compute import route_steps
from map_tools.compute.route_steps import along_streets, feature_count, likeness, without_notes
from map_tools.facts import DeparturesFact, ReachFact
from map_tools.transit.telling import step_of
from map_tools.types import TOLD, RouteLeg, RouteStep, TravelMode
from map_tools.types import Route as MapRoute
from modules.query.interpreter.context import Context, DeparturesRequest, ReachRequest, unknown_of
from modules.query.interpreter.needs import best_route, routes_of
from modules.query.interpreter.showing import shown
from modules.query.language.types import MODE_NAMES
from modules.query.operators.base import (
    Any_,
    Area,
    Duration,
    Mode,
    Number,
    OneOrMore,
    Place,
    Route,
    Routes,
    Steps,
    Text,
    Time,
    YesNo,
    operator,
)  # fmt: skip
from modules.query.operators.lookup import as_thing
from modules.query.operators.space import made
from modules.query.values.algebra import ValueTypeError, called
from modules.query.values.amount import Amount
from modules.query.values.things import Items, Step, Thing, Way
from modules.query.values.unknown import Unknown, Why

SHORTEST_REACH_S = 60.0
"""Areas are right to about a minute at their edge: what is reached in less is none."""
AVOIDABLE = {
    "ferry": "ferries",
    "ferries": "ferries",
    "toll": "tolls",
    "tolls": "tolls",
    "motorway": "motorways",
    "motorways": "motorways",
    "stairs": "stairs",
    "steps": "stairs",
    "barriers": "barriers",
    "busy roads": "busy roads",
}
"""What a way can do without, in the words of programs and of the map tools."""


@operator(
    module="map_service",
    phrase="the way from {a} to {b}[ {mode}][ via {via}][ without {avoid|many}][ leaving {depart|when}]"
    "[ arriving by {arrive}]",
)
def travel(
    context: Context,
    a: Place,
    b: Place,
    mode: Mode | None = None,
    *,
    via: OneOrMore | None = None,
    avoid: OneOrMore | None = None,
    depart: Time | None = None,
    arrive: Time | None = None,
) -> Route | Unknown:
    """The best way, by "walk" if no mode is said. via=: places to pass, or a road to take.

    avoid=["toll"], "motorway", "ferry", "stairs", "barriers", "busy roads", a street. With arrive= `.depart` is the
    latest.
    """
    without = _avoided(context, avoid)
    if isinstance(without, Unknown):
        return without
    way = Way(a, b, mode_of(context, mode), avoid=without, depart=depart, arrive=arrive)
    if via is None:
        return way
    along = _along(context, way, via)
    if not isinstance(along, Items):
        return along
    if along.items:
        first: Way = along.items[0]
        return first
    stops = _stops(context, via)
    return stops if isinstance(stops, Unknown) else replace(way, via=stops)


@operator(
    module="map_service",
    phrase="the ways from {a} to {b}[ {mode}][ via {via}][ without {avoid|many}][ leaving {depart|when}]"
    "[ arriving by {arrive}]",
)
def routes(
    context: Context,
    a: Place,
    b: Place,
    mode: Mode | None = None,
    *,
    via: OneOrMore | None = None,
    avoid: OneOrMore | None = None,
    depart: Time | None = None,
    arrive: Time | None = None,
) -> Routes | Unknown:
    """The alternative ways, in the source's order."""
    without = _avoided(context, avoid)
    if isinstance(without, Unknown):
        return without
    way = Way(a, b, mode_of(context, mode), avoid=without, depart=depart, arrive=arrive)
    if via is None:
        return _alternatives(context, way)
    along = _along(context, way, via)
    if not isinstance(along, Items) or along.items:
        return along
    stops = _stops(context, via)
    return stops if isinstance(stops, Unknown) else _alternatives(context, replace(way, via=stops))


def mode_of(context: Context, mode: str | None) -> TravelMode:
    """The mode of a way; where the program names none one walks, and that is said."""
    if mode is None:
        context.assume("no mode of travel is said; walking is assumed")
    return TravelMode(mode or TravelMode.WALKING)


def _alternatives(context: Context, way: Way) -> Items | Unknown:
    found = routes_of(way, context, alternatives=True)
    if isinstance(found, Unknown):
        return found
    ways = [replace(way, route=route, number=number) for number, route in enumerate(found.routes)]
    return Items(tuple(ways), searched=True, complete=found.complete and len(ways) > 1, what="way")


def _along(context: Context, way: Way, via: Items) -> Items | Unknown:
    """The alternatives that run along what via= names, where it names roads and not places.

    Those that are known by these roads come first: "via Main St" is not the one that only ends there.
    """
    roads = [one for one in via if isinstance(one, str)]
    if len(roads) < len(via):
        return Items(())
    found = _alternatives(context, way)
    if isinstance(found, Unknown):
        return found if found.why is not Why.NO_ROUTE else Items(())
    kept = [one for one in found if all(along_streets(one.route, road) for road in roads)]
    return found.like(sorted(kept, key=lambda one: -likeness(one.route, " and ".join(roads))))


def _stops(context: Context, listed: Items | None) -> tuple[Thing, ...] | Unknown:
    """The places of a list of stops."""
    found = context.each(listed or (), lambda one: as_thing(context, one))
    return next((one for one in found if isinstance(one, Unknown)), tuple(found))


def _avoided(context: Context, listed: Items | None) -> tuple[str, ...] | Unknown:
    """What a way is to do without, in the words of the map tools; other words are names of streets."""
    avoided = []
    for one in listed or ():
        if not isinstance(one, str):
            raise ValueTypeError(f"{called(one)} cannot be avoided; name a street, or {', '.join(AVOIDABLE)}")
        feature = AVOIDABLE.get(one.casefold())
        if feature is None and not context.situation.text:
            street = context.calls.look_up("line", {"name": one})
            if isinstance(street, Unknown):
                return street
        avoided.append(feature or one)
    return tuple(dict.fromkeys(avoided))


@operator(module="map_service", phrase="the area within {within} of {start}[ {mode}]")
def reachable(context: Context, start: Place, within: Duration, mode: Mode | None = None) -> Area | Unknown:
    """The area within a travel time, 2 h at most; no "transit"."""
    if within.low < SHORTEST_REACH_S:
        raise ValueTypeError(f"reachable() takes 1 min at least, and this is {shown(within)}")
    way = mode_of(context, mode)
    reply = context.need(ReachRequest(start.reference, within.low, way))
    found = reply.fact
    if not isinstance(found, ReachFact):
        return (
            unknown_of(reply.failure)
            if reply.failure
            else Unknown(Why.FAILED, f"What is reached from {start.name} did not come back.")
        )
    context.warn("What is within a travel time is right to about a minute at the edge of the area.")
    if found.cut:
        context.warn(f"The map ends within {shown(within)} of {start.name}: there may be more beyond.")
    return made(found.shape, f"within {shown(within)} of {start.name} {TOLD[MODE_NAMES[way.value]]}", start)


@operator(module="map_service", phrase="what leaves from {stop}[ from {at} on]")
def departures(context: Context, stop: Place, *, at: Time | None = None) -> Steps | Unknown:
    """What leaves a stop by the timetable within a day, in order."""
    if at is None and context.situation.now is not None:
        context.assume("no time is said; now is assumed")
    moment = at.at if at is not None else context.situation.now
    if moment is None:
        return Unknown(Why.NOT_STATED, "From when on is not said; write at=.")
    reply = context.need(DeparturesRequest(stop.reference, moment.isoformat(timespec="seconds")))
    found = reply.fact
    if not isinstance(found, DeparturesFact):
        if reply.failure is not None:
            return unknown_of(reply.failure)
        return Unknown(Why.FAILED, f"What leaves from {stop.name} did not come back.")
    way = Way(stop, stop, TravelMode.TRANSIT)
    steps = tuple(Step(step_of(ride), number, way) for number, ride in enumerate(found.rides))
    return Items(steps, searched=True, complete=found.complete, what="departure")


@operator(module="map_service", phrase="whether {of} runs along {street}")
def uses(context: Context, of: Any_, street: Text) -> YesNo | Unknown:
    """Whether a route or step runs along a street, by name, number or the route's name."""
    if isinstance(of, Step):
        return route_steps.on_street(of.step, street)
    way = _way(of)
    route = best_route(way, context)
    if isinstance(route, Unknown):
        return route
    return along_streets(route, street)


@operator(module="map_service", phrase="the number of {feature|many} on {of}[ along {on}]")
def features(context: Context, of: Any_, feature: Text, *, on: Text | None = None) -> Number | Unknown:
    """How many "turn", "left_turn", "toll", "stairs" or other words a route or step has."""
    if isinstance(of, Step):
        return Amount.of(feature_count(_with_steps(of.way, (of.step,)), feature))
    route = best_route(_way(of), context)
    if isinstance(route, Unknown):
        return route
    if not route.steps:
        return Unknown(Why.NOT_STATED, "The steps of the way are not stated.")
    found = Amount.of(feature_count(route, feature, on))
    context.ranked(found, [Amount.of(feature_count(without_notes(route), feature, on))])
    return found


def _way(value: object) -> Way:
    if not isinstance(value, Way):
        raise ValueTypeError(f"a route or a step is wanted here, and this is {called(value)}")
    return value


def _with_steps(way: Way, steps: tuple[RouteStep, ...]) -> MapRoute:
    """A route of some steps only."""
    leg = RouteLeg(distance_m=None, duration_s=None, steps=steps)
    return MapRoute(summary="", distance_m=None, duration_s=None, legs=(leg,))


OPERATORS = (travel, routes, reachable, departures, uses, features)
