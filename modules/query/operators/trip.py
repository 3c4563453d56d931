"""Operators for trips: visits in order, with opening hours, deadlines and stays."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise

from map_tools.compute import hours as opening
from map_tools.compute import itinerary
from map_tools.compute.itinerary import Missed, Span, backwards, forwards
from map_tools.compute.measures import format_duration
from map_tools.compute.trip_model import END, START, Conflict, Itinerary, Problem, travel_of_table
from map_tools.compute.trip_model import Stop as PlannedPlace
from map_tools.errors import LimitError
from map_tools.types import Hours, TravelMode
from modules.query.interpreter.context import Context
from modules.query.interpreter.needs import duration_of, hours_of, length_of, made_in
from modules.query.operators import base
from modules.query.operators.base import Duration, List, Mode, Order, Place, Time, YesNo, operator
from modules.query.operators.lookup import as_thing
from modules.query.operators.travel import mode_of
from modules.query.values.algebra import ValueTypeError
from modules.query.values.moment import DAY, Moment, parse_moment
from modules.query.values.things import Items, Plan, Stop, Thing, Visit, Way
from modules.query.values.unknown import Unknown, Waiting, Why

_DAY_S = 86_400.0


@operator(module="sequencer", phrase="{to}[ for {stay}][ begun between {window}][ (reached {mode})]")
def visit(
    context: Context,
    to: Place,
    *,
    stay: Duration | None = None,
    window: List | None = None,
    mode: Mode | None = None,
) -> base.Visit | Unknown:
    """A stay of a trip, begun within window=["12:00", "14:00"]; mode= how one gets there."""
    bounds = _window(context, window)
    seconds = 0.0 if stay is None else stay.value
    return Visit(to, seconds, bounds, TravelMode(mode) if mode is not None else None)


def _window(context: Context, given: Items | None) -> tuple[Moment, Moment] | None:
    if given is None:
        return None
    ends = [
        one if isinstance(one, Moment) else parse_moment(str(one), context.situation.now) for one in given
    ]
    if len(ends) != 2 or any(end is None for end in ends):
        raise ValueTypeError('window= takes two times: ["12:00", "14:00"]')
    return ends[0], ends[1]  # type: ignore[return-value]


@operator(
    module="sequencer",
    phrase="a trip[ {mode}][ from {start}]"
    "[ to {visits} and back{end|back}/ to {visits}, ending at {end}/ to {visits}/ and back{end|back}/ to {end}]"
    "[ in {order} order][, leaving {depart|when}][, there by {arrive}]"
    "[, leaving out what does not fit{skip|yes}][, whatever the opening hours{hours|no}]",
)
def trip(
    context: Context,
    visits: List,
    *,
    mode: Mode | None = None,
    start: Place | None = None,
    end: Place | None = None,
    depart: Time | None = None,
    arrive: Time | None = None,
    order: Order = "fixed",
    skip: YesNo = False,
    hours: YesNo = True,
) -> base.Trip | Unknown:
    """Visits in the order given or in the best (order="free"); hours are kept if a clock is given.

    arrive= alone plans backwards, with depart= it is a deadline; skip=True then fits in as many as possible.
    """
    stays = _stays(context, visits)
    if isinstance(stays, Unknown):
        return stays
    own = bool(stays) and end is None and all(stay.mode is not None for stay in stays)
    way = TravelMode.WALKING if own and mode is None else mode_of(context, mode)
    if not stays:
        return _direct(context, _Asked((), way, start, end, depart, arrive))
    asked = _Asked(stays, way, start, end, depart, arrive, free=order == "free", skip=skip, hours=hours)
    return _planned(context, asked)


def _direct(context: Context, asked: "_Asked") -> Plan | Unknown:
    """A trip without stops: the way from its start to its end."""
    if asked.start is None or asked.end is None:
        return Unknown(Why.NONE, "The trip has no stops.")
    found = _planned(context, replace(asked, stays=(Visit(asked.end),), end=None))
    return found if isinstance(found, Unknown) else replace(found, stops=(), destination=asked.end)


def _planned(context: Context, asked: "_Asked") -> Plan | Unknown:
    if context.situation.timetables and any(
        asked.way(*pair).mode is TravelMode.TRANSIT for pair in asked.pairs()
    ):
        return _by_timetable(context, asked)
    legs = _legs(context, asked)
    if isinstance(legs, Unknown):
        return _too_long(context, asked) or legs
    try:
        return _on_day(context, asked, legs)
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
    free: bool = False
    skip: bool = False
    hours: bool = False
    timed: tuple[Way, ...] = ()
    """The ways with the times at which they are made, where they go by a timetable."""

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
            yield from (
                (before, after) for before in (*firsts, *numbers) for after in numbers if before != after
            )
            if self.end is not None:
                yield from ((before, END) for before in numbers)
            return
        chain = [
            *([START] if self.start is not None else []),
            *numbers,
            *([END] if self.end is not None else []),
        ]
        yield from pairwise(chain)


def _stays(context: Context, visits: Items) -> tuple[Visit, ...] | Unknown:
    found = context.each(visits, lambda one: one if isinstance(one, Visit) else as_thing(context, one))
    lost = next((one for one in found if isinstance(one, Unknown)), None)
    if lost is not None:
        return lost
    given = zip(visits, found, strict=True)
    return tuple(
        one if isinstance(one, Visit) else Visit(one, asked.stay_s if isinstance(asked, Stop) else 0.0)
        for asked, one in given
    )


def _by_timetable(context: Context, asked: _Asked) -> Plan | Unknown:
    """A trip whose ways depend on when they are made: one after the other, each by its time."""
    if asked.free or asked.skip:
        return Unknown(
            Why.UNSUPPORTED,
            'The best order of a trip by timetable is not worked out; give one (order="fixed").',
        )
    if asked.depart is None and asked.arrive is None and context.situation.now is not None:
        context.assume("no time of departure is said; now is assumed")
        asked = replace(asked, depart=Moment(context.situation.now.replace(microsecond=0)))
    zero = _midnight(asked)
    problem, unstated = _problem(context, asked, {}, zero)
    ways: dict[tuple[int, int], Way] = {}
    lost: list[Unknown] = []

    def leg(before: int, after: int, at_s: float, *, arriving: bool) -> Span | None:
        moment = Moment(zero + timedelta(seconds=at_s))
        way = asked.way(before, after)
        if way.mode is TravelMode.TRANSIT:
            way = replace(way, arrive=moment) if arriving else replace(way, depart=moment)
        ways[before, after] = way
        span = made_in(way, at_s, context, arriving=arriving, zero=zero)
        if isinstance(span, Unknown):
            lost.append(span)
            return None
        return span

    found = (forwards if asked.depart is not None else backwards)(problem, leg)
    if lost:
        return lost[0]
    if isinstance(found, Missed):
        return _infeasible(asked, {}, zero, (found.problem,), unstated)
    legs = tuple(ways[pair] for pair in asked.pairs())
    plan = _plan(context, replace(asked, timed=legs), found, zero, unstated)
    return replace(plan, wait_s=found.finish_s - found.start_s - plan.travel_s - plan.stay_s)


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


def _too_long(context: Context, asked: _Asked) -> Plan | Unknown | None:
    """With a way unknown a trip is impossible only if what is known is too long already."""
    if asked.depart is None or asked.arrive is None:
        return None
    found = [duration_of(asked.way(*pair), context) for pair in asked.pairs()]
    known_s = sum(one.value for one in found if not isinstance(one, Unknown)) + sum(
        stay.stay_s for stay in asked.stays
    )
    at_hand_s = (asked.arrive.at - asked.depart.at).total_seconds() % _DAY_S
    if known_s <= at_hand_s:
        return None
    problem = f"the stays and the known ways alone take {format_duration(known_s)}"
    return _infeasible(asked, {}, _midnight(asked), (problem,), ())


def _hours_ahead(context: Context, asked: _Asked) -> None:
    """Asks for opening hours in the same round as for the ways."""
    for stay in asked.stays if _timed(asked) else ():
        try:
            hours_of(stay.thing, context)
        except Waiting:
            continue


def _timed(asked: _Asked) -> bool:
    return asked.hours and (asked.depart is not None or asked.arrive is not None)


def _timeless(plan: Plan) -> Plan:
    """A plan for no known day: only its times of day are known."""
    stops = tuple(
        replace(stop, arrive=_any_day(stop.arrive), begin=_any_day(stop.begin), leave=_any_day(stop.leave))
        for stop in plan.stops
    )
    return replace(plan, depart=_any_day(plan.depart), arrive=_any_day(plan.arrive), stops=stops)


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
            return _unkept(context, asked, legs, _conflicts(problem)) or _infeasible(
                asked, legs, zero, _conflicts(problem), unstated
            )
        problem = replace(problem, start_s=latest)
    if asked.skip:
        found: Itinerary | Conflict = itinerary.max_visits(problem)
    else:
        found = itinerary.best_order(problem)
    if isinstance(found, Conflict):
        return _unkept(context, asked, legs, found.constraints) or _infeasible(
            asked, legs, zero, found.constraints, unstated
        )
    plan = _plan(context, asked, found, zero if clock else None, unstated)
    given = asked.depart or asked.arrive
    return _timeless(plan) if given is not None and given.any_day else plan


def _unkept(
    context: Context, asked: _Asked, legs: dict[tuple[int, int], float | None], problems: tuple[str, ...]
) -> Plan | None:
    """A trip that opening hours alone stand against, with the times that it takes without them."""
    if not _timed(asked):
        return None
    plan = _on_day(context, replace(asked, hours=False), legs)
    if isinstance(plan, Unknown) or not plan.feasible:
        return None
    context.warn(f"Opening hours are not kept: {'; '.join(problems)}. The times are those without them.")
    return replace(plan, feasible=False, problems=problems)


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
    given = asked.depart or asked.arrive
    any_day = given is not None and given.any_day
    for stay in asked.stays:
        windows = None
        if _timed(asked):
            windows = _windows(context, stay.thing, zero, any_day=any_day)
            if windows is None:
                unstated.append(stay.thing.name)
        early, late = (
            (None, None)
            if stay.window is None
            else tuple((end.at - _day(end)).total_seconds() for end in stay.window)
        )
        if windows is not None and late is not None:
            windows = tuple(span for span in windows if span[0] <= late)
        stops.append(
            PlannedPlace(
                name=stay.thing.name,
                dwell_s=stay.stay_s,
                windows=windows,
                not_before_s=early,
                arrive_by_s=late,
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
    return travel_of_table(legs)


def _windows(
    context: Context, thing: Thing, zero: datetime, *, any_day: bool
) -> tuple[tuple[float, float], ...] | None:
    """When a place is open, in seconds after the midnight of the first day; None if its hours are not stated.

    On no known day: the hours that all the days have on which it is open at all.
    """
    stated = hours_of(thing, context)
    if isinstance(stated, Unknown) or stated.spec is None:
        return None
    if not any_day:
        return _on_one_day(stated, zero)
    days = [zero + number * DAY for number in range(7)]
    week = [_on_one_day(stated, day) for day in days if opening.intervals_on(stated, day.date())]
    if len(set(week)) > 1:
        context.warn(
            f"The hours of {thing.name} differ from day to day; those common to its open days are used."
        )
    common = week[0] if week else ()
    for other in week[1:]:
        common = tuple((max(a, c), min(b, d)) for a, b in common for c, d in other if max(a, c) < min(b, d))
    return common


def _on_one_day(stated: Hours, midnight: datetime) -> tuple[tuple[float, float], ...]:
    """The spans that lie on one day at least in part: nobody waits overnight for a place to open."""
    return tuple(
        (max(opens, 0.0), closes)
        for opens, closes in _spans(stated, midnight, ahead=2)
        if closes > 0 and opens < _DAY_S
    )


def _spans(stated: Hours, zero: datetime, ahead: int) -> tuple[tuple[float, float], ...]:
    """The spans of being open around a day, those that touch made one."""
    spans = [
        ((span.opens - zero).total_seconds(), (span.closes - zero).total_seconds())
        for number in range(-1, ahead)
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
    return found.constraints if isinstance(found, Conflict) else ("no departure keeps all limits",)


def _plan(
    context: Context,
    asked: _Asked,
    found: Itinerary,
    zero: datetime | None,
    unstated: tuple[str, ...],
) -> Plan:
    """A planned trip as a value; its times are None where the program gives no clock."""
    numbers = [
        *([START] if asked.start is not None else []),
        *found.order,
        *([END] if asked.end is not None else []),
    ]
    ways = asked.timed or tuple(asked.way(before, after) for before, after in pairwise(numbers))
    warnings = (f"The opening hours of {', '.join(unstated)} are not stated.",) if unstated else ()
    for warning in warnings:
        context.warn(warning)
    stops = tuple(
        Stop(
            thing=asked.stays[planned.index].thing,
            arrive=_moment(zero, planned.arrive_s, found.start_s),
            begin=_moment(zero, planned.start_s, found.start_s),
            leave=_moment(zero, planned.depart_s, found.start_s),
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
        depart=_moment(zero, found.start_s, 0.0),
        arrive=_moment(zero, found.finish_s, found.start_s),
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


def _moment(zero: datetime | None, seconds: float, since: float) -> Moment | None:
    """A time of a trip, reckoned from another: all from the departure, and that from the asked day."""
    if zero is None:
        return None
    return Moment(zero + timedelta(seconds=seconds), base=zero + timedelta(seconds=since))


def _infeasible(
    asked: _Asked,
    legs: dict[tuple[int, int], float | None],
    zero: datetime,
    problems: tuple[str, ...],
    unstated: tuple[str, ...],
) -> Plan | Unknown:
    """A trip that cannot be made as asked: what it would take, and why it does not work."""
    fixed = list(asked.pairs()) if not (asked.free or asked.skip) else []
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


OPERATORS = (visit, trip)
