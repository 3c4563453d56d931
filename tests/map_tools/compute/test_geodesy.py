"""Geodesy against pyproj, an independent implementation, and against known angles."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pyproj import Geod

from map_tools.compute.geodesy import (
    WINDS,
    angle_between,
    bearing_deg,
    destination,
    distance_m,
    wind,
    wind_name,
    wind_words,
)
from map_tools.types import LatLng

GEOD = Geod(ellps="WGS84")
positions = st.builds(LatLng, lat=st.floats(-89, 89), lng=st.floats(-180, 180))


@given(positions, positions)
def test_distance_and_bearing_agree_with_pyproj(a: LatLng, b: LatLng) -> None:
    azimuth, _, length_m = GEOD.inv(a.lng, a.lat, b.lng, b.lat)
    assume(1 < length_m < 19_900_000)  # the azimuth of nearly antipodal points is not well defined
    assert distance_m(a, b) == pytest.approx(length_m, abs=1e-3)
    assert angle_between(bearing_deg(a, b), azimuth) < 1e-4
    assert 0 <= bearing_deg(a, b) < 360


def test_the_antimeridian_is_no_barrier() -> None:
    west, east = LatLng(lat=-16.5, lng=179.9), LatLng(lat=-16.5, lng=-179.9)
    assert distance_m(west, east) == pytest.approx(GEOD.inv(179.9, -16.5, -179.9, -16.5)[2])
    assert wind(bearing_deg(west, east)) == "E"
    assert destination(west, 90, distance_m(west, east)).lng == pytest.approx(east.lng, abs=1e-3)


def test_one_minute_of_the_meridian() -> None:
    # A minute of latitude at 45° is 1852.2 m long on WGS84 (111,131.8 m a degree).
    assert distance_m(LatLng(lat=45 - 1 / 120, lng=7), LatLng(lat=45 + 1 / 120, lng=7)) == pytest.approx(
        1852.2, abs=0.1
    )


@given(positions, st.floats(0, 359.99), st.floats(1, 1e6))
def test_destination_lies_at_the_distance(a: LatLng, bearing: float, length_m: float) -> None:
    assert distance_m(a, destination(a, bearing, length_m)) == pytest.approx(length_m, abs=1e-3)


@pytest.mark.parametrize(
    ("bearing", "name"),
    [
        (0, "N"),
        (22.4, "N"),
        (22.5, "NE"),
        (45, "NE"),
        (90, "E"),
        (180, "S"),
        (247.4, "SW"),
        (337.4, "NW"),
        (337.5, "N"),
        (360, "N"),
    ],
)
def test_winds(bearing: float, name: str) -> None:
    assert wind(bearing) == name


@pytest.mark.parametrize("name", WINDS)
def test_words_of_winds(name: str) -> None:
    words = wind_name(name)
    for written in (
        words,
        words.replace("-", ""),
        words.replace("-", " ").title(),
        name,
        f"to the {words} of",
        f"{words}ern",
    ):
        assert wind_words(written) == name


def test_other_words_are_no_wind() -> None:
    assert wind_words("left") is None
    assert wind_words("") is None


@pytest.mark.parametrize(
    ("first", "second", "angle"), [(350, 10, 20), (10, 350, 20), (0, 180, 180), (90, 450, 0), (-10, 10, 20)]
)
def test_angles(first: float, second: float, angle: float) -> None:
    assert angle_between(first, second) == pytest.approx(angle)
