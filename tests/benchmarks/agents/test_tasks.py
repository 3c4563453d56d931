"""The invented city, the tasks over it, and what the scripted model does about them."""

import asyncio

import pytest

from benchmarks.agents.scripts import (
    DetailsScript,
    QuickestScript,
    WalkScript,
    info_call,
    listed,
    nearby_call,
    route_call,
    sunday_min,
    trip_call,
    walking_min,
)
from benchmarks.agents.servers import slow_map
from benchmarks.agents.tasks import city
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


LEG = "walking from A House to B Tower: via Canal Street (10.5 min, 750 m)\n"
CELL = "walking from B Tower to C (old) Gate: 4.0 min, 300 m\n"
LIST = (
    "2 × cafe around A House within 700 m, nearest first:\n"
    "1. Red Cup, cafe, 10 Canal Street, at 52.0,4.0, 108 m away\n"
    "2. Bean & Co, cafe, at 52.0,4.1, 142 m away\n"
)
RED = "“Red Cup” is Red Cup, cafe, hours Mo-Sa 08:00-18:00; Su 09:00-13:30, at 52.0,4.0\n"
BEAN = "“Bean & Co” is Bean & Co, cafe, hours Mo-Sa 08:00-18:00; Su 10:00-21:00, at 52.0,4.1\n"
STOPS = ("A House", "B Tower", "C (old) Gate")
TOTALS = {"6 minutes": 6, "15 minutes": 15}


def test_minutes_are_read_from_a_route_and_from_a_matrix() -> None:
    assert walking_min(LEG, "A House", "B Tower") == 10.5
    assert walking_min(CELL, "B Tower", "C (old) Gate") == 4.0
    assert walking_min(LEG, "B Tower", "A House") is None


def test_names_and_hours_are_read_from_lists_and_details() -> None:
    assert listed(LIST, "cafe", "A House") == ("Red Cup", "Bean & Co")
    assert listed(LIST, "cafe", "B Tower") == ()
    assert sunday_min(BEAN, "Bean & Co") == (600, 1260)
    assert sunday_min(BEAN, "Red Cup") is None


def test_legs_are_asked_for_until_all_are_known() -> None:
    script = WalkScript(STOPS, "legs", TOTALS)
    assert script.calls("") == (route_call("A House", "B Tower"), route_call("B Tower", "C (old) Gate"))
    assert script.calls(LEG) == (route_call("B Tower", "C (old) Gate"),)
    assert script.calls(LEG + CELL) == ()


def test_a_trip_that_was_cut_is_completed_leg_by_leg() -> None:
    script = WalkScript(STOPS, "trip", TOTALS)
    assert script.calls("") == (trip_call(STOPS),)
    assert script.calls(CELL) == (route_call("A House", "B Tower"),)


def test_the_sum_decides_and_without_all_legs_nothing_does() -> None:
    script = WalkScript(STOPS, "legs", TOTALS)
    assert script.conclude(LEG + CELL).option == "15 minutes"  # 10.5 + 4.0 = 14.5
    assert script.conclude(LEG).option is None


def test_a_list_is_looked_up_place_by_place() -> None:
    script = DetailsScript("A House", "cafe", 700)
    assert script.calls("") == (nearby_call("cafe", "A House", 700),)
    assert script.calls(LIST) == (info_call("Red Cup"), info_call("Bean & Co"))
    assert script.calls(LIST + RED) == (info_call("Bean & Co"),)
    assert script.conclude(LIST + RED).option is None
    assert script.conclude(LIST + RED + BEAN).option == "Bean & Co"


def test_only_ways_to_open_places_are_measured() -> None:
    script = QuickestScript("A House", "cafe", 700, 18 * 60, "legs")
    known = LIST + RED + BEAN
    assert script.calls(known) == (route_call("A House", "Bean & Co"),)
    assert script.conclude(known).option is None
    way = "walking from A House to Bean & Co: via Canal Street (3.2 min, 240 m)\n"
    assert script.conclude(known + way).option == "Bean & Co"
