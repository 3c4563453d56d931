"""Which features lie near a point or a shape, or in a box: arrays sorted by category, then by latitude.

What lies in a park is near it, and a street is near along its whole length.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from map_tools.compute.shapes import bounds, measuring
from map_tools.maps.geodesic import SPHERE_ERROR, Floats, geodesic_m, lat_margin_deg, sphere_m
from map_tools.maps.postings import Numbers, among, load_array
from map_tools.types import Box, LatLng, Shape

EVERYTHING = ""
"""The category that every feature has (mere addresses have none)."""

_FIRST_RADIUS_M = 150.0
_GROWTH = 3.0


@dataclass(frozen=True, slots=True)
class SpatialIndex:
    """Rows and coordinates by category.

    Attributes:
        slices: Category id to (first entry, end).
        rows, lats, lngs: The entries.
    """

    slices: Mapping[str, tuple[int, int]]
    rows: Numbers
    lats: Floats
    lngs: Floats

    def near(
        self,
        lat: float,
        lng: float,
        radius_m: float,
        categories: Sequence[str],
        limit: int | None,
        *,
        only: Numbers | None = None,
    ) -> tuple[Numbers, Floats]:
        """The rows within the radius in ascending geodesic distance.

        Args:
            lat: Latitude of the centre.
            lng: Longitude of the centre.
            radius_m: The radius, inclusive.
            categories: One of which a row must have; none given: all rows.
            limit: How many at most, None for all.
            only: Ascending rows that may be given, None for all.
        """
        radius = _FIRST_RADIUS_M if limit is not None else radius_m
        while True:
            radius = min(radius, radius_m)
            rows, lats, lngs = self.around(lat, lng, radius, categories)
            if only is not None:
                kept = among(rows, only)
                rows, lats, lngs = rows[kept], lats[kept], lngs[kept]
            if radius >= radius_m or (limit is not None and len(rows) >= limit):
                rows, distances = nearest(lat, lng, rows, lats, lngs, radius_m=radius, limit=limit)
                if radius >= radius_m or (limit is not None and len(rows) >= limit):
                    return rows, distances
            radius *= _GROWTH

    def around(
        self, lat: float, lng: float, radius_m: float, categories: Sequence[str]
    ) -> tuple[Numbers, Floats, Floats]:
        """All entries in a box that contains the circle, once each, in no order."""
        margin = lat_margin_deg(radius_m)
        south, north = lat - margin, lat + margin
        widest = max(abs(south), abs(north))
        if widest >= 90:
            return self.in_box(south, -180.0, north, 180.0, categories)
        width = min(margin / math.cos(math.radians(widest)), 180.0)
        if width == 180.0:
            return self.in_box(south, -180.0, north, 180.0, categories)
        return self.in_box(south, lng - width, north, lng + width, categories)

    def in_box(
        self, south: float, west: float, north: float, east: float, categories: Sequence[str]
    ) -> tuple[Numbers, Floats, Floats]:
        """All entries in a box, once each; longitudes may run past ±180."""
        parts = [
            (self.rows[start:end][inside], self.lats[start:end][inside], self.lngs[start:end][inside])
            for start, end in self._bands(south, north, categories)
            for inside in [_between(self.lngs[start:end], west, east)]
        ]
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return self.rows[:0], self.lats[:0], self.lngs[:0]
        rows = np.concatenate([part[0] for part in parts])
        rows, first = np.unique(rows, return_index=True)
        lats = np.concatenate([part[1] for part in parts])[first]
        return rows, lats, np.concatenate([part[2] for part in parts])[first]

    def members(self, categories: Sequence[str]) -> Numbers:
        """All rows of these categories, some perhaps twice, in no order."""
        parts = [self.rows[slice(*self.slices[name])] for name in categories if name in self.slices]
        return np.concatenate(parts) if parts else self.rows[:0]

    def _bands(self, south: float, north: float, categories: Sequence[str]) -> Iterator[tuple[int, int]]:
        """The entries of each category between two latitudes."""
        for category in categories or (EVERYTHING,):
            start, end = self.slices.get(category, (0, 0))
            low = int(np.searchsorted(self.lats[start:end], south, "left"))
            high = int(np.searchsorted(self.lats[start:end], north, "right"))
            if high > low:
                yield start + low, start + high

    @classmethod
    def load(cls, folder: Path, slices: Mapping[str, tuple[int, int]]) -> "SpatialIndex":
        """Maps the arrays into memory."""
        rows, lats, lngs = (load_array(folder, f"category_{what}") for what in ("rows", "lats", "lngs"))
        return cls(slices, rows, lats, lngs)


def nearest(
    lat: float, lng: float, rows: Numbers, lats: Floats, lngs: Floats, *, radius_m: float, limit: int | None
) -> tuple[Numbers, Floats]:
    """Those of some rows that lie within the radius, in ascending geodesic distance.

    The cheap distance on the sphere sorts out what cannot be among them before the exact one is computed.
    """
    if len(rows) == 0:
        return rows, np.empty(0, np.float64)
    rough = sphere_m(lat, lng, lats, lngs)
    farthest = radius_m * (1 + SPHERE_ERROR)
    if limit is not None and len(rough) > limit:
        last = float(np.partition(rough, limit - 1)[limit - 1]) if limit else 0.0
        farthest = min(farthest, last * (1 + SPHERE_ERROR) / (1 - SPHERE_ERROR) + 1e-6)
    kept = rough <= farthest
    rows = rows[kept]
    exact = geodesic_m(lat, lng, lats[kept], lngs[kept])
    order = np.lexsort((rows, exact))
    order = order[exact[order] <= radius_m][:limit]
    return rows[order], exact[order]


def build(
    categories: Sequence[tuple[str, ...]], lats: Floats, lngs: Floats, everything: npt.NDArray[np.bool_]
) -> SpatialIndex:
    """The index of features given by row: their categories and positions.

    Args:
        categories: Of each row.
        lats: Latitudes by row.
        lngs: Longitudes by row.
        everything: Rows a search without a category finds.
    """
    names = sorted({name for given in categories for name in given})
    number = {name: index + 1 for index, name in enumerate(names)}
    counts = np.fromiter((len(given) for given in categories), np.int64, len(categories))
    owner = np.repeat(np.arange(len(categories), dtype=np.uint32), counts)
    total = int(counts.sum())
    codes = np.fromiter((number[name] for given in categories for name in given), np.uint32, total)
    all_rows = np.flatnonzero(everything).astype(np.uint32)
    rows = np.concatenate([all_rows, owner])
    codes = np.concatenate([np.zeros(len(all_rows), np.uint32), codes])
    order = np.lexsort((lats[rows], codes))
    rows, codes = rows[order], codes[order]
    bounds = np.searchsorted(codes, np.arange(len(names) + 2))
    slices = {
        name: (int(bounds[index]), int(bounds[index + 1])) for index, name in enumerate([EVERYTHING, *names])
    }
    return SpatialIndex(slices, rows, lats[rows], lngs[rows])


def save(index: SpatialIndex, folder: Path) -> None:
    """Writes the arrays; the slices belong to the store's catalogue."""
    np.save(folder / "category_rows.npy", index.rows)
    np.save(folder / "category_lats.npy", index.lats)
    np.save(folder / "category_lngs.npy", index.lngs)


def _between(lngs: Floats, west: float, east: float) -> npt.NDArray[np.bool_]:
    """Which longitudes lie between two, whatever side of the antimeridian."""
    if east - west >= 360:
        return np.ones(len(lngs), np.bool_)
    return np.asarray((lngs - west) % 360.0 <= (east - west), np.bool_)


_FIRST_REACH_M = 150.0
_REACH_GROWTH = 4.0


class Around:
    """Distances from one shape.

    Args:
        shape: The shape.
        at: The point that stands for it: of what is equally far the nearest to this point comes first.
    """

    def __init__(self, shape: Shape, at: LatLng) -> None:
        self._box = bounds(shape)
        self._measure = measuring(shape)
        self._at = at

    def reaches(self, radius_m: float, limit: int | None) -> Iterator[float]:
        """Distances to search within, one after the other, until enough is found; the last is the radius."""
        reach = _FIRST_REACH_M
        while limit is not None and reach < radius_m:
            yield reach
            reach *= _REACH_GROWTH
        yield radius_m

    def box(self, reach_m: float) -> Box:
        """A box with everything this near; longitudes may run past ±180."""
        margin = lat_margin_deg(reach_m)
        south, north = self._box.south - margin, self._box.north + margin
        widest = max(abs(south), abs(north))
        width = 180.0 if widest >= 90 else min(margin / math.cos(math.radians(widest)), 180.0)
        return Box(south=south, west=self._box.west - width, north=north, east=self._box.east + width)

    def nearest(self, rows: Numbers, lats: Floats, lngs: Floats, radius_m: float) -> tuple[Numbers, Floats]:
        """Those of some rows within the radius, and how far each is, the nearest first."""
        if len(rows) == 0:
            return rows, np.empty(0, np.float64)
        distances = self._measure(lats, lngs)
        from_point = sphere_m(self._at.lat, self._at.lng, lats, lngs)
        order = np.lexsort((rows, from_point, distances))
        order = order[distances[order] <= radius_m]
        return rows[order], distances[order]
