"""Distances, bearings and positions on the WGS84 ellipsoid.

Uses GeographicLib (https://geographiclib.sourceforge.io; the algorithms are those of C. F. F. Karney,
"Algorithms for geodesics", J. Geodesy 87, 43-55, 2013): errors are nanometres, also across the antimeridian
and at the poles. The pure Python package is imported in 2 ms where pyproj, which has the same algorithms,
takes 100 ms; a distance costs 70 µs instead of 1 µs. Comparing thousands of places is the map store's work.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from map_tools.compute.scanning import load
from map_tools.types import LatLng, Place

if TYPE_CHECKING:
    from geographiclib.geodesic import Geodesic

WINDS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
OCTANT_DEG = 45.0


def distance_m(a: LatLng, b: LatLng) -> float:
    """Length of the geodesic between two positions in metres."""
    geodesic = _wgs84()
    return float(geodesic.Inverse(a.lat, a.lng, b.lat, b.lng, geodesic.DISTANCE)["s12"])


def away_m(near: LatLng | None, place: Place) -> float | None:
    """Metres from a position to a place; None where one of them is not known."""
    return None if near is None or place.location is None else distance_m(near, place.location)


def bearing_deg(a: LatLng, b: LatLng) -> float:
    """Azimuth at `a` of the geodesic to `b`: 0 is north, 90 east; below 360. 0 for equal positions."""
    if a == b:
        return 0.0
    geodesic = _wgs84()
    azimuth = float(geodesic.Inverse(a.lat, a.lng, b.lat, b.lng, geodesic.AZIMUTH)["azi1"]) % 360
    return 0.0 if azimuth == 360 else azimuth  # a tiny negative azimuth is rounded up


def destination(a: LatLng, bearing: float, length_m: float) -> LatLng:
    """The position reached from `a` by the geodesic that starts at a bearing (degrees)."""
    end = _wgs84().Direct(a.lat, a.lng, bearing, length_m)
    return LatLng(lat=end["lat2"], lng=(end["lon2"] + 180) % 360 - 180)


def wind(bearing: float) -> str:
    """The one of the eight winds whose octant (45° wide, centred on it) holds the bearing: 22.4 → "N"."""
    return WINDS[int((bearing % 360 + OCTANT_DEG / 2) // OCTANT_DEG) % 8]


def wind_words(words: str) -> str | None:
    """The wind that words name: "north", "North-East", "to the south west", "NE"; None if none."""
    table: dict[str, str] = load("winds")["winds"]
    fillers = set(load("winds")["fillers"])
    parts = words.lower().replace("-", " ").replace(".", "").split()
    return table.get("".join(part for part in parts if part not in fillers))


def wind_name(name: str) -> str:
    """A wind in words: "N" → "north", "NE" → "north-east"."""
    return str(load("winds")["names"][name])


def angle_between(first_deg: float, second_deg: float) -> float:
    """The smaller angle between two directions, 0 to 180 degrees."""
    difference = abs(first_deg - second_deg) % 360
    return min(difference, 360 - difference)


@lru_cache(maxsize=1)
def _wgs84() -> "Geodesic":
    from geographiclib.geodesic import Geodesic

    return Geodesic.WGS84
