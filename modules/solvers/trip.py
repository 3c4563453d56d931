"""Solver for trips: travel and total times, deadlines, how many visits fit, the best order, schedules."""

from collections.abc import Callable, Sequence

from map_tools.compute.quantities import format_clock
from mapagent.answer import ClockTime, Quantity, Solution, Value
from modules.offline.intents import TripIntent
from modules.solvers import trip_choice
from modules.solvers.common import Trail
from modules.solvers.route_facts import Leg, claim_sum
from modules.solvers.trip_begin import departure_s
from modules.solvers.trip_case import TripCase, fixed_chain, seconds_of, way_words
from modules.solvers.trip_clock import clock_of, clock_words
from modules.solvers.trip_hours import Windows
from modules.solvers.trip_search import Plan, claim_plan, earliest, latest, problem_of, table_of, walk
from modules.solvers.trip_searches import settle
from modules.solvers.trip_spare import spare
from modules.view import CannotTellError, View


def solve_trip(intent: TripIntent, view: View) -> Solution | None:
    """Answers a question about a trip; None while facts are being fetched.

    Raises:
        CannotTellError: The facts do not tell.
        LimitError: There are too many stops to put in order.
    """
    trail = Trail()
    settled = settle(intent, view, trail)
    if settled is None:
        return None
    solution = _SOLVERS[intent.ask](TripCase.of(settled.intent, view, trail))
    if solution is None or not settled.titles:
        return solution
    warnings = tuple(settled.named(warning) for warning in solution.warnings)
    told = {"explanation": settled.named(solution.explanation), "warnings": warnings}
    return solution.model_copy(update=told)


def _amount(case: TripCase) -> Solution | None:
    """Travel time, time with the stays, or length of the trip."""
    order = _fixed_order(case)
    legs = None if order is None else fixed_chain(case, order)
    if order is None or legs is None:
        return None
    unit = "m" if case.intent.ask == "distance" else "s"
    if case.intent.counted is not None:
        legs = tuple(leg for leg in legs if leg.mode is case.intent.counted)
    stays = [case.dwell_s(stop) for stop in order if case.dwell_s(stop)]
    wanted = stays if case.intent.ask == "total_time" else []
    total, shown = claim_sum(case.trail, legs, unit, wanted)
    ranking: list[Value] = []
    if unit == "s" and stays:
        travel = sum(leg.duration_s for leg in legs)
        ranking.append(Quantity(value=travel if wanted else travel + sum(stays), unit="s"))
    return case.answered(Quantity(value=total, unit=unit), f"{way_words(legs)}: {shown}", ranking)


def _fixed_order(case: TripCase) -> tuple[int, ...] | None:
    """The order of the question, or the best one where the question leaves it open."""
    if case.intent.ordered or len(case.visits) < 2:
        return case.order()
    table = case.table()
    if table is None:
        return None
    found = earliest(problem_of(case, table, _any_time(case), 0.0), table)
    if found is None:
        raise CannotTellError("The stops cannot be joined to one trip with the travel times at hand.")
    return found.order


def _any_time(case: TripCase) -> tuple[Windows | None, ...]:
    return (None,) * len(case.visits)


def _arrival(case: TripCase) -> Solution | None:
    """When one reaches the last stop ("arrival") or leaves it again ("leave_at")."""
    order = case.order()
    legs = fixed_chain(case, order)
    windows = case.windows()
    if legs is None or windows is None:
        return None
    table = table_of(order, legs)
    begin_s = departure_s(case)
    if case.view.waiting:
        return None
    plain = walk(problem_of(case, table, _any_time(case), begin_s), table, order)
    bound = walk(problem_of(case, table, windows, begin_s), table, order)
    if plain is None:
        raise CannotTellError("The trip cannot be made within the times the question sets.")
    if bound is None:
        case.trail.warn(
            "Not all places are open for the whole of the visit; the plain sum of times is given."
        )
    elif bound != plain and case.day_is_open:
        case.trail.warn(
            "Places may be closed on arrival; the question names no day, so nothing is waited for."
        )
        bound = plain
    best = bound or plain
    claim_plan(case, best)
    leaving = case.intent.ask == "leave_at"
    values = [clock_of((one.depart_s if leaving else one.arrive_s)[-1]) for one in (best, plain)]
    shown = " + ".join((clock_words(begin_s), *best.parts(last_stay=leaving)))
    return case.answered(values[0], f"{way_words(legs)}: {shown} = {_said(values[0])}", values[1:])


def _said(value: ClockTime) -> str:
    return format_clock(value.at)


def _latest(case: TripCase) -> Solution | None:
    """The latest start that keeps every deadline and all opening hours.

    If the opening hours of places on the way make it earlier, the start that only heeds the last place and
    the stated deadlines comes next.
    """
    order = case.order()
    legs = fixed_chain(case, order)
    windows = case.windows()
    if legs is None or windows is None:
        return None
    starts = _latest_starts(case, order, legs, windows)
    if not starts:
        raise CannotTellError(
            "Nothing at hand limits the trip: neither a deadline nor opening hours are known."
        )
    plan = starts[0]
    claim_plan(case, plan)
    shown = " − ".join((clock_words(plan.finish_s), *reversed(plan.parts())))
    return case.answered(
        clock_of(plan.start_s),
        f"{way_words(legs)}: {shown} = {clock_words(plan.start_s)}",
        [clock_of(other.start_s) for other in starts[1:]],
    )


def _latest_starts(
    case: TripCase, order: Sequence[int], legs: Sequence[Leg], windows: Sequence[Windows | None]
) -> list[Plan]:
    """The latest plans under all opening hours, under those of the last place, and under deadlines alone."""
    table = table_of(order, legs)
    deadline_s = None if case.intent.end_by is None else seconds_of(case.intent.end_by)
    last_only = tuple(one if stop == len(windows) - 1 else None for stop, one in enumerate(windows))
    found: list[Plan] = []
    opening = any(visit.at_opening for visit in case.visits)
    for one in (tuple(windows), last_only) if opening else (tuple(windows), last_only, _any_time(case)):
        plan = latest(problem_of(case, table, one, 0.0, deadline_s=deadline_s), table, order)
        if plan is not None:
            found.append(plan)
        elif one == tuple(windows):
            case.trail.warn("The opening hours of the places on the way cannot all be kept.")
    return found


_SOLVERS: dict[str, Callable[[TripCase], Solution | None]] = {
    "travel_time": _amount,
    "total_time": _amount,
    "distance": _amount,
    "arrival": _arrival,
    "leave_at": _arrival,
    "latest_departure": _latest,
    "spare": spare,
    "feasible": trip_choice.feasible,
    "max_visits": trip_choice.max_visits,
    "best_order": trip_choice.best,
    "schedule": trip_choice.schedule,
}
