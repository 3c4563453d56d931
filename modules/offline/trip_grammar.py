"""Questions about trips: several legs, stays, deadlines, orders and schedules."""

import re

from modules.names import same_name
from modules.offline.analysis import Analysis, Span
from modules.offline.intents import TripIntent, Visit, When
from modules.offline.marks import Mark
from modules.offline.reading import Reading, score
from modules.offline.route_grammar_frame import streets_compared
from modules.offline.route_grammar_stretch import stretch_asked
from modules.offline.route_vocabulary import says
from modules.offline.trip_grammar_asks import Ask, ask_by_options, ask_of, position_asked
from modules.offline.trip_grammar_begin import (
    begin_arriving,
    begin_at,
    edge_of_day,
    opening_stop,
    stayed_until,
)
from modules.offline.trip_grammar_clocks import Times, times
from modules.offline.trip_grammar_modes import assign_modes, counted_mode
from modules.offline.trip_grammar_order import arrange, is_dated, ordered_as_told
from modules.offline.trip_grammar_stays import is_budget, is_margin
from modules.offline.trip_grammar_stops import trail
from modules.offline.trip_grammar_trail import Stop, Trail, blanked, pattern

TRIP_ONLY = frozenset(("latest_departure", "max_visits", "best_order", "schedule", "spare", "leave_at"))
"""Asks that no other family has: one place is enough."""
UNSAID_DOUBT = 0.1
"""Taken off where only the options tell what is asked."""
UNSTAYED_DOUBT = 0.7
"""Taken off "how many fit" where the stay at one of the places is not known, so that it is not answered."""

_LEAVE = re.compile(
    r"\b(?:leave|depart(?: from)?|set (?:off|out) from|start (?:from|at)|head (?:out|off) from)\s+(?:the\s+)?"
)

_REACH_STOP = re.compile(r"\b(?:arrive|be|get|reach)\b(?: (?:at|in|to))?\s+(?:the\s+)?(?=_)")
_SPEND_AT = re.compile(
    r"\b(?:spend|stay|stop|remain|linger|hang|have|there (?:left )?for)\b[^.?!_]{0,30}(?=_)"
)


def read(analysis: Analysis) -> list[Reading]:
    """Readings as a question about a trip."""
    found = trail(analysis)
    if not found.stops or analysis.option_kind == "via" or _is_short(analysis, found):
        return []
    if says(analysis.text, "pattern", "two_ways") or stretch_asked(analysis):
        return []
    if streets_compared(analysis.text) is not None:
        return []
    text = blanked(analysis, [*found.spans, *_selves(analysis)])
    said = ask_of(analysis, text, found)
    ask = said or ask_by_options(analysis, text, found)
    if ask is None or not _is_trip(analysis, found, ask):
        return []
    ordered = ordered_as_told(text, found, ask)
    arranged = arrange(analysis, text, found, ask, free=not ordered)
    ordered = ordered or (arranged and ask not in {"max_visits", "best_order"})
    assign_modes(analysis, found)
    if not arranged:
        _cut(analysis, text, found, ask)
    if not found.stops:
        return []
    begin_arriving(analysis, text, found)
    left = stayed_until(analysis, text, found, ask)
    edge = edge_of_day(text, found, ask) if left is None else None
    at_first = found.start is None and ask != "latest_departure"
    set_times = times(
        analysis, text, found.stops, ask, begins_at_first=at_first, end=found.end_stop, left=left
    )
    if ask == "latest_departure" and _bounds_nothing(text, set_times):
        ask = "leave_at"
    intent = _intent(analysis, text, found, ask, set_times, ordered=ordered)
    if edge is not None and set_times.depart is None:
        intent = intent.model_copy(update={"begins": edge})
    cue = _cue(found, ask, timed=bool(analysis.clocks)) - (0.0 if said else UNSAID_DOUBT)
    cue -= UNSTAYED_DOUBT * (ask == "max_visits" and _is_half_stayed(found))
    return [Reading(intent, score(analysis, cue, _used(analysis, found, text, ask)))]


def _is_half_stayed(found: Trail) -> bool:
    """True if some stops have stays and others none: a stay was told that was not understood."""
    stayed = [stop.dwell_s > 0 for stop in found.stops]
    return any(stayed) and not all(stayed)


def _bounds_nothing(text: str, said: Times) -> bool:
    """True for "what time do I leave" of a trip that is told from its beginning, without a deadline."""
    bounded = said.end is not None or said.arrive_by or pattern("ask", "bounded").search(text)
    return said.depart is not None and not bounded


def _is_short(analysis: Analysis, found: Trail) -> bool:
    """True if one place, no way back and no limit of time are spoken of: no trip, and nothing more to try."""
    limited = (
        analysis.clocks or analysis.durations or pattern("ask", "limited").search(analysis.text.casefold())
    )
    return len(found.stops) < 2 and found.back is None and not limited


def _selves(analysis: Analysis) -> list[Span]:
    return [(mention.start, mention.end) for mention in analysis.by_role("self", "qualifier")]


def _is_trip(analysis: Analysis, found: Trail, ask: Ask) -> bool:
    """True if this is more than one way from A to B."""
    if len(found.stops) == 2 and found.back is None and analysis.by_role("between"):
        return False
    if ask == "latest_departure" and _only_stays(analysis, found):
        return False
    if (ask == "spare" and _only_opens(analysis, found)) or (ask == "best_order" and len(found.stops) < 2):
        return False
    return (
        len(found.stops) >= 2 or found.back is not None or ask in TRIP_ONLY or ask in {"arrival", "feasible"}
    )


def _only_opens(analysis: Analysis, found: Trail) -> bool:
    """True for "how much time is left before X closes": one place, its hours, and no way to it."""
    alone = len(found.stops) == 1 and found.start is None and found.back is None
    return alone and analysis.has("open.word") and not analysis.modes


def _only_stays(analysis: Analysis, found: Trail) -> bool:
    """True for "how late can I stay at X": one place, and nothing said of a way to or from it."""
    moves = analysis.modes or analysis.durations or analysis.clocks or analysis.refers_here
    return len(found.stops) == 1 and found.start is None and found.back is None and not moves


def _cut(analysis: Analysis, text: str, found: Trail, ask: Ask) -> None:
    """A question about a part of the trip: from the place one leaves, or up to the place one stays at."""
    if ask == "latest_departure":
        left, reached = _asked_stop(text, found, _LEAVE), _asked_stop(text, found, _REACH_STOP)
        if left is not None:
            begin_at(found, left)
        elif reached is not None and (reached is not found.stops[-1] or found.end is not None):
            begin_at(found, reached, arriving=True)
    if ask == "spare":
        matches = list(_SPEND_AT.finditer(text))
        stayed = _named(matches[-1], found) if matches else None
        if stayed is None or stayed.dwell_s:
            return
        until = found.stops.index(stayed) + 1
        if not any(is_dated(analysis, text, later) for later in found.stops[until:]):
            found.stops, found.back = found.stops[:until], None


def _asked_stop(text: str, found: Trail, cue: re.Pattern[str]) -> Stop | None:
    """The stop the question asks when to leave ("the latest time I can leave X") or to be at."""
    asked = pattern("ask", "latest_departure").search(text)
    match = cue.search(text, asked.start()) if asked else None
    return _named(match, found) if match else None


def _named(cue: re.Match[str], found: Trail) -> Stop | None:
    """The stop whose name, new or repeated, follows a cue."""
    again = next((stop for stop in (*found.repeats, *found.stops) if stop.start == cue.end()), None)
    if again is None:
        return None
    return next((one for one in found.stops if same_name(one.text, again.text)), None)


def _intent(
    analysis: Analysis, text: str, found: Trail, ask: Ask, said: Times, *, ordered: bool
) -> TripIntent:
    opening = opening_stop(text, found)
    visits = tuple(
        Visit(
            place=stop.text,
            dwell_s=stop.dwell_s,
            mode=stop.mode,
            arrive_by=said.arrive_by.get(index),
            not_before=said.not_before.get(index),
            at_opening=index == opening,
            until=said.until.get(index),
            along=stop.along,
            what=stop.what,
        )
        for index, stop in enumerate(found.stops)
    )
    return TripIntent(
        start=found.start,
        visits=visits,
        end=found.end if found.end != found.start else None,
        returns=found.back is not None and (found.end is None or found.end == found.start),
        return_mode=found.back_mode,
        mode=found.mode,
        ordered=ordered,
        depart_at=said.depart,
        day=_day(analysis, found),
        available_s=_available_s(analysis, found, ask),
        end_by=said.end,
        ask=ask,
        wanted=position_asked(analysis, text) if ask == "best_order" else "order",
        counted=counted_mode(analysis, text, found) if ask in {"travel_time", "distance"} else None,
        before_closing=ask == "feasible" and pattern("clock", "before_closing").search(text) is not None,
    )


def _day(analysis: Analysis, found: Trail) -> When | None:
    """The day of the trip; none is a day in a name ("Sunday Market"), or one on which a place is closed."""
    for mark in analysis.days:
        closed = pattern("clock", "closed_day").search(analysis.text[: mark.start].casefold())
        if not closed and not any(start <= mark.start < end for start, end in found.spans):
            said = mark.value
            day = When(weekday=said.weekday, day=said.day, relative_days=said.relative_days)
            return None if day.is_now else day
    return None


def _budgets(analysis: Analysis) -> list[Mark[float]]:
    text = analysis.text.casefold()
    return [mark for mark in analysis.durations if is_budget(text, mark)]


def _available_s(analysis: Analysis, found: Trail, ask: Ask) -> float | None:
    """The time at hand; where visits are to fit into it, any duration said that is no stay."""
    budgets = _budgets(analysis) or ([found.budget] if found.budget is not None else [])
    if not budgets and ask == "max_visits":
        text = analysis.text.casefold()
        free = [mark for mark in analysis.durations if (mark.start, mark.end) not in found.used]
        budgets = [mark for mark in free if not is_margin(text, mark)]
    return budgets[0].value if budgets else None


def _cue(found: Trail, ask: Ask, *, timed: bool) -> float:
    """How typical of a trip question this is."""
    cue = 1.0 if ask in TRIP_ONLY else 0.97 if len(found.stops) > 1 else 0.9
    if len(found.stops) == 1 and found.back is None and ask in {"arrival", "feasible"}:
        bounded = timed or found.stops[0].dwell_s
        cue = 1.0 if bounded and found.start is not None else 0.75
    return cue


def _used(analysis: Analysis, found: Trail, text: str, ask: Ask) -> list[Span]:
    spans = [*found.spans, *_selves(analysis), *found.used]
    marks = (*analysis.durations, *analysis.clocks, *analysis.days, *analysis.modes)
    spans += [(mark.start, mark.end) for mark in marks]
    spans += [match.span() for match in pattern("ask", "limited").finditer(text)]
    asked = "time" if ask in {"travel_time", "total_time"} else ask
    for section, key in (("ask", asked), ("order", "asked"), ("order", "said"), ("back", "words")):
        spans += [match.span() for match in pattern(section, key).finditer(text)]
    return spans
