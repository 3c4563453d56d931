"""Operators on space: distance, direction, what lies where, areas made of other things."""

import hashlib
from collections.abc import Callable, Mapping
from itertools import product

from map_tools.compute import shapes
from map_tools.compute.geodesy import angle_between, bearing_deg, distance_m, wind_words
from map_tools.compute.shapes import center, corridor
from map_tools.facts import NearbyFact
from map_tools.text import same_name
from map_tools.types import MADE_OF_OWN_PREFIX, MADE_PREFIX, Geometry, LatLng, Shape, TravelMode, tells_own
from map_tools.types import Place as MapPlace
from modules.query.interpreter.context import CellRequest, Context, SearchRequest
from modules.query.interpreter.needs import WHOLE_MAP, extent_of, ground_of, shape_of
from modules.query.language.types import MODE_NAMES
from modules.query.operators.base import Area, Direction, Length, Line, Place, Text, YesNo, operator
from modules.query.operators.bounds import most_off_m, street_of
from modules.query.values import things
from modules.query.values.algebra import ValueTypeError
from modules.query.values.amount import LENGTH, Amount
from modules.query.values.things import Bearing, Thing
from modules.query.values.unknown import Unknown, Why

TOWARDS_DEG = 22.5
"""Half of an octant: "towards B from A" (GS-QA, section 3)."""
CORRIDOR_SHARE = 4.0
"""What lies between two places is off their line by at most this part of its length."""
_NOTHING = {"area": "POLYGON EMPTY", "line": "LINESTRING EMPTY"}
SIDES = {"N": 0.0, "NE": 45.0, "E": 90.0, "SE": 135.0, "S": 180.0, "SW": 225.0, "W": 270.0, "NW": 315.0}


@operator(module="spatial_database", phrase="the straight-line distance between {a} and {b}")
def distance(context: Context, a: Place, b: Place) -> Length | Unknown:
    """The straight line, from the edge of parks, lakes, districts, streets, else entrance or centre."""
    if a == b:
        return Amount.of(0.0, LENGTH)
    told = _told_distance(context, a, b)
    if told is not None:
        return Amount.of(told, LENGTH)
    first, second = extent_of(a, context), extent_of(b, context)
    if isinstance(first, Unknown):
        return _told_way(context, a, b) or first
    if isinstance(second, Unknown):
        return _told_way(context, a, b) or second
    if isinstance(first, LatLng) and isinstance(second, LatLng):
        found = Amount.of(distance_m(first, second), LENGTH)
        context.lines.append((found, a, b))
        return found

    return Amount.of(shapes.distance_m(first, second), LENGTH)


def _told_distance(context: Context, a: Thing, b: Thing) -> float | None:
    """The distance as a list of the source prints it, where a position is not known."""
    if a.place.location is not None and b.place.location is not None:
        return None
    if not context.situation.text:
        return None
    for first, second in ((a, b), (b, a)):
        request = SearchRequest(
            what="", categories=(), keyword="", center=first.reference, radius_m=200_000.0
        )
        reply = context.need(request)
        if not isinstance(reply.fact, NearbyFact):
            continue
        for item in reply.fact.items:
            if item.distance_m is not None and (
                item.place.id == second.id or same_name(item.place.name, second.name)
            ):
                return item.distance_m
    return None


def _told_way(context: Context, a: Thing, b: Thing) -> Amount | Unknown | None:
    """The length of a way that a supplied text tells, where it gives no positions; None without a text."""
    if not context.situation.text:
        return None
    timed = ""
    for mode, (start, end) in product(TravelMode, ((a, b), (b, a))):
        reply = context.need(CellRequest(start.reference, end.reference, mode))
        if reply.fact is None:
            continue
        if reply.fact.distance_m is not None:
            context.warn(
                f"No straight distances are at hand; the lengths of the ways ({mode.value}) are used."
            )
            return Amount.of(reply.fact.distance_m, LENGTH)
        timed = timed or f' Its time is: compare travel(…, "{MODE_NAMES[mode.value]}").duration.'
    return Unknown(
        Why.NOT_STATED,
        f"How far it is from {a.name} to {b.name} is not stated, by positions or as the length of a way.{timed}",
    )


@operator(module="spatial_database", phrase="the direction from {a} to {to}")
def direction(context: Context, a: Place, *, to: Place) -> Direction | Unknown:
    """As seen from a, in eight winds; the difference of two is an angle."""
    ends = _positions(context, a, to)
    if isinstance(ends, Unknown):
        return ends
    if ends[0] == ends[1]:
        return Unknown(Why.NOT_STATED, f"{a.name} and {to.name} are at the same position.")
    return Bearing(bearing_deg(*ends))


_HALVES: Mapping[str, Callable[[LatLng, LatLng], bool]] = {
    "N": lambda of, a: a.lat > of.lat,
    "S": lambda of, a: a.lat < of.lat,
    "E": lambda of, a: a.lng > of.lng,
    "W": lambda of, a: a.lng < of.lng,
}
"""Sides in data whose "north of" is anywhere further north."""


@operator(module="spatial_database", phrase="whether {a} lies {side} of {of}")
def lies(context: Context, a: Place, side: Text, *, of: Place) -> YesNo | Unknown:
    """Whether a lies "north" … "north-west" of another place: within 45°, in a database 22.5°."""
    wanted = SIDES.get(wind_words(side) or "")
    if wanted is None:
        raise ValueTypeError(f'“{side}” is no side; there are "north", "north-east", "east", …')
    ends = _positions(context, of, a)
    if isinstance(ends, Unknown):
        return ends
    if ends[0] == ends[1]:
        return Unknown(Why.NOT_STATED, f"{a.name} and {of.name} are at the same position.")
    if context.situation.halves and (half := _HALVES.get(wind_words(side) or "")):
        return half(*ends)
    off, most = angle_between(bearing_deg(*ends), wanted), context.situation.side_deg
    if most < off < 2 * most:
        context.warn(f"{a.name} lies {off:.0f}° off {side} of {of.name}.")
    return off <= most


@operator(module="spatial_database", phrase="whether {a} lies towards {b} from {of}")
def towards(context: Context, a: Place, b: Place, *, of: Place) -> YesNo | Unknown:
    """Whether a lies towards b as seen from `of`, within 22.5°."""
    ways = _positions(context, of, a), _positions(context, of, b)
    for one in ways:
        if isinstance(one, Unknown):
            return one
        if one[0] == one[1]:
            return Unknown(Why.NOT_STATED, f"{of.name} is at the same position.")
    return angle_between(*(bearing_deg(*one) for one in ways if not isinstance(one, Unknown))) <= TOWARDS_DEG


def _positions(context: Context, first: Thing, second: Thing) -> tuple[LatLng, LatLng] | Unknown:
    """Two positions; of a line or area the point of it that is nearest to the other."""
    spots: list[LatLng | Shape] = []
    for one in (first, second):
        spot = extent_of(one, context)
        if isinstance(spot, Unknown):
            return spot
        spots.append(spot)
    if isinstance(spots[0], LatLng) and isinstance(spots[1], LatLng):
        return spots[0], spots[1]

    ends: list[LatLng] = []
    for spot, other, thing in ((spots[0], spots[1], first), (spots[1], spots[0], second)):
        if isinstance(spot, LatLng):
            ends.append(spot)
        elif (
            isinstance(other, LatLng)
            and not shapes.contains(spot, other)
            and shapes.distance_m(spot, other) > 0
        ):
            ends.append(shapes.nearest_point(spot, other))
        elif thing.place.location is not None:
            ends.append(thing.place.location)
        else:
            ends.append(center(spot))
    return ends[0], ends[1]


@operator(module="spatial_database", phrase="whether {a} lies in {b}", name="lies_in")
def lies_in(context: Context, a: Place, b: Area) -> YesNo | Unknown:
    """What `x in area` means: a place lies in an area with its point, an area or line with all of it.

    On a street stands what a search inside it finds.
    """
    outline = shape_of(b, context)
    if isinstance(outline, Unknown):
        return outline
    if a.is_shaped:
        own = shape_of(a, context)
        if not isinstance(own, Unknown):
            return shapes.contains(outline, own)
    if a.place.location is None:
        return Unknown(Why.NOT_STATED, f"The position of {a.name} is not known.")
    street = street_of(context, b)
    if street is None:
        return shapes.contains(outline, a.place.location)
    course = shape_of(street, context)
    if isinstance(course, Unknown):
        return course
    return shapes.distance_m(course, a.place.location) <= most_off_m(a, street)


@operator(module="spatial_database", phrase="whether {a} intersects {b}")
def intersects(context: Context, a: Area, b: Area) -> YesNo | Unknown:
    """Whether they have a point in common."""
    return _related(context, a, b, shapes.intersects)


@operator(module="spatial_database", phrase="whether {a} touches {b}")
def touches(context: Context, a: Area, b: Area) -> YesNo | Unknown:
    """Whether they only share borders."""
    return _related(context, a, b, shapes.touches)


@operator(module="spatial_database", phrase="whether {a} has nothing in common with {b}")
def disjoint(context: Context, a: Area, b: Area) -> YesNo | Unknown:
    """Whether they have no point in common."""
    return _related(context, a, b, shapes.disjoint)


@operator(module="spatial_database", phrase="whether {a} crosses {b}")
def crosses(context: Context, a: Line, b: Line) -> YesNo | Unknown:
    """Whether a line crosses a line or area."""
    return _related(context, a, b, shapes.crosses)


def _related(
    context: Context,
    a: Thing | things.Way,
    b: Thing | things.Way,
    relation: Callable[[Geometry, Geometry], bool],
) -> bool | Unknown:
    if WHOLE_MAP in (getattr(a, "id", ""), getattr(b, "id", "")):
        return relation is shapes.intersects  # all that is on a map lies within it

    first, second = ground_of(a, context), ground_of(b, context)
    if isinstance(first, Unknown):
        return first
    if isinstance(second, Unknown):
        return second
    if isinstance(first, LatLng) and isinstance(second, LatLng):
        return Unknown(Why.NOT_STATED, "Both are positions, and neither has an outline.")
    return relation(first, second)


@operator(module="spatial_database", phrase="the space between {a} and {b}")
def between(context: Context, a: Place, b: Place) -> Area | Unknown:
    """The corridor between two places, a quarter of its length to each side."""
    ends = _positions(context, a, b)
    if isinstance(ends, Unknown):
        return ends
    return made(corridor(*ends, share=1 / CORRIDOR_SHARE), f"between {a.name} and {b.name}", a, b)


@operator(module="spatial_database", phrase="the area within {by} of {of}")
def buffer(context: Context, of: Area, by: Length) -> Area | Unknown:
    """Everything within a distance of something."""
    spot = extent_of(of, context)
    if isinstance(spot, Unknown):
        return spot
    return made(shapes.buffer_m(spot, by.value), f"within {by.value:.0f} m of {of.name}", of)


@operator(module="spatial_database", phrase="the part of {what} inside {inside}")
def clip(context: Context, what: Line, inside: Area) -> Line | Unknown:
    """The part of a line or area inside an area, of length or size 0 if there is none."""
    if inside.id == WHOLE_MAP and not isinstance(what, things.Way):
        return what
    first, second = shape_of(what, context), shape_of(inside, context)
    if isinstance(first, Unknown):
        return first
    if isinstance(second, Unknown):
        return second
    called = what.name if isinstance(what, Thing) else "the way"
    part = shapes.clip(first, second) or Shape(kind=first.kind, wkt=_NOTHING[first.kind])
    ends = (what,) if isinstance(what, Thing) else (what.origin, what.destination)
    return made(part, f"{called} in {inside.name}", inside, *ends)


def made(shape: Shape, name: str, *of: Thing) -> Thing:
    """An area or line that a program makes of things."""
    digest = hashlib.sha256(shape.wkt.encode()).hexdigest()[:16]
    location = None if shape.wkt in _NOTHING.values() else center(shape)
    prefix = MADE_OF_OWN_PREFIX if any(tells_own(one.id) for one in of) else MADE_PREFIX
    place = MapPlace(id=f"{prefix}{digest}", name=name, location=location)
    return Thing(place, shape=shape.wkt, role=shape.kind)


OPERATORS = (
    distance, direction, lies, towards, lies_in, intersects, touches, disjoint, crosses, between, buffer, clip,
)  # fmt: skip
