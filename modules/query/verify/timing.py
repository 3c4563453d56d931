"""Times of the verifier's own: what words mean as times, when places are open, whether a trip keeps what it says.

Of opening hours only the reading of the source's text is shared: a week's table (`parse_week`), or where the
hours are more than that the spans of single days. What follows from them is walked through here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from map_tools.compute import hours as calendar
from map_tools.compute.clocks import parse_clock
from map_tools.compute.opening_spec import DAYS, parse_week
from map_tools.types import Hours
from modules.query.values.moment import ANY_MONDAY, DAY, MONTHS, ORDINARY_DAY, WEEKDAYS, Moment
from modules.query.values.unknown import Unknown, Why

AHEAD_DAYS = 366
_FAR_DAYS = 9 * AHEAD_DAYS
"""How far ahead any day of a month occurs, a 29 February too."""
_ALWAYS = "Mo-Su 00:00-24:00"
_ROUNDING_S = 1e-6

type Span = tuple[datetime, datetime]
type Window = tuple[float, float]


def read_moment(text: str, now: datetime | None) -> Moment | None:
    """The time that words mean: a day, a time of day or both; None if they mean none."""
    first, _, rest = text.strip().partition(" ")
    today = now.date() if now is not None else ANY_MONDAY
    word = first.casefold().rstrip(",")
    day: date | None = {"today": today, "tonight": today, "tomorrow": today + DAY}.get(word)
    floating = day is not None and now is None
    if day is None and word[:3].capitalize() in WEEKDAYS and parse_clock(text) is None:
        day = today + timedelta(days=(WEEKDAYS.index(word[:3].capitalize()) - today.weekday()) % 7)
    if day is None and first.count("-") == 2 and first[:4].isdigit():
        day = date.fromisoformat(first[:10])
    months = [number for number, name in enumerate(MONTHS, 1) if name.startswith(word.rstrip("."))]
    if day is None and len(word) >= 3 and months:
        day, rest = _in_month(months[0], rest, today)
    if day is None:
        clock = parse_clock(text)
        return None if clock is None else Moment(datetime.combine(today, clock), any_day=now is None)
    if not rest.strip():
        return Moment(datetime.combine(day, time()), whole_day=True, any_day=floating)
    clock = parse_clock(rest.strip().removeprefix("at ").strip())
    return None if clock is None else Moment(datetime.combine(day, clock), any_day=floating)


def _in_month(month: int, rest: str, today: date) -> tuple[date | None, str]:
    """The day of a month that words mean, and the words behind it: the first one of those to come that fits."""
    word, _, behind = rest.partition(" ")
    word = word.rstrip(",")
    days = (today + number * DAY for number in range(_FAR_DAYS))
    if word.isdigit():
        return next((day for day in days if (day.month, day.day) == (month, int(word))), None), behind
    named = word[:3].capitalize() in WEEKDAYS
    weekday = word[:3].capitalize() if named else WEEKDAYS[ORDINARY_DAY]
    present = (today.year, today.month)
    fits = (
        one for one in days if one.month == month and ((one.year, month) == present or 8 <= one.day <= 14)
    )
    same = (one for one in fits if WEEKDAYS[one.weekday()] == weekday)
    return next(same, None), behind if named else rest


def read_beside(text: str, other: Moment, now: datetime | None) -> Moment | None:
    """The time that words mean beside another: a bare time of day is the first one since that was reckoned from."""
    clock = parse_clock(text) if text.strip()[:1].isdigit() and "-" not in text else None
    if clock is None:
        return read_moment(text, now)
    since = other.base or datetime.combine(other.at.date(), time())
    at = datetime.combine(since.date(), clock)
    return Moment(at if at >= since else at + DAY, base=since, any_day=other.any_day)


def later(moment: Moment, seconds: float) -> Moment:
    """The moment so many seconds later, with the given one as its base; for an earlier one, the day is the base."""
    base = moment.base or (moment.at if seconds >= 0 else None)
    return Moment(moment.at + timedelta(seconds=seconds), base=base, any_day=moment.any_day)


def on_days(moment: Moment) -> list[Moment]:
    """The moments meant: where only the time of day is known, those of an ordinary week."""
    if not moment.any_day:
        return [moment]
    return [replace(moment, at=moment.at + number * DAY, any_day=False) for number in range(7)]


def clock_s(moment: Moment) -> float:
    """Seconds since midnight."""
    return (moment.at - midnight(moment.at)).total_seconds()


def midnight(at: datetime) -> datetime:
    """When the day of a moment begins."""
    return datetime.combine(at.date(), time())


def spans(hours: Hours, first: date, days: int) -> Iterator[Span]:
    """The spans of being open that begin on so many days, those that touch made one."""
    spec = _ALWAYS if hours.spec == "24/7" else hours.spec or ""
    week = None if "||" in spec else parse_week(spec)
    pending: Span | None = None
    for number in range(days):
        day = first + number * DAY
        start = datetime.combine(day, time())
        if week is not None:
            table = sorted(week.days[DAYS[day.weekday()]])
            found = [(start + timedelta(minutes=a), start + timedelta(minutes=b)) for a, b in table]
        else:
            found = [(one.opens, one.closes) for one in calendar.intervals_on(hours, day)]
        for opens, closes in found:
            if pending is not None and opens <= pending[1]:
                pending = (pending[0], max(closes, pending[1]))
                continue
            if pending is not None:
                yield pending
            pending = (opens, closes)
    if pending is not None:
        yield pending


def _holding(hours: Hours, at: datetime, ahead: int = 3) -> Span | None:
    return next((one for one in spans(hours, at.date() - DAY, ahead) if one[0] <= at < one[1]), None)


def on_day(hours: Hours, day: date) -> list[Span]:
    """The spans that begin on a day; those of a whole day and more are cut at midnights."""
    found: list[Span] = []
    midnight = datetime.combine(day, time())
    for opens, closes in spans(hours, day - DAY, 4):
        long = closes - opens >= DAY
        begin, end = (max(opens, midnight), min(closes, midnight + DAY)) if long else (opens, closes)
        if begin.date() == day and begin < end:
            found.append((begin, end))
    return found


def _open(why: str = "") -> Unknown:
    return Unknown(Why.NOT_STATED, why or "Its hours do not say.")


def unsaid(hours: Hours, at: datetime) -> bool:
    """Whether the hours leave open what holds at a moment ("by appointment")."""
    return calendar.open_state(hours, at) is calendar.OpenState.UNKNOWN


def is_open(hours: Hours, moment: Moment, until: Moment | None) -> bool | Unknown:
    """Whether a place is open at a moment, at any time of a day, or all the time until another moment."""
    if hours.spec is None:
        return _open()
    if until is not None:
        end = until.at if until.at > moment.at else datetime.combine(moment.at.date(), until.at.time())
        held = _holding(hours, moment.at, 3 + (max(end, moment.at) - moment.at).days)
        return held is not None and end <= held[1]
    if moment.whole_day:
        noon = moment.at.replace(hour=12)
        return True if on_day(hours, moment.at.date()) else _open() if unsaid(hours, noon) else False
    if _holding(hours, moment.at) is not None:
        return True
    return _open() if unsaid(hours, moment.at) else False


def opening(hours: Hours, moment: Moment) -> datetime | None:
    """The first opening of a day, or the next one at or after a moment; None if there is none within a year."""
    today = on_day(hours, moment.at.date())
    if moment.whole_day:
        return today[0][0] if today else None
    if any(opens == moment.at for opens, _ in today):
        return moment.at
    ahead = spans(hours, moment.at.date() - DAY, AHEAD_DAYS)
    return next((opens for opens, _ in ahead if opens > moment.at), None)


def closing(hours: Hours, moment: Moment) -> datetime | None:
    """The last closing of a day, or the end of the span that holds a moment; None if it is closed or never closes."""
    if moment.whole_day:
        today = on_day(hours, moment.at.date())
        return today[-1][1] if today else None
    held = _holding(hours, moment.at)
    if held is not None and held[1] - moment.at > DAY:
        held = _holding(hours, moment.at, AHEAD_DAYS)
    return held[1] if held is not None and held[1] - moment.at < (AHEAD_DAYS - 3) * DAY else None


def windows_of(hours: Hours, day: datetime, *, any_day: bool) -> tuple[Window, ...]:
    """Opening times of a place on a day, in seconds after its midnight; if no day is known, those of all open days."""
    if not any_day:
        return tuple(
            (max((opens - day).total_seconds(), 0.0), (closes - day).total_seconds())
            for opens, closes in spans(hours, day.date() - DAY, 3)
            if closes > day and opens < day + DAY
        )
    days = [day + number * DAY for number in range(7)]
    week = [windows_of(hours, one, any_day=False) for one in days if on_day(hours, one.date())]
    shared = week[0] if week else ()
    for other in week[1:]:
        shared = tuple((max(a, c), min(b, d)) for a, b in shared for c, d in other if max(a, c) < min(b, d))
    return shared


@dataclass(frozen=True, slots=True)
class Stay:
    """A stay of a trip: how long, within which windows (None: any time), begun when."""

    dwell_s: float
    windows: tuple[Window, ...] | None
    early_s: float = 0.0
    late_s: float = float("inf")

    def begins(self, arrive_s: float) -> float | None:
        """When it begins after an arrival; None if it is not possible any more."""
        ready = max(arrive_s, self.early_s)
        spans_ = self.windows if self.windows is not None else ((ready, float("inf")),)
        starts = [max(ready, a) for a, b in spans_ if max(ready, a) + self.dwell_s <= b + _ROUNDING_S]
        first = min(starts, default=None)
        return None if first is None or first > self.late_s + _ROUNDING_S else first


@dataclass(frozen=True, slots=True)
class Journey:
    """A trip as it is asked for, in seconds after a midnight.

    Attributes:
        stays: By number.
        leg_s: Travel between two of them; -1 is the start, -2 the end. None: no way is known.
        ends: Whether it has a start and an end of its own.
        deadline_s: When it has to be over.
        free, skip: Whether stays may be swapped, or left out.
    """

    stays: Sequence[Stay]
    leg_s: Callable[[int, int], float | None]
    ends: tuple[bool, bool]
    deadline_s: float = float("inf")
    free: bool = False
    skip: bool = False

    def walked(self, order: Sequence[int], start_s: float) -> tuple[list[tuple[float, float]], float] | None:
        """Arrival and begin of each stay, and the end of the trip; None if something is not kept."""
        times, now, last = [], start_s, -1 if self.ends[0] else None
        for number in order:
            came = self._next(last, number, now)
            if came is None:
                return None
            times.append(came)
            now, last = came[1] + self.stays[number].dwell_s, number
        finish = self._finish(last, now)
        return None if finish is None else (times, finish)

    def best(self, start_s: float) -> Mapping[int, float]:
        """For each number of stays the earliest end of a trip with so many.

        To be somewhere earlier is never worse, so of all ways through the same stays to the same last one the
        earliest is enough.
        """
        states: dict[tuple[frozenset[int], int | None], float] = {
            (frozenset(), -1 if self.ends[0] else None): start_s
        }
        found: dict[int, float] = {}
        for size in range(len(self.stays) + 1):
            ends = [self._finish(last, now) for (_, last), now in states.items()]
            known = [end for end in ends if end is not None]
            if known:
                found[size] = min(known)
            following: dict[tuple[frozenset[int], int | None], float] = {}
            for (done, last), now in states.items():
                for number in self._choices(done):
                    came = self._next(last, number, now)
                    if came is not None:
                        key, leave = (done | {number}, number), came[1] + self.stays[number].dwell_s
                        following[key] = min(leave, following.get(key, leave))
            states = following
        return found

    def _choices(self, done: frozenset[int]) -> Iterator[int]:
        after = max(done, default=-1)
        for number in range(len(self.stays)):
            if number not in done and (self.free or number == after + 1 or (self.skip and number > after)):
                yield number

    def _next(self, last: int | None, number: int, now: float) -> tuple[float, float] | None:
        leg = 0.0 if last is None else self.leg_s(last, number)
        begin = None if leg is None else self.stays[number].begins(now + leg)
        if leg is None or begin is None:
            return None
        late = begin + self.stays[number].dwell_s > self.deadline_s + _ROUNDING_S
        return None if late else (now + leg, begin)

    def _finish(self, last: int | None, now: float) -> float | None:
        leg = self.leg_s(last, -2) if self.ends[1] and last is not None else 0.0
        return None if leg is None or now + leg > self.deadline_s + _ROUNDING_S else now + leg
