"""Solver for trips: travel and total times, deadlines, how many visits fit, the best order, schedules."""

from collections.abc import Callable, Sequence

from map_tools.compute.quantities import format_clock
from mapagent.answer import ClockTime, Quantity, Solution, Value
from modules.intents import TripIntent
from modules.solvers import trip_choice
from modules.solvers.measures import measure_words
from modules.solvers.route_facts import MODE_WORDS, Leg, claim_sum
from modules.solvers.trip_begin import departure_s
from modules.solvers.trip_case import TripCase, seconds_of
from modules.solvers.trip_clock import clock_of, clock_words
from modules.solvers.trip_hours import Windows, is_live
from modules.solvers.trip_search import Plan, claim_plan, earliest, latest, problem_of, table_of, walk
from modules.view import CannotTellError, View


def solve_trip(intent: TripIntent, view: View) -> Solution | None:
    """Answers a question about a trip; None while facts are being fetched.

    Raises:
        CannotTellError: The facts do not tell.
        LimitError: There are too many stops to put in order.
    """
    return _SOLVERS[intent.ask](TripCase.of(intent, view))


def _amount(case: TripCase) -> Solution | None:
    """Travel time, time with the stays, or length of the trip."""
    order = _fixed_order(case)
    legs = None if order is None else _chain(case, order)
    if order is None or legs is None:
        return None
    unit = "m" if case.intent.ask == "distance" else "s"
    stays = [case.dwell_s(stop) for stop in order if case.dwell_s(stop)]
    wanted = stays if case.intent.ask == "total_time" else []
    total, shown = claim_sum(case.trail, legs, unit, wanted)
    ranking: list[Value] = []
    if unit == "s" and stays:
        travel = sum(leg.duration_s for leg in legs)
        ranking.append(Quantity(value=travel if wanted else travel + sum(stays), unit="s"))
    return case.answered(Quantity(value=total, unit=unit), f"{_way(legs)}: {shown}", ranking)


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


def _chain(case: TripCase, order: Sequence[int]) -> tuple[Leg, ...] | None:
    if len(order) < 2:
        raise CannotTellError(f"The question names only one place, {case.words(order[0])}; a trip needs two.")
    return case.chain(order)


def _way(legs: Sequence[Leg]) -> str:
    """The legs in words; the mode once if it is one for all."""
    if len({leg.mode for leg in legs}) == 1:
        stops = " → ".join([legs[0].origin, *(leg.destination for leg in legs)])
        return f"{stops} {MODE_WORDS[legs[0].mode]}"
    return ", ".join(f"{leg.origin} → {leg.destination} {MODE_WORDS[leg.mode]}" for leg in legs)


def _arrival(case: TripCase) -> Solution | None:
    """When one reaches the last stop ("arrival") or leaves it again ("leave_at")."""
    order = case.order()
    legs = _chain(case, order)
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
    elif bound != plain and _day_is_open(case):
        case.trail.warn(
            "Places may be closed on arrival; the question names no day, so nothing is waited for."
        )
        bound = plain
    best = bound or plain
    claim_plan(case, best)
    leaving = case.intent.ask == "leave_at"
    values = [clock_of((one.depart_s if leaving else one.arrive_s)[-1]) for one in (best, plain)]
    shown = " + ".join((clock_words(begin_s), *best.parts(last_stay=leaving)))
    return case.answered(values[0], f"{_way(legs)}: {shown} = {_said(values[0])}", values[1:])


def _day_is_open(case: TripCase) -> bool:
    """True if a question of a live map names no day, so that it does not ask to wait for opening hours."""
    return is_live(case.view) and case.intent.day is None and case.view.question.at is None


def _said(value: ClockTime) -> str:
    return format_clock(value.at)


def _latest(case: TripCase) -> Solution | None:
    """The latest start that keeps every deadline and all opening hours.

    If the opening hours of places on the way make it earlier, the start that only heeds the last place and
    the stated deadlines comes next.
    """
    order = case.order()
    legs = _chain(case, order)
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
        f"{_way(legs)}: {shown} = {clock_words(plan.start_s)}",
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


def _spare(case: TripCase) -> Solution | None:
    """The time left over: up to the deadline, of the time at hand, or until the last place closes."""
    order = case.order()
    legs = _chain(case, order)
    if legs is None:
        return None
    stays = [case.dwell_s(stop) for stop in order if case.dwell_s(stop)]
    used, shown = claim_sum(case.trail, legs, "s", stays)
    deadline = case.intent.end_by or case.visits[-1].arrive_by
    if case.intent.available_s is not None:
        at_hand = case.intent.available_s
    elif deadline is not None:
        at_hand = seconds_of(deadline) - departure_s(case)
    else:
        windows = case.windows()
        if windows is None:
            return None
        at_hand = _closing_s(windows[order[-1]], departure_s(case) + used) - departure_s(case)
        # Opening hours are stated as such, so their seconds stand in no evidence.
        inputs = [leg.evidence_id for leg in legs]
        case.trail.claim("difference", inputs, at_hand - used, values=[at_hand, used], unit="open_s")
    if at_hand < used:
        raise CannotTellError(f"There is no time left over: {shown} is more than there is.")
    spare_s = at_hand - used
    words = f"{_way(legs)}: {shown}; {measure_words(at_hand, 's')} − that = {measure_words(spare_s, 's')}"
    return case.answered(Quantity(value=spare_s, unit="s"), words)


def _closing_s(windows: Windows | None, arrival_s: float) -> float:
    """When the place one arrives at closes.

    Raises:
        CannotTellError: Its hours are not known, or it is closed then.
    """
    if not windows:
        raise CannotTellError("The question sets no limit of time to be left over from.")
    open_then = [closes for opens, closes in windows if opens <= arrival_s <= closes]
    if not open_then:
        raise CannotTellError(f"The last place is not open when one arrives, at {clock_words(arrival_s)}.")
    return open_then[0]


_SOLVERS: dict[str, Callable[[TripCase], Solution | None]] = {
    "travel_time": _amount,
    "total_time": _amount,
    "distance": _amount,
    "arrival": _arrival,
    "leave_at": _arrival,
    "latest_departure": _latest,
    "spare": _spare,
    "feasible": trip_choice.feasible,
    "max_visits": trip_choice.max_visits,
    "best_order": trip_choice.best,
    "schedule": trip_choice.schedule,
}
