"""How long ways are and take, and which way is taken: what is fetched of ways for all who ask."""

from datetime import datetime
from typing import Any

from map_tools.compute.route_parts import quickest
from map_tools.facts import RoutesFact, TravelFact
from map_tools.types import Route, TravelMode
from modules.query.interpreter.context import Context, unknown_of
from modules.query.interpreter.requests import CellRequest, RoutesRequest
from modules.query.values.amount import DURATION, LENGTH, Amount
from modules.query.values.things import Way
from modules.query.values.unknown import Unknown, Why


def measure(way: Way, context: Context) -> TravelFact | Route | Unknown:
    """Time and length of a way: of its route, of the best one over stops, or a cell of a matrix."""
    if way.route is not None:
        return way.route
    if way.via or way.avoid:
        return best_route(way, context)
    if way.origin.id == way.destination.id:
        return Route(summary="", distance_m=0.0, duration_s=0.0)
    ends = way.origin.reference, way.destination.reference
    reply = context.need(CellRequest(*ends, way.mode, **times_of(way, context)))
    if reply.fact is None and context.situation.text:
        back = context.need(CellRequest(way.destination.reference, way.origin.reference, way.mode))
        if back.fact is not None:
            context.warn(
                f"Only the way from {way.destination.name} to {way.origin.name} is told; its figures are used."
            )
            reply = back
    if reply.fact is None:
        return unknown_of(reply.failure) if reply.failure else Unknown(Why.NO_ROUTE, "No way is known.")
    fact: TravelFact = reply.fact
    return fact


def times_of(way: Way, context: Context) -> dict[str, str]:
    """When a way is made, as far as the source goes by a timetable; where nothing is said one leaves now."""
    if way.mode is not TravelMode.TRANSIT or not context.situation.timetables:
        return {}
    if way.depart is None and way.arrive is not None:
        return {"arrive": way.arrive.at.isoformat()}
    if way.depart is not None:
        return {"depart": way.depart.at.isoformat()}
    if context.situation.now is None:
        return {}
    context.assume("no time of departure is said; now is assumed")
    return {"depart": context.situation.now.isoformat(timespec="seconds")}


def made_in(
    way: Way, at_s: float, context: Context, *, arriving: bool, zero: datetime
) -> tuple[float, float] | Unknown:
    """When one leaves and arrives on a way that is part of a trip, in seconds after a moment.

    Args:
        way: The way; by a timetable with its departure or arrival.
        at_s: When the way may begin, or has to end.
        context: The facts.
        arriving: It is when it has to end.
        zero: The moment.
    """
    if way.origin == way.destination:
        return at_s, at_s
    found = measure(way, context)
    if isinstance(found, Unknown):
        return found
    if way.mode is TravelMode.TRANSIT and found.depart_at is not None and found.arrive_at is not None:
        leaves, comes = (moment.replace(tzinfo=None) for moment in (found.depart_at, found.arrive_at))
        return (leaves - zero).total_seconds(), (comes - zero).total_seconds()
    took = duration_of(way, context)
    if isinstance(took, Unknown):
        return took
    return (at_s - took.value, at_s) if arriving else (at_s, at_s + took.value)


def with_measures(way: Any, context: Context) -> Any:
    """A way with its time and length, if they can be told; Unknown where there is no such way."""
    if not isinstance(way, Way) or way.route is not None:
        return way
    found = measure(way, context)
    if isinstance(found, Unknown):
        return found
    return way.measured(found)


def best_route(way: Way, context: Context) -> Route | Unknown:
    """The way itself, with its steps."""
    if way.route is not None:
        return way.route
    found = routes_of(way, context, alternatives=False)
    if isinstance(found, Unknown):
        return found
    return quickest(found.routes)


def routes_of(way: Way, context: Context, *, alternatives: bool) -> RoutesFact | Unknown:
    """The ways between two places as the source lists them."""
    request = RoutesRequest(
        origin=way.origin.reference,
        destination=way.destination.reference,
        mode=way.mode,
        via=tuple(stop.reference for stop in way.via),
        avoid=way.avoid,
        alternatives=alternatives,
        **times_of(way, context),
    )
    reply = context.need(request)
    if reply.fact is None or not reply.fact.routes:
        if reply.failure:
            return unknown_of(reply.failure)
        return Unknown(Why.NO_ROUTE, f"There is no way from {way.origin.name} to {way.destination.name}.")
    fact: RoutesFact = reply.fact
    return fact


def duration_of(way: Way, context: Context) -> Amount | Unknown:
    """How long a way takes."""
    found = measure(way, context)
    if isinstance(found, Unknown):
        return found
    seconds = found.duration_s
    if seconds is None and isinstance(found, Route):
        seconds = _summed(found, "duration_s")
    if seconds is None:
        return Unknown(
            Why.NOT_STATED,
            f"How long it takes from {way.origin.name} to {way.destination.name} is not stated.",
        )
    return Amount.of(seconds, DURATION)


def length_of(way: Way, context: Context) -> Amount | Unknown:
    """How long a way is."""
    found = measure(way, context)
    if isinstance(found, Unknown):
        return found
    metres = found.distance_m
    if metres is None and isinstance(found, TravelFact):
        route = best_route(way, context)
        metres = None if isinstance(route, Unknown) else route.distance_m
    if metres is None and isinstance(found, Route):
        metres = _summed(found, "distance_m")
    if metres is None:
        return Unknown(
            Why.NOT_STATED, f"How far it is from {way.origin.name} to {way.destination.name} is not stated."
        )
    return Amount.of(metres, LENGTH)


def _summed(route: Route, name: str) -> float | None:
    """The sum of what the steps or legs state, if all do."""
    for parts in (route.legs, route.steps):
        values = [getattr(part, name) for part in parts]
        if values and None not in values:
            return float(sum(values))
    return None
