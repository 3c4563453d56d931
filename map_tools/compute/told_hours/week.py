"""Makes a table of the week of statements, and the specification of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from map_tools.compute.opening_spec import DAY_MIN, DAYS, HOLIDAY, Minutes, Week, clock_text, format_week
from map_tools.compute.told_hours.elements import Clock, Statement, near, span_of

_CLOCK_24 = 12 * 60 + 59


@dataclass(frozen=True, slots=True)
class _Span:
    """A span in minutes, either end maybe an event of the sun."""

    opens: int
    closes: int
    opens_sun: str = ""
    closes_sun: str = ""

    @property
    def text(self) -> str:
        last = self.closes if self.closes <= DAY_MIN else self.closes - DAY_MIN
        return f"{self.opens_sun or clock_text(self.opens)}-{self.closes_sun or clock_text(last)}"


type _Spans = tuple[_Span, ...]
type _Table = dict[str, _Spans | None]
"""The spans of each day; None if they are not known."""


def spec_of(statements: Sequence[Statement]) -> str | None:
    """The specification that statements make; None if they tell no hours."""
    if any(one.unsure and not one.dated and not one.excepted for one in statements):
        return None
    clock_24 = any(_on_24(clock) for one in statements for clock in _clocks(one))
    named = {day for one in statements if not one.season for day in (*(one.days or ()), *one.excepted)}
    base_statements = [one for one in statements if not one.season]
    base = _table(base_statements, {}, named, clock_24=clock_24)
    if base is None:
        return None
    seasons: dict[str, list[Statement]] = {}
    for one in statements:
        if one.season:
            seasons.setdefault(one.season, []).append(one)
    rules: list[str] = []
    known = any(base.values())
    if base:
        rules += _rules(_whole(base))
    unknown = {day for one in base_statements if one.unsure for day in one.days or ()}
    for season, told in seasons.items():
        table = _season_table(told, base, clock_24=clock_24)
        if table is None:
            return None
        named_here = {day for one in told for day in one.days or ()}
        table |= dict.fromkeys(unknown - named_here, None)
        known = known or any(table.values())
        rules += _season_rules(season, table, partial=bool(base))
    if not base and not known:
        closed = [season for season, told in seasons.items() if all(one.closed for one in told)]
        rules = ['Mo-Su unknown "not stated"', *(f"{season} off" for season in closed)] if closed else []
    elif not known and not any(spans == () for spans in base.values()):
        return None
    return _joined(rules) if rules else None


def _clocks(one: Statement) -> Iterable[Clock]:
    ends = [one.opens, one.closes, *(clock for span in (*one.spans, *one.minus) for clock in span)]
    return (clock for clock in ends if clock is not None)


def _on_24(clock: Clock) -> bool:
    return (
        not clock.sun
        and not clock.half
        and (
            (clock.minutes > _CLOCK_24 and clock.minutes < DAY_MIN)
            or (clock.fixed and 60 <= clock.minutes < 12 * 60)
        )
    )


def _table(
    statements: Sequence[Statement], base: _Table, named: set[str], *, clock_24: bool
) -> _Table | None:
    """The hours of the days that statements of one season speak of; None if one of them contradicts itself."""
    table: _Table = {}
    broad = [one for one in statements if _is_broad(one)]
    if sum(1 for one in broad if one.valued and not one.minus and not one.closed and len(one.told) != 1) > 1:
        return None  # two times all days
    specific = [one for one in statements if not _is_broad(one)]
    last: _Spans | None = None
    for one in (*sorted(broad, key=lambda one: bool(one.minus)), *specific):
        days = _days(one, named)
        if one.closed and one.days is None and not one.others:
            return None
        if not one.valued:
            table |= dict.fromkeys(one.excepted, ())
            if not _is_broad(one) and not one.others:
                table |= dict.fromkeys(days)
            continue
        found: _Table = {}
        for day in days:
            known = table.get(day, base.get(day, last))
            stated = day in table or day in base or last is not None
            found[day] = _value(one, known, stated=stated, clock_24=clock_24)
        table |= found
        last = next((spans for spans in found.values() if spans), last)
        table |= dict.fromkeys(one.excepted, None if one.closed else ())
    return table


def _is_broad(one: Statement) -> bool:
    return (one.days is None and not one.others) or set(DAYS) <= set(one.days or ())


def _days(one: Statement, named: set[str]) -> list[str]:
    days = (
        one.days if one.days is not None else tuple(day for day in DAYS if not one.others or day not in named)
    )
    return [day for day in days if day not in one.excepted]


def _value(one: Statement, known: _Spans | None, *, stated: bool, clock_24: bool) -> _Spans | None:
    """When it is open on a day, of which this is known already."""
    if one.unsure:
        return None
    if one.closed:
        return ()
    if one.part_closed:
        return _half_day(known, one.part)
    if one.all_day:
        spans: _Spans | None = (_Span(0, DAY_MIN),)
    elif one.spans:
        spans = _spans(one.spans, one.part, clock_24=clock_24)
        apart = one.part == "pm" and one.days and known and spans and spans[0].opens >= known[-1].closes
        if known and (one.also or apart):
            spans = _together(known, spans)
    elif one.told == {"opens", "closes"}:
        spans = _spans([(one.opens, one.closes)], one.part, clock_24=clock_24)
    elif one.told:
        spans = _cut(one, known)
    else:
        spans = known if stated else _overnight(one, clock_24=clock_24)
        if not stated:
            return spans
    return _without(spans, one.minus) if spans and one.minus else spans


def _spans(told: Sequence[tuple[Clock | None, Clock | None]], part: str, *, clock_24: bool) -> _Spans | None:
    found: list[_Span] = []
    for opens, closes in told:
        if opens is None or closes is None:
            return None
        after = found[-1].closes if found else None
        alone = len(told) == 1 or bool(part)
        if after is None and not alone and not part:
            span = _first_of_several(opens, closes, clock_24=clock_24)
        else:
            span = span_of(opens, closes, part, clock_24=clock_24, after=after)
        if span is None or span[0] >= DAY_MIN or (found and span[0] < found[-1].closes):
            return None
        found.append(_Span(*span, opens_sun=opens.sun, closes_sun=closes.sun))
    return tuple(found)


def _together(known: _Spans, more: _Spans | None) -> _Spans | None:
    """The spans of both, unless they overlap."""
    if more is None:
        return None
    spans = sorted((*known, *more), key=lambda span: span.opens)
    apart = all(span.closes <= following.opens for span, following in pairwise(spans))
    return tuple(spans) if apart else None


def _first_of_several(opens: Clock, closes: Clock, *, clock_24: bool) -> tuple[int, int] | None:
    """The first of several spans of a day: of the morning if it may be."""
    if 5 * 60 <= opens.minutes < 8 * 60 and not opens.half and not closes.half:
        return span_of(opens.leaning("am"), closes, "", clock_24=clock_24, after=None)
    return span_of(opens, closes, "", clock_24=clock_24, after=None)


def _half_day(known: _Spans | None, closed_in: str) -> _Spans | None:
    """The hours of a day on which it is closed in one half: the other of two spans."""
    if not known or len(known) != 2 or known[0].closes > 16 * 60 or known[1].opens < 12 * 60:
        return None
    return known[1:] if closed_in == "am" else known[:1]


def _cut(one: Statement, known: _Spans | None) -> _Spans | None:
    """The known hours with another beginning or another end."""
    if not known:
        return None
    if one.part:
        return None  # "dinner from eight"
    first, last = known[0].opens, known[-1].closes
    if "closes" in one.told:
        if one.closes is None:
            return None
        if one.closes.sun:
            return (
                *known[:-1],
                _Span(known[-1].opens, one.closes.minutes, known[-1].opens_sun, one.closes.sun),
            )
        end = near(one.closes, last, over=first)
        kept = [span for span in known if end is not None and span.opens < end]
        if end is None or not kept:
            return None
        return (*kept[:-1], _Span(kept[-1].opens, end, kept[-1].opens_sun))
    if one.opens is None:
        return None
    begin = near(one.opens, first, under=last)
    kept = [span for span in known if begin is not None and span.closes > begin]
    if begin is None or not kept:
        return None
    return (_Span(begin, kept[0].closes, "", kept[0].closes_sun), *kept[1:])


def _overnight(one: Statement, *, clock_24: bool) -> _Spans | None:
    """The hours between two nights, where only these are told ("locked from 10pm until 6am")."""
    spans = _spans(one.minus, one.part, clock_24=clock_24)
    if spans is None or len(spans) != 1 or spans[0].closes <= DAY_MIN:
        return None
    begin, end = spans[0].closes - DAY_MIN, spans[0].opens
    return (_Span(begin, end, spans[0].closes_sun, spans[0].opens_sun),)


def _without(spans: _Spans, minus: Sequence[tuple[Clock | None, Clock | None]]) -> _Spans | None:
    """Spans without those of a break."""
    for opens, closes in minus:
        if opens is None or closes is None:
            return None
        broken = _break(spans, opens, closes)
        if broken is None:
            return None
        begin, end = broken
        cut: list[_Span] = []
        for span in spans:
            if span.opens < begin < span.closes:
                cut.append(_Span(span.opens, begin, span.opens_sun))
            if span.opens < end < span.closes:
                cut.append(_Span(end, span.closes, "", span.closes_sun))
            if not (span.opens < begin < span.closes or span.opens < end < span.closes):
                cut.append(span)
        spans = tuple(cut)
    return spans


def _break(spans: _Spans, opens: Clock, closes: Clock) -> Minutes | None:
    """The break that lies within the hours."""
    first, last = spans[0].opens, spans[-1].closes
    for begin in opens.readings():
        for end in closes.readings():
            if first < begin < end <= last:
                return begin, end
    return None


def _whole(table: _Table) -> _Table:
    """A table of all days: those not named are closed where others are open, else not known."""
    rest: _Spans | None = () if any(spans for day, spans in table.items() if day != HOLIDAY) else None
    return {
        **{day: table.get(day, rest) for day in DAYS},
        **{day: spans for day, spans in table.items() if day not in DAYS},
    }


def _season_table(told: Sequence[Statement], base: _Table, *, clock_24: bool) -> _Table | None:
    named = {day for one in told for day in (*(one.days or ()), *one.excepted)}
    if all(one.closed and not one.dated for one in told):
        return dict.fromkeys(DAYS, ())
    for one in told:  # "in winter weekends only": the hours as else, on these days alone
        if one.only and one.dated and not one.valued:
            days = _days(one, named)
            kept = {day: base.get(day) for day in days}
            if any(spans is None for spans in kept.values()):
                hours = [spans for spans in base.values() if spans]
                kept = dict.fromkeys(days, hours[0]) if hours and len(set(hours)) == 1 else kept
            return {**dict.fromkeys(DAYS, ()), **kept}
    if not any(one.valued for one in told):
        return None
    return _table(told, base, named, clock_24=clock_24)


def _season_rules(season: str, table: _Table, *, partial: bool) -> list[str]:
    if all(table.get(day, None) == () for day in DAYS):
        return [f"{season} off"]
    return [f"{season} {rule}" for rule in _rules(table if partial else _whole(table), off=partial)]


def _rules(table: _Table, *, off: bool = True) -> list[str]:
    week = {day: table[day] for day in DAYS if day in table}
    plain = {
        day: spans
        for day, spans in week.items()
        if spans is not None and not any(s.opens_sun or s.closes_sun for s in spans)
    }
    rules: list[str] = []
    if len(plain) == len(DAYS) and off:
        days: dict[str, tuple[Minutes, ...]] = {
            day: tuple((span.opens, span.closes) for span in spans) for day, spans in plain.items()
        }
        rules.append(format_week(Week(days)))
    else:
        rules += [f"{_range(days)} {_text(spans)}" for days, spans in _runs(week) if spans != () or off]
    rules += [f"{key} {_text(spans)}" for key, spans in table.items() if key not in DAYS]
    return rules


def _runs(week: _Table) -> list[tuple[list[str], _Spans | None]]:
    runs: list[tuple[list[str], _Spans | None]] = []
    for day, spans in week.items():
        if runs and runs[-1][1] == spans and DAYS.index(runs[-1][0][-1]) + 1 == DAYS.index(day):
            runs[-1][0].append(day)
        else:
            runs.append(([day], spans))
    return runs


def _range(days: list[str]) -> str:
    return days[0] if len(days) == 1 else f"{days[0]}-{days[-1]}"


def _text(spans: _Spans | None) -> str:
    if spans is None:
        return 'unknown "not stated"'
    return ",".join(span.text for span in spans) or "off"


def _joined(rules: list[str]) -> str:
    return "; ".join(rules)
