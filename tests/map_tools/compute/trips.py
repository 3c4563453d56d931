"""Whether a planned trip is right, and travel times for made-up trips.

A search may be wrong; what it returns can be checked by plain arithmetic. `check` does so number by number,
with no code of the search: an itinerary is right exactly if the list of faults is empty.
"""

import math
from collections.abc import Iterator, Sequence

from map_tools.compute.trip_model import END, START, Itinerary, PlannedStop, Problem, Travel

TOLERANCE_S = 1e-6
"""Times are sums of a few floats below 10⁶ s; their error is far below this."""


def travel_of_matrix(rows: Sequence[Sequence[float | None]], stops: int) -> Travel:
    """Travel times from a matrix: rows and columns are the stops, then the start, then the end.

    One extra row and column serves as both start and end: the trip returns to where it began.
    """
    last = len(rows) - 1

    def travel_s(a: int, b: int) -> float | None:
        row, column = (place if place >= 0 else stops if place == START else last for place in (a, b))
        return rows[row][column]

    return travel_s


def check(
    itinerary: Itinerary, problem: Problem, *, budget_s: float | None = None, partial: bool = False
) -> list[str]:
    """All faults of an itinerary; none if it is right.

    Args:
        itinerary: The plan to check.
        problem: What was asked for.
        budget_s: The longest the trip may take.
        partial: Stops may be left out.
    """
    return [
        *_selection_faults(itinerary, problem, partial=partial),
        *_clock_faults(itinerary, problem),
        *_sum_faults(itinerary, problem),
        *(fault for planned in itinerary.stops for fault in _stop_faults(planned, problem)),
        *_limit_faults(itinerary, problem, budget_s),
    ]


def _selection_faults(itinerary: Itinerary, problem: Problem, *, partial: bool) -> Iterator[str]:
    """Every stop once, by its name, in the fixed order if there is one."""
    numbers = [planned.index for planned in itinerary.stops]
    if len(set(numbers)) < len(numbers):
        yield "A stop is visited twice."
    for planned in itinerary.stops:
        if not 0 <= planned.index < len(problem.stops) or problem.stops[planned.index].name != planned.name:
            yield f"{planned.name} is not stop {planned.index} of the trip."
    if not partial and set(numbers) != set(range(len(problem.stops))):
        yield "Not all stops are visited."
    if problem.order is not None and numbers != [index for index in problem.order if index in numbers]:
        yield "The order asked for is not kept."


def _clock_faults(itinerary: Itinerary, problem: Problem) -> Iterator[str]:
    """Each arrival is the departure before plus the travel between."""
    if not _same(itinerary.start_s, problem.start_s):
        yield "The trip does not begin when it should."
    left_s = itinerary.start_s
    for before, planned in zip(_path(itinerary, problem), itinerary.stops, strict=False):
        leg_s = 0.0 if before is None else problem.travel(before, planned.index)
        if leg_s is None:
            yield f"There is no way to {planned.name}."
        elif not _same(planned.arrive_s, left_s + leg_s):
            yield f"The arrival at {planned.name} is not the departure before plus the travel."
        left_s = planned.depart_s
    home_s = _home_s(itinerary, problem)
    if home_s is None:
        yield "There is no way to the end of the trip."
    elif not _same(itinerary.finish_s, left_s + home_s):
        yield "The end of the trip is not the last departure plus the travel."


def _sum_faults(itinerary: Itinerary, problem: Problem) -> Iterator[str]:
    """The travel is the sum of the legs."""
    legs = [
        0.0 if before is None else problem.travel(before, planned.index)
        for before, planned in zip(_path(itinerary, problem), itinerary.stops, strict=False)
    ]
    total_s = math.fsum(leg or 0.0 for leg in (*legs, _home_s(itinerary, problem)))
    if not _same(itinerary.travel_s, total_s):
        yield "The travel is not the sum of its legs."


def _stop_faults(planned: PlannedStop, problem: Problem) -> Iterator[str]:
    """Waiting, stay, opening hours and limits of one visit."""
    if not 0 <= planned.index < len(problem.stops):
        return
    stop = problem.stops[planned.index]
    if planned.start_s < planned.arrive_s - TOLERANCE_S:
        yield f"The stay at {stop.name} begins before the arrival."
    if not _same(planned.depart_s - planned.start_s, stop.dwell_s):
        yield f"The stay at {stop.name} is not as long as asked."
    if stop.not_before_s is not None and planned.start_s < stop.not_before_s - TOLERANCE_S:
        yield f"The stay at {stop.name} begins too early."
    if stop.arrive_by_s is not None and planned.arrive_s > stop.arrive_by_s + TOLERANCE_S:
        yield f"The arrival at {stop.name} is too late."
    if stop.windows is not None and not any(
        opens - TOLERANCE_S <= planned.start_s and planned.depart_s <= closes + TOLERANCE_S
        for opens, closes in stop.windows
    ):
        yield f"{stop.name} is not open during the whole stay."


def _limit_faults(itinerary: Itinerary, problem: Problem, budget_s: float | None) -> Iterator[str]:
    if problem.deadline_s is not None and itinerary.finish_s > problem.deadline_s + TOLERANCE_S:
        yield "The trip ends after its deadline."
    if budget_s is not None and itinerary.finish_s - itinerary.start_s > budget_s + TOLERANCE_S:
        yield "The trip takes longer than the time at hand."


def _path(itinerary: Itinerary, problem: Problem) -> list[int | None]:
    """The places before each stop and before the end."""
    return [START if problem.has_start else None, *(planned.index for planned in itinerary.stops)]


def _home_s(itinerary: Itinerary, problem: Problem) -> float | None:
    last = _path(itinerary, problem)[-1]
    return problem.travel(last, END) if problem.has_end and last is not None else 0.0


def _same(a: float, b: float) -> bool:
    return abs(a - b) <= TOLERANCE_S
