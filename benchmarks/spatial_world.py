"""A seeded synthetic world of GS-QA's size for measuring spatial databases."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from map_tools.spatial_db.load import Row, TableData
from map_tools.spatial_db.port import Column

POIS, LAKES, ROADS, REGIONS = 267_612, 200_000, 300_000, 3_000
"""Places as in GS-QA's Table 2; half a million polygons and lines."""
_WEST, _SOUTH, _EAST, _NORTH = -120.0, 30.0, -75.0, 47.0
_CLUSTERS = 400
KINDS = (
    ("amenity", "restaurant", 60),
    ("amenity", "fast_food", 40),
    ("amenity", "cafe", 25),
    ("amenity", "hospital", 6),
    ("amenity", "university", 5),
    ("tourism", "hotel", 25),
    ("tourism", "attraction", 15),
    ("tourism", "museum", 12),
    ("tourism", "viewpoint", 15),
    ("tourism", "gallery", 5),
    ("tourism", "zoo", 2),
    ("tourism", "theme_park", 1),
    ("leisure", "park", 25),
    ("leisure", "garden", 10),
    ("leisure", "nature_reserve", 8),
    ("leisure", "stadium", 6),
    ("leisure", "golf_course", 8),
)
"""Kinds of places that GS-QA asks for, and how common each is among a few hundred."""
_CUISINES = (
    "thai",
    "pizza",
    "burger",
    "mexican;tex-mex",
    "chinese",
    "italian;pizza",
    "sushi",
    None,
    None,
    None,
)


def kinds() -> tuple[str, ...]:
    """The conditions that pick a kind of place."""
    return tuple(f"{column} = '{value}'" for column, value, _ in KINDS)


@dataclass(frozen=True, slots=True)
class Places:
    """Where the clusters of places are."""

    centres: tuple[tuple[float, float], ...]

    def near_one(self, chance: random.Random, spread_deg: float = 0.15) -> tuple[float, float]:
        """A random point (longitude, latitude), in degrees, around one of them."""
        lon, lat = chance.choice(self.centres)
        return chance.gauss(lon, spread_deg), chance.gauss(lat, spread_deg)


def places() -> Places:
    """The clusters, always the same."""
    chance = random.Random(1)  # noqa: S311 - no secret
    return Places(
        tuple((chance.uniform(_WEST, _EAST), chance.uniform(_SOUTH, _NORTH)) for _ in range(_CLUSTERS))
    )


def synthetic_tables(scale: float = 1.0) -> tuple[TableData, ...]:
    """The tables; `scale` shrinks all but the regions."""
    ids = (Column("id", "bigint"),)
    geometry = (Column("geometry", "geography"),)

    def texts(*names: str) -> tuple[Column, ...]:
        return tuple(Column(name, "text") for name in names)

    return (
        TableData(
            "pois",
            (*ids, *texts("poi_name", "amenity", "cuisine", "leisure", "tourism"), *geometry),
            lambda: _pois(int(POIS * scale)),
        ),
        TableData(
            "lakes", (*ids, *texts("lake_name", "water"), *geometry), lambda: _lakes(int(LAKES * scale))
        ),
        TableData(
            "roads", (*ids, *texts("road_name", "highway"), *geometry), lambda: _roads(int(ROADS * scale))
        ),
        TableData("regions", (*ids, *texts("region_name"), *geometry), lambda: _regions(REGIONS)),
    )


def _pois(count: int) -> Iterator[Row]:
    from shapely import Point

    chance, where = random.Random(2), places()  # noqa: S311
    weights = [weight for _, _, weight in KINDS]
    for number in range(1, count + 1):
        column, value, _ = chance.choices(KINDS, weights)[0]
        tags = {column: value}
        cuisine = chance.choice(_CUISINES) if value == "restaurant" else None
        point = Point(*where.near_one(chance)).wkb
        yield (
            number,
            f"Place {number}",
            tags.get("amenity"),
            cuisine,
            tags.get("leisure"),
            tags.get("tourism"),
            point,
        )


def _lakes(count: int) -> Iterator[Row]:
    chance, where = random.Random(3), places()  # noqa: S311
    for number in range(1, count + 1):
        kind = chance.choice(("lake", "pond", "reservoir", "basin"))
        yield number, f"Lake {number}", kind, _blob(chance, *where.near_one(chance, 0.5), 0.004, 16)


def _roads(count: int) -> Iterator[Row]:
    from shapely import LineString

    chance, where = random.Random(4), places()  # noqa: S311
    for number in range(1, count + 1):
        lon, lat = where.near_one(chance, 0.5)
        turn = chance.uniform(-0.002, 0.002)
        line = LineString([(lon + 0.001 * step, lat + turn * step) for step in range(8)])
        yield number, f"Road {number}", chance.choice(("residential", "primary", "secondary")), line.wkb


def _regions(count: int) -> Iterator[Row]:
    chance, where = random.Random(5), places()  # noqa: S311
    for number in range(1, count + 1):
        size = chance.choice((0.03, 0.08, 0.2, 0.4))
        yield number, f"Region {number}", _blob(chance, *where.near_one(chance), size, 400)


def _blob(chance: random.Random, lon: float, lat: float, size_deg: float, corners: int) -> bytes:
    """A round outline with a rough edge."""
    from math import cos, pi, sin

    from shapely import Polygon

    radii = [size_deg * chance.uniform(0.8, 1.2) for _ in range(corners)]
    angles = [2 * pi * corner / corners for corner in range(corners)]
    shape = Polygon([(lon + r * cos(a), lat + r * sin(a)) for r, a in zip(radii, angles, strict=True)])
    return bytes(shape.wkb)
