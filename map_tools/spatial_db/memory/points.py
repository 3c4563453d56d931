"""Points by kind, searched by distance and direction.

Distances are first compared as dot products of unit vectors, in a belt of latitude that grows with the
search; those that come into question are then measured on the ellipsoid.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from map_tools.maps.geodesic import (
    EARTH_RADIUS_M,
    SPHERE_ERROR,
    Floats,
    azimuth_deg,
    geodesic_m,
    lat_margin_deg,
)
from map_tools.maps.postings import load_array
from map_tools.spatial_db.memory.sizes import unit_vectors
from map_tools.spatial_db.memory.texts import Rows
from map_tools.types import LatLng

Mask = npt.NDArray[np.bool_]

FARTHEST_M = math.pi * EARTH_RADIUS_M
_FIRST_M = 8_000.0
_GROWTH = 4.0
_LOOKED_AT = 64
"""Entries whose direction is looked at first for each one wanted: eight times what a sector of 45° needs."""
_ROUGH_DEG = 0.25
"""Azimuths on the sphere are nearer than this to the ellipsoid's: 0.20° is the most before `_FAR_COSINE`."""
_FAR_COSINE = -0.5
"""Beyond some 13,300 km the two have less and less in common (twelve million pairs against PROJ)."""
_SLACK_M = 0.5
"""Added to radii compared on the sphere: what rounding of dot products may hide."""


@dataclass(frozen=True, slots=True)
class Sector:
    """A range of directions as seen from the origin of a search.

    Attributes:
        center_deg: Its middle, clockwise from north.
        half_deg: How far it reaches to either side, inclusive.
    """

    center_deg: float
    half_deg: float

    def holds(self, origin: LatLng, lats: Floats, lngs: Floats) -> Mask:
        """Which points lie in it; north is no border."""
        turned, far = self._turned(origin, lats, lngs)
        inside = turned <= self.half_deg
        edge = np.flatnonzero((np.abs(turned - self.half_deg) <= _ROUGH_DEG) | far)
        if len(edge):
            inside[edge] = (
                self._off(azimuth_deg(origin.lat, origin.lng, lats[edge], lngs[edge])) <= self.half_deg
            )
        return np.asarray(inside, np.bool_)

    def _turned(self, origin: LatLng, lats: Floats, lngs: Floats) -> tuple[Floats, Mask]:
        """How far from the middle points lie on the sphere, and which are too far away to tell so."""
        here, there = math.radians(origin.lat), np.radians(lats)
        east = np.radians(lngs - origin.lng)
        across = np.cos(there) * np.cos(east)
        ahead = math.cos(here) * np.sin(there) - math.sin(here) * across
        azimuths = np.degrees(np.arctan2(np.sin(east) * np.cos(there), ahead))
        cosines = math.sin(here) * np.sin(there) + math.cos(here) * across
        return self._off(azimuths), np.asarray(cosines < _FAR_COSINE, np.bool_)

    def _off(self, azimuths: Floats) -> Floats:
        return np.asarray(np.abs((azimuths - self.center_deg + 180.0) % 360.0 - 180.0), np.float64)


@dataclass(frozen=True, slots=True)
class HalfPlane:
    """One side of the origin, as on a map with north above: "N" is all that lies further north.

    Attributes:
        wind: One of the eight winds; "NE" is what lies further north and further east.
    """

    wind: str

    def holds(self, origin: LatLng, lats: Floats, lngs: Floats) -> Mask:
        """Which points lie on that side."""
        east = (lngs - origin.lng + 180.0) % 360.0 - 180.0
        north = lats - origin.lat
        sides = {"N": north > 0, "S": north < 0, "E": east > 0, "W": east < 0}
        return np.asarray(np.logical_and.reduce([sides[letter] for letter in self.wind]), np.bool_)


Side = Sector | HalfPlane


@dataclass(frozen=True, slots=True)
class Found:
    """Rows in ascending distance (metres)."""

    rows: Rows
    distances_m: Floats


@dataclass(frozen=True, slots=True)
class PointIndex:
    """The points of a table, sorted by kind and then by latitude.

    Attributes:
        slices: A kind ("amenity=cafe"; "" for all) to its first entry and its end.
        rows, lats, lngs, vectors: The entries; `vectors` are three rows x, y and z.
    """

    slices: Mapping[str, tuple[int, int]]
    rows: Rows
    lats: Floats
    lngs: Floats
    vectors: Floats

    def members(self, kind: str) -> slice:
        """The entries of a kind; empty for one the table does not know."""
        return slice(*self.slices.get(kind, (0, 0)))

    def nearest(
        self, origin: LatLng, kind: str, k: int, *, only: Mask | None = None, sector: Side | None = None
    ) -> Found:
        """The k nearest entries of a kind.

        Args:
            origin: Where distances are measured from.
            kind: The kind.
            k: How many.
            only: For each entry of the kind whether it may be given.
            sector: In which direction they must lie.
        """
        search = _Search(self, origin, self.members(kind), sector)
        reach = _FIRST_M
        while True:
            near = search.within_sphere(reach, only)
            if len(near) >= k or reach >= FARTHEST_M:
                chosen = search.closest(near, k) if sector is None else search.closest_in_sector(near, k)
                if len(chosen) >= k or reach >= FARTHEST_M:
                    break
            reach *= _GROWTH
        return search.first(chosen, k, only)

    def within(
        self,
        origin: LatLng,
        kind: str,
        radius_m: float,
        *,
        only: Mask | None = None,
        sector: Side | None = None,
    ) -> Rows:
        """The rows of a kind within a radius (inclusive, on the ellipsoid), in no order."""
        search = _Search(self, origin, self.members(kind), sector)
        entries = search.in_sector(search.within(radius_m, only))
        return np.asarray(self.rows[entries], np.int64)

    def save(self, folder: Path) -> None:
        """Writes the arrays; the slices belong to the catalogue."""
        for what in ("rows", "lats", "lngs", "vectors"):
            np.save(folder / f"points_{what}.npy", getattr(self, what))

    @classmethod
    def load(cls, folder: Path, slices: Mapping[str, tuple[int, int]]) -> "PointIndex":
        """Maps the arrays into memory."""
        rows, lats, lngs, vectors = (
            load_array(folder, f"points_{what}") for what in ("rows", "lats", "lngs", "vectors")
        )
        return cls(slices, rows, lats, lngs, vectors)


class _Search:
    """One search: the dot products with the origin of the entries of a kind in a belt of latitude."""

    def __init__(self, index: PointIndex, origin: LatLng, members: slice, sector: Side | None) -> None:
        self._index = index
        self._origin = origin
        self._members = members
        self._sector = sector
        self._vector = unit_vectors(np.array([origin.lat]), np.array([origin.lng]))[0]
        self._reach_m = -1.0
        self._start = members.start
        self._dots: Floats = np.empty(0, np.float64)
        self._seen = 2.0  # all entries of a greater dot product were looked at

    def within_sphere(self, radius_m: float, only: Mask | None) -> Rows:
        """Entries that may lie within a radius on the ellipsoid, and few others."""
        self._reach_out(radius_m)
        self._seen = _cosine(radius_m * (1 + SPHERE_ERROR) + _SLACK_M)
        near = self._dots >= self._seen
        if only is not None:
            first = self._start - self._members.start
            near &= only[first : first + len(near)]
        return np.asarray(np.flatnonzero(near) + self._start, np.int64)

    def _reach_out(self, radius_m: float) -> None:
        """Takes in all entries whose latitude lies within a radius; what was taken in before stays."""
        if radius_m <= self._reach_m:
            return
        self._reach_m = radius_m
        half_deg = lat_margin_deg(radius_m + _SLACK_M)
        belt = (self._origin.lat - half_deg, self._origin.lat + half_deg)
        first, end = np.searchsorted(self._index.lats[self._members], belt).tolist()
        self._start = self._members.start + first
        x, y, z = self._index.vectors[:, self._start : self._members.start + end]
        self._dots = x * self._vector[0] + y * self._vector[1] + z * self._vector[2]

    def within(self, radius_m: float, only: Mask | None) -> Rows:
        """Entries within a radius on the ellipsoid; only those near the rim are measured there."""
        entries = self.within_sphere(radius_m, only)
        sure = self._dots[entries - self._start] >= _cosine(radius_m * (1 - SPHERE_ERROR) - _SLACK_M)
        rim = entries[~sure]
        return np.concatenate((entries[sure], rim[self._measured(rim) <= radius_m]))

    def closest(self, entries: Rows, k: int) -> Rows:
        """Of some entries those that can be among the k nearest on the ellipsoid."""
        if len(entries) <= k:
            return entries
        dots = self._dots[entries - self._start]
        last = _metres(float(np.partition(dots, len(dots) - k)[len(dots) - k]))
        limit = last * (1 + SPHERE_ERROR) / (1 - SPHERE_ERROR) + _SLACK_M
        return np.asarray(entries[dots >= _cosine(limit)], np.int64)

    def closest_in_sector(self, entries: Rows, k: int) -> Rows:
        """Of some entries about the k nearest in the sector; all there are if they are fewer."""
        most = _LOOKED_AT * k
        if len(entries) > most:
            dots = self._dots[entries - self._start]
            nearest = np.argpartition(-dots, most)[:most]
            some = self.in_sector(entries[nearest])
            if len(some) >= k:
                self._seen = float(dots[nearest].min())
                return some
        return self.in_sector(entries)

    def in_sector(self, entries: Rows) -> Rows:
        """Those of some entries that lie in the sector."""
        if self._sector is None or len(entries) == 0:
            return entries
        index, origin = self._index, self._origin
        inside = self._sector.holds(origin, index.lats[entries], index.lngs[entries])
        return np.asarray(entries[inside], np.int64)

    def first(self, entries: Rows, k: int, only: Mask | None) -> Found:
        """The k nearest, measured on the ellipsoid; what lies just beyond the last reach is looked at too."""
        seen = self._seen
        entries = self.closest(entries, k)
        distances = self._measured(entries)
        if len(entries) >= k:
            near = self.within_sphere(float(np.partition(distances, k - 1)[k - 1]), only)
            others = near[self._dots[near - self._start] <= seen]
            if len(others):
                others = self.in_sector(others[~np.isin(others, entries)])
                entries = np.concatenate((entries, others))
                distances = np.concatenate((distances, self._measured(others)))
        order = np.lexsort((self._index.rows[entries], distances))[:k]
        return Found(self._index.rows[entries[order]], distances[order])

    def _measured(self, entries: Rows) -> Floats:
        origin, index = self._origin, self._index
        return geodesic_m(origin.lat, origin.lng, index.lats[entries], index.lngs[entries])


def build_points(kinds: Mapping[str, Rows], lats: Floats, lngs: Floats) -> PointIndex:
    """The index of rows given by kind; `lats` and `lngs` are by row."""
    slices: dict[str, tuple[int, int]] = {}
    parts: list[Rows] = []
    end = 0
    for kind, rows in kinds.items():
        slices[kind] = (end, end + len(rows))
        end += len(rows)
        parts.append(rows[np.argsort(lats[rows], kind="stable")])
    rows = np.concatenate(parts) if parts else np.empty(0, np.int64)
    vectors = np.ascontiguousarray(unit_vectors(lats[rows], lngs[rows]).T)
    return PointIndex(slices, rows, lats[rows], lngs[rows], vectors)


def _cosine(radius_m: float) -> float:
    angle = radius_m / EARTH_RADIUS_M
    return -2.0 if angle >= math.pi else (2.0 if angle < 0 else math.cos(angle))


def _metres(cosine: float) -> float:
    return EARTH_RADIUS_M * math.acos(max(-1.0, min(1.0, cosine)))
