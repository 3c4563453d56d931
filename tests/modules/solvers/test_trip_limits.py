"""Fixed times, opening as a deadline, time to spare at a stop, and the day of a trip (values by hand)."""

from datetime import UTC, datetime, time
from typing import Any

import pytest

from map_tools.types import TravelMode
from mapagent.answer import ClockTime, Named, Quantity, Solution, YesNo
from mapagent.question import Question
from modules.offline.intents import TripIntent, Visit, When
from modules.needs import TravelNeed
from modules.solvers.trip import solve_trip
from modules.view import CannotTellError, View
from tests.support.evidence import place, place_fact, travel_fact, view_of

SUNDAY = datetime(2024, 5, 5, 9, 0, tzinfo=UTC)
WEEKDAYS_ONLY = "Mo-Sa 09:00-18:00"

WAYS = (
    travel_fact("Home", "Mill", 10, 700),
    travel_fact("Mill", "Lake", 20, 1500),
    travel_fact("Home", "Lake", 25, 1900),
    travel_fact("Lake", "Mill", 20, 1500),
)


def told(*facts: Any) -> View:
    return view_of(*facts, tool="context", text="?")


def live(*facts: Any) -> View:
    """Facts fetched from a map on a Sunday."""
    return view_of(*facts, text="?", now=SUNDAY)


def solved(view: View, **slots: Any) -> Solution:
    solution = solve_trip(TripIntent(mode=TravelMode.DRIVING, **slots), view)
    assert solution is not None
    return solution


def clock(hour: int, minute: int) -> ClockTime:
    return ClockTime(at=time(hour, minute))


def test_opening_is_the_deadline() -> None:
    """9:00 − 10 min = 8:50; without the wish it would be before the mill closes."""
    mill = place_fact(place("Mill", hours="Mo-Su 09:00-18:00"))
    slots: dict[str, Any] = {"start": "Home", "ask": "latest_departure"}
    assert solved(told(*WAYS, mill), visits=(Visit(place="Mill", at_opening=True),), **slots).value == clock(
        8, 50
    )
    assert solved(told(*WAYS, mill), visits=(Visit(place="Mill"),), **slots).value == clock(17, 50)


def test_time_to_spare_before_a_date() -> None:
    """16:00 − 14:00 − 10 min − 20 min = 1 h 30 min."""
    visits = (Visit(place="Mill"), Visit(place="Lake", arrive_by=time(16)))
    solution = solved(told(*WAYS), visits=visits, start="Home", ask="spare", depart_at=time(14))
    assert solution.value == Quantity(value=90 * 60, unit="s")


def test_time_to_spare_before_the_last_place_closes() -> None:
    """18:00 − 17:00 − 10 min = 50 min; at 18:30 it is closed."""
    mill = place_fact(place("Mill", hours="Mo-Su 09:00-18:00"))
    slots: dict[str, Any] = {"visits": (Visit(place="Mill"),), "start": "Home", "ask": "spare"}
    assert solved(told(*WAYS, mill), depart_at=time(17), **slots).value == Quantity(value=50 * 60, unit="s")
    with pytest.raises(CannotTellError, match="not open when one arrives"):
        solved(told(*WAYS, mill), depart_at=time(18, 30), **slots)


@pytest.mark.parametrize(("wanted", "name"), [("first", "Mill"), ("last", "Lake")])
def test_first_and_last_of_the_best_order(wanted: str, name: str) -> None:
    """Mill, Lake: 30 min; Lake, Mill: 45 min."""
    visits = (Visit(place="Lake"), Visit(place="Mill"))
    solution = solved(
        told(*WAYS), visits=visits, start="Home", ask="best_order", ordered=False, wanted=wanted
    )
    assert solution.value == Named(name=name)


def test_no_way_from_a_place_to_itself_is_asked_for() -> None:
    view = View([], Question(text="?"), closed=False)
    intent = TripIntent(
        start="Home",
        visits=(Visit(place="Mill"),),
        returns=True,
        ordered=False,
        ask="feasible",
        available_s=3600,
    )
    assert solve_trip(intent, view) is None
    needs = [need for need in view.needs if isinstance(need, TravelNeed)]
    assert needs
    assert all(need.origin != need.destination for need in needs)


def test_an_unknown_place_is_not_too_far() -> None:
    visits = (Visit(place="Mill"), Visit(place="Atlantis"))
    with pytest.raises(CannotTellError, match="Atlantis"):
        solved(live(WAYS[0]), visits=visits, start="Home", ask="feasible", ordered=False, available_s=3600)


def test_today_is_meant_on_a_live_map_and_said() -> None:
    """The mill rests on Sundays."""
    mill = place_fact(place("Mill", 41.15, -8.61, hours=WEEKDAYS_ONLY))
    slots: dict[str, Any] = {"visits": (Visit(place="Mill"),), "start": "Home", "ask": "feasible"}
    today = solved(live(*WAYS, mill), depart_at=time(10), **slots)
    assert today.value == YesNo(value=False)
    assert any("Sunday" in warning for warning in today.warnings)
    tuesday = solved(live(*WAYS, mill), depart_at=time(10), day=When(weekday=1), **slots)
    assert tuesday.value == YesNo(value=True)
    assert tuesday.warnings == ()


def test_nothing_is_waited_for_on_a_day_nobody_named() -> None:
    """8:00 + 10 min + 30 min stay = 8:40, although the mill opens at 9:00."""
    mill = place_fact(place("Mill", hours="Mo-Su 09:00-18:00"))
    visits = (Visit(place="Mill", dwell_s=1800),)
    slots: dict[str, Any] = {"visits": visits, "start": "Home", "ask": "leave_at", "depart_at": time(8)}
    assert solved(live(*WAYS, mill), **slots).value == clock(8, 40)
    assert solved(live(*WAYS, mill), day=When(weekday=1), **slots).value == clock(9, 30)


def test_an_appointment_out_of_hours_counts_and_is_told() -> None:
    mill = place_fact(place("Mill", hours="Mo-Su 09:00-18:00"))
    visits = (Visit(place="Mill", arrive_by=time(20)),)
    solution = solved(told(*WAYS, mill), visits=visits, start="Home", ask="latest_departure")
    assert solution.value == clock(19, 50)
    assert any("Mill" in warning for warning in solution.warnings)


@pytest.mark.parametrize(
    ("slots", "value"),
    [
        (
            {"visits": (Visit(place="Mill", dwell_s=3600), Visit(place="Lake")), "begins": "opening"},
            clock(10, 20),
        ),
        ({"start": "Mill", "visits": (Visit(place="Lake"),), "begins": "closing"}, clock(18, 20)),
    ],
)
def test_a_trip_that_begins_at_an_edge_of_the_day(slots: dict[str, Any], value: ClockTime) -> None:
    """9:00 + 1 h + 20 min; 18:00 + 20 min."""
    mill = place_fact(place("Mill", hours=WEEKDAYS_ONLY))
    assert solved(told(*WAYS, mill), ask="arrival", day=When(weekday=0), **slots).value == value


def test_a_trip_cannot_begin_at_an_edge_nobody_states() -> None:
    visits = (Visit(place="Mill", dwell_s=3600), Visit(place="Lake"))
    with pytest.raises(CannotTellError, match="When Mill opens"):
        solved(told(*WAYS, place_fact(place("Mill"))), ask="arrival", visits=visits, begins="opening")


def test_the_night_before_is_no_opening() -> None:
    """On Sunday the bar is open until 2:00 (from Saturday) and from 17:00: 17:00 − 10 min."""
    bar = place_fact(place("Mill", hours="Mo-Su 17:00-02:00"))
    visits = (Visit(place="Mill", at_opening=True),)
    slots: dict[str, Any] = {"start": "Home", "ask": "latest_departure", "day": When(weekday=6)}
    assert solved(told(*WAYS, bar), visits=visits, **slots).value == clock(16, 50)


@pytest.mark.parametrize(("leaving", "wait_s"), [(time(12, 30), 2 * 3600 + 20 * 60), (time(8), 50 * 60)])
def test_one_waits_until_it_opens_again(leaving: time, wait_s: float) -> None:
    """Ten minutes on the way; it opens at 9:00, and at 15:00 after its break."""
    mill = place_fact(place("Mill", hours="Mo-Su 09:00-12:00,15:00-19:00"))
    slots: dict[str, Any] = {"start": "Home", "ask": "spare", "depart_at": leaving, "day": When(weekday=0)}
    visits = (Visit(place="Mill", at_opening=True),)
    assert solved(told(*WAYS, mill), visits=visits, **slots).value == Quantity(value=wait_s, unit="s")


@pytest.mark.parametrize("ask", ["feasible", "max_visits"])
def test_nothing_is_said_of_trips_without_any_way(ask: str) -> None:
    facts = (place_fact(place("Mill", hours=WEEKDAYS_ONLY)), place_fact(place("Home")))
    slots: dict[str, Any] = {"start": "Home", "ordered": False, "available_s": 7200, "depart_at": time(10)}
    with pytest.raises(CannotTellError):
        solved(told(*facts), ask=ask, visits=(Visit(place="Mill", dwell_s=3600),), **slots)
