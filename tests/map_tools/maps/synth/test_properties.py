"""The map, its searches and routes agree with the city's truth: scans, rays, NetworkX's shortest paths."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path

import networkx as nx  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.compute.hours import OpenState, open_state
from map_tools.providers.osm import OsmProvider
from map_tools.types import LatLng, Place, Route, TravelMode
from tests.map_tools.maps.synth.truth import Truth, is_inside, is_open
from tests.support.effort import effort

MONDAY = datetime(2026, 3, 2)  # noqa: DTZ001 (local time of the place)
MANY = effort(0.4)
ON_FOOT_TOLERANCE = 0.006
"""Valhalla keeps the lengths of its edges in whole metres."""
TAGS = ("amenity=restaurant", "amenity=cafe", "amenity=pharmacy", "shop=bakery", "tourism=museum")
"""Kinds whose category has the name of the tag's value."""


def told[T](city: Path, ask: Callable[[OsmProvider], Awaitable[T]]) -> T:
    """What the provider over the city answers."""

    async def run() -> T:
        provider = OsmProvider.open(city)
        try:
            return await ask(provider)
        finally:
            await provider.close()

    return asyncio.run(run())


@MANY
@given(st.floats(-0.02, 0.02), st.floats(-0.03, 0.03), st.floats(10, 3_000), st.sampled_from(TAGS))
def test_nearby_is_a_scan_of_all_places(
    city: Path, truth: Truth, north: float, east: float, radius_m: float, tag: str
) -> None:
    center = (52.0 + north, 9.0 + east)
    found = told(
        city,
        lambda provider: provider.nearby(
            LatLng(lat=center[0], lng=center[1]),
            radius_m=radius_m,
            categories=(tag.partition("=")[2],),
            limit=None,
        ),
    )
    expected = [pair for pair in truth.around(center, radius_m + 0.01, tag) if abs(pair[1] - radius_m) > 0.01]
    sure = [item for item in found if abs((item.distance_m or 0) - radius_m) > 0.01]
    assert [item.place.id for item in sure] == [place_id for place_id, _ in expected]
    assert [item.distance_m for item in sure] == pytest.approx([away for _, away in expected], abs=0.01)


@MANY
@given(st.integers(0, 2_700))
def test_a_place_is_what_was_drawn(city: Path, truth: Truth, index: int) -> None:
    said = truth.places[index % len(truth.places)]
    place = told(city, lambda provider: provider.place_details(said["id"]))
    assert (place.name, place.phone) == (said["name"], said["phone"])
    assert (place.rating, place.rating_count) == (said["rating"], said["rating_count"])
    assert place.price_level == said["price_level"]
    assert [review.model_dump() for review in place.reviews] == said["reviews"]
    assert place.attributes.get("cuisine") == said["cuisine"]
    assert place.services.get("wheelchair") == (None if said["steps"] is None else not said["steps"])
    if said["street"] is not None:
        assert place.address == f"{said['street']} {said['house']}, {truth.said['city']}"
    assert not [key for key in place.attributes if key.startswith("synthetic")]


@MANY
@given(st.integers(0, 2_700))
def test_a_place_is_found_by_its_name(city: Path, truth: Truth, index: int) -> None:
    names = [place["name"] for place in truth.places]
    said = truth.places[index % len(names)]
    if not said["name"] or names.count(said["name"]) > 1:
        return
    found = told(city, lambda provider: provider.find_place(said["name"]))
    assert found[0].place.id == said["id"]


@MANY
@given(st.integers(0, 2_700), st.integers(0, 7 * 24 * 60 - 1))
def test_a_place_is_open_when_its_week_says_so(city: Path, truth: Truth, index: int, minute: int) -> None:
    timed = [place for place in truth.places if place["week"] is not None]
    said = timed[index % len(timed)]
    place = told(city, lambda provider: provider.place_details(said["id"]))
    assert place.hours is not None
    day, of_day = divmod(minute, 24 * 60)
    expected = OpenState.OPEN if is_open(said["week"], day, of_day) else OpenState.CLOSED
    assert open_state(place.hours, MONDAY + timedelta(minutes=minute)) is expected


def test_inside_an_area_is_what_rays_say(city: Path, truth: Truth) -> None:
    districts = [area for area in truth.said["areas"] if area["kind"] == "district"]

    async def restaurants(provider: OsmProvider) -> list[tuple[Place, ...]]:
        return [await provider.inside(area["id"], categories=("restaurant",)) for area in districts]

    for area, found in zip(districts, told(city, restaurants), strict=True):
        expected = {
            place["id"]
            for place in truth.places
            if place["tag"] == "amenity=restaurant" and is_inside(tuple(place["at"]), area["outline"])
        }
        assert {place.id for place in found} == expected


@MANY
@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_walking_is_the_shortest_path(city: Path, truth: Truth, first: int, second: int) -> None:
    count = len(truth.junctions)
    a, b = first % count, second % count
    length_m = nx.shortest_path_length(truth.on_foot, a, b, weight="length_m")
    if length_m < 100:
        return
    route = way(city, truth, a, b, TravelMode.WALKING)
    assert route.distance_m == pytest.approx(length_m, rel=ON_FOOT_TOLERANCE)


@MANY
@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_driving_is_no_shorter_than_the_shortest_path_that_cars_may_take(
    city: Path, truth: Truth, first: int, second: int
) -> None:
    drivable = sorted(truth.by_car)
    a, b = drivable[first % len(drivable)], drivable[second % len(drivable)]
    length_m = nx.shortest_path_length(truth.by_car, a, b, weight="length_m")
    if length_m < 100:
        return
    route = way(city, truth, a, b, TravelMode.DRIVING)
    assert (route.distance_m or 0) >= length_m * (1 - ON_FOOT_TOLERANCE)
    assert (route.distance_m or 0) <= 2 * length_m + 500


def test_one_way_streets_are_not_driven_backwards(city: Path, truth: Truth) -> None:
    one_way = [edge for edge in truth.said["edges"] if edge["cars"] == "forward"]
    assert len(one_way) > 10
    for edge in one_way[:10]:
        back = way(city, truth, edge["to"], edge["from"], TravelMode.DRIVING)
        on_foot = way(city, truth, edge["to"], edge["from"], TravelMode.WALKING)
        assert (back.distance_m or 0) > 2 * edge["length_m"]
        assert on_foot.distance_m == pytest.approx(edge["length_m"], abs=2)


def test_every_junction_is_connected(truth: Truth) -> None:
    assert nx.is_connected(truth.on_foot)
    assert nx.is_strongly_connected(truth.by_car)
    assert len(truth.on_foot) == len(truth.junctions)


def way(city: Path, truth: Truth, a: int, b: int, mode: TravelMode) -> Route:
    """The route between two junctions."""
    start, end = (LatLng(lat=lat, lng=lng) for lat, lng in (truth.junctions[a], truth.junctions[b]))
    (route,) = told(city, lambda provider: provider.directions(start, end, mode=mode))
    return route
