"""Web Mercator and frames, against PROJ."""

import pytest
from pyproj import Geod, Transformer

from map_tools.types import LatLng
from map_tools.vision.frame import Frame
from map_tools.vision.mercator import to_latlng, to_plane

PLACES = [(60.17, 24.94), (-33.86, 151.2), (0.0, 0.0), (49.25, -123.1), (84.9, 179.9)]
PROJ = Transformer.from_crs("EPSG:4326", "EPSG:3857", always_xy=True)


@pytest.mark.parametrize(("lat", "lng"), PLACES)
def test_the_plane_is_that_of_proj_with_y_down(lat: float, lng: float) -> None:
    x, y = PROJ.transform(lng, lat)
    point = to_plane(LatLng(lat=lat, lng=lng))
    assert (point.real, -point.imag) == pytest.approx((x, y), abs=0.01)
    back = to_latlng(point)
    assert (back.lat, back.lng) == pytest.approx((lat, lng), abs=1e-9)


def test_longitudes_wrap_at_the_date_line() -> None:
    beyond = to_plane(LatLng(lat=10, lng=179.99)) + 5_000
    assert -180 <= to_latlng(beyond).lng < -179.9


def test_a_frame_measures_as_geodesics_do() -> None:
    origin = to_plane(LatLng(lat=60.18, lng=24.93))
    frame = Frame(complex(2.4, 0), origin, 1000, 600)
    left, right = frame.at(400, 300), frame.at(600, 300)
    _, _, metres = Geod(ellps="WGS84").inv(left.lng, left.lat, right.lng, right.lat)
    assert 200 * frame.metres_per_px == pytest.approx(metres, rel=0.005)
    assert frame.pixel(frame.at(123, 456)) == pytest.approx((123, 456), abs=1e-6)
    south, west, north, east = frame.bounds
    assert south < frame.center.lat < north
    assert west < frame.center.lng < east
    assert frame.rotation_deg == 0.0
    assert frame.radius_m == pytest.approx(frame.metres_per_px * 583.095, rel=1e-4)
