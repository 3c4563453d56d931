"""What operators need of things and ways: outlines and courses, opening hours, routes, times and lengths."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from map_tools.compute.route_replies import quickest
from map_tools.facts import PlaceFact, RoutesFact, TravelFact
from map_tools.kinds.concepts import is_ground, own_plain_area
from map_tools.text import normalise
from map_tools.types import Hours, LatLng, Place, Route, Shape, TravelMode, is_of_no_map
from modules.query.interpreter.context import (
    CellRequest,
    Context,
    DetailsRequest,
    PlaceRequest,
    RoutesRequest,
    ShapeRequest,
    unknown_of,
)
from modules.query.values.amount import DURATION, LENGTH, Amount
from modules.query.values.things import Thing, Way
from modules.query.values.unknown import Unknown, Why

WHOLE_MAP = "made:map"
"""The id of the whole map as an area."""
ADDRESSED_M = 150.0
"""Within this distance a place whose address names a street counts as on it: a shop in a yard or behind a forecourt."""
ON_LINE_M = 30.0
"""Places within this distance of the middle of a street count as on it."""


def shape_of(thing: Thing | Way, context: Context) -> Shape | Unknown:
    """The outline or course of a thing.

    Raises:
        Waiting: It is still to be fetched.
    """
    if isinstance(thing, Way):
        return _course(thing, context)
    if thing.shape is not None:
        return Shape(kind="line" if thing.role == "line" else "area", wkt=thing.shape)
    if thing.is_point:
        return Unknown(Why.NOT_STATED, f"{thing.name} is a position and has no outline.")
    if thing.id == WHOLE_MAP:
        return Unknown(Why.NOT_STATED, f"“{thing.name}” is the whole map, which has no outline of its own.")
    reply = context.need(ShapeRequest(thing.reference))
    if isinstance(reply.fact, Shape):
        return reply.fact
    if reply.failure is not None:
        return unknown_of(reply.failure)
    return Unknown(Why.NOT_STATED, f"{thing.name} has no outline on this map.")


def area_called_so(thing: Thing, context: Context) -> Shape | None:
    """The outline of the area that has the name by which a program finds a place; None if there is none.

    Raises:
        Waiting: It is still to be fetched.
    """
    for asked, reply in context.facts.known.items():
        if not isinstance(asked, PlaceRequest) or not isinstance(reply.fact, PlaceFact):
            continue
        if asked.kind or asked.wanted or thing.place not in (reply.fact.place, *reply.fact.rivals):
            continue
        wide = context.need(replace(asked, wanted="area")).fact
        if not isinstance(wide, PlaceFact) or wide.rivals or not _is_ground_called(asked.text, wide.place):
            continue
        outline = shape_of(Thing(wide.place, role="area"), context)
        if isinstance(outline, Shape) and outline.kind == "area":
            context.need(asked)
            context.assume(f"“{asked.text}” is taken to be the area {wide.place.name}")
            return outline
    return None


def _is_ground_called(words: str, place: Place) -> bool:
    """Whether a place is an area that one can be in, called so, or so but for the word for its kind."""
    names = (place.name, *place.aliases, own_plain_area(place.name) or "")
    return is_ground(place.categories) and normalise(words) in map(normalise, names)


def ground_of(thing: Thing | Way, context: Context) -> Shape | LatLng | Unknown:
    """As `shape_of`; for what is only a position, such as written coordinates, that position.

    Raises:
        Waiting: It is still to be fetched.
    """
    if isinstance(thing, Thing) and thing.is_point and thing.place.location is not None:
        return thing.place.location
    return shape_of(thing, context)


def extent_of(thing: Thing | Way, context: Context) -> Shape | LatLng | Unknown:
    """The geometry that distances are measured from: the outline of large things and lines, else the position.

    Raises:
        Waiting: It is still to be fetched.
    """
    if isinstance(thing, Way):
        return _course(thing, context)
    if thing.shape is not None:
        return shape_of(thing, context)
    if is_large(thing) and not thing.is_point:
        shape = shape_of(thing, context)
        if not isinstance(shape, Unknown):
            return shape
    if thing.place.location is None:
        return Unknown(Why.NOT_STATED, f"The position of {thing.name} is not known.")
    return thing.place.location


def is_large(thing: Thing) -> bool:
    """Whether the extent of a thing counts, and not its middle, as for areas and lines."""
    return thing.is_shaped or is_ground(thing.place.categories)


def _course(way: Way, context: Context) -> Shape | Unknown:
    route = best_route(way, context)
    if isinstance(route, Unknown):
        return route
    if len(route.geometry) < 2:
        return Unknown(Why.NOT_STATED, "The course of the way is not stated.")
    points = ", ".join(f"{point.lng} {point.lat}" for point in route.geometry)
    return Shape(kind="line", wkt=f"LINESTRING ({points})")


def hours_of(thing: Thing, context: Context) -> Hours | Unknown:
    """The opening hours of a place.

    Raises:
        Waiting: Its details are still to be fetched.
    """
    hours = thing.place.hours
    if hours is None and not context.situation.full and not is_of_no_map(thing.id):
        reply = context.need(DetailsRequest(thing.reference))
        hours = None if reply.fact is None else reply.fact.place.hours
    if hours is None:
        return Unknown(Why.NOT_STATED, f"The opening hours of {thing.name} are not stated.")
    return hours


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
    """Departure or arrival of a way, if the source has timetables; if neither is given, one leaves now."""
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
    """Departure and arrival of a way that is part of a trip, in seconds after `zero`.

    Args:
        way: The way; by a timetable with its departure or arrival.
        at_s: The earliest departure or the latest arrival, in seconds after `zero`.
        context: The facts.
        arriving: Whether `at_s` is the latest arrival.
        zero: The moment from which seconds are counted.
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
