"""Opening hours of one place: open then? when does it open, close? on which days, for how long?"""

from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta

from map_tools.compute.hours import (
    Interval,
    closes_after,
    day_spec_text,
    next_opening,
)
from map_tools.compute.quantities import format_duration
from mapagent.answer import ClockTime, NameSet, Quantity, Solution, Text, Value, YesNo
from modules.offline.intents import Attribute, Compare, HoursMeasure, OpenIntent
from modules.solvers.ambiguity import settle
from modules.solvers.common import Trail, enriched
from modules.solvers.facts import lacks
from modules.solvers.moments import WEEKDAYS, Moment, week_of
from modules.solvers.opening_case import CLOSED, OpeningCase, day_words
from modules.solvers.opening_days import day_measure
from modules.solvers.opening_verdict import cite_opening, open_at, verdict
from modules.view import CannotTellError, Found, View

FULL_DAY = timedelta(hours=24)
DAWN = time(5)
"""Before it one speaks of the night of the day before."""


def solve_open(intent: OpenIntent, view: View) -> Solution | None:
    """A question about the opening hours of one place.

    Raises:
        CannotTellError: The place is not found, or its hours are not stated or not understood.
    """
    found = view.place(intent.place)
    if found is None:
        return None
    return settle(view, (found,), lambda reading: _judge(view, intent, reading[0]))


def _judge(view: View, intent: OpenIntent, found: Found) -> Solution:
    place, more = enriched(view, found.place)
    if place.hours is None:
        raise lacks(view, found.evidence_id, place, Attribute.HOURS)
    case = OpeningCase(view, place, place.hours, intent, Trail(), (found.evidence_id, *more))
    return _ASKS[intent.ask](case)


def _is_open(case: OpeningCase) -> Solution:
    found = verdict(case.view, case.place, case.when)
    if found.state is None:
        raise CannotTellError(
            f"The hours of {case.name} do not tell: '{case.hours.text}'. {found.note}".strip()
        )
    case.trail.warn(found.note)
    cite_opening(case.trail, case.inputs, case.place, found)
    word = "open" if found.state else "closed"
    words = f"{case.said()} On {found.moment} it is {word}."
    return case.trail.answered(YesNo(value=found.state), words, _reasons(case, found.moment))


def _reasons(case: OpeningCase, moment: Moment) -> list[Value]:
    """What tells options such as "No, it opens at 5 pm" from "No, it is closed all day".

    The next change of that day, the one before it, and the day's hours.
    """
    if not case.view.question.live_options():
        return []
    edges = [edge for span in case.spans(moment.day) for edge in (span.opens, span.closes)]
    later = [edge for edge in edges if moment.at is not None and moment.at < edge]
    earlier = [edge for edge in edges if moment.at is not None and edge <= moment.at]
    told: list[Value] = [_clock(edge, moment.day) for edge in (*later[:1], *earlier[-1:])]
    return [*told, Text(text=_day_text(case, moment.day), topic="hours")]


def _is_closed(case: OpeningCase) -> Solution:
    """Whether it is closed: the opposite of `_is_open`, from the same verdict."""
    solution = _is_open(case)
    if not isinstance(solution.value, YesNo):
        return solution
    return solution.model_copy(update={"value": YesNo(value=not solution.value.value)})


def _opens_at(case: OpeningCase) -> Solution:
    def first(spans: tuple[Interval, ...]) -> ClockTime:
        meant = _span_meant(case, spans) or spans[0]
        return _clock(meant.opens, spans[0].opens.date())

    return _edge(case, first, "opens")


def _closes_at(case: OpeningCase) -> Solution:
    def last(spans: tuple[Interval, ...]) -> ClockTime:
        meant = _span_meant(case, spans) or spans[-1]
        return _clock(meant.closes, meant.opens.date())

    return _edge(case, last, "closes")


def _span_meant(case: OpeningCase, spans: tuple[Interval, ...]) -> Interval | None:
    """The span at the hour the question names ("for dinner"), else the next one; None if it names none."""
    if case.when.at is None:
        return None
    moment = datetime.combine(spans[0].opens.date(), case.when.at)
    return next((span for span in spans if moment < span.closes), None)


def _clock(moment: datetime, day: date) -> ClockTime:
    return ClockTime(at=moment.time(), day_offset=(moment.date() - day).days)


def _edge(case: OpeningCase, pick: Callable[[tuple[Interval, ...]], ClockTime], verb: str) -> Solution:
    def value(day: date) -> ClockTime | Text:
        spans = case.spans(day)
        if not spans:
            return Text(text=CLOSED, topic="hours")
        return Text(text="open 24 hours", topic="hours") if _all_day(spans) else pick(spans)

    chosen, moment = case.agreed(value)
    case.cite()
    when = f"({day_words(moment)})"
    if isinstance(chosen, ClockTime):
        return case.trail.answered(chosen, f"{case.said()} It {verb} at {chosen.at:%H:%M} {when}.")
    return case.trail.answered(chosen, f"{case.said()} It is {chosen.text} {when}.")


def _hours_on_day(case: OpeningCase) -> Solution:
    if case.when.is_now and case.view.question.at is None:
        case.cite()
        return case.trail.answered(Text(text=case.hours.text, topic="hours"), case.said())
    chosen, _ = case.agreed(lambda day: Text(text=_day_text(case, day), topic="hours"))
    case.cite()
    return case.trail.answered(chosen, case.said())


def _day_text(case: OpeningCase, day: date) -> str:
    case.spans(day)
    return day_spec_text(case.hours, day)


def _open_duration(case: OpeningCase) -> Solution:
    def lengths(day: date) -> list[float]:
        return [(span.closes - span.opens).total_seconds() for span in case.spans(day)]

    chosen, moment = case.agreed(lambda day: Quantity(value=sum(lengths(day)), unit="s"))
    day = moment.day if moment else case.days_meant().choices[0].day
    case.cite()
    # The source states hours, no durations, so the unit is one that stands nowhere in the evidence.
    case.trail.claim("sum", case.inputs, chosen.value, values=lengths(day), unit="open_s")
    return case.trail.answered(chosen, f"{case.said()} Opening time on {day_words(moment)} added up.")


def _until(case: OpeningCase, *, opening: bool) -> Solution:
    """How long it is from the moment meant to the next opening or closing."""
    found = verdict(case.view, case.place, case.when)
    at = found.moment.at
    if found.state is None or at is None:
        raise CannotTellError(f"How long it is until {case.name} opens or closes needs a day and a time.")
    if found.state is opening:
        word = "open" if opening else "closed"
        raise CannotTellError(f"{case.name} is {word} on {found.moment}.")
    change = next_opening(case.hours, at) if opening else closes_after(case.hours, at)
    if change is None:
        raise CannotTellError(f"The hours of {case.name} name no such moment: '{case.hours.text}'.")
    case.trail.warn(found.note)
    cite_opening(case.trail, case.inputs, case.place, found)
    case.cite()
    wait_s = (change - at).total_seconds()
    midnight = datetime.combine(at.date(), time())
    clocks_s = [(moment - midnight).total_seconds() for moment in (change, at)]
    case.trail.claim("difference", case.inputs, wait_s, values=clocks_s, unit="open_s")
    verb = "opens" if opening else "closes"
    words = f"{case.said()} From {found.moment} until it {verb} at {change:%H:%M}: {format_duration(wait_s)}."
    return case.trail.answered(Quantity(value=wait_s, unit="s"), words)


def _until_open(case: OpeningCase) -> Solution:
    return _until(case, opening=True)


def _until_close(case: OpeningCase) -> Solution:
    return _until(case, opening=False)


def _open_days(case: OpeningCase) -> Solution:
    return _days(case, is_open=True) if case.intent.by is None else _days_ranked(case, case.intent.by)


def _days_ranked(case: OpeningCase, by: HoursMeasure) -> Solution:
    """The days on which it is open longest, closes latest, ..."""
    week = week_of(case.view, case.place)
    measures = {day: day_measure(day, spans, by) for day in week if (spans := case.spans(day))}
    if not measures:
        raise CannotTellError(f"{case.name} is never open by its hours: '{case.hours.text}'.")
    pick = max if case.intent.pick is Compare.MAX else min
    best = pick(measures.values())
    names = tuple(WEEKDAYS[day.weekday()] for day, measure in measures.items() if measure == best)
    case.cite()
    return case.trail.answered(NameSet(names=names), case.said())


def _closed_days(case: OpeningCase) -> Solution:
    return _days(case, is_open=False)


def _days(case: OpeningCase, *, is_open: bool) -> Solution:
    states = {day: open_at(case.hours, _moment_of(case, day)) for day in week_of(case.view, case.place)}
    if None in states.values():
        raise CannotTellError(f"The hours of {case.name} do not tell: '{case.hours.text}'.")
    names = tuple(WEEKDAYS[day.weekday()] for day, state in states.items() if state is is_open)
    case.cite()
    if case.intent.count:
        case.trail.claim("count", case.inputs, len(names), labels=names)
        words = f"{case.said()} {len(names)} days: {', '.join(names)}" if names else case.said()
        return case.trail.answered(Quantity(value=len(names), unit="count"), words)
    if names:
        return case.trail.answered(NameSet(names=names), case.said())
    none = "It is closed every day." if is_open else "It is open every day."
    return case.trail.answered(Text(text=none, topic="hours"), case.said())


def _moment_of(case: OpeningCase, day: date) -> Moment:
    """The time asked about on one day; the small hours belong to the night before."""
    if case.when.at is None:
        return Moment(day)
    night = timedelta(days=1) if case.when.at < DAWN else timedelta()
    return Moment(day, datetime.combine(day, case.when.at) + night)


_ASKS: Mapping[str, Callable[[OpeningCase], Solution]] = {
    "is_open": _is_open,
    "is_closed": _is_closed,
    "opens_at": _opens_at,
    "closes_at": _closes_at,
    "hours_on_day": _hours_on_day,
    "open_days": _open_days,
    "closed_days": _closed_days,
    "open_duration": _open_duration,
    "until_open": _until_open,
    "until_close": _until_close,
}


def _all_day(spans: tuple[Interval, ...]) -> bool:
    return sum((span.closes - span.opens for span in spans), timedelta()) >= FULL_DAY
