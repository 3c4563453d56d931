"""The truth about a map, worked out from its raw extract: more than `tests.e2e.truth` has to know.

Nothing here uses the product. Tags are taken as they stand. What one is in or along (a park, a square, a lake,
a street) is measured from its outline or course; for any other area every point of it counts, so that a question
whose answer hangs on the point that stands for a building is refused as badly chosen.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Any

import osmium
import shapely
from pyproj import Geod
from shapely.geometry.base import BaseGeometry

from tests.e2e.truth import MARGIN_M, NotClearError, Rule, Thing
from tests.e2e.truth import RawMap as Extract

SPHEROID = Geod(ellps="WGS84")
DAY = timedelta(days=1)
GROUNDS = {
    "leisure": {"park", "garden", "playground", "pitch"},
    "natural": {"water"},
    "place": {"square"},
    "highway": {"pedestrian"},
}
"""Tags of what one is in or along, and not at."""
LINES = ("highway", "railway", "waterway", "aerialway")


@dataclass(frozen=True, slots=True)
class Span:
    """A span of opening hours; `end` may lie on the next day."""

    start: datetime
    end: datetime


@dataclass
class RawMap(Extract):
    """One extract, read whole, with the lines of its streets, railways and rivers."""

    _lines: dict[tuple[str, str], list[BaseGeometry]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        super().__post_init__()
        for way in osmium.FileProcessor(str(self.path)).with_locations():
            if not way.is_way() or "name" not in way.tags or way.is_closed():
                continue
            key = next((key for key in LINES if key in way.tags), None)
            if key is not None:
                known = [(node.lon, node.lat) for node in way.nodes if node.location.valid()]
                if len(known) > 1:
                    self._lines[key, way.tags["name"]].append(shapely.LineString(known))

    # --- places ---------------------------------------------------------------------------------------------

    def street(self, name: str, key: str = "highway") -> Thing:
        """All pieces of a line of this name."""
        pieces = self._lines.get((key, name))
        if not pieces:
            raise NotClearError(f"no {key} is called {name!r}")
        shape = shapely.union_all(pieces)
        middle = shape.representative_point()
        return Thing("line", 0, {"name": name, key: "yes"}, middle.y, middle.x, shape)

    def span(self, start: Thing, end: Thing) -> tuple[float, float]:
        """Least and greatest distance in metres; a ground or line is measured from its nearest point alone."""
        a, b = self._local(start), self._local(end)
        least = float(a.distance(b))
        ends = [_ends(shape, thing) for shape, thing in ((a, start), (b, end))]
        return least, max([least, *(float(p.distance(q)) for p in ends[0] for q in ends[1])])

    def once(self, things: Iterable[Thing]) -> list[Thing]:
        """Each thing once: a node and a building of one name that touch are one."""
        kept: list[Thing] = []
        for thing in things:
            if not any(
                thing.name and thing.name == one.name and self.span(thing, one)[0] < 5 for one in kept
            ):
                kept.append(thing)
        return kept

    def others(self, anchor: Thing, **rules: Rule) -> list[Thing]:
        """What obeys the rules, named, without the anchor."""
        return [one for one in self.once(self.all(**rules)) if one.name and one != anchor]

    def next_to(self, anchor: Thing, **rules: Rule) -> Thing:
        """The nearest named one that obeys the rules, by a clear margin."""
        return self.nearest(anchor, self.others(anchor, **rules))

    def near(self, anchor: Thing, radius_m: float, **rules: Rule) -> list[Thing]:
        """What obeys the rules within a radius, each once, without the anchor; none of them on the edge."""
        return self.within(anchor, [one for one in self.once(self.all(**rules)) if one != anchor], radius_m)

    def in_order(self, anchor: Thing, things: Iterable[Thing]) -> list[Thing]:
        """Things by their distance, where no two are as far away."""
        listed = list(things)
        spans = self.ranked(anchor, listed)
        for (_, far, a), (near, _, b) in pairwise(spans):
            if near - far < 0.5:
                raise NotClearError(f"{a.name} and {b.name} are as far away")
        return [thing for _, _, thing in spans]

    def farthest(self, anchor: Thing, things: Iterable[Thing]) -> Thing:
        """The farthest of them, by a clear margin."""
        (_, far, _), (near, _, last) = self.ranked(anchor, things)[-2:]
        if near - far < MARGIN_M:
            raise NotClearError(f"{last.name} is not clearly the farthest")
        return last

    def extreme(self, things: Sequence[Thing], side: str) -> Thing:
        """The northernmost ("north"), ... of them, by a clear margin."""
        sign, axis = {"north": (1, "lat"), "south": (-1, "lat"), "east": (1, "lng"), "west": (-1, "lng")}[
            side
        ]
        ordered = sorted(things, key=lambda one: -sign * getattr(one, axis))
        gap = abs(getattr(ordered[0], axis) - getattr(ordered[1], axis)) * 50_000
        reach = max(_reach(one.shape) for one in ordered[:2]) * 111_000
        if gap < MARGIN_M + reach:
            raise NotClearError(f"{ordered[0].name} and {ordered[1].name} lie about equally far {side}")
        return ordered[0]

    def between(self, a: Thing, b: Thing, things: Iterable[Thing]) -> list[Thing]:
        """Those whose foot on the line from a to b falls between them, off it by a quarter of its length at most."""
        start, end = (self._local(one).coords[0] for one in (a, b))
        length = math.dist(start, end)
        unit = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
        found = []
        for thing in things:
            sides = set()
            for x, y in shapely.get_coordinates(self._local(thing)):
                along = (x - start[0]) * unit[0] + (y - start[1]) * unit[1]
                off = abs((y - start[1]) * unit[0] - (x - start[0]) * unit[1])
                slack = min(along, length - along, length / 4 - off)
                if abs(slack) < MARGIN_M / 2:
                    raise NotClearError(f"{thing.name} is on the edge")
                sides.add(slack > 0)
            if len(sides) > 1:
                raise NotClearError(f"{thing.name} is on the edge")
            if sides == {True}:
                found.append(thing)
        return found

    def in_order_along(self, line: Thing, things: Iterable[Thing]) -> list[Thing]:
        """Things by where one passes them on a line of one piece, from its first point."""
        course = shapely.line_merge(self._local(line))
        if course.geom_type != "LineString":
            raise NotClearError(f"{line.name} is no single line")
        return sorted(things, key=lambda one: course.project(self._local(one).centroid))

    # --- measures -------------------------------------------------------------------------------------------

    def size_m2(self, thing: Thing) -> float:
        """The geodesic area of an outline, holes left out."""
        area = SPHEROID.geometry_area_perimeter(shapely.orient_polygons(thing.shape))[0]
        return abs(float(area))

    def length_m(self, thing: Thing) -> float:
        """The geodesic length of a line."""
        return float(SPHEROID.geometry_length(thing.shape))

    def perimeter_m(self, thing: Thing) -> float:
        """The geodesic length of an outline."""
        return abs(float(SPHEROID.geometry_area_perimeter(thing.shape)[1]))

    # --- hours ----------------------------------------------------------------------------------------------

    def spans(self, thing: Thing, day: date) -> list[Span]:
        """The spans of being open that begin on a day."""
        found = []
        for start, end, state, _ in _hours(thing).intervals(_midnight(day) - DAY, _midnight(day) + 3 * DAY):
            if "open" in str(state).lower() and start.date() == day:
                found.append(Span(start, end))
        return found

    def closes(self, thing: Thing, day: date) -> datetime:
        """The last closing of the spans that begin on a day."""
        return max(span.end for span in self.spans(thing, day))

    def opens(self, thing: Thing, day: date) -> datetime:
        """The first opening on a day."""
        return min(span.start for span in self.spans(thing, day))


def _hours(thing: Thing) -> Any:
    from opening_hours import OpeningHours

    return OpeningHours(thing.tags["opening_hours"])


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def _ends(shape: BaseGeometry, thing: Thing) -> list[BaseGeometry]:
    """What may stand for a thing: a ground or line as it is, each corner of any other area."""
    ground = "building" not in thing.tags and any(
        thing.tags.get(key) in values for key, values in GROUNDS.items()
    )
    if thing.shape is None or thing.kind == "line" or ground:
        return [shape]
    return [shapely.Point(corner) for corner in shapely.get_coordinates(shape)]


def _reach(shape: BaseGeometry | None) -> float:
    """How many degrees a shape spans."""
    if shape is None:
        return 0.0
    west, south, east, north = shape.bounds
    return max(east - west, north - south)
