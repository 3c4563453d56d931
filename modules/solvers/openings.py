"""Opening hours of one place: open then? when does it open, close? on which days, for how long?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from map_tools.compute.hours import (
    Interval,
    closes_after,
    day_spec_text,
    intervals_on,
    next_opening,
)
from map_tools.compute.quantities import format_duration
from map_tools.types import Hours, Place
from mapagent.answer import ClockTime, NameSet, Quantity, Solution, Status, Text, Value, YesNo
from modules.intents import Attribute, Compare, HoursMeasure, OpenIntent, When
from modules.solvers.ambiguity import settle
from modules.solvers.common import Trail, enriched, title
from modules.solvers.facts import lacks
from modules.solvers.moments import WEEKDAYS, Moment, Moments, moments, week_of
from modules.solvers.opening_days import day_measures
from modules.solvers.opening_verdict import cite_opening, open_at, verdict
from modules.view import CannotTellError, Found, View

FULL_DAY = timedelta(hours=24)
NOON = time(12)
CLOSED = "closed"
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


@dataclass(slots=True)
class _Case:
    """A place with stated hours, and the question put to them."""

    view: View
    place: Place
    hours: Hours
    intent: OpenIntent
    trail: Trail
    inputs: tuple[str, ...]

    @property
    def name(self) -> str:
        return title(self.place)

    @property
    def when(self) -> When:
        return self.intent.when

    def cite(self) -> None:
        """Claims the hours as stated."""
        self.trail.claim("lookup", self.inputs, self.hours.text, place=self.name, field="hours")

    def said(self) -> str:
        return f"{self.name} states: {self.hours.text}."


def _judge(view: View, intent: OpenIntent, found: Found) -> Solution:
    place, more = enriched(view, found.place)
    if place.hours is None:
        raise lacks(view, found.evidence_id, place, Attribute.HOURS)
    case = _Case(view, place, place.hours, intent, Trail(), (found.evidence_id, *more))
    return _ASKS[intent.ask](case)


def _is_open(case: _Case) -> Solution:
    found = verdict(case.view, case.place, case.when)
    if found.state is None:
        raise CannotTellError(
            f"The hours of {case.name} do not tell: '{case.hours.text}'. {found.note}".strip()
        )
    case.trail.warn(found.note)
    cite_opening(case.trail, case.inputs, case.place, found)
    word = "open" if found.state else "closed"
    return case.trail.answered(YesNo(value=found.state), f"{case.said()} On {found.moment} it is {word}.")


def _is_closed(case: _Case) -> Solution:
    """Whether it is closed: the opposite of `_is_open`, from the same verdict."""
    solution = _is_open(case)
    if not isinstance(solution.value, YesNo):
        return solution
    return solution.model_copy(update={"value": YesNo(value=not solution.value.value)})


def _opens_at(case: _Case) -> Solution:
    def first(spans: tuple[Interval, ...]) -> ClockTime:
        meant = _span_meant(case, spans) or spans[0]
        return _clock(meant.opens, spans[0].opens.date())

    return _edge(case, first, "opens")


def _closes_at(case: _Case) -> Solution:
    def last(spans: tuple[Interval, ...]) -> ClockTime:
        meant = _span_meant(case, spans) or spans[-1]
        return _clock(meant.closes, meant.opens.date())

    return _edge(case, last, "closes")


def _span_meant(case: _Case, spans: tuple[Interval, ...]) -> Interval | None:
    """The span at the hour the question names ("for dinner"), else the next one; None if it names none."""
    if case.when.at is None:
        return None
    moment = datetime.combine(spans[0].opens.date(), case.when.at)
    return next((span for span in spans if moment < span.closes), None)


def _clock(moment: datetime, day: date) -> ClockTime:
    return ClockTime(at=moment.time(), day_offset=(moment.date() - day).days)


def _edge(case: _Case, pick: Callable[[tuple[Interval, ...]], ClockTime], verb: str) -> Solution:
    def value(day: date) -> ClockTime | Text:
        spans = _spans(case, day)
        if not spans:
            return Text(text=CLOSED, topic="hours")
        return Text(text="open 24 hours", topic="hours") if _all_day(spans) else pick(spans)

    chosen, moment = _agreed(case, value)
    case.cite()
    when = f"({_day_words(moment)})"
    if isinstance(chosen, ClockTime):
        return case.trail.answered(chosen, f"{case.said()} It {verb} at {chosen.at:%H:%M} {when}.")
    return case.trail.answered(chosen, f"{case.said()} It is {chosen.text} {when}.")


def _hours_on_day(case: _Case) -> Solution:
    if case.when.is_now and case.view.question.at is None:
        case.cite()
        return case.trail.answered(Text(text=case.hours.text, topic="hours"), case.said())
    chosen, _ = _agreed(case, lambda day: Text(text=_day_text(case, day), topic="hours"))
    case.cite()
    return case.trail.answered(chosen, case.said())


def _day_text(case: _Case, day: date) -> str:
    _spans(case, day)
    return day_spec_text(case.hours, day)


def _open_duration(case: _Case) -> Solution:
    def lengths(day: date) -> list[float]:
        return [(span.closes - span.opens).total_seconds() for span in _spans(case, day)]

    chosen, moment = _agreed(case, lambda day: Quantity(value=sum(lengths(day)), unit="s"))
    day = moment.day if moment else _days_meant(case).choices[0].day
    case.cite()
    # The source states hours, no durations, so the unit is one that stands nowhere in the evidence.
    case.trail.claim("sum", case.inputs, chosen.value, values=lengths(day), unit="open_s")
    return case.trail.answered(chosen, f"{case.said()} Opening time on {_day_words(moment)} added up.")


def _until(case: _Case, *, opening: bool) -> Solution:
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


def _until_open(case: _Case) -> Solution:
    return _until(case, opening=True)


def _until_close(case: _Case) -> Solution:
    return _until(case, opening=False)


def _open_days(case: _Case) -> Solution:
    return _days(case, is_open=True) if case.intent.by is None else _days_ranked(case, case.intent.by)


def _days_ranked(case: _Case, by: HoursMeasure) -> Solution:
    """The days on which it is open longest, closes latest, ..."""
    week = week_of(case.view, case.place)
    measures = day_measures(case.hours, (day for day in week if _spans(case, day)), by)
    if not measures:
        raise CannotTellError(f"{case.name} is never open by its hours: '{case.hours.text}'.")
    pick = max if case.intent.pick is Compare.MAX else min
    best = pick(measures.values())
    names = tuple(WEEKDAYS[day.weekday()] for day, measure in measures.items() if measure == best)
    case.cite()
    return case.trail.answered(NameSet(names=names), case.said())


def _closed_days(case: _Case) -> Solution:
    return _days(case, is_open=False)


def _days(case: _Case, *, is_open: bool) -> Solution:
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


def _moment_of(case: _Case, day: date) -> Moment:
    """The time asked about on one day; the small hours belong to the night before."""
    if case.when.at is None:
        return Moment(day)
    night = timedelta(days=1) if case.when.at < DAWN else timedelta()
    return Moment(day, datetime.combine(day, case.when.at) + night)


_ASKS: Mapping[str, Callable[[_Case], Solution]] = {
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


def _agreed[V: Value](case: _Case, value: Callable[[date], V]) -> tuple[V, Moment | None]:
    """The value of the day meant; where no day is fixed, of all working days if they agree, else of today.

    Returns:
        The value, and the moment it holds for (None: every day).
    """
    meant = _days_meant(case)
    values = {moment: value(moment.day) for moment in meant.choices}
    chosen = next(iter(values.values()))
    if all(one == chosen for one in values.values()):
        return chosen, meant.choices[0] if len(values) == 1 or case.when.days else None
    if case.when.days:
        others = [WEEKDAYS[moment.day.weekday()] for moment, one in values.items() if one != chosen]
        case.trail.warn(f"This is for {_day_words(meant.choices[0])}; it differs on {' and '.join(others)}.")
        return chosen, meant.choices[0]
    working = [one for one in values.items() if not _is_rest(one[1])]
    if meant.preferred is None and working and all(one == working[0][1] for _, one in working):
        rest = [WEEKDAYS[moment.day.weekday()] for moment, one in values.items() if _is_rest(one)]
        case.trail.warn(f"It is closed on {' and '.join(rest)}.")
        return working[0][1], working[0][0]
    if meant.preferred is None:
        raise CannotTellError(
            f"The hours of {case.name} differ between the days ({case.hours.text}); say which day is meant.",
            Status.AMBIGUOUS,
        )
    case.trail.warn(f"No day was given; today, {WEEKDAYS[meant.preferred.day.weekday()]}, is assumed.")
    return values[meant.preferred], meant.preferred


def _is_rest(value: Value) -> bool:
    """True for what is said of a day on which a place does not open."""
    return isinstance(value, Text) and value.text == CLOSED


def _days_meant(case: _Case) -> Moments:
    """The days asked about: like `moments`, but a question without any day leaves the whole week open."""
    whole_day = case.when.model_copy(update={"at": None, "until": None})
    if not whole_day.is_now:
        return moments(case.view, case.place, whole_day)
    return moments(case.view, case.place, When(at=NOON))


def _spans(case: _Case, day: date) -> tuple[Interval, ...]:
    """The intervals that begin on a day.

    Raises:
        CannotTellError: The hours were not understood.
    """
    if open_at(case.hours, Moment(day)) is None:
        raise CannotTellError(f"The hours of {case.name} do not tell: '{case.hours.text}'.")
    return intervals_on(case.hours, day)


def _all_day(spans: tuple[Interval, ...]) -> bool:
    return sum((span.closes - span.opens for span in spans), timedelta()) >= FULL_DAY


def _day_words(moment: Moment | None) -> str:
    return WEEKDAYS[moment.day.weekday()] if moment else "every day"
