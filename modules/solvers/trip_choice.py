"""Solvers that search or judge plans: is it possible, how many visits fit, which order, which schedule."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from map_tools.errors import ProviderError
from map_tools.facts import FailureFact
from mapagent.answer import Named, Quantity, Schedule, ScheduleStop, Solution, YesNo
from mapagent.answer import Sequence as Order
from modules.solvers import trip_judge
from modules.solvers.measures import measure_words
from modules.solvers.route_facts import Leg
from modules.solvers.trip_begin import begin_s
from modules.solvers.trip_case import TripCase, seconds_of
from modules.solvers.trip_clock import clock_words
from modules.solvers.trip_hours import Windows, is_live
from modules.solvers.trip_search import Plan, claim_plan, earliest, fullest, problem_of, walk
from modules.view import CannotTellError

type Table = dict[tuple[int, int], Leg]
type Facts = tuple[Table, tuple[Windows | None, ...]]


def budget_s(case: TripCase) -> float | None:
    """The time at hand for the whole trip; None if the question sets no limit."""
    begin = begin_s(case)
    limits = [case.intent.available_s]
    if case.intent.end_by is not None and begin is not None:
        limits.append(seconds_of(case.intent.end_by) - begin)
    return min((limit for limit in limits if limit is not None), default=None)


def _gathered(case: TripCase) -> Facts | None:
    """All legs and opening hours, asked for in one pass; None while they are being fetched.

    In the order of the question only its own legs are asked for.
    """
    chained = case.intent.ordered and case.intent.ask == "feasible"
    table = case.known_chain() if chained else case.table()
    windows = _binding_windows(case)
    return None if table is None or windows is None else (table, windows)


def _binding_windows(case: TripCase) -> tuple[Windows | None, ...] | None:
    """The opening hours that bind the trip; None while they are being fetched.

    Without a time of departure none do, but a day of rest does if the question tells the day.
    """
    if begin_s(case) is not None:
        return case.windows()
    if case.day_is_open:
        return (None,) * len(case.visits)
    windows = case.windows()
    return windows and tuple(() if one == () else None for one in windows)


def max_visits(case: TripCase) -> Solution | None:
    """The largest number of visits that fit in the time at hand."""
    facts = _gathered(case)
    if facts is None:
        return None
    table, windows = facts
    _require_reachable(case, table, each=is_live(case.view))
    limit = budget_s(case)
    if limit is None and not _bound(windows):
        raise CannotTellError("The question sets no limit of time.")
    order = tuple(range(len(case.visits))) if case.intent.ordered else None
    plan = fullest(problem_of(case, table, windows, begin_s(case) or 0.0, order=order), table, limit)
    names = [case.words(stop) for stop in plan.visits] if plan is not None else []
    words = f"{len(names)} of {len(case.visits)} places fit"
    if plan is not None:
        claim_plan(case, plan)
        words += f": {plan.words(case)}"
    case.trail.claim("count", plan.evidence_ids if plan else (), len(names), labels=names)
    return case.answered(Quantity(value=len(names), unit="count"), words + _at_hand(case, limit))


def _bound(windows: Sequence[Windows | None]) -> bool:
    """True if any opening hours are known; no hours at all (a day of rest) bind most."""
    return any(one is not None for one in windows)


def _require_reachable(case: TripCase, table: Table, *, each: bool) -> None:
    """A place no way leads to or from is unknown, not too far; with `each` one is enough, else all must be.

    Raises:
        CannotTellError: There is such a place.
    """
    known = {stop for pair in table for stop in pair}
    unknown = [stop for stop in case.order() if stop not in known]
    if unknown and (each or not table) and len(case.order()) > 1:
        name = case.words(unknown[0])
        reasons = [*_failures(case, name), *(text for text in case.trail.warnings if name in text)]
        raise CannotTellError((reasons or [f"No way to {name} is known."])[0])


def _failures(case: TripCase, name: str) -> Iterator[str]:
    """What a source said that failed to tell the ways to or from a place: a quota, a missing permission."""
    for _, fact in case.view.facts(FailureFact):
        if fact.code == ProviderError.code and name in fact.subject:
            yield f"{fact.message} {fact.remedy}".strip()


def _at_hand(case: TripCase, limit: float | None) -> str:
    """The limit as the question states it: an amount of time, or a time of day."""
    if limit is None:
        return ""
    if limit != case.intent.available_s and case.intent.end_by is not None:
        return f"; to be over by {clock_words(seconds_of(case.intent.end_by))}"
    return f"; {measure_words(limit, 's')} at hand"


def feasible(case: TripCase) -> Solution | None:
    """Whether the trip can be made within the time, the deadlines and the opening hours."""
    facts = _gathered(case)
    if facts is None:
        return None
    table, windows = facts
    limit = budget_s(case)
    if limit is None and not _bound(windows) and not any(visit.arrive_by for visit in case.visits):
        raise CannotTellError("The question sets no limit of time that the trip could break.")
    order = case.order()
    problem = problem_of(case, table, windows, begin_s(case) or 0.0)
    if not case.intent.ordered:
        _require_reachable(case, table, each=True)
        plan = earliest(problem, table)
    elif all(pair in table for pair in pairwise(order)):
        plan = walk(problem, table, order)
    else:
        return _feasible_at_best(case, table, limit)
    if plan is None:
        return case.answered(YesNo(value=False), "No plan keeps the opening hours and the times set.")
    claim_plan(case, plan)
    fits = (limit is None or plan.duration_s <= limit) and not _waits_out_a_break(case, plan, windows)
    words = f"{plan.words(case)}: {measure_words(plan.duration_s, 's')} in all{_at_hand(case, limit)}"
    return case.answered(YesNo(value=fits), words)


def _waits_out_a_break(case: TripCase, plan: Plan, windows: Sequence[Windows | None]) -> bool:
    """True if the last stay begins only after a break although it must be over before the place closes."""
    last = plan.visits[-1] if plan.visits else -1
    spans = windows[last] if last >= 0 else None
    if not case.intent.before_closing or not spans:
        return False
    position = plan.order.index(last)
    return spans[0][0] <= plan.arrive_s[position] < plan.begin_s[position]


def _feasible_at_best(case: TripCase, table: Table, limit: float | None) -> Solution:
    """With legs missing a trip is impossible only if what is known is too long already."""
    stays = [case.dwell_s(stop) for stop in case.order() if case.dwell_s(stop)]
    values = [*(leg.duration_s for leg in table.values()), *stays]
    if limit is None or sum(values) <= limit:
        raise CannotTellError(case.trail.warnings[-1])
    case.trail.claim("sum", [leg.evidence_id for leg in table.values()], sum(values), values=values, unit="s")
    words = (
        f"the stays and the known ways alone take {measure_words(sum(values), 's')}{_at_hand(case, limit)}"
    )
    return case.answered(YesNo(value=False), words)


def best(case: TripCase) -> Solution | None:
    """The order of least time; options that are orders are judged one by one."""
    facts = _gathered(case)
    if facts is None:
        return None
    table, windows = facts
    problem = problem_of(case, table, windows, begin_s(case) or 0.0)
    judged = trip_judge.orders(case, problem, table)
    plan = judged[0][1] if judged else earliest(problem, table)
    if plan is None:
        _require_reachable(case, table, each=is_live(case.view))
        raise CannotTellError("No order of the visits keeps the opening hours and the times set.")
    claim_plan(case, plan)
    words = f"{plan.words(case)}: {measure_words(plan.duration_s, 's')} in all"
    if judged:
        return trip_judge.picked(case, [option for option, _ in judged], words)
    names = case.names(plan.visits)
    if case.intent.wanted == "last":
        names = names[::-1]
    if trip_judge.options_name_single_stops(case) or case.intent.wanted != "order":
        return case.answered(Named(name=names[0]), words, [Named(name=name) for name in names[1:]])
    return case.answered(Order(names=names), words, [Order(names=case.names(plan.order))])


def schedule(case: TripCase) -> Solution | None:
    """A whole plan with its times; options that are schedules are judged one by one."""
    table, windows = case.table(), case.windows()
    if table is None or windows is None:
        return None
    timed = trip_judge.schedules(case, table, windows)
    if timed is None:
        return _own_schedule(case, table, windows)
    if not timed:
        raise CannotTellError("None of the schedules fits the travel times, the stays and the opening hours.")
    return trip_judge.picked(case, timed, "in keeping with the travel times, the stays and the opening hours")


def _own_schedule(case: TripCase, table: Table, windows: tuple[Windows | None, ...]) -> Solution:
    begin = begin_s(case)
    if begin is None:
        begin = _first_opening(windows)
        case.trail.warn(
            f"The question names no start; {clock_words(begin)} was taken, when the first place opens."
        )
    order = case.order()
    deadline = None if case.intent.end_by is None else seconds_of(case.intent.end_by)
    problem = problem_of(case, table, windows, begin, deadline_s=deadline)
    chained = case.intent.ordered and all(pair in table for pair in pairwise(order))
    plan = walk(problem, table, order) if chained else earliest(problem, table)
    if plan is None:
        raise CannotTellError("No plan keeps the opening hours and the times set.")
    claim_plan(case, plan)
    value = Schedule(stops=_schedule_stops(case, plan))
    return case.answered(value, plan.words(case), [Order(names=case.names(plan.visits))])


def _first_opening(windows: Sequence[Windows | None]) -> float:
    opens = [spans[0][0] for spans in windows if spans]
    if not opens:
        raise CannotTellError("The question does not say when the trip begins; name the time one leaves.")
    return min(opens)


def _schedule_stops(case: TripCase, plan: Plan) -> tuple[ScheduleStop, ...]:
    return tuple(
        ScheduleStop(name=case.words(stop), arrive_min=arrive / 60, depart_min=depart / 60)
        for stop, arrive, depart in zip(plan.order, plan.arrive_s, plan.depart_s, strict=True)
    )
