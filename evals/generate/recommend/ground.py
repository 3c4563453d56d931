"""Where listings lie: around a point, along a way, inside a region, beside a park or a stop.

True distances are single geodesics and shapes read as they are stored; nothing of the searching code under
test is used. What lies too near a limit for any definition of distance is unclear, and a wish that hangs on
an unclear place is unfit.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import cos, hypot, radians
from pathlib import Path
from typing import Any

from evals.generate.gsqa.params import UnfitError
from evals.generate.gsqa.reference import Reference, Thing
from evals.generate.recommend.facets import has_tag
from evals.generate.recommend.listings import Listing
from evals.generate.travel import Travel
from evals.generate.world import RawPlace, distance_m

MARGIN = 0.02
"""A place within this share of a limit is unclear."""
FAR = 1.1
"""What is so many times farther on the plane than a limit is not within it on the ground."""
BORDER_M = 5.0
"""So near a border it is unclear on which side a place lies."""
REACH_M = 2000.0
"""No park or stop of a city reaches farther from the point that stands for it."""
REGION_LEVELS = frozenset({"9", "10"})
"""admin_level of quarters (https://wiki.openstreetmap.org/wiki/Tag:boundary=administrative)."""
ANCHOR_KEYS = ("tourism", "railway", "place", "leisure", "public_transport")
"""Keys of what people say they are near of."""
_DEGREE_M = 111_195.0

type Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Region:
    """A quarter with its outline."""

    name: str
    outline: Any


class Ground:
    """The map that listings were put on.

    Args:
        folder: The map's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._reference = Reference(folder)
        self._folder = folder

    @property
    def info(self) -> dict[str, Any]:
        """The map's own description."""
        found: dict[str, Any] = self._reference.raw.info
        return found

    @cached_property
    def anchors(self) -> tuple[RawPlace, ...]:
        """Named points with a name of their own that people measure from."""
        return tuple(
            place for place in self._reference.raw.unique if any(key in place.tags for key in ANCHOR_KEYS)
        )

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """Quarters with an outline and a name of their own."""
        return tuple(
            Region(thing.name, thing.shape)
            for thing in self._reference.things
            if thing.is_area
            and thing.tags.get("boundary") == "administrative"
            and thing.tags.get("admin_level") in REGION_LEVELS
        )

    def around(self, center: Point, listings: Iterable[Listing], within_m: float) -> list[Listing]:
        """Those within a distance of a point.

        Raises:
            UnfitError: One of them lies on the limit.
        """
        plane = _Plane(center)
        near = (one for one in listings if hypot(*plane.of(one.point)) <= FAR * within_m)
        return _within(((one, distance_m(center, one.point)) for one in near), within_m)

    def along(self, start: Point, end: Point, listings: Iterable[Listing], within_m: float) -> list[Listing]:
        """Those within a distance of the way on foot between two points.

        Raises:
            UnfitError: There is no way on foot, or one of them lies on the limit.
        """
        import shapely

        way = self._travel.way(start, end, "walking")
        if way is None or len(way.course) < 2:
            raise UnfitError("there is no undisputed way on foot")
        plane = _Plane(start)
        line = shapely.LineString([plane.of(point) for point in way.course])
        distances = ((one, float(line.distance(shapely.Point(plane.of(one.point))))) for one in listings)
        return _within(distances, within_m)

    def inside(self, region: Region, listings: Iterable[Listing]) -> list[Listing]:
        """Those inside a region.

        Raises:
            UnfitError: One of them lies on its border.
        """
        import shapely

        tested = list(listings)
        points = shapely.points([(one.shown.lng, one.shown.lat) for one in tested])
        if (shapely.distance(region.outline.boundary, points) * _DEGREE_M < BORDER_M).any():
            raise UnfitError("a place lies on the border of the region")
        return [
            one for one, holds in zip(tested, shapely.contains(region.outline, points), strict=True) if holds
        ]

    def beside(self, tags: Sequence[str], listings: Iterable[Listing], within_m: float) -> list[Listing]:
        """Those within a distance of any feature with one of some tags, measured to its shape."""
        import shapely

        things = [thing for thing in self._reference.things if has_tag(thing.tags, tags)]
        found = []
        for one in listings:
            plane = _Plane(one.point)
            origin = shapely.Point(0, 0)
            near = (thing for thing in things if _north_m(one.point, thing) <= within_m + REACH_M)
            if any(plane.shape(thing).distance(origin) <= within_m for thing in near):
                found.append(one)
        return found

    @cached_property
    def _travel(self) -> Travel:
        return Travel(self._folder / "tiles")


class _Plane:
    """The plane that touches the earth at a point, in metres: right within 1 % for some kilometres."""

    def __init__(self, origin: Point) -> None:
        self._lat, self._lng = origin
        self._east_m = _DEGREE_M * cos(radians(origin[0]))

    def of(self, point: Point) -> tuple[float, float]:
        """East and north of the origin."""
        return (point[1] - self._lng) * self._east_m, (point[0] - self._lat) * _DEGREE_M

    def shape(self, thing: Thing) -> Any:
        """A feature's shape on the plane."""
        import shapely

        if thing.shape is None:
            return shapely.Point(self.of(thing.point))
        return shapely.transform(
            thing.shape,
            lambda places: (places - (self._lng, self._lat)) * (self._east_m, _DEGREE_M),
        )


def _within(measured: Iterable[tuple[Listing, float]], limit_m: float) -> list[Listing]:
    found = []
    for listing, length_m in measured:
        if abs(length_m - limit_m) <= MARGIN * limit_m:
            raise UnfitError("a place lies on the limit of the distance")
        if length_m < limit_m:
            found.append(listing)
    return found


def _north_m(point: Point, thing: Thing) -> float:
    """How far apart a point and the one that stands for a feature are in north and south."""
    return abs(point[0] - thing.point[0]) * _DEGREE_M
