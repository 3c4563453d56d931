"""The geometry behind a value: the outline or course of a place of the map, a made area, a position."""

from map_tools.kinds.concepts import is_ground
from map_tools.types import LatLng, Shape
from modules.query.interpreter.context import Context, unknown_of
from modules.query.interpreter.requests import ShapeRequest
from modules.query.interpreter.ways import best_route
from modules.query.values.things import Thing, Way
from modules.query.values.unknown import Unknown, Why

WHOLE_MAP = "made:map"
"""The id of the whole map as an area."""
ON_LINE_M = 30.0
"""What is no farther from the middle of a street stands on it."""


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


def ground_of(thing: Thing | Way, context: Context) -> Shape | LatLng | Unknown:
    """As `shape_of`; of what is nothing but a position, such as written coordinates, that position.

    Raises:
        Waiting: It is still to be fetched.
    """
    if isinstance(thing, Thing) and thing.is_point and thing.place.location is not None:
        return thing.place.location
    return shape_of(thing, context)


def extent_of(thing: Thing | Way, context: Context) -> Shape | LatLng | Unknown:
    """What distances are measured from: the outline of large things and lines, else the position.

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
    """Whether it is the kind of thing whose inside or course counts, not its middle."""
    return thing.is_shaped or is_ground(thing.place.categories)


def _course(way: Way, context: Context) -> Shape | Unknown:
    route = best_route(way, context)
    if isinstance(route, Unknown):
        return route
    if len(route.geometry) < 2:
        return Unknown(Why.NOT_STATED, "The course of the way is not stated.")
    points = ", ".join(f"{point.lng} {point.lat}" for point in route.geometry)
    return Shape(kind="line", wkt=f"LINESTRING ({points})")
