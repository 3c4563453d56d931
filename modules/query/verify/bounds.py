"""The bounds of a search, checked: what lies along a line, on a street or in an area, and how far off it is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from map_tools.kinds.concepts import is_ground, is_street
from map_tools.text import same_street
from map_tools.types import Geometry, LatLng, NearbyPlace, Shape
from modules.query.values.things import Items, Thing
from modules.query.values.unknown import Unknown
from modules.query.verify import measuring
from modules.query.verify.cited import ADDRESSED_M, ON_LINE_M, Asked, Cited, Fault
from modules.query.verify.fields import stated

_EDGE_M = 0.2
"""So far off a bound of nothing a position may be drawn."""


@dataclass(frozen=True, slots=True)
class Listed:
    """The possible members of a search's result.

    Attributes:
        members: As the source lists them, or by name.
        off_m: How far each is from what bounds the search; below 0 within an area that the program made.
        bound_m: How far it may be; None: the list itself is the bound.
        rank: The sort key of each; None: the order of `members`.
    """

    members: Items
    off_m: Mapping[str, float] = field(default_factory=dict)
    bound_m: float | None = None
    rank: Mapping[str, float] | None = None

    def at_edge(self, thing: Thing) -> bool:
        """Whether it is too close to the bound for measuring to decide if it lies within."""
        if self.bound_m is None:
            return False
        return measuring.close(self.off_m[thing.id], self.bound_m, slack=1.0 if self.bound_m else _EDGE_M)

    def within(self, thing: Thing) -> bool:
        """Whether it lies within."""
        return self.bound_m is None or self.off_m[thing.id] <= self.bound_m


def lying_along(asked: Asked, members: Items, course: Any, width_m: float | None) -> Any:
    """The members of a written list that lie along a line or way; without a width those on it."""
    shape = asked.cited.shape(course)
    if shape is None:
        return asked.cited.shapeless(course)
    found = Listed(members, _off(shape, members, asked.cited.spot), width_m)
    if width_m is None:
        found = on_it(found, course)
    kept = _kept(found)
    rank = {one.id: measuring.along_m(shape, one.place.location) for one in kept if one.place.location}
    return Listed(kept, found.off_m, found.bound_m, rank)


def lying_in(asked: Asked, members: Items, area: Thing, *, by_middle: bool) -> Any:
    """The members of a written list that lie in an area, by their middle or any part, or on its street."""
    street = street_of(area, asked.cited) if by_middle else None
    shape = asked.cited.shape(street or area)
    if shape is None:
        return asked.cited.shapeless(street or area)
    off = _off(shape, members, (lambda one: one.place.location) if by_middle else asked.cited.spot)
    return _kept(Listed(members, off, 0.0) if street is None else on_it(Listed(members, off), street))


def _off(shape: Shape, members: Items, spot: Callable[[Thing], Geometry | None]) -> dict[str, float]:
    """How far from a shape those are whose place is told."""
    spots = {one.id: spot(one) for one in members}
    return {one: measuring.away_m(shape, at) for one, at in spots.items() if at is not None}


def _kept(listed: Listed) -> Items:
    """Those within the bound, or at its very edge."""
    most_m = (listed.bound_m or 0.0) + _EDGE_M
    return listed.members.like(one for one in listed.members if listed.off_m.get(one.id, inf) <= most_m)


def street_of(area: Thing, cited: Cited) -> Thing | None:
    """The street that an area is drawn around; None for any other, and in a database, which takes it as it is."""
    drawn = area.shape is not None and is_street(area.place.categories) and not cited.situation.database
    return replace(area, shape=None, extra=()) if drawn else None


def stands_on(one: Thing, street: Thing, cited: Cited) -> bool | Unknown | Fault:
    """Whether a place whose position is told stands on a street."""
    course = cited.shape(street)
    if course is None or one.place.location is None:
        return cited.shapeless(street)
    off = {one.id: measuring.away_m(course, one.place.location)}
    return on_it(Listed(Items((one,)), off), street).off_m[one.id] <= ON_LINE_M


def on_it(listed: Listed, course: Any) -> Listed:
    """Of a list about a line what is on it: what has its address there and is not far off stands on it."""
    off = dict(listed.off_m)
    for one in listed.members:
        street = stated(one.place, "street") if isinstance(course, Thing) else None
        if (
            isinstance(street, str)
            and same_street(street, course.name)
            and off.get(one.id, inf) <= ADDRESSED_M
        ):
            off[one.id] = 0.0
    return Listed(listed.members, off, ON_LINE_M, listed.rank)


def listed_m(cited: Cited, near: Thing, item: NearbyPlace) -> float | None:
    """How far a member is: measured, or as the source says where that may mean an outline which is not told."""
    if near.place.location is None or item.place.location is None:
        return item.distance_m
    spot = cited.spot(near)
    told_by_outline = is_ground(item.place.categories) or (
        is_ground(near.place.categories) and isinstance(spot, LatLng)
    )
    if spot is None or (told_by_outline and item.distance_m is not None):
        return item.distance_m
    return measuring.away_m(spot, item.place.location)


def off_m(shape: Shape, at: LatLng) -> float:
    """How far a position is from an area or line; 0 within."""
    return measuring.away_m(at, shape)


def beyond_m(shape: Shape, at: LatLng) -> float:
    """How far a position is beyond the border of an area; below 0 within, so that what is well within is not at it."""
    border_m = measuring.inverse(at, measuring.nearest_to(shape, at))[0]
    return -border_m if measuring.holds(shape, at) else border_m
