"""The bounds of a search: which members of a list lie along a line or way, on a street, or in an area."""

from dataclasses import replace

from map_tools.compute import shapes
from map_tools.compute.shapes import along_m
from map_tools.kinds.concepts import is_street
from map_tools.text import same_street
from map_tools.types import LatLng, Shape
from modules.query.interpreter.context import Context
from modules.query.interpreter.needs import ADDRESSED_M, ON_LINE_M, WHOLE_MAP, extent_of, shape_of
from modules.query.interpreter.stated import stated
from modules.query.values import things
from modules.query.values.things import Items, Thing
from modules.query.values.unknown import Unknown


def only_along(
    context: Context, listed: Items | Unknown, course: things.Thing | things.Way, width_m: float | None
) -> Items | Unknown:
    """The members of a list that lie along a line or way, in the order one passes them; without a width on it."""
    if isinstance(listed, Unknown):
        return listed
    shape = shape_of(course, context)
    if isinstance(shape, Unknown):
        return shape
    kept = _only_at(context, listed, course, shape, width_m)
    return kept.like(
        sorted(kept, key=lambda one: along_m(shape, one.place.location) if one.place.location else 0.0)
    )


def only_in(context: Context, listed: Items | Unknown, area: Thing, *, by_middle: bool) -> Items | Unknown:
    """The members of a list that lie in an area, with their middle or any part; on it, if it is that of a street."""
    if isinstance(listed, Unknown) or area.id == WHOLE_MAP:
        return listed
    street = street_of(context, area) if by_middle else None
    shape = shape_of(street or area, context)
    if isinstance(shape, Unknown):
        return shape
    width_m = 0.0 if street is None else None
    return _only_at(context, listed, street or area, shape, width_m, by_middle=by_middle)


def _only_at(
    context: Context,
    listed: Items,
    bound: things.Thing | things.Way,
    shape: Shape,
    width_m: float | None,
    *,
    by_middle: bool = False,
) -> Items:
    def kept(one: Thing) -> bool:
        spot = one.place.location if by_middle else extent_of(one, context)
        off_m = most_off_m(one, bound, width_m)
        return isinstance(spot, LatLng | Shape) and shapes.distance_m(shape, spot) <= off_m

    verdicts = context.each(listed, kept)
    return listed.like(one for one, verdict in zip(listed, verdicts, strict=True) if verdict)


def street_of(context: Context, area: Thing) -> Thing | None:
    """The street by its course, if an area is what stands on one; a database searches the area as it is drawn."""
    if area.shape is None or context.situation.database or not is_street(area.place.categories):
        return None
    return replace(area, shape=None, extra=())


def most_off_m(one: Thing, course: things.Thing | things.Way, width_m: float | None = None) -> float:
    """How far off a line a place may lie; without a width it has to be on it, or to have its address there."""
    if width_m is not None:
        return width_m
    street = stated(one.place, "street")
    addressed = isinstance(course, Thing) and isinstance(street, str) and same_street(street, course.name)
    return ADDRESSED_M if addressed else ON_LINE_M
