"""The scripted model finds facts in words alone; what it was not shown it does not know."""

from evals.bench.agents.scripts import (
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
