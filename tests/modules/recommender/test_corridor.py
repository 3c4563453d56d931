"""Distances from a way and the circles around it, against pyproj's geodesics on a densified line."""

import itertools
import random

import pytest
from pyproj import Geod

from map_tools.types import LatLng
from modules.recommender.corridor import (
    MAX_CIRCLES,
    covering_circles,
    disc_between,
    distances_to_way,
    metres_per_degree,
)

WGS84 = Geod(ellps="WGS84")
WAYS = {
    "north": [LatLng(lat=60.170, lng=24.930), LatLng(lat=60.176, lng=24.941), LatLng(lat=60.174, lng=24.960)],
    "south": [LatLng(lat=-33.86, lng=151.20), LatLng(lat=-33.87, lng=151.23)],
    "antimeridian": [LatLng(lat=-16.80, lng=179.99), LatLng(lat=-16.81, lng=-179.99)],
    "one point": [LatLng(lat=48.0, lng=11.0)],
    "standing still": [LatLng(lat=48.0, lng=11.0), LatLng(lat=48.0, lng=11.0)],
}


def meters(a: LatLng, b: LatLng) -> float:
    return float(WGS84.inv(a.lng, a.lat, b.lng, b.lat)[2])


def dense(way: list[LatLng]) -> list[LatLng]:
    """The way with a point at least every few metres, along geodesics."""
    points = list(way)
    for a, b in itertools.pairwise(way):
        points += [LatLng(lat=lat, lng=lng) for lng, lat in WGS84.npts(a.lng, a.lat, b.lng, b.lat, 800)]
    return points


def around(way: list[LatLng], count: int, spread_m: float) -> list[LatLng]:
    rng = random.Random(8)
    spots = []
    for _ in range(count):
        start = rng.choice(dense(way))
        lng, lat, _ = WGS84.fwd(start.lng, start.lat, rng.uniform(0, 360), rng.uniform(0, spread_m))
        spots.append(LatLng(lat=lat, lng=lng))
    return spots


@pytest.mark.parametrize("name", WAYS)
def test_the_distance_is_that_of_the_nearest_point_of_the_way(name: str) -> None:
    way = WAYS[name]
    points = dense(way)
    places = around(way, 25, 2500)
    for place, found in zip(places, distances_to_way(places, way), strict=True):
        assert found == pytest.approx(min(meters(place, point) for point in points), rel=1e-3, abs=3)


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("buffer_m", [40.0, 500.0])
def test_the_circles_cover_the_buffer(name: str, buffer_m: float) -> None:
    way = WAYS[name]
    centres, radius_m = covering_circles(way, buffer_m)
    assert 1 <= len(centres) <= MAX_CIRCLES
    for place in around(way, 60, buffer_m):
        assert min(meters(place, centre) for centre in centres) <= radius_m + 1


def test_no_places_have_no_distances() -> None:
    assert distances_to_way([], WAYS["north"]).tolist() == []


@pytest.mark.parametrize("way", ["north", "south", "antimeridian"])
def test_the_disc_between_two_places(way: str) -> None:
    a, b = WAYS[way][0], WAYS[way][-1]
    centre, radius_m = disc_between(a, b)
    assert meters(a, centre) == pytest.approx(radius_m, rel=1e-3)
    assert meters(b, centre) == pytest.approx(radius_m, rel=1e-3)
    assert 2 * radius_m == pytest.approx(meters(a, b), rel=1e-6)


def test_the_disc_between_a_place_and_itself_is_a_point() -> None:
    here = LatLng(lat=48.0, lng=11.0)
    assert disc_between(here, here) == (here, 0.0)


@pytest.mark.parametrize("lat", [-60.0, 0.0, 48.0, 65.0])
def test_lengths_of_a_degree(lat: float) -> None:
    per_lng, per_lat = metres_per_degree(lat)
    step = 1e-4
    assert per_lng * step == pytest.approx(WGS84.inv(11, lat, 11 + step, lat)[2], rel=1e-6)
    assert per_lat * step == pytest.approx(WGS84.inv(11, lat - step / 2, 11, lat + step / 2)[2], rel=1e-6)
