"""Distance and bearing on the ellipsoid by other formulas than the solvers use, to check theirs."""

from math import asin, atan, atan2, cos, degrees, radians, sin, sqrt, tan

from map_tools.types import LatLng

WGS84_A_M = 6378137.0
WGS84_F = 1 / 298.257223563
"""https://earth-info.nga.mil/index.php?dir=wgs84"""

NEAR_ANTIPODE_RAD = 3.0
"""Beyond this central angle Lambert's correction breaks down and is left out."""


def lambert_distance_m(a: LatLng, b: LatLng) -> float:
    """Ellipsoidal distance by Lambert's formula for long lines, good to metres in thousands of kilometres.

    W. D. Lambert (1942), "The distance between two widely separated points on the surface of the earth",
    Journal of the Washington Academy of Sciences 32(5): 125-130.
    """
    beta_a, beta_b = _reduced(a.lat), _reduced(b.lat)
    half_lat, half_lng = (beta_b - beta_a) / 2, radians(b.lng - a.lng) / 2
    chord = sin(half_lat) ** 2 + cos(beta_a) * cos(beta_b) * sin(half_lng) ** 2
    sigma = 2 * asin(min(1.0, sqrt(chord)))
    if sigma == 0 or sigma > NEAR_ANTIPODE_RAD:
        return WGS84_A_M * sigma
    p, q = (beta_a + beta_b) / 2, half_lat
    x = (sigma - sin(sigma)) * (sin(p) * cos(q) / cos(sigma / 2)) ** 2
    y = (sigma + sin(sigma)) * (cos(p) * sin(q) / sin(sigma / 2)) ** 2
    return WGS84_A_M * (sigma - WGS84_F / 2 * (x + y))


def sphere_bearing_deg(a: LatLng, b: LatLng) -> float:
    """Initial great-circle bearing on reduced latitudes, within 0.2 degrees of the geodesic's azimuth."""
    beta_a, beta_b = _reduced(a.lat), _reduced(b.lat)
    turn = radians(b.lng - a.lng)
    east = sin(turn) * cos(beta_b)
    north = cos(beta_a) * sin(beta_b) - sin(beta_a) * cos(beta_b) * cos(turn)
    return degrees(atan2(east, north)) % 360


def _reduced(lat_deg: float) -> float:
    """The reduced latitude in radians."""
    return atan((1 - WGS84_F) * tan(radians(lat_deg)))
