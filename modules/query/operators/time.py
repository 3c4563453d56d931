"""Operators on opening hours."""

from collections.abc import Callable

from map_tools.clock import local_time
from map_tools.compute import hours as opening
from map_tools.compute.hours import OpenState
from map_tools.types import OPEN_NOW, Hours
from modules.query.interpreter.context import Context
from modules.query.interpreter.needs import hours_of
from modules.query.operators.base import Place, Spans, Time, YesNo, operator
from modules.query.values.moment import Moment
from modules.query.values.things import Items, Opening, Thing
from modules.query.values.unknown import Unknown, Why

_NO_NOW = "The question needs the present time; give it with --at ISO."


@operator(
    module="map_service",
    phrase="whether {of} is open[ from {at} until {until}/ until {until}/ {at|when}/ now]",
)
def is_open(
    context: Context, of: Place, at: Time | None = None, until: Time | None = None
) -> YesNo | Unknown:
    """Whether it is open at a moment (default now), any time of a day, or all of at–until."""
    now = of.place.attributes.get(OPEN_NOW)
    if now in {"yes", "no"} and at is None and until is None:
        return now == "yes"
    moment = _or_now(context, at)
    if isinstance(moment, Unknown):
        return moment
    stated = hours_of(of, context)
    if isinstance(stated, Unknown):
        return stated
    moment = _local(context, moment, of)
    return _on_all(context, moment, lambda one: _open_at(of, stated, one, until))


def _or_now(context: Context, at: Moment | None) -> Moment | Unknown:
    if at is not None:
        return at
    now = context.situation.now
    return Unknown(Why.UNSUPPORTED, _NO_NOW) if now is None else Moment(now)


def _local(context: Context, moment: Moment, of: Thing) -> Moment:
    """The present moment in the local time of a place, where the map has no one zone."""
    instant, zone = context.situation.instant, of.place.timezone
    if instant is None or zone is None or moment.at != context.situation.now:
        return moment
    return Moment(local_time(instant, zone).replace(tzinfo=None))


def _on_all(context: Context, moment: Moment, judge: Callable[[Moment], bool | Unknown]) -> bool | Unknown:
    """The verdict for a moment; for a time of day on no known day the one that holds on every day."""
    verdicts = [judge(one) for one in moment.days()]
    first = verdicts[0]
    if all(verdict == first for verdict in verdicts):
        return first
    if any(isinstance(verdict, Unknown) for verdict in verdicts):
        return next(verdict for verdict in verdicts if isinstance(verdict, Unknown))
    most = sum(verdict is True for verdict in verdicts) > len(verdicts) / 2
    context.assume("the day is not said, and it differs from day to day: what holds on most days is told")
    return most


def _open_at(of: Thing, stated: Hours, moment: Moment, until: Moment | None) -> bool | Unknown:
    if stated.spec is None:
        return _unreadable(of, stated)
    if until is not None:
        end = (
            until.at
            if until.at > moment.at
            else until.at.replace(year=moment.at.year, month=moment.at.month, day=moment.at.day)
        )
        return opening.open_through(stated, moment.at, end)
    if moment.whole_day:
        spans = opening.intervals_on(stated, moment.day)
        if spans:
            return True
        verdict = opening.open_verdict(stated, moment.at.replace(hour=12))
        return _unreadable(of, stated, verdict.reason) if verdict.state is OpenState.UNKNOWN else False
    verdict = opening.open_verdict(stated, moment.at)
    if verdict.state is OpenState.UNKNOWN:
        return _unreadable(of, stated, verdict.reason)
    return verdict.state is OpenState.OPEN


def _unreadable(of: Thing, stated: Hours, reason: str = "") -> Unknown:
    said = reason or f"its hours read “{stated.text}”"
    return Unknown(Why.NOT_STATED, f"Whether {of.name} is open then is not stated ({said}).")


@operator(module="map_service", phrase="the opening hours of {of} {day|when}")
def hours(context: Context, of: Place, day: Time) -> Spans | Unknown:
    """When it is open on a day; empty if closed all day."""
    stated = hours_of(of, context)
    if isinstance(stated, Unknown):
        return stated
    if stated.spec is None:
        return _unreadable(of, stated)
    spans = opening.intervals_on(stated, day.day)
    if not spans and opening.open_state(stated, day.at.replace(hour=12)) is OpenState.UNKNOWN:
        return _unreadable(of, stated)
    return Items(
        tuple(Opening(Moment(span.opens, base=day.at), Moment(span.closes, base=day.at)) for span in spans),
        what="span",
    )


@operator(module="map_service", phrase="the opening time of {of}[ {after|when}]")
def opens(context: Context, of: Place, after: Time | None = None) -> Time | Unknown:
    """The first opening of a day, or the next from a moment (default now) on."""
    return _edge(context, of, after, _first_opening)


@operator(module="map_service", phrase="the closing time of {of}[ {after|when}]")
def closes(context: Context, of: Place, after: Time | None = None) -> Time | Unknown:
    """The last closing of a day, or the end of the span at a moment (default now)."""
    return _edge(context, of, after, _closing)


def _edge(
    context: Context,
    of: Thing,
    after: Moment | None,
    find: Callable[[Thing, Hours, Moment], Moment | Unknown],
) -> Moment | Unknown:
    moment = _or_now(context, after)
    if isinstance(moment, Unknown):
        return moment
    stated = hours_of(of, context)
    if isinstance(stated, Unknown):
        return stated
    if stated.spec is None:
        return _unreadable(of, stated)
    moment = _local(context, moment, of)
    found = [find(of, stated, one) for one in moment.days()]
    known = [one for one in found if isinstance(one, Moment)]
    if not known:
        return found[0]
    clocks = {one.at.time() for one in known}
    if len(clocks) > 1:
        context.assume("the day is not said, and it differs from day to day")
        return Unknown(
            Why.NOT_STATED, f"The hours of {of.name} differ from day to day; say which day is meant."
        )
    return known[0]


def _first_opening(of: Thing, stated: Hours, moment: Moment) -> Moment | Unknown:
    if moment.whole_day:
        at = opening.opens_at(stated, moment.day)
        return Moment(at, base=moment.at) if at is not None else _closed(of, stated, moment)
    if opening.open_state(stated, moment.at) is OpenState.OPEN:
        spans = opening.intervals_on(stated, moment.day)
        if any(span.opens == moment.at for span in spans):
            return Moment(moment.at, base=moment.at)
    at = opening.next_opening(stated, moment.at)
    return Moment(at, base=moment.at) if at is not None else _closed(of, stated, moment)


def _closing(of: Thing, stated: Hours, moment: Moment) -> Moment | Unknown:
    if moment.whole_day:
        at = opening.closes_at(stated, moment.day)
    else:
        at = opening.closes_after(stated, moment.at)
    return Moment(at, base=moment.at) if at is not None else _closed(of, stated, moment)


def _closed(of: Thing, stated: Hours, moment: Moment) -> Unknown:
    after = opening.next_opening(stated, moment.at)
    opens_again = f"; it opens {after:%a %H:%M}" if after is not None else ""
    when = f"{moment.at:%a}" if moment.whole_day else f"{moment.at:%a %H:%M}"
    return Unknown(Why.NONE, f"{of.name} is closed on {when}{opens_again}.")


OPERATORS = (is_open, hours, opens, closes)
