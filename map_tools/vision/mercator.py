"""Web Mercator (EPSG:3857, https://epsg.io/3857): the plane in which map pictures are true to shape.

A position is a complex number, metres of the equator to the east and, as pixels count, to the *south*; so a
picture with north up is this plane scaled and shifted.
"""

from math import atan, cos, degrees, log, pi, radians, sinh, tan

from map_tools.types import LatLng

RADIUS_M = 6_378_137.0
MAX_LAT = 85.051128
"""Web Mercator ends where its world is a square."""


def to_plane(at: LatLng) -> complex:
    """The point of the plane for a position; beyond 85° it is that of the edge."""
    lat = radians(max(-MAX_LAT, min(MAX_LAT, at.lat)))
    return complex(RADIUS_M * radians(at.lng), -RADIUS_M * log(tan(pi / 4 + lat / 2)))


def to_latlng(point: complex) -> LatLng:
    """The position of a point of the plane; longitudes are wrapped at the date line."""
    lng = (degrees(point.real / RADIUS_M) + 180) % 360 - 180
    return LatLng(lat=max(-90.0, min(90.0, degrees(atan(sinh(-point.imag / RADIUS_M))))), lng=lng)


def ground_scale(at: LatLng) -> float:
    """Metres on the ground for a metre of the plane."""
    return cos(radians(at.lat))
