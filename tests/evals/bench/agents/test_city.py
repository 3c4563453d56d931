"""The invented city: its truth is worked out here by hand, and the map tells the same."""

import asyncio

import pytest

from evals.bench.agents.servers import slow_map
from evals.bench.agents.tasks import city
from map_tools.types import NearbyPlace, TravelMode


def test_walks_go_along_the_grid() -> None:
    # From (0, 0) to (450, 300) it is 750 m along the grid: 600 s at 1.25 m/s.
    assert city().walk_m("Harbour Museum", "Linden Theatre") == 750
    assert city().walk_s("Harbour Museum", "Linden Theatre") == 600


def test_what_lies_around_is_nearest_first() -> None:
    around = city().around("Harbour Museum", "cafe", 150)
    # Amber Cup is √(60² + 90²) = 108 m away, Blue Kettle √(120² + 75²) = 142 m, the next one 218 m.
    assert [spot.name for spot in around] == ["Amber Cup", "Blue Kettle"]


def test_hours_of_a_sunday_are_read_and_a_day_of_rest_is_refused() -> None:
    assert city().places["Elm Roastery"].closes_on_sunday_min == 19 * 60 + 30
    with pytest.raises(ValueError, match="Marble Library"):
        _ = city().places["Marble Library"].closes_on_sunday_min


def test_the_map_tells_the_same_ways_and_distances() -> None:
    async def asked() -> tuple[float | None, tuple[NearbyPlace, ...]]:
        provider = slow_map(city().world(), 0)
        (start,) = await provider.find_place("Harbour Museum", limit=1)
        (end,) = await provider.find_place("Linden Theatre", limit=1)
        matrix = await provider.matrix((start.place,), (end.place,), mode=TravelMode.WALKING)
        near = await provider.nearby(start.place, radius_m=150, categories=("cafe",))
        return matrix.rows[0][0].duration_s, near

    seconds, near = asyncio.run(asked())
    assert seconds == 600
    assert [(item.place.name, round(item.distance_m or 0)) for item in near] == [
        ("Amber Cup", 108),
        ("Blue Kettle", 142),
    ]


def test_lists_leave_out_hours_and_details_tell_them() -> None:
    async def asked() -> tuple[object, object, dict[str, int]]:
        provider = slow_map(city().world(), 0)
        (anchor,) = await provider.find_place("Harbour Museum", limit=1)
        (first, *_) = await provider.nearby(anchor.place, radius_m=150, categories=("cafe",))
        details = await provider.place_details(first.place.id)
        return first.place.hours, details.hours, dict(provider.calls)

    listed, detailed, calls = asyncio.run(asked())
    assert listed is None
    assert detailed is not None
    assert calls == {"find_place": 1, "nearby": 1, "place_details": 1}
