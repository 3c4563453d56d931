"""A map's raw content as GS-QA's reference data base: places, areas, lines and regions by tag; and measures of it.

Distances, directions, areas and lengths are geodesics one by one, with fast bounds to spare most of them.

It reads the store's table of features and their shapes as they are; nothing of the searching code under test
is used. What the map leaves out (unnamed streets and streams, for example) is not counted anywhere.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evals.generate.world import RawMap, azimuth_deg, distance_m, fold

ADDRESS_KEYS = ("addr:street", "addr:city", "addr:state", "addr:postcode")
"""What an address is made of: the published one has no house number."""
_KNOWN_BY = ("wikidata", "wikipedia")
_ADDRESS_ONLY = "address"


@dataclass(frozen=True, eq=False, slots=True)
class Thing:
    """A feature of the map.

    Attributes:
        osm: Its OpenStreetMap id, such as "n123".
        name: Empty for what has none.
        point: (latitude, longitude) of the point that stands for it.
        shape: A shapely geometry in (longitude, latitude); None for a node.
    """

    osm: str
    name: str
    tags: Mapping[str, str]
    point: tuple[float, float]
    shape: Any

    @property
    def is_area(self) -> bool:
        """True for a polygon."""
        return self.shape is not None and self.shape.area > 0

    @property
    def is_line(self) -> bool:
        """True for a line."""
        return self.shape is not None and self.shape.area == 0

    @property
    def prominent(self) -> bool:
        """True for what has an address, or is known elsewhere (GS-QA, section 3.5)."""
        return any(key in self.tags for key in (*ADDRESS_KEYS, *_KNOWN_BY))

    @property
    def known(self) -> bool:
        """True for what has an article or an entry elsewhere."""
        return any(key in self.tags for key in _KNOWN_BY)

    @property
    def address(self) -> str:
        """Street, city, state, postcode; empty where the map has none."""
        return ", ".join(self.tags[key].strip() for key in ADDRESS_KEYS if self.tags.get(key))

    @property
    def spoken(self) -> str:
        """The name as a question says it: with the city, as far as it is known (GS-QA, section 3.2)."""
        city = self.tags.get("addr:city", "").strip()
        return f"{self.name}, {city}" if city and fold(city) not in fold(self.name) else self.name


class Reference:
    """The features of a map's folder.

    Raises:
        MapStoreError: The folder holds no map.
    """

    def __init__(self, folder: Path) -> None:
        self.raw = RawMap(folder)
        self._folder = folder
        self._by_tag = lru_cache(maxsize=None)(self._tagged)

    @cached_property
    def things(self) -> tuple[Thing, ...]:
        """All features but mere addresses, in the store's order."""
        return tuple(self._read())

    @cached_property
    def by_id(self) -> dict[str, Thing]:
        """All features by their OpenStreetMap id."""
        return {thing.osm: thing for thing in self.things}

    def tagged(self, tag: str) -> tuple[Thing, ...]:
        """Features with a tag, written "key=value"."""
        return self._by_tag(tag)

    def is_unique(self, name: str) -> bool:
        """True if just one feature goes by this name, in whatever language."""
        return self._bearers[fold(name)] == 1

    @cached_property
    def diagonal_m(self) -> float:
        """Length of the diagonal of what the map covers."""
        from evals.generate.world import distance_m

        box = self.raw.info["bbox"]
        return distance_m((box["south"], box["west"]), (box["north"], box["east"]))

    @cached_property
    def _bearers(self) -> Counter[str]:
        return Counter(name for thing in self.things for name in _names(thing))

    def _tagged(self, tag: str) -> tuple[Thing, ...]:
        key, _, value = tag.partition("=")
        return tuple(thing for thing in self.things if thing.tags.get(key) == value)

    def _read(self) -> Iterator[Thing]:
        import shapely

        lats, lngs = (np.load(self._folder / "index" / f"{name}.npy") for name in ("lats", "lngs"))
        uri = f"{(self._folder / 'features.sqlite').resolve().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(uri, uri=True)) as database:
            rows = database.execute(
                "SELECT row, kind, osm_id, tags, wkb FROM features LEFT JOIN shapes USING (row)"
                " WHERE categories <> ? ORDER BY row",
                (_ADDRESS_ONLY,),
            )
            for row, kind, number, tags_text, wkb in rows:
                tags = json.loads(tags_text)
                shape = shapely.from_wkb(wkb) if wkb is not None else None
                point = (float(lats[row]), float(lngs[row]))
                yield Thing(f"{kind}{number}", tags.get("name", "").strip(), tags, point, shape)


def _names(thing: Thing) -> set[str]:
    keys = ("name", "alt_name", "short_name", "official_name", "old_name", "loc_name", "brand")
    values = [text for key, text in thing.tags.items() if key in keys or key.startswith("name:")]
    return {fold(part) for text in values for part in text.split(";")} - {""}


type Numbers = npt.NDArray[np.float64]
type Point = tuple[float, float]

BOUND = 0.005
"""The fast distance is within this share of the geodesic one, for up to 475 km."""
NEAR_EDGE_DEG = 0.5
"""The fast direction is within this of the geodesic one, for up to 475 km."""
HALF_SECTOR_DEG = 22.5
"""GS-QA, figure 2: eight sectors of 45 degrees; "towards" takes the azimuth ± 22.5 degrees."""


class Cloud:
    """All points of the outlines of some features, for bounds of their distances at once."""

    def __init__(self, things: Sequence[Thing]) -> None:
        self.things = tuple(things)
        outlines = [outline(thing) for thing in things]
        self._starts = np.cumsum([0, *(len(points) for points in outlines)])[:-1]
        points = np.array([point for points in outlines for point in points], dtype=np.float64)
        self._lats, self._lngs = points.reshape(-1, 2).T

    def bounds_m(self, origin: Point) -> tuple[Numbers, Numbers]:
        """Least and greatest distance of each feature's outline, each within `BOUND`."""
        if not self.things:
            return np.empty(0), np.empty(0)
        metres = fast_m(origin, self._lats, self._lngs)
        return np.minimum.reduceat(metres, self._starts), np.maximum.reduceat(metres, self._starts)


def outline(thing: Thing) -> list[Point]:
    """The points of a feature: its own point, and those of its shape."""
    if thing.shape is None:
        return [thing.point]
    import shapely

    return [thing.point, *((lat, lng) for lng, lat in shapely.get_coordinates(thing.shape).tolist())]


def fast_m(origin: Point, lats: Numbers, lngs: Numbers) -> Numbers:
    """Distances in metres by the polynomial of 47 CFR 73.208(c), for Clarke's spheroid of 1866.

    https://www.ecfr.gov/current/title-47/section-73.208
    """
    north, east = _offsets_m(origin, lats, lngs)
    metres: Numbers = np.hypot(north, east)
    return metres


def fast_azimuths_deg(origin: Point, lats: Numbers, lngs: Numbers) -> Numbers:
    """Directions at the origin: those at half the way, less half of the meridians' convergence."""
    north, east = _offsets_m(origin, lats, lngs)
    convergence = _across(origin, lngs) * np.sin(np.radians((lats + origin[0]) / 2))
    azimuths: Numbers = (np.degrees(np.arctan2(east, north)) - convergence / 2) % 360
    return azimuths


def _offsets_m(origin: Point, lats: Numbers, lngs: Numbers) -> tuple[Numbers, Numbers]:
    middle = np.radians((lats + origin[0]) / 2)
    north_km = 111.13209 - 0.56605 * np.cos(2 * middle) + 0.00120 * np.cos(4 * middle)
    east_km = 111.41513 * np.cos(middle) - 0.09455 * np.cos(3 * middle) + 0.00012 * np.cos(5 * middle)
    return 1000 * north_km * (lats - origin[0]), 1000 * east_km * _across(origin, lngs)


def _across(origin: Point, lngs: Numbers) -> Numbers:
    degrees: Numbers = (lngs - origin[1] + 180) % 360 - 180
    return degrees


def range_m(origin: Point, thing: Thing) -> tuple[float, float]:
    """Least and greatest geodesic distance to a feature's outline; 0 at least if the origin is inside."""
    lengths = [distance_m(origin, point) for point in outline(thing)]
    return (0.0 if covers(thing, origin) else min(lengths)), max(lengths)


def covers(thing: Thing, point: Point) -> bool:
    """True if a feature is an area around the point."""
    import shapely

    return bool(thing.is_area and thing.shape.covers(shapely.Point(point[1], point[0])))


def side_of_sector(origin: Point, thing: Thing, center_deg: float) -> bool | None:
    """True if a feature lies wholly in the sector around a direction, False if wholly outside, else None."""
    points = np.array(outline(thing))
    turns = (fast_azimuths_deg(origin, points[:, 0], points[:, 1]) - center_deg + 180) % 360 - 180
    if np.all(np.abs(np.abs(turns) - HALF_SECTOR_DEG) > NEAR_EDGE_DEG):
        inside = set((np.abs(turns) < HALF_SECTOR_DEG).tolist())
    else:
        inside = {in_sector(azimuth, center_deg) for azimuth in azimuths_deg(origin, thing)}
    return None if len(inside) > 1 else inside.pop()


def in_sector(azimuth: float, center_deg: float) -> bool:
    """True if an azimuth lies in the sector around a direction, across north as anywhere else."""
    return abs((azimuth - center_deg + 180) % 360 - 180) <= HALF_SECTOR_DEG


def azimuths_deg(origin: Point, thing: Thing) -> list[float]:
    """Directions of all points of a feature's outline."""
    return [azimuth_deg(origin, point) for point in outline(thing)]


def area_m2(thing: Thing) -> float:
    """Area on the ellipsoid in square metres (Karney 2013, section 6), holes taken out."""
    return sum(
        _ring_m2(polygon.exterior) - sum(map(_ring_m2, polygon.interiors))
        for polygon in getattr(thing.shape, "geoms", [thing.shape])
    )


def length_m(thing: Thing) -> float:
    """Length of a line in metres: the sum of the geodesics between its points."""
    points = outline(thing)[1:]
    return sum(distance_m(a, b) for a, b in pairwise(points))


def _ring_m2(ring: Any) -> float:
    from geographiclib.geodesic import Geodesic

    polygon = Geodesic.WGS84.Polygon()
    for lng, lat in ring.coords[:-1]:
        polygon.AddPoint(lat, lng)
    return abs(float(polygon.Compute()[2]))
