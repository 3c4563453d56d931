"""Geodesic distances from one point to many, vectorised.

Importing a geodesy library costs more than a whole search; the formula fits on a page. Its results are
compared with pyproj in the tests.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

EARTH_RADIUS_M = 6_371_008.8
"""Mean radius of the WGS84 ellipsoid (R1), https://en.wikipedia.org/wiki/Earth_radius."""

SPHERE_ERROR = 0.0057
"""The spherical distance is at most this share off the geodesic one (0.56 %, by the flattening)."""

_A = 6_378_137.0
_F = 1 / 298.257223563
_B = _A * (1 - _F)
_STEPS = 12
_METRES_A_DEGREE = 110_574.0
"""The shortest degree of latitude on WGS84, at the equator."""


def sphere_m(lat: float, lng: float, lats: Floats, lngs: Floats) -> Floats:
    """Great-circle distances in metres (haversine formula), within `SPHERE_ERROR` of the geodesic ones."""
    phi, phis = np.radians(lat), np.radians(lats)
    across = np.cos(phi) * np.cos(phis) * np.sin(np.radians(lngs - lng) / 2) ** 2
    half = np.sin((phis - phi) / 2) ** 2 + across
    return np.asarray(2 * EARTH_RADIUS_M * np.arcsin(np.sqrt(np.minimum(half, 1.0))), np.float64)


def geodesic_m(lat: float, lng: float, lats: Floats, lngs: Floats) -> Floats:
    """Geodesic distances on WGS84 in metres, better than a millimetre.

    Vincenty's inverse formula: T. Vincenty, Direct and inverse solutions of geodesics on the ellipsoid with
    application of nested equations, Survey Review 23 (176), 1975. It may not converge for nearly antipodal
    points (within 300 km of the antipode); there the great-circle distance is given.
    """
    if len(lats) == 0:
        return np.empty(0, np.float64)
    distance, _, converged = _vincenty(*_reduced(lat, lng, lats, lngs))
    if converged.all():
        return distance
    return np.where(converged, distance, sphere_m(lat, lng, lats, lngs))


def azimuth_deg(lat: float, lng: float, lats: Floats, lngs: Floats) -> Floats:
    """Azimuths at one point of the geodesics to many, 0 to 360 degrees clockwise from north.

    By the same formula as `geodesic_m`; 0 for the point itself, that of the last step near the antipode.
    """
    return polar(lat, lng, lats, lngs)[1]


def polar(lat: float, lng: float, lats: Floats, lngs: Floats) -> tuple[Floats, Floats]:
    """Many points as seen from one: their distances as `geodesic_m`, their azimuths as `azimuth_deg`."""
    if len(lats) == 0:
        return np.empty(0, np.float64), np.empty(0, np.float64)
    u1, u2, difference = _reduced(lat, lng, lats, lngs)
    distance, lam, converged = _vincenty(u1, u2, difference)
    if not converged.all():
        distance = np.where(converged, distance, sphere_m(lat, lng, lats, lngs))
    east = np.cos(u2) * np.sin(lam)
    north = np.cos(u1) * np.sin(u2) - np.sin(u1) * np.cos(u2) * np.cos(lam)
    return distance, np.asarray(np.degrees(np.arctan2(east, north)) % 360.0, np.float64)


def points_at(lat: float, lng: float, distances_m: Floats, azimuths_deg: Floats) -> tuple[Floats, Floats]:
    """Latitudes and longitudes that geodesics from one point reach: the inverse of `polar`.

    Vincenty's direct formula, of the same paper as that of `geodesic_m`.
    """
    u1 = float(np.arctan((1 - _F) * np.tan(np.radians(lat))))
    sin1, cos1 = np.sin(u1), np.cos(u1)
    sin_azimuth, cos_azimuth = np.sin(np.radians(azimuths_deg)), np.cos(np.radians(azimuths_deg))
    first = np.arctan2(np.tan(u1), cos_azimuth)
    sin_alpha = cos1 * sin_azimuth
    cos2_alpha = 1 - sin_alpha**2
    a, b = _series(cos2_alpha)
    sigma = distances_m / (_B * a)
    for _ in range(_STEPS):
        cos_2m = np.cos(2 * first + sigma)
        before, sigma = sigma, distances_m / (_B * a) + _delta(b, np.sin(sigma), np.cos(sigma), cos_2m)
        if np.abs(sigma - before).max(initial=0.0) < 1e-12:
            break
    sin_sigma, cos_sigma, cos_2m = np.sin(sigma), np.cos(sigma), np.cos(2 * first + sigma)
    across = sin1 * sin_sigma - cos1 * cos_sigma * cos_azimuth
    ahead = sin1 * cos_sigma + cos1 * sin_sigma * cos_azimuth
    lats = np.degrees(np.arctan2(ahead, (1 - _F) * np.hypot(sin_alpha, across)))
    lam = np.arctan2(sin_sigma * sin_azimuth, cos1 * cos_sigma - sin1 * sin_sigma * cos_azimuth)
    c = _F / 16 * cos2_alpha * (4 + _F * (4 - 3 * cos2_alpha))
    inner = cos_2m + c * cos_sigma * (2 * cos_2m**2 - 1)
    turned = lam - (1 - c) * _F * sin_alpha * (sigma + c * sin_sigma * inner)
    return lats, (lng + np.degrees(turned) + 180.0) % 360.0 - 180.0


def _reduced(lat: float, lng: float, lats: Floats, lngs: Floats) -> tuple[float, Floats, Floats]:
    """Reduced latitudes of both ends and the differences of longitude, in radians."""
    u1 = float(np.arctan((1 - _F) * np.tan(np.radians(lat))))
    u2 = np.arctan((1 - _F) * np.tan(np.radians(lats)))
    return u1, u2, np.radians((lngs - lng + 180.0) % 360.0 - 180.0)


def _vincenty(u1: float, u2: Floats, difference: Floats) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
    """Distances, differences of longitude on the auxiliary sphere, and which of them converged."""
    sin1, cos1, sin2, cos2 = np.sin(u1), np.cos(u1), np.sin(u2), np.cos(u2)
    lam = difference.copy()
    for _ in range(_STEPS):
        sin_lam, cos_lam = np.sin(lam), np.cos(lam)
        sin_sigma = np.hypot(cos2 * sin_lam, cos1 * sin2 - sin1 * cos2 * cos_lam)
        cos_sigma = sin1 * sin2 + cos1 * cos2 * cos_lam
        sigma = np.arctan2(sin_sigma, cos_sigma)
        sin_alpha = np.divide(cos1 * cos2 * sin_lam, sin_sigma, out=np.zeros_like(lam), where=sin_sigma > 0)
        cos2_alpha = 1 - sin_alpha**2
        above = cos_sigma * cos2_alpha - 2 * sin1 * sin2
        cos_2m = np.divide(above, cos2_alpha, out=np.zeros_like(lam), where=cos2_alpha > 1e-12)
        c = _F / 16 * cos2_alpha * (4 + _F * (4 - 3 * cos2_alpha))
        inner = cos_2m + c * cos_sigma * (2 * cos_2m**2 - 1)
        before, lam = lam, difference + (1 - c) * _F * sin_alpha * (sigma + c * sin_sigma * inner)
        change = np.abs(lam - before)
        if change.max() < 1e-12:
            break
    return _length(sigma, sin_sigma, cos_sigma, cos2_alpha, cos_2m), lam, change < 1e-9


def _length(
    sigma: Floats, sin_sigma: Floats, cos_sigma: Floats, cos2_alpha: Floats, cos_2m: Floats
) -> Floats:
    a, b = _series(cos2_alpha)
    return np.asarray(_B * a * (sigma - _delta(b, sin_sigma, cos_sigma, cos_2m)), np.float64)


def _series(cos2_alpha: Floats) -> tuple[Floats, Floats]:
    """Vincenty's A and B."""
    u_sq = cos2_alpha * (_A**2 - _B**2) / _B**2
    a = 1 + u_sq / 16384 * (4096 + u_sq * (-768 + u_sq * (320 - 175 * u_sq)))
    return a, u_sq / 1024 * (256 + u_sq * (-128 + u_sq * (74 - 47 * u_sq)))


def _delta(b: Floats, sin_sigma: Floats, cos_sigma: Floats, cos_2m: Floats) -> Floats:
    third = b / 6 * cos_2m * (4 * sin_sigma**2 - 3) * (4 * cos_2m**2 - 3)
    inner = cos_sigma * (2 * cos_2m**2 - 1) - third
    return np.asarray(b * sin_sigma * (cos_2m + b / 4 * inner), np.float64)


def mercator(coordinates: Floats) -> Floats:
    """Longitudes and latitudes in Mercator's projection of the sphere, where a metre is 1/cos(lat) long."""
    angles = np.radians(coordinates.clip([-360, -85], [360, 85]))
    return np.column_stack((angles[:, 0], np.arcsinh(np.tan(angles[:, 1])))) * EARTH_RADIUS_M


def lat_margin_deg(distance_m: float) -> float:
    """A difference of latitude, in degrees, that no point within this distance exceeds."""
    return distance_m / _METRES_A_DEGREE
