"""A map's raw content for computing true answers: tags and shapes as stored, geodesics one by one.

Nothing of the searching, parsing and solving code under test is used here: distances are single geodesics
(GeographicLib), shapes are read point by point, opening hours by a reader of their simplest form, and travel
by Valhalla's own interface.

Of opening hours only values such as "Mo-Fr 09:00-18:00; Sa 10:00-16:00" and "24/7" are read
(https://wiki.openstreetmap.org/wiki/Key:opening_hours); everything else is no material for a question.
"""

import json
import re
import sqlite3
import struct
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import cos, hypot, radians
from pathlib import Path

import numpy as np

from map_tools.errors import MapStoreError

ALWAYS = "24/7"
_DAY_MINUTES = 24 * 60
DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_RULE = re.compile(
    r"(?:(?P<days>(?:Mo|Tu|We|Th|Fr|Sa|Su)(?:[-,](?:Mo|Tu|We|Th|Fr|Sa|Su))*) )?"
    r"(?P<from>[0-2]\d:[0-5]\d)-(?P<to>[0-2]\d:[0-5]\d)"
)
_PART = re.compile(r"(\w\w)(?:-(\w\w))?")

type Span = tuple[int, int]
"""Minutes after midnight, opening and closing."""
type Week = tuple[Span | None, ...]
"""One span for each day from Monday; None where it is closed."""


def read_week(text: str) -> Week | None:
    """The week, None unless the text has the simple form with one span a day that ends before midnight."""
    if text.strip() == ALWAYS:
        return ((0, _DAY_MINUTES),) * 7
    week: list[Span | None] = [None] * 7
    for rule in text.split(";"):
        match = _RULE.fullmatch(rule.strip())
        if match is None:
            return None
        span = (_minutes(match["from"]), _minutes(match["to"]))
        if not span[0] < span[1] <= _DAY_MINUTES:
            return None
        for day in _days(match["days"]):
            if week[day] is not None:
                return None
            week[day] = span
    return tuple(week)


def _days(text: str | None) -> list[int]:
    if text is None:
        return list(range(7))
    days: list[int] = []
    for first, last in _PART.findall(text):
        start = DAYS.index(first)
        end = DAYS.index(last or first)
        days += [day % 7 for day in range(start, (end if end >= start else end + 7) + 1)]
    return days


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


_DEGREE_M = 111_195.0
"""Length of a degree of a great circle of the mean radius 6371.0088 km (https://doi.org/10.1007/s001900050278)."""
_POINT, _WKB_LINE, _WKB_POLYGON = 1, 2, 3


@dataclass(frozen=True)
class RawPlace:
    """An object of the map.

    Attributes:
        osm: Its OpenStreetMap id, such as "n123".
        name: Empty for what has none: it counts, but no question can speak of it.
        point: (latitude, longitude) of the point that stands for it.
        outline: Corners of its shape, ring after ring; only `point` for a node.
    """

    osm: str
    name: str
    tags: dict[str, str]
    point: tuple[float, float]
    outline: tuple[tuple[float, float], ...]

    @property
    def is_node(self) -> bool:
        """True for what the map draws as a point: its position leaves no room for interpretation."""
        return self.osm.startswith("n")

    def has(self, key: str, value: str) -> bool:
        """True for a tag with this value, alone or in a list ("cafe;bar")."""
        return value in (part.strip() for part in self.tags.get(key, "").split(";"))

    def rough_m(self, other: "RawPlace") -> float:
        """Distance in metres on a plane, for putting places in a first order; cheap."""
        if len(other.outline) < 2:
            return _to_segment_m(self.point, other.point, other.point)
        return min(_to_segment_m(self.point, *edge) for edge in pairwise(other.outline))

    def range_m(self, other: "RawPlace") -> tuple[float, float]:
        """Bounds in metres of the distance from this place's point to any point of the other one.

        The lower one is 0 from within the other's bounding box, and may be too low where a shape has several
        rings: that only makes a question that leans on it be left out.
        """
        corners = (other.point, *other.outline)
        lengths = [distance_m(self.point, corner) for corner in corners]
        if len(other.outline) < 2:
            return min(lengths), max(lengths)
        edges = [_to_segment_m(self.point, *edge) for edge in pairwise(other.outline)]
        low_m = 0.0 if _in_box(self.point, other.outline) else min(*lengths, *edges)
        return low_m, max(lengths)


def distance_m(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Geodesic distance in metres (Karney 2013, https://doi.org/10.1007/s00190-012-0578-z)."""
    from geographiclib.geodesic import Geodesic

    return float(Geodesic.WGS84.Inverse(*a, *b)["s12"])


def azimuth_deg(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Direction of `b` as seen from `a`, clockwise from north, 0 to 360 (Karney 2013)."""
    from geographiclib.geodesic import Geodesic

    return float(Geodesic.WGS84.Inverse(*a, *b)["azi1"]) % 360


def _to_segment_m(point: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    """Distance in metres to a straight edge, on the plane that touches the earth at the point.

    Right within 1 % for the lengths of buildings and parks, which the margins of the questions cover.
    """
    east = _DEGREE_M * cos(radians(point[0]))
    ax, ay = (a[1] - point[1]) * east, (a[0] - point[0]) * _DEGREE_M
    dx, dy = (b[1] - a[1]) * east, (b[0] - a[0]) * _DEGREE_M
    length2 = dx * dx + dy * dy
    share = min(1.0, max(0.0, -(ax * dx + ay * dy) / length2)) if length2 else 0.0
    return hypot(ax + share * dx, ay + share * dy)


def _in_box(point: tuple[float, float], corners: tuple[tuple[float, float], ...]) -> bool:
    return all(
        min(corner[axis] for corner in corners) <= point[axis] <= max(corner[axis] for corner in corners)
        for axis in (0, 1)
    )


class RawMap:
    """The objects of a map's folder.

    Args:
        folder: The map's folder.

    Raises:
        MapStoreError: The folder holds no map.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self.info = json.loads((folder / "map.json").read_text("utf-8"))
            self._lats = np.load(folder / "index" / "lats.npy")
            self._lngs = np.load(folder / "index" / "lngs.npy")
        except (OSError, ValueError) as error:
            raise MapStoreError(
                f"The map in {folder} cannot be read.", "Build it again with `mapagent map add`."
            ) from error

    @cached_property
    def objects(self) -> tuple[RawPlace, ...]:
        """All objects, in the store's order."""
        return tuple(self._read())

    @cached_property
    def places(self) -> tuple[RawPlace, ...]:
        """The named ones."""
        return tuple(place for place in self.objects if place.name)

    @cached_property
    def unique(self) -> tuple[RawPlace, ...]:
        """Named nodes whose name nothing else on the map has: safe to speak of without saying where."""
        names = Counter(word for place in self.places for word in _names(place))
        return tuple(
            place
            for place in self.places
            if place.is_node and names[fold(place.name)] == 1 and is_sayable(place.name)
        )

    def _records(self) -> Iterator[tuple[str, int, dict[str, str]]]:
        uri = f"{(self.folder / 'features.sqlite').resolve().as_uri()}?mode=ro&immutable=1"
        database = sqlite3.connect(uri, uri=True)
        try:
            for row, kind, number, tags in database.execute(
                "SELECT row, kind, osm_id, tags FROM features ORDER BY row"
            ):
                yield f"{kind}{number}", row, json.loads(tags)
        finally:
            database.close()

    def _read(self) -> Iterator[RawPlace]:
        shapes = self._shapes()
        for osm, row, tags in self._records():
            point = self._point(row)
            yield RawPlace(osm, tags.get("name", "").strip(), tags, point, shapes.get(row, (point,)))

    def _point(self, row: int) -> tuple[float, float]:
        return float(self._lats[row]), float(self._lngs[row])

    def _shapes(self) -> dict[int, tuple[tuple[float, float], ...]]:
        uri = f"{(self.folder / 'features.sqlite').resolve().as_uri()}?mode=ro&immutable=1"
        database = sqlite3.connect(uri, uri=True)
        try:
            return {
                row: tuple(_wkb_points(wkb)) for row, wkb in database.execute("SELECT row, wkb FROM shapes")
            }
        finally:
            database.close()


def fold(name: str) -> str:
    """A name for comparing: case, accents, punctuation, white space and a leading article do not count."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    words = "".join(char if char.isalnum() else " " for char in letters).split()
    return " ".join(words[1:] if words[:1] == ["the"] else words)


def _names(place: RawPlace) -> set[str]:
    """All names an object goes by, in any language."""
    keys = ("name", "alt_name", "short_name", "official_name", "old_name", "loc_name", "brand", "operator")
    return {
        fold(text)
        for key, value in place.tags.items()
        if key in keys or key.startswith("name:")
        for text in value.split(";")
    }


def is_sayable(name: str) -> bool:
    """True for names that read as names in a sentence: with a capital, letters mainly, not tiny nor long."""
    letters = sum(char.isalpha() for char in name)
    return (
        name[:1].isupper()
        and 4 <= len(name) <= 40
        and letters >= 0.7 * len(name)
        and not set(name) & set(',;:?"()|/-–')
    )


def _wkb_points(wkb: bytes, start: int = 0) -> list[tuple[float, float]]:
    points, _ = _wkb(wkb, start)
    return points


def _wkb(wkb: bytes, at: int) -> tuple[list[tuple[float, float]], int]:
    """All points of a geometry in well-known binary, as (latitude, longitude), and where it ends.

    The format: OGC 06-103r4, section 8 (https://www.ogc.org/standard/sfa/).
    """
    order = "<" if wkb[at] == 1 else ">"
    (kind,) = struct.unpack_from(f"{order}I", wkb, at + 1)
    at += 5
    if kind == _POINT:
        return _points(wkb, at, 1, order)
    (count,) = struct.unpack_from(f"{order}I", wkb, at)
    at += 4
    if kind == _WKB_LINE:
        return _points(wkb, at, count, order)
    found: list[tuple[float, float]] = []
    for _ in range(count):
        if kind == _WKB_POLYGON:
            (size,) = struct.unpack_from(f"{order}I", wkb, at)
            points, at = _points(wkb, at + 4, size, order)
        else:
            points, at = _wkb(wkb, at)
        found += points
    return found, at


def _points(wkb: bytes, at: int, count: int, order: str) -> tuple[list[tuple[float, float]], int]:
    numbers = struct.unpack_from(f"{order}{2 * count}d", wkb, at)
    return [(lat, lng) for lng, lat in zip(numbers[::2], numbers[1::2], strict=True)], at + 16 * count
