"""Time at a place until a stated hour, stays before a break, ways told by a street (values by hand)."""

from datetime import time
from typing import Any

import pytest

from map_tools.types import TravelMode
from mapagent.answer import ClockTime, Quantity, Solution, YesNo
from modules.offline.intents import TripIntent, Visit, When
from modules.solvers.trip import solve_trip
from modules.view import CannotTellError, View
from tests.support.claims import objections
from tests.support.evidence import place, place_fact, route, routes_fact, travel_fact, view_of

MILL = place_fact(place("Mill", hours="Mo-Sa 09:00-13:00,15:00-19:00"))
WAY = travel_fact("Home", "Mill", 14, 700)
FRIDAY = When(weekday=4)
RIDE = routes_fact(
    "Home", "Lake", (route("A7", 10, 9000), route("Elm Road", 25, 6000)), mode=TravelMode.BICYCLING
)


def told(*facts: Any) -> View:
    return view_of(*facts, tool="context", text="?")


def solved(view: View, **slots: Any) -> Solution:
    slots.setdefault("mode", TravelMode.DRIVING)
    solution = solve_trip(TripIntent(start="Home", **slots), view)
    assert solution is not None
    assert objections(view, solution) == []
    return solution


@pytest.mark.parametrize(
    ("leave", "until", "minutes"),
    [
        (time(13, 30), time(16), 60),  # there at 13:44, open from 15:00
        (time(12), time(16), 46 + 60),  # 12:14 to 13:00, 15:00 to 16:00
        (time(15), time(20), 3 * 60 + 46),  # 15:14 to 19:00, when it closes
        (time(9), time(10), 46),
    ],
)
def test_the_stay_until_a_time_counts_only_while_it_is_open(leave: time, until: time, minutes: int) -> None:
    visits = (Visit(place="Mill", until=until),)
    solution = solved(told(WAY, MILL), visits=visits, ask="spare", depart_at=leave, day=FRIDAY)
    assert solution.value == Quantity(value=minutes * 60, unit="s")


def test_the_stay_until_a_time_where_nobody_states_hours() -> None:
    """13:44 to 16:00."""
    visits = (Visit(place="Mill", until=time(16)),)
    solution = solved(told(WAY), visits=visits, ask="spare", depart_at=time(13, 30))
    assert solution.value == Quantity(value=136 * 60, unit="s")


def test_no_stay_while_it_is_closed() -> None:
    visits = (Visit(place="Mill", until=time(14, 30)),)
    with pytest.raises(CannotTellError, match="not open between"):
        solved(told(WAY, MILL), visits=visits, ask="spare", depart_at=time(13, 30), day=FRIDAY)


@pytest.mark.parametrize(
    ("leave", "before_closing", "possible"),
    [
        (time(11, 20), True, True),  # 11:34 to 12:34
        (time(11, 50), True, False),  # 12:04 to 13:04, and one would wait until 15:00
        (time(11, 50), False, True),
        (time(8, 30), True, True),  # before it opens one may wait
    ],
)
def test_a_stay_before_the_break_is_not_put_off(leave: time, before_closing: bool, possible: bool) -> None:
    solution = solved(
        told(WAY, MILL),
        visits=(Visit(place="Mill", dwell_s=3600),),
        ask="feasible",
        depart_at=leave,
        day=FRIDAY,
        before_closing=before_closing,
    )
    assert solution.value == YesNo(value=possible)


def test_spare_time_before_the_next_place_opens() -> None:
    """12:00 − 10:30 − 6 − 4 min = 1 h 20 min."""
    facts = (
        travel_fact("Home", "Market", 6, 900),
        travel_fact("Market", "Inn", 4, 400),
        place_fact(place("Inn", hours="Mo-Su 12:00-22:00")),
    )
    visits = (Visit(place="Market"), Visit(place="Inn", at_opening=True))
    solution = solved(told(*facts), visits=visits, ask="spare", depart_at=time(10, 30), day=FRIDAY)
    assert solution.value == Quantity(value=80 * 60, unit="s")


@pytest.mark.parametrize(("along", "minutes"), [(None, 10), ("Elm Road", 25), ("A7", 10)])
def test_the_way_named_is_taken(along: str | None, minutes: int) -> None:
    visits = (Visit(place="Lake", along=along),)
    slots: dict[str, Any] = {"visits": visits, "mode": TravelMode.BICYCLING}
    arrival = solved(told(RIDE), ask="arrival", depart_at=time(8), **slots)
    assert arrival.value == ClockTime(at=time(8, minutes))
    assert solved(told(RIDE), ask="travel_time", **slots).value == Quantity(value=minutes * 60, unit="s")


def test_a_way_nobody_tells() -> None:
    visits = (Visit(place="Lake", along="Oak Road"),)
    with pytest.raises(CannotTellError, match="via Oak Road"):
        solved(told(RIDE), visits=visits, ask="arrival", depart_at=time(8), mode=TravelMode.BICYCLING)


@pytest.mark.parametrize(("weekday", "possible"), [(4, True), (6, False)])
def test_a_day_of_rest_forbids_a_visit_at_any_time(weekday: int, possible: bool) -> None:
    slots: dict[str, Any] = {"ask": "feasible", "day": When(weekday=weekday), "available_s": 7200}
    solution = solved(told(WAY, MILL), visits=(Visit(place="Mill", dwell_s=3600),), **slots)
    assert solution.value == YesNo(value=possible)
