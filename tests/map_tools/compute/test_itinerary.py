"""Trip planning against brute force over all orders, and its certificate."""

import math
from dataclasses import replace
from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.compute import itinerary
from map_tools.compute.itinerary import best_order, feasible, latest_departure, max_visits, simulate
from map_tools.compute.trip_model import (
    END,
    START,
    Conflict,
    Itinerary,
    Problem,
    Stop,
    travel_of_table,
)
from map_tools.errors import LimitError
from tests.map_tools.compute.trips import check, travel_of_matrix
from tests.support.effort import effort

H = 3600.0


def brute_finish(problem: Problem, order: tuple[int, ...], start_s: float) -> tuple[float, float] | None:
    """End and travel of an order by plain simulation, written apart from the code under test."""
    here, clock, travelled = (START if problem.has_start else None), start_s, 0.0
    for index in order:
        leg = 0.0 if here is None else problem.travel(here, index)
        if leg is None:
            return None
        stop = problem.stops[index]
        arrival = clock + leg
        if stop.arrive_by_s is not None and arrival > stop.arrive_by_s:
            return None
        begin = max(arrival, stop.not_before_s if stop.not_before_s is not None else -math.inf)
        windows = [(-math.inf, math.inf)] if stop.windows is None else stop.windows
        fits = [max(begin, a) for a, b in windows if max(begin, a) + stop.dwell_s <= b]
        if not fits:
            return None
        clock, travelled, here = min(fits) + stop.dwell_s, travelled + leg, index
    if problem.has_end and here is not None:
        leg = problem.travel(here, END)
        if leg is None:
            return None
        clock, travelled = clock + leg, travelled + leg
    if problem.deadline_s is not None and clock > problem.deadline_s:
        return None
    return clock, travelled


def brute_best(problem: Problem, count: int, start_s: float) -> tuple[float, float] | None:
    """The best end and travel over all orders of `count` stops."""
    orders = (
        order for chosen in combinations(range(len(problem.stops)), count) for order in permutations(chosen)
    )
    if problem.order is not None:
        orders = combinations(problem.order, count)
    results = (brute_finish(problem, order, start_s) for order in orders)
    return min((result for result in results if result is not None), default=None)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Small trips in whole minutes, some of them impossible."""
    size = draw(st.integers(1, 5))
    minutes = st.integers(0, 12).map(lambda n: n * 10.0)
    window = st.tuples(minutes, minutes).map(lambda pair: (min(pair), max(pair) + 20))
    stops = tuple(
        Stop(
            name=f"stop {number}",
            dwell_s=draw(st.sampled_from([0.0, 5.0, 20.0])),
            windows=draw(st.none() | st.lists(window, max_size=2).map(tuple)),
            arrive_by_s=draw(st.none() | minutes),
            not_before_s=draw(st.none() | minutes),
        )
        for number in range(size)
    )
    leg = st.sampled_from([1.0, 5.0, 10.0, 17.0, 30.0, None, 3.0, 8.0])
    matrix = [[draw(leg) for _ in range(size + 2)] for _ in range(size + 2)]
    return Problem(
        stops=stops,
        travel=travel_of_matrix(matrix, size),
        start_s=draw(st.sampled_from([0.0, 15.0])),
        has_start=draw(st.booleans()),
        has_end=draw(st.booleans()),
        deadline_s=draw(st.none() | st.sampled_from([60.0, 90.0, 150.0])),
        order=draw(st.none() | st.permutations(range(size)).map(tuple)),
    )


@effort(3)
@given(problems())
def test_the_best_order_is_that_of_brute_force(problem: Problem) -> None:
    expected = brute_best(problem, len(problem.stops), problem.start_s)
    plan = best_order(problem)
    if expected is None:
        assert isinstance(plan, Conflict)
        assert plan.constraints
    else:
        assert isinstance(plan, Itinerary)
        assert (plan.finish_s, plan.travel_s) == expected
        assert check(plan, problem) == []
    assert feasible(problem) is (expected is not None)


@effort(2)
@given(problems(), st.sampled_from([20.0, 60.0, 100.0]))
def test_the_most_visits_are_those_of_brute_force(problem: Problem, budget_s: float) -> None:
    limit = min(problem.start_s + budget_s, math.inf if problem.deadline_s is None else problem.deadline_s)
    limited = replace(problem, deadline_s=limit)
    counts = range(len(problem.stops), 0, -1)
    found = ((count, brute_best(limited, count, problem.start_s)) for count in counts)
    count, best = next(((count, best) for count, best in found if best is not None), (0, None))
    plan = max_visits(problem, budget_s)
    assert len(plan.stops) == count
    if best is not None:
        assert (plan.finish_s, plan.travel_s) == best
        assert check(plan, problem, budget_s=budget_s, partial=True) == []


@effort(2)
@given(problems())
def test_the_latest_departure_works_and_no_later_one_does(problem: Problem) -> None:
    latest = latest_departure(problem)
    if latest is None:
        assert brute_best(problem, len(problem.stops), problem.start_s) is None
    elif latest == math.inf:
        assert brute_best(problem, len(problem.stops), 1e6) is not None
    else:
        assert brute_best(problem, len(problem.stops), latest) is not None
        assert brute_best(problem, len(problem.stops), latest + 0.5) is None


@effort(1.5)
@given(problems(), st.data())
def test_the_certificate_rejects_what_was_tampered_with(problem: Problem, data: st.DataObject) -> None:
    plan = best_order(problem)
    if not isinstance(plan, Itinerary):
        return
    position = data.draw(st.integers(0, len(plan.stops) - 1))
    name = data.draw(st.sampled_from(["arrive_s", "start_s", "depart_s"]))
    stop = plan.stops[position]
    changed = replace(stop, **{name: getattr(stop, name) - 1})
    forged = [
        replace(plan, stops=(*plan.stops[:position], changed, *plan.stops[position + 1 :])),
        replace(plan, travel_s=plan.travel_s + 1),
        replace(plan, finish_s=plan.finish_s - 1),
        replace(plan, stops=plan.stops[:-1]),
        replace(plan, stops=(*plan.stops, plan.stops[0])),
        replace(plan, start_s=plan.start_s + 1),
    ]
    assert all(check(one, problem) for one in forged)


@effort(1)
@given(problems(), problems())
def test_a_plan_of_another_trip_is_judged_by_arithmetic(problem: Problem, other: Problem) -> None:
    plan = best_order(replace(problem, order=None, deadline_s=None))
    if isinstance(plan, Itinerary) and len(problem.stops) == len(other.stops):
        expected = brute_finish(other, plan.order, other.start_s)
        kept = simulate(other, plan.order)
        assert (kept is None) is (expected is None)
        if kept is not None:
            assert check(kept, replace(other, order=None)) == []


def museum_day(**changes: object) -> Problem:
    """From a hotel at 9:00: a museum open 10-17, lunch for 1 h at noon at the earliest, and back."""
    stops = (
        Stop("Museum", dwell_s=2 * H, windows=((10 * H, 17 * H),)),
        Stop("Lunch", dwell_s=H, not_before_s=12 * H),
    )
    legs = {
        (START, 0): 1800.0,
        (START, 1): 600.0,
        (0, 1): 900.0,
        (1, 0): 900.0,
        (0, END): 1800.0,
        (1, END): 600.0,
    }
    problem = Problem(stops, travel_of_table(legs), start_s=9 * H, has_start=True, has_end=True)
    return replace(problem, **changes)  # type: ignore[arg-type]


def test_a_day_by_hand() -> None:
    plan = best_order(museum_day())
    assert isinstance(plan, Itinerary)
    # 9:00 → 9:30, wait to 10:00, leave 12:00 → lunch 12:15 to 13:15 → back at 13:25.
    museum, lunch = plan.stops
    assert (museum.name, museum.arrive_s, museum.start_s, museum.depart_s) == (
        "Museum",
        9.5 * H,
        10 * H,
        12 * H,
    )
    assert (lunch.arrive_s, lunch.start_s, lunch.depart_s) == (12.25 * H, 12.25 * H, 13.25 * H)
    assert plan.finish_s == 13.25 * H + 600
    assert (plan.travel_s, plan.wait_s) == (1800 + 900 + 600, 1800)


def test_the_latest_departure_by_hand() -> None:
    # The museum must begin at 15:00, so leave at 14:30; with lunch before it, from 13:45, leave at 13:35.
    assert latest_departure(museum_day()) == 14.5 * H
    assert latest_departure(museum_day(), (1, 0)) == 13 * H + 35 * 60
    assert latest_departure(museum_day(deadline_s=12 * H)) is None


def test_the_latest_departure_can_be_kept_whatever_sums_of_floats_round_to() -> None:
    # (45000.3 - 900.1) - 8192.3 + 8192.3 + 900.1 is a little more than 45000.3 in floats.
    stop = Stop("Museum", dwell_s=900.1, windows=((9.5 * H, 45000.3),))
    problem = Problem((stop,), travel_of_table({(START, 0): 8192.3}), start_s=8 * H, has_start=True)
    latest = latest_departure(problem)
    assert latest == pytest.approx(45000.3 - 900.1 - 8192.3)
    plan = simulate(problem, start_s=latest)
    assert plan is not None
    assert check(plan, replace(problem, start_s=plan.start_s)) == []


def test_a_conflict_names_what_cannot_be_kept_together() -> None:
    conflict = best_order(museum_day(deadline_s=13 * H))
    assert isinstance(conflict, Conflict)
    assert conflict.constraints == ("Lunch not before 12:00 PM", "the trip ends by 1:00 PM")
    late = best_order(museum_day(start_s=16 * H))
    assert late == Conflict(("Museum is open 10:00 AM – 5:00 PM",))
    swapped = best_order(museum_day(order=(1, 0), start_s=14.5 * H))
    assert swapped == Conflict(("Museum is open 10:00 AM – 5:00 PM", "the order of the visits"))


def test_places_without_a_way() -> None:
    problem = Problem((Stop("A"), Stop("B")), travel_of_table({}))
    assert best_order(problem) == Conflict(("there is no way between all the stops",))
    assert simulate(problem, (0, 1)) is None
    assert [stop.name for stop in max_visits(problem).stops] == ["A"]


def _on_circle(numbers: list[int]) -> Problem:
    """A round trip from number 0 over others of thirteen points on a circle: the best one goes around it."""
    at = {START: 0, END: 0, **dict(enumerate(numbers))}

    def chord(a: int, b: int) -> float:
        return 2000 * abs(math.sin(math.pi * (at[a] - at[b]) / 13))

    stops = tuple(Stop(f"point {number}") for number in numbers)
    return Problem(stops, chord, has_start=True, has_end=True)


def test_twelve_stops_are_put_in_order() -> None:
    numbers = [7, 2, 11, 4, 9, 1, 12, 5, 3, 10, 6, 8]
    plan = best_order(_on_circle(numbers))
    assert isinstance(plan, Itinerary)
    assert [numbers[index] for index in plan.order] in (list(range(1, 13)), list(range(12, 0, -1)))
    assert plan.travel_s == pytest.approx(13 * 2000 * math.sin(math.pi / 13))


def test_many_stops_of_which_some_fit() -> None:
    """Going around, six chords and the one home from the sixth point are the longest tour within their sum."""
    chords = 6 * 2000 * math.sin(math.pi / 13) + 2000 * math.sin(6 * math.pi / 13)
    numbers = [7, 2, 11, 4, 9, 1, 12, 5, 3, 10, 6, 8]
    assert len(max_visits(_on_circle(numbers), budget_s=chords + 1).stops) >= 6
    assert len(max_visits(_on_circle(numbers), budget_s=13 * 2000 * math.sin(math.pi / 13) - 1).stops) == 11


def test_plans_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(itinerary, "MAX_PLANS", 1_000)
    with pytest.raises(LimitError, match="too many plans"):
        best_order(_on_circle(list(range(1, 13))))


def test_many_stops_that_cannot_be_kept_say_which_are_closed() -> None:
    stops = tuple(Stop(f"stop {number}", windows=() if number == 4 else None) for number in range(12))
    assert best_order(Problem(stops, lambda _a, _b: 60.0)) == Conflict(("stop 4 is closed",))


def test_too_many_stops_are_refused_unless_ordered() -> None:
    stops = tuple(Stop(f"stop {number}") for number in range(13))
    problem = Problem(stops, lambda _a, _b: 60.0)
    with pytest.raises(LimitError, match="at most 12"):
        best_order(problem)
    plan = best_order(replace(problem, order=tuple(range(13))))
    assert isinstance(plan, Itinerary)
    assert plan.travel_s == sum(60 for _ in pairwise(stops))


def test_nine_stops_are_planned_exactly() -> None:
    # On a circle the best tour is the circle itself.
    around = [0, 3, 6, 1, 4, 7, 2, 5, 8]
    place = {index: position for position, index in enumerate(around, start=1)} | {START: 0, END: 10}
    plan = best_order(
        Problem(
            tuple(Stop(str(n)) for n in range(9)),
            lambda a, b: 60.0 * abs(place[a] - place[b]),
            has_start=True,
            has_end=True,
        )
    )
    assert isinstance(plan, Itinerary)
    assert plan.order == tuple(around)
