"""What readers of routers' replies share: summaries, and warnings about ends far from the places asked for."""

import pytest
from pyproj import Geod

from map_tools.compute.route_replies import SNAP_WARNING_M, snap_warnings, told_apart
from map_tools.types import LatLng, Route, RouteLeg, RouteStep

GEOD = Geod(ellps="WGS84")
FIJI = LatLng(lat=-16.8, lng=-179.999)
"""East of the antimeridian, on Taveuni."""


def test_ends_at_the_places_need_no_warning() -> None:
    near = LatLng(lat=60.1701, lng=24.9402)
    here, there = LatLng(lat=60.17, lng=24.94), LatLng(lat=60.2, lng=25.0)
    assert list(snap_warnings((near, there), (here, there))) == []
    assert list(snap_warnings((), (here, there))) == []


@pytest.mark.parametrize("place", [LatLng(lat=60.17, lng=24.94), FIJI])
def test_a_far_end_is_told_with_its_distance(place: LatLng) -> None:
    lng, lat, _ = GEOD.fwd(place.lng, place.lat, 270, 2 * SNAP_WARNING_M)
    (said,) = snap_warnings((LatLng(lat=lat, lng=lng), place), (place, place))
    assert said.startswith("The route begins at the nearest road, ")
    told_m = float(said.split(", ")[1].split(" ")[0])
    assert told_m == pytest.approx(2 * SNAP_WARNING_M, rel=0.01)


def test_the_antimeridian_is_no_distance() -> None:
    lng, lat, _ = GEOD.fwd(FIJI.lng, FIJI.lat, 270, SNAP_WARNING_M / 2)
    across = LatLng(lat=lat, lng=lng)
    assert across.lng > 179
    assert list(snap_warnings((across, across), (FIJI, FIJI))) == []


def named(*parts: tuple[str, float]) -> Route:
    steps = tuple(
        RouteStep(instruction="", streets=(street,), distance_m=metres, duration_s=1.0)
        for street, metres in parts
    )
    leg = RouteLeg(distance_m=None, duration_s=None, steps=steps)
    return Route(summary="", distance_m=None, duration_s=None, legs=(leg,))


@pytest.mark.parametrize(
    ("routes", "summaries"),
    [
        # A number stands alone only where no street has a name: of these the longest is told.
        ([[("CG-3", 900), ("A1", 300), ("Short Lane", 50), ("High Street", 200)]], ["CG-3 and High Street"]),
        ([[("CG-3", 900), ("A1", 300)]], ["CG-3"]),
        ([[("High Street", 900), ("A1", 300)]], ["High Street"]),
        ([[]], [""]),
        # Two that would be called the same are told apart, by names before numbers.
        (
            [[("A1", 900), ("B2", 300), ("High Street", 200)], [("A1", 900), ("Low Street", 200)]],
            ["A1 and High Street", "A1 and Low Street"],
        ),
        (
            [[("High Street", 900), ("B2", 300)], [("High Street", 900), ("Low Street", 200)]],
            ["High Street and B2", "High Street and Low Street"],
        ),
    ],
)
def test_summaries(routes: list[list[tuple[str, float]]], summaries: list[str]) -> None:
    told = told_apart([named(*parts) for parts in routes])
    assert [route.summary for route in told] == summaries
