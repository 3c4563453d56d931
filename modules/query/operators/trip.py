"""Operators for trips: visits in order, with opening hours, deadlines and stays."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise

from map_tools.compute import hours as opening
from map_tools.compute import itinerary
from map_tools.compute.trip_model import END, START, Problem
from map_tools.compute.trip_model import Stop as PlannedPlace
from map_tools.errors import LimitError
from map_tools.types import TravelMode
from modules.query.interpreter.context import Context
from modules.query.interpreter.fields import duration_of, length_of
from modules.query.interpreter.hours import hours_of
from modules.query.operators import base
from modules.query.operators.base import Duration, List, Mode, Order, Place, Time, YesNo, operator
from modules.query.operators.travel import as_thing
from modules.query.values.algebra import ValueTypeError
from modules.query.values.moment import DAY, Moment, parse_moment
from modules.query.values.things import Choice, Items, Plan, Stop, Thing, Visit, Way
from modules.query.values.unknown import Unknown, Waiting, Why

AHEAD_DAYS = 3
"""Opening hours are looked at from the day before a trip to so many days after its begin."""


@operator(module="sequencer", phrase="{to}[ for {stay}][ begun {window}][, reached by {mode}]")
def visit(
    context: Context,
    to: Place,
    *,
    stay: Duration | None = None,
    window: List | None = None,
    mode: Mode | None = None,
) -> base.Visit | Unknown:
    """A stay of a trip. window=["12:00", "14:00"]: when it may begin; mode= how one gets there."""
    bounds = _window(context, window)
    seconds = 0.0 if stay is None else stay.value
    return Visit(to, seconds, bounds, TravelMode(mode) if mode is not None else None)


def _window(context: Context, given: Items | None) -> tuple[Moment, Moment] | None:
    if given is None:
        return None
    ends = [one if isinstance(one, Moment) else parse_moment(str(one), context.situation.now) for one in given]
    if len(ends) != 2 or any(end is None for end in ends):
        raise ValueTypeError('window= takes two times: ["12:00", "14:00"]')
    return ends[0], ends[1]  # type: ignore[return-value]


@operator(
    module="sequencer",
    phrase="a trip by {mode}[ from {start}] to {visits}[, ending at {end}][, leaving at {depart}][, there by {arrive}]"
    "[ in {order} order][ leaving out what does not fit: {skip}][ minding opening hours: {hours}]",
)
def trip(
    context: Context,
    visits: List,
    *,
    mode: Mode,
    start: Place | None = None,
    end: Place | None = None,
    depart: Time | None = None,
    arrive: Time | None = None,
    order: Order = "fixed",
    skip: YesNo = False,
    hours: YesNo = True,
) -> base.Trip | Unknown:
    """Visits one after the other (order="fixed") or in the best order ("free"); hours are kept if a clock is given.

    arrive= without depart= plans backwards: `.depart` is the latest. With both, arrive= is a deadline; skip=True
    then fits in as many as possible.
    """
    stays = _stays(context, visits)
    if isinstance(stays, Unknown):
        return stays
    if not stays:
        return Unknown(Why.NONE, "The trip has no stops.")
    asked = _Asked(stays, TravelMode(mode), start, end, depart, arrive, free=order == "free", skip=skip, hours=hours)
    legs = _legs(context, asked)
    if isinstance(legs, Unknown):
        return legs
    try:
        return _planned(context, asked, legs)
    except LimitError as error:
        return Unknown(Why.LIMIT, f"{error.message} {error.remedy}".strip())


@dataclass(frozen=True, slots=True)
class _Asked:
    """A trip as it is asked for."""

    stays: tuple[Visit, ...]
    mode: TravelMode
    start: Thing | None
    end: Thing | None
    depart: Moment | None
    arrive: Moment | None
    free: bool
    skip: bool
    hours: bool

    def thing(self, number: int) -> Thing:
        """The place with this number of `map_tools.compute.trip_model`."""
        place = self.start if number == START else self.end if number == END else self.stays[number].thing
        if place is None:
            raise ValueError(f"the trip has no place {number}")
        return place

    def way(self, before: int, after: int) -> Way:
        """The way between two numbered places, by the mode that leads to the second."""
        mode = self.stays[after].mode if after >= 0 else None
        return Way(self.thing(before), self.thing(after), mode or self.mode)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The ways that may be taken."""
        numbers = range(len(self.stays))
        if self.free or self.skip:
            firsts = [START] if self.start is not None else []
            yield from ((before, after) for before in (*firsts, *numbers) for after in numbers if before != after)
            if self.end is not None:
                yield from ((before, END) for before in numbers)
            return
        chain = [*([START] if self.start is not None else []), *numbers, *([END] if self.end is not None else [])]
        yield from pairwise(chain)


def _stays(context: Context, visits: Items) -> tuple[Visit, ...] | Unknown:
    stays: list[Visit] = []
    for one in visits:
        if isinstance(one, Visit):
            stays.append(one)
            continue
        if isinstance(one, Items):
            raise ValueTypeError("a list of places is wanted, and this is a list of lists")
        thing = as_thing(context, one)
        if isinstance(thing, Unknown):
            return thing
        stays.append(Visit(thing, one.stay_s if isinstance(one, Stop) else 0.0))
    return tuple(stays)


def _legs(context: Context, asked: _Asked) -> dict[tuple[int, int], float | None] | Unknown:
    """The times of all ways that may be taken; where the order is fixed, each of them has to be known."""
    times: dict[tuple[int, int], float | None] = {}
    waiting, lost = False, None
    for pair in asked.pairs():
        way = asked.way(*pair)
        if way.origin == way.destination:
            times[pair] = 0.0
            continue
        try:
            duration = duration_of(way, context)
        except Waiting:
            waiting = True
            continue
        if isinstance(duration, Unknown):
            lost = lost or duration
        times[pair] = None if isinstance(duration, Unknown) else duration.value
    if waiting:
        _hours_ahead(context, asked)
        raise Waiting
    fixed = not (asked.free or asked.skip)
    if lost is not None and (fixed or all(value is None for value in times.values())):
        return lost
    return times


def _hours_ahead(context: Context, asked: _Asked) -> None:
    """Asks for opening hours in the same round as for the ways."""
    for stay in asked.stays if _timed(asked) else ():
        try:
            hours_of(stay.thing, context)
        except Waiting:
            continue


def _timed(asked: _Asked) -> bool:
    return asked.hours and (asked.depart is not None or asked.arrive is not None)


def _planned(context: Context, asked: _Asked, legs: dict[tuple[int, int], float | None]) -> Plan | Unknown:
    given = asked.depart or asked.arrive
    if given is not None and given.any_day and asked.hours:
        return _on_any_day(context, asked, legs)
    return _on_day(context, asked, legs)


def _on_any_day(context: Context, asked: _Asked, legs: dict[tuple[int, int], float | None]) -> Plan | Unknown:
    """The plan for a time of day on no known day: the same on every day, else what speaks against it is told."""
    plans = []
    for day in range(7):
        moved = replace(asked, depart=_moved(asked.depart, day), arrive=_moved(asked.arrive, day))
        plans.append(_on_day(context, moved, legs))
    good = [plan for plan in plans if isinstance(plan, Plan)]
    if not good:
        return plans[0]
    if all(_alike(plan, good[0]) for plan in good) and len(good) == len(plans):
        return _timeless(good[0])
    unbound = _on_day(context, replace(asked, hours=False), legs)
    feasible = [plan for plan in good if plan.feasible]
    if isinstance(unbound, Plan) and feasible and any(_alike(plan, unbound) for plan in feasible):
        context.assume("a day on which the places are open then")
        return _timeless(unbound)
    return good[0] if not feasible else _timeless(feasible[0])


def _moved(moment: Moment | None, days: int) -> Moment | None:
    return None if moment is None else replace(moment, at=moment.at + days * DAY, any_day=False)


def _alike(a: Plan, b: Plan) -> bool:
    """Whether two plans differ in nothing but their day."""
    return (a.feasible, [stop.thing for stop in a.stops], a.travel_s, a.wait_s) == (
        b.feasible, [stop.thing for stop in b.stops], b.travel_s, b.wait_s
    )  # fmt: skip


def _timeless(plan: Plan) -> Plan:
    return replace(
        plan,
        depart=_any_day(plan.depart),
        arrive=_any_day(plan.arrive),
        stops=tuple(
            replace(stop, arrive=_any_day(stop.arrive), begin=_any_day(stop.begin), leave=_any_day(stop.leave))
            for stop in plan.stops
        ),
    )


def _any_day(moment: Moment | None) -> Moment | None:
    return None if moment is None else replace(moment, any_day=True)


def _on_day(context: Context, asked: _Asked, legs: dict[tuple[int, int], float | None]) -> Plan | Unknown:
    zero = _midnight(asked)
    problem, unstated = _problem(context, asked, legs, zero)
    clock = asked.depart is not None or asked.arrive is not None
    backwards = asked.depart is None and asked.arrive is not None
    if backwards:
        latest = itinerary.latest_departure(problem)
        if latest is None:
            return _infeasible(asked, legs, zero, _conflicts(problem), unstated)
        problem = replace(problem, start_s=latest)
    if asked.skip:
        found: itinerary.Itinerary | itinerary.Conflict = itinerary.max_visits(problem)
    else:
        found = itinerary.best_order(problem)
    if isinstance(found, itinerary.Conflict):
        return _infeasible(asked, legs, zero, found.constraints, unstated)
    return _plan(context, asked, found, zero if clock else None, unstated)


def _midnight(asked: _Asked) -> datetime:
    given = asked.depart or asked.arrive
    at = given.at if given is not None else datetime(2025, 3, 3)  # noqa: DTZ001 (local time, any day)
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def _problem(
    context: Context, asked: _Asked, legs: dict[tuple[int, int], float | None], zero: datetime
) -> tuple[Problem, tuple[str, ...]]:
    """The trip as numbers, and the names of the places whose hours are not stated."""
    unstated: list[str] = []
    stops = []
    for stay in asked.stays:
        windows = None
        if _timed(asked):
            windows = _windows(context, stay.thing, zero)
            if windows is None:
                unstated.append(stay.thing.name)
        early, late = (None, None) if stay.window is None else tuple((end.at - _day(end)).total_seconds() for end in stay.window)
        stops.append(
            PlannedPlace(name=stay.thing.name, dwell_s=stay.stay_s, windows=windows, not_before_s=early, arrive_by_s=None)
            if late is None
            else PlannedPlace(
                name=stay.thing.name, dwell_s=stay.stay_s, windows=windows, not_before_s=early, arrive_by_s=late
            )
        )
    start = asked.depart.at if asked.depart is not None else zero
    deadline = None
    if asked.arrive is not None:
        end = asked.arrive.at
        if asked.depart is not None and end < start:
            end += DAY
        deadline = (end - zero).total_seconds()
    problem = Problem(
        stops=tuple(stops),
        travel=_table(legs),
        start_s=(start - zero).total_seconds(),
        has_start=asked.start is not None,
        has_end=asked.end is not None,
        deadline_s=deadline,
        order=None if asked.free else tuple(range(len(stops))),
    )
    return problem, tuple(unstated)


def _day(moment: Moment) -> datetime:
    return moment.at.replace(hour=0, minute=0, second=0, microsecond=0)


def _table(legs: dict[tuple[int, int], float | None]) -> Callable[[int, int], float | None]:
    return itinerary.travel_of_table(legs)


def _windows(context: Context, thing: Thing, zero: datetime) -> tuple[tuple[float, float], ...] | None:
    """When a place is open, in seconds after the midnight of the first day; None if its hours are not stated."""
    stated = hours_of(thing, context)
    if isinstance(stated, Unknown) or stated.spec is None:
        return None
    spans = [
        ((span.opens - zero).total_seconds(), (span.closes - zero).total_seconds())
        for number in range(-1, AHEAD_DAYS)
        for span in opening.intervals_on(stated, (zero + timedelta(days=number)).date())
    ]
    joined: list[tuple[float, float]] = []
    for opens, closes in sorted(spans):
        if joined and opens <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(closes, joined[-1][1]))
        else:
            joined.append((opens, closes))
    return tuple(joined)


def _conflicts(problem: Problem) -> tuple[str, ...]:
    """Why no departure will do."""
    found = itinerary.best_order(problem)
    return found.constraints if isinstance(found, itinerary.Conflict) else ("no departure keeps all limits",)


def _plan(
    context: Context, asked: _Asked, found: itinerary.Itinerary, zero: datetime | None, unstated: tuple[str, ...]
) -> Plan:
    """A planned trip as a value; its times are None where the program gives no clock."""
    numbers = [*([START] if asked.start is not None else []), *found.order, *([END] if asked.end is not None else [])]
    ways = tuple(asked.way(before, after) for before, after in pairwise(numbers))
    warnings = (f"The opening hours of {', '.join(unstated)} are not stated.",) if unstated else ()
    for warning in warnings:
        context.warn(warning)
    stops = tuple(
        Stop(
            thing=asked.stays[planned.index].thing,
            arrive=_moment(zero, planned.arrive_s),
            begin=_moment(zero, planned.start_s),
            leave=_moment(zero, planned.depart_s),
            stay_s=asked.stays[planned.index].stay_s,
            wait_s=planned.start_s - planned.arrive_s,
        )
        for planned in found.stops
    )
    return Plan(
        legs=ways,
        stops=stops,
        origin=asked.start or (stops[0].thing if stops else asked.stays[0].thing),
        destination=asked.end or (stops[-1].thing if stops else asked.stays[0].thing),
        depart=_moment(zero, found.start_s),
        arrive=_moment(zero, found.finish_s),
        travel_s=found.travel_s,
        stay_s=sum(stop.stay_s for stop in stops),
        wait_s=found.wait_s,
        distance_m=_length(context, ways),
        feasible=True,
        warnings=warnings,
    )


def _length(context: Context, ways: tuple[Way, ...]) -> float | None:
    """The length of all ways, where it comes with what is known already."""
    muted, context.muted = context.muted, True
    try:
        lengths = [0.0 if way.origin == way.destination else _known_length(context, way) for way in ways]
    finally:
        context.muted = muted
    known = [one for one in lengths if one is not None]
    return sum(known) if len(known) == len(lengths) else None


def _known_length(context: Context, way: Way) -> float | None:
    try:
        found = length_of(way, context)
    except Waiting:
        return None
    return None if isinstance(found, Unknown) else found.value


def _moment(zero: datetime | None, seconds: float) -> Moment | None:
    if zero is None:
        return None
    return Moment(zero + timedelta(seconds=seconds), base=zero + timedelta(seconds=max(0.0, min(seconds, 86_400.0))))


def _infeasible(
    asked: _Asked,
    legs: dict[tuple[int, int], float | None],
    zero: datetime,
    problems: tuple[str, ...],
    unstated: tuple[str, ...],
) -> Plan | Unknown:
    """A trip that cannot be made as asked: what it would take, and why it does not work."""
    fixed = [pair for pair in asked.pairs()] if not (asked.free or asked.skip) else []
    times = [legs.get(pair) for pair in fixed]
    travel_s = sum(time for time in times if time is not None)
    return Plan(
        legs=tuple(asked.way(*pair) for pair in fixed),
        stops=tuple(Stop(stay.thing, None, None, None, stay.stay_s, 0.0) for stay in asked.stays),
        origin=asked.start or asked.stays[0].thing,
        destination=asked.end or asked.stays[-1].thing,
        depart=asked.depart,
        arrive=None,
        travel_s=travel_s,
        stay_s=sum(stay.stay_s for stay in asked.stays),
        wait_s=0.0,
        distance_m=None,
        feasible=False,
        problems=problems,
        warnings=unstated,
    )


def option_text(value: object) -> str:
    """The words of an option, or of anything else."""
    return value.text if isinstance(value, Choice) else str(value)


OPERATORS = (visit, trip)
