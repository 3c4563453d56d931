"""The circles that cover what lies along a way, against pyproj's geodesics on a densified line."""

import itertools
import random

import pytest
from pyproj import Geod

from map_tools.types import LatLng
from modules.recommender.retrieve import MAX_CIRCLES, covering_circles

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
@pytest.mark.parametrize("buffer_m", [40.0, 500.0])
def test_the_circles_cover_the_buffer(name: str, buffer_m: float) -> None:
    way = WAYS[name]
    centres, radius_m = covering_circles(way, buffer_m)
    assert 1 <= len(centres) <= MAX_CIRCLES
    for place in around(way, 60, buffer_m):
        assert min(meters(place, centre) for centre in centres) <= radius_m + 1
