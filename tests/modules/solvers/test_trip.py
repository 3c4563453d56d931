"""Questions about trips on hand-written travel times; expected values by hand or by brute force."""

from datetime import UTC, datetime, time
from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.facts import NoteFact, TravelFact
from map_tools.types import TravelMode
from mapagent.answer import ClockTime, Named, OptionPick, Quantity, Schedule, Sequence, Solution, YesNo
from mapagent.question import Question
from modules.offline.intents import TripIntent, Visit, When
from modules.needs import PlaceNeed, TravelNeed
from modules.solvers.trip import solve_trip
from modules.view import CannotTellError, View
from tests.support.claims import objections
from tests.support.effort import effort
from tests.support.evidence import place, place_fact, travel_fact, view_of

WALKING, CAR, BIKE = TravelMode.WALKING, TravelMode.DRIVING, TravelMode.BICYCLING


def visit(name: str, minutes: float = 0, **slots: Any) -> Visit:
    return Visit(place=name, dwell_s=minutes * 60, **slots)


def context(*facts: Any, **question: Any) -> View:
    question.setdefault("text", "1 hour here, 2 hours there, 30 minutes at one and 20 minutes at another?")
    return view_of(*facts, tool="context", **question)


def solved(view: View, visits: tuple[Visit, ...], **slots: Any) -> Solution:
    solution = solve_trip(TripIntent(visits=visits, **slots), view)
    assert solution is not None
    assert not view.waiting
    assert objections(view, solution) == []
    return solution


def clock(hour: int, minute: int, day_offset: int = 0) -> ClockTime:
    return ClockTime(at=time(hour, minute), day_offset=day_offset)


CHAIN = (
    travel_fact("Home", "Rocks", 14, 3800),
    travel_fact("Rocks", "Beach", 20, 9600),
    travel_fact("Beach", "Garden", 19, 9100),
    travel_fact("Garden", "Home", 11, 4000),
)

STOPS = (visit("Rocks", 30), visit("Beach", 60), visit("Garden", 120))


def test_travel_time_adds_the_legs() -> None:
    solution = solved(context(*CHAIN), STOPS, start="Home")
    assert solution.value == Quantity(value=53 * 60, unit="s")
    assert "14 min + 20 min + 19 min = 53 min" in solution.explanation


def test_total_time_adds_the_stays() -> None:
    solution = solved(context(*CHAIN), STOPS, start="Home", ask="total_time")
    assert solution.value == Quantity(value=(53 + 210) * 60, unit="s")
    assert solution.ranking == (Quantity(value=53 * 60, unit="s"),)


def test_the_way_back_is_added() -> None:
    assert solved(context(*CHAIN), STOPS, start="Home", returns=True).value == Quantity(
        value=64 * 60, unit="s"
    )


def test_distance() -> None:
    solution = solved(context(*CHAIN), STOPS, start="Home", ask="distance", returns=True)
    assert solution.value == Quantity(value=26500, unit="m")


def test_each_leg_by_its_own_mode_and_direction() -> None:
    view = context(
        travel_fact("Hotel", "Museum", 44, mode=WALKING),
        travel_fact("Hotel", "Museum", 8, mode=CAR),
        travel_fact("Museum", "Clinic", 16, mode=CAR),
        travel_fact("Clinic", "Museum", 64, mode=WALKING),
        travel_fact("Hotel", "Clinic", 70, mode=WALKING),
        travel_fact("Clinic", "Hotel", 73, mode=WALKING),
    )
    visits = (visit("Museum", mode=WALKING), visit("Clinic", mode=CAR))
    solution = solved(view, visits, start="Hotel", returns=True, return_mode=WALKING)
    assert solution.value == Quantity(value=(44 + 16 + 73) * 60, unit="s")


def test_short_names_that_are_part_of_longer_ones_are_told_apart() -> None:
    view = context(
        travel_fact("Lake Hostel Rosepark", "Rosepark", 2),
        travel_fact("Museum", "Lake Hostel Rosepark", 9),
        travel_fact("Museum", "Rosepark", 4),
        travel_fact("Rosepark", "Museum", 7),
    )
    solution = solved(view, (visit("Rosepark"), visit("Museum")), start="Lake Hostel")
    assert solution.value == Quantity(value=9 * 60, unit="s")


def test_the_only_place_left_over_is_meant_by_the_only_name_left_over() -> None:
    view = context(travel_fact("Hotel", "Museum", 10), travel_fact("Museum", "Mirror Water", 12))
    solution = solved(view, (visit("Museum"), visit("the pond")), start="Hotel")
    assert solution.value == Quantity(value=22 * 60, unit="s")
    assert "Mirror Water" in " ".join(solution.warnings)


@pytest.mark.parametrize(
    ("ask", "value"), [("arrival", clock(13, 23)), ("leave_at", clock(15, 23))], ids=["arrival", "leave_at"]
)
def test_times_of_day_follow_the_trip(ask: str, value: ClockTime) -> None:
    """10:00 + 14 + 30 + 20 + 60 + 19 minutes is 12:23; the hour before is the longer stay below."""
    visits = (visit("Rocks", 30), visit("Beach", 120), visit("Garden", 120))
    assert solved(context(*CHAIN), visits, start="Home", ask=ask, depart_at=time(10)).value == value


def test_a_trip_past_midnight_ends_the_next_day() -> None:
    solution = solved(context(*CHAIN), STOPS, start="Home", ask="leave_at", depart_at=time(22))
    assert solution.value == clock(2, 23, 1)


def test_waiting_for_the_doors_counts_and_the_plain_sum_comes_next() -> None:
    rocks = place_fact(place("Rocks", hours="10:00-18:00"))
    solution = solved(context(*CHAIN, rocks), STOPS[:1], start="Home", ask="leave_at", depart_at=time(9))
    assert solution.value == clock(10, 30)
    assert solution.ranking == (clock(9, 44),)


def test_closing_before_the_end_is_told_and_the_plain_sum_given() -> None:
    rocks = place_fact(place("Rocks", hours="08:00-09:20"))
    solution = solved(context(*CHAIN, rocks), STOPS[:1], start="Home", ask="leave_at", depart_at=time(9))
    assert solution.value == clock(9, 44)
    assert "open" in " ".join(solution.warnings)


def test_latest_departure_before_the_last_place_closes() -> None:
    """18:00 − 2 h − 19 min − 1 h − 20 min − 30 min − 14 min = 13:37."""
    garden = place_fact(place("Garden", hours="07:00-18:00"))
    assert solved(context(*CHAIN, garden), STOPS, start="Home", ask="latest_departure").value == clock(13, 37)


def test_hours_on_the_way_bind_first_and_the_last_place_alone_comes_next() -> None:
    """The bank closes at 12:00: 12:00 − 1 h − 20 − 30 − 14 minutes = 9:56."""
    facts = (
        place_fact(place("Garden", hours="07:00-18:00")),
        place_fact(place("Beach", hours="08:00-12:00")),
    )
    solution = solved(context(*CHAIN, *facts), STOPS, start="Home", ask="latest_departure")
    assert solution.value == clock(9, 56)
    assert solution.ranking[0] == clock(13, 37)


@pytest.mark.parametrize(
    ("visits", "slots", "value"),
    [
        (STOPS, {"end_by": time(15)}, clock(10, 37)),
        (STOPS[:1], {"end_by": time(15)}, clock(14, 16)),
        ((*STOPS[:2], visit("Garden", 120, arrive_by=time(13))), {}, clock(10, 37)),
        ((visit("Rocks"),), {"end_by": time(18)}, clock(17, 46)),
    ],
)
def test_latest_departure_for_a_deadline(
    visits: tuple[Visit, ...], slots: dict[str, Any], value: ClockTime
) -> None:
    assert solved(context(*CHAIN), visits, start="Home", ask="latest_departure", **slots).value == value


def test_a_trip_without_a_start_begins_at_its_first_stop() -> None:
    """13:00 − 20 min − 30 min, as the visit to the beach begins at 13:00."""
    visits = (visit("Rocks", 30), visit("Beach", 60, arrive_by=time(13)))
    assert solved(context(*CHAIN), visits, ask="latest_departure").value == clock(12, 10)


def test_a_latest_departure_needs_a_limit() -> None:
    with pytest.raises(CannotTellError, match="limits"):
        solved(context(*CHAIN), STOPS, start="Home", ask="latest_departure")


def test_spare_time() -> None:
    """From 9:00: 2 h and 38 min; until 15:00 there are 3 h 22 min left."""
    view = context(travel_fact("Town", "Lake", 38))
    solution = solved(
        view, (visit("Town", 120), visit("Lake")), depart_at=time(9), end_by=time(15), ask="spare"
    )
    assert solution.value == Quantity(value=(3 * 60 + 22) * 60, unit="s")


@pytest.mark.parametrize(
    ("slots", "value"),
    [
        ({"available_s": 263 * 60}, True),
        ({"available_s": 262 * 60}, False),
        ({"depart_at": time(9), "end_by": time(13, 23)}, True),
        ({"depart_at": time(9), "end_by": time(13, 22)}, False),
        ({"depart_at": time(9), "end_by": time(13, 30), "returns": True}, False),
    ],
)
def test_feasible(slots: dict[str, Any], value: bool) -> None:
    assert solved(context(*CHAIN), STOPS, start="Home", ask="feasible", **slots).value == YesNo(value=value)


def test_too_long_stays_are_impossible_even_where_a_leg_is_missing() -> None:
    solution = solved(context(CHAIN[0]), STOPS, start="Home", ask="feasible", available_s=200 * 60)
    assert solution.value == YesNo(value=False)
    with pytest.raises(CannotTellError):
        solved(context(CHAIN[0]), STOPS, start="Home", ask="feasible", available_s=300 * 60)


def matrix(names: tuple[str, ...], minutes: dict[tuple[str, str], float]) -> tuple[TravelFact, ...]:
    return tuple(travel_fact(a, b, minutes[a, b]) for a in names for b in names if (a, b) in minutes)


TOWN = ("Inn", "Alpha", "Bravo", "Delta")
MINUTES = {
    ("Inn", "Alpha"): 10, ("Inn", "Bravo"): 30, ("Inn", "Delta"): 50,
    ("Alpha", "Bravo"): 15, ("Alpha", "Delta"): 25, ("Alpha", "Inn"): 12,
    ("Bravo", "Alpha"): 40, ("Bravo", "Delta"): 10, ("Bravo", "Inn"): 33,
    ("Delta", "Alpha"): 20, ("Delta", "Bravo"): 45, ("Delta", "Inn"): 60,
}  # fmt: skip
ALL = (visit("Alpha", 60), visit("Bravo", 60), visit("Delta", 60))


@pytest.mark.parametrize(("minutes", "count"), [(60, 0), (70, 1), (145, 2), (214, 2), (215, 3)])
def test_max_visits(minutes: int, count: int) -> None:
    """Alpha 10 + 60, Bravo 15 + 60, Delta 10 + 60: 70, 145 and 215 minutes."""
    view = context(*matrix(TOWN, MINUTES))
    solution = solved(view, ALL, start="Inn", ask="max_visits", ordered=False, available_s=minutes * 60)
    assert solution.value == Quantity(value=count, unit="count")


def test_opening_hours_bind_visits() -> None:
    """Delta, which closes at 11:00, must come first (9:50 to 10:50), and then Alpha and Bravo fit as well."""
    delta = place_fact(place("Delta", hours="08:00-11:00"))
    view = context(*matrix(TOWN, MINUTES), delta)
    slots: dict[str, Any] = {"start": "Inn", "ask": "max_visits", "ordered": False, "depart_at": time(9)}
    assert solved(view, ALL, **slots, available_s=265 * 60).value == Quantity(value=3, unit="count")
    assert solved(view, ALL, **slots, available_s=260 * 60).value == Quantity(value=2, unit="count")


def test_best_order() -> None:
    solution = solved(context(*matrix(TOWN, MINUTES)), ALL, start="Inn", ask="best_order", ordered=False)
    assert solution.value == Sequence(names=("Alpha", "Bravo", "Delta"))


def test_the_first_of_the_best_order_where_options_are_single_places() -> None:
    view = context(*matrix(TOWN, MINUTES), options=("Delta", "Alpha", "Bravo"))
    assert solved(view, ALL, start="Inn", ask="best_order", ordered=False).value == Named(name="Alpha")


@pytest.mark.parametrize(
    "options",
    [
        ("Home -> Bravo -> Alpha -> Delta -> Home", "Home -> Alpha -> Delta -> Bravo -> Home"),
        ("Bravo → Alpha → Delta", "Alpha → Delta → Bravo"),
        ("Bravo, Alpha, then Delta", "first Alpha, then Delta and finally Bravo"),
    ],
)
def test_options_that_are_orders_are_judged(options: tuple[str, ...]) -> None:
    """30 + 40 + 25 + 60 = 155 minutes on the way against 10 + 25 + 45 + 33 = 113."""
    view = context(*matrix(TOWN, MINUTES), options=options)
    solution = solved(view, ALL, start="Inn", ask="best_order", ordered=False, returns=True)
    assert solution.value == OptionPick(index=1, text=options[1])


def test_an_order_that_breaks_opening_hours_is_not_picked() -> None:
    options = ("Alpha -> Bravo -> Delta", "Delta -> Alpha -> Bravo")
    view = context(*matrix(TOWN, MINUTES), place_fact(place("Delta", hours="08:00-11:00")), options=options)
    solution = solved(view, ALL, start="Inn", ask="best_order", ordered=False, depart_at=time(9))
    assert solution.value == OptionPick(index=1, text=options[1])


def test_schedules_are_judged_by_travel_stays_and_hours() -> None:
    options = (
        "(2.00PM - 3.00PM) Alpha -> Reach Bravo at 3.05PM -> (3.05 - 4.05PM) Bravo",
        "(4.00PM - 5.00PM) Alpha -> Reach Bravo at 5.15PM -> (5.15 - 6.15PM) Bravo",
        "(2.00PM - 2.30PM) Alpha -> Reach Bravo at 2.45PM -> (2.45 - 3.45PM) Bravo",
        "(2.00PM - 3.00PM) Alpha -> Reach Bravo at 3.15PM -> (3.15 - 4.15PM) Bravo",
    )
    bravo = place_fact(place("Bravo", hours="09:00-18:00"))
    view = context(*matrix(TOWN, MINUTES), bravo, options=options)
    assert solved(view, ALL[:2], ask="schedule").value == OptionPick(index=3, text=options[3])


def test_a_schedule_of_its_own() -> None:
    view = context(*matrix(TOWN, MINUTES))
    value = solved(view, ALL[:2], start="Inn", ask="schedule", depart_at=time(9)).value
    assert isinstance(value, Schedule)
    assert [(stop.name, stop.arrive_min, stop.depart_min) for stop in value.stops] == [
        ("Inn", 540, 540),
        ("Alpha", 550, 610),
        ("Bravo", 625, 685),
    ]


@pytest.mark.parametrize(
    ("slots", "note", "value"),
    [
        ({"day": When(weekday=6)}, None, clock(11, 44)),
        ({"day": When(weekday=0)}, None, clock(15, 44)),
        ({"day": When(relative_days=1)}, "Today is Sunday.", clock(15, 44)),
        ({"day": When(relative_days=1)}, "Today is Saturday.", clock(11, 44)),
        ({}, None, clock(11, 44)),
    ],
)
def test_the_day_decides_on_the_hours(slots: dict[str, Any], note: str | None, value: ClockTime) -> None:
    """On Sundays it closes at 12:30, else at 16:30; what all days have in common ends at 12:30."""
    rocks = place_fact(place("Rocks", hours="Mo-Sa 08:00-16:30; Su 08:00-12:30"))
    facts = [CHAIN[0], rocks, *([NoteFact(text=note)] if note else [])]
    solution = solved(context(*facts), (visit("Rocks", 32),), start="Home", ask="latest_departure", **slots)
    assert solution.value == value


def test_the_moment_of_the_question_fixes_day_and_departure() -> None:
    view = context(CHAIN[0], at=datetime(2025, 3, 3, 9, 0, tzinfo=UTC))
    assert solved(view, (visit("Rocks"),), start="Home", ask="arrival").value == clock(9, 14)


def test_a_trip_needs_a_time_to_begin() -> None:
    with pytest.raises(CannotTellError, match="begins"):
        solved(context(*CHAIN), STOPS, start="Home", ask="arrival")


def test_all_facts_are_asked_for_in_one_pass() -> None:
    view = View((), Question(text="?"), closed=False)
    intent = TripIntent(
        start="A",
        visits=(visit("B"), visit("C")),
        ask="max_visits",
        ordered=False,
        mode=BIKE,
        depart_at=time(9),
    )
    assert solve_trip(intent, view) is None
    pairs = {(need.origin, need.destination) for need in view.needs if isinstance(need, TravelNeed)}
    assert pairs == {("A", "B"), ("A", "C"), ("B", "C"), ("C", "B")}
    assert [need.text for need in view.needs if isinstance(need, PlaceNeed)] == ["B", "C"]


def test_a_fixed_order_asks_for_its_own_legs_only() -> None:
    view = View((), Question(text="?"), closed=False)
    assert solve_trip(TripIntent(start="A", visits=(visit("B"), visit("C"))), view) is None
    pairs = [(need.origin, need.destination) for need in view.needs if isinstance(need, TravelNeed)]
    assert pairs == [("A", "B"), ("B", "C")]


NAMES = ("Inn", "Alpha", "Bravo", "Delta", "Echo")
TABLES = st.fixed_dictionaries({(a, b): st.integers(1, 90) for a in NAMES for b in NAMES[1:] if a != b})


@effort(0.4)
@given(minutes=TABLES, stays=st.tuples(*[st.sampled_from((20, 30, 45, 60))] * 4), budget=st.integers(0, 500))
def test_the_search_agrees_with_brute_force(
    minutes: dict[tuple[str, str], int], stays: tuple[int, ...], budget: int
) -> None:
    def spent(order: tuple[int, ...]) -> int:
        path = ("Inn", *(NAMES[index + 1] for index in order))
        ways = sum(minutes[a, b] for a, b in pairwise(path))
        return ways + sum(stays[index] for index in order)

    view = context(*matrix(NAMES, {pair: float(value) for pair, value in minutes.items()}))
    visits = tuple(visit(name, stay) for name, stay in zip(NAMES[1:], stays, strict=True))
    most = solve_trip(
        TripIntent(start="Inn", visits=visits, ask="max_visits", ordered=False, available_s=budget * 60), view
    )
    orders = [order for size in range(5) for order in permutations(range(4), size)]
    fitting = max(len(order) for order in orders if spent(order) <= budget or not order)
    assert most is not None
    assert most.value == Quantity(value=fitting, unit="count")
    best = solve_trip(TripIntent(start="Inn", visits=visits, ask="best_order", ordered=False), view)
    assert best is not None
    assert isinstance(best.value, Sequence)
    found = tuple(NAMES.index(name) - 1 for name in best.value.names)
    assert spent(found) == min(map(spent, permutations(range(4))))
