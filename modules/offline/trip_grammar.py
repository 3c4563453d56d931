"""Questions about trips: several legs, stays, deadlines, orders and schedules."""

import re
from collections.abc import Sequence
from typing import Literal

from modules.intents import TripIntent, Visit, When
from modules.names import same_name
from modules.offline.analysis import Analysis, Span
from modules.offline.marks import Mark
from modules.offline.reading import Reading, score
from modules.offline.trip_grammar_clocks import Times, times
from modules.offline.trip_grammar_modes import assign_modes
from modules.offline.trip_grammar_stops import Stop, Trail, blanked, is_budget, pattern, trail

Ask = Literal[
    "travel_time", "total_time", "distance", "arrival", "latest_departure", "feasible", "max_visits",
    "best_order", "schedule", "leave_at", "spare",
]  # fmt: skip

TRIP_ONLY = frozenset(("latest_departure", "max_visits", "best_order", "schedule", "spare", "leave_at"))
"""Asks that no other family has: one place is enough."""

_ASKS = (
    "max_visits", "best_order", "latest_departure", "spare", "schedule", "leave_at", "arrival", "feasible",
    "distance", "time",
)  # fmt: skip
"""The order in which asks overrule each other."""

_LEAVE = re.compile(r"\b(?:leave|depart(?: from)?|set off from|start from|head out from)\s+(?:the\s+)?")
_SPEND_AT = re.compile(r"\b(?:spend|stay|remain|linger|have)\b[^.?!_]{0,30}(?=_)")


def read(analysis: Analysis) -> list[Reading]:
    """Readings as a question about a trip."""
    found = trail(analysis)
    if not found.stops or analysis.option_kind == "via" or _is_short(analysis, found):
        return []
    text = blanked(analysis, [*found.spans, *_selves(analysis)])
    ask = _ask(analysis, text, found)
    if ask is None or not _is_trip(analysis, found, ask):
        return []
    ordered = _order(text, found, ask)
    assign_modes(analysis, found)
    _cut(text, found, ask)
    if not found.stops:
        return []
    at_first = found.start is None and ask != "latest_departure"
    said = times(analysis, text, found.stops, ask, begins_at_first=at_first)
    intent = _intent(analysis, found, ask, said, ordered=ordered)
    return [Reading(intent, score(analysis, _cue(found, ask), _used(analysis, found, text, ask)))]


def _is_short(analysis: Analysis, found: Trail) -> bool:
    """True if one place, no way back and no limit of time are spoken of: no trip, and nothing more to try."""
    limited = (
        analysis.clocks or analysis.durations or pattern("ask", "limited").search(analysis.text.casefold())
    )
    return len(found.stops) < 2 and found.back is None and not limited


def _selves(analysis: Analysis) -> list[Span]:
    return [(mention.start, mention.end) for mention in analysis.by_role("self", "qualifier")]


def _ask(analysis: Analysis, text: str, found: Trail) -> Ask | None:
    """What is asked of the trip; the options decide where the words leave it open."""
    kind = analysis.option_kind
    asks = [ask for ask in _ASKS if _asks(text, ask)]
    if kind == "count" and "max_visits" not in asks:
        asks = [ask for ask in asks if ask == "time"]
    if kind == "clock":
        asks = [ask for ask in asks if ask in {"latest_departure", "arrival", "leave_at", "schedule"}]
    if kind == "duration":
        asks = [ask for ask in asks if ask in {"time", "spare"}]
    if kind == "yes_no":
        asks = ["feasible"]
    if not asks:
        return None
    if asks[0] == "time":
        return _time_ask(text, found)
    return next(ask for ask in _NAMES if ask == asks[0])


def _asks(text: str, ask: str) -> bool:
    found = pattern("ask", ask).search(text)
    if found is None or ask != "feasible":
        return found is not None
    return pattern("ask", "question_word").search(text[: found.start()]) is None


_NAMES: tuple[Ask, ...] = (
    "max_visits", "best_order", "latest_departure", "spare", "schedule", "leave_at", "arrival", "feasible",
    "distance",
)  # fmt: skip


def _time_ask(text: str, found: Trail) -> Ask:
    """Time on the way only, or with the stays."""
    if not any(stop.dwell_s for stop in found.stops):
        return "travel_time"
    if pattern("time", "with_stays").search(text):
        return "total_time"
    asking = re.split(r"(?<=[.!;])\s", text)[-1]
    return "travel_time" if pattern("time", "on_the_way").search(asking) else "total_time"


def _is_trip(analysis: Analysis, found: Trail, ask: Ask) -> bool:
    """True if this is more than one way from A to B."""
    if len(found.stops) == 2 and found.back is None and analysis.by_role("between"):
        return False
    return (
        len(found.stops) >= 2 or found.back is not None or ask in TRIP_ONLY or ask in {"arrival", "feasible"}
    )


def _order(text: str, found: Trail, ask: Ask) -> bool:
    """Puts the stops in the order the question sets; tells whether that order is binding."""
    for sentence in _sentences(text):
        again = [stop for stop in (*found.stops, *found.repeats) if sentence[0] <= stop.start < sentence[1]]
        words = text[sentence[0] : sentence[1]]
        told = pattern("order", "asked").search(words) or pattern("order", "said").search(words)
        if told and _all_again(again, found) and any(stop in found.repeats for stop in again):
            rank = {
                id(stop): position for position, stop in enumerate(sorted(again, key=lambda one: one.start))
            }
            found.stops.sort(
                key=lambda stop: min(rank[id(other)] for other in again if same_name(other.text, stop.text))
            )
            return ask not in {"best_order"}
    if ask in {"max_visits", "best_order"}:
        return False
    said = pattern("order", "said").search(text) or pattern("order", "asked").search(text)
    if ask in {"feasible", "schedule"}:
        return said is not None
    return not (pattern("order", "free").search(text) and not said and len(found.stops) > 2)


def _sentences(text: str) -> list[Span]:
    ends = [match.end() for match in re.finditer(r"[.?!](?=\s)", text)] + [len(text)]
    return list(zip([0, *ends[:-1]], ends, strict=True))


def _all_again(again: Sequence[Stop], found: Trail) -> bool:
    return len(found.stops) > 1 and all(
        any(same_name(one.text, stop.text) for one in again) for stop in found.stops
    )


def _cut(text: str, found: Trail, ask: Ask) -> None:
    """A question about a part of the trip: from the place one leaves, or up to the place one stays at."""
    if ask == "latest_departure":
        left = _left_stop(text, found)
        if left is not None:
            _begin_at(found, left)
    if ask == "spare":
        matches = list(_SPEND_AT.finditer(text))
        stayed = _named(matches[-1], found) if matches else None
        if stayed is not None and not stayed.dwell_s:
            found.stops = found.stops[: found.stops.index(stayed) + 1]
            found.back = None


def _begin_at(found: Trail, left: Stop) -> None:
    """Leaves out what lies before a stop; the way back to the former start becomes a way to a place."""
    home = found.end_stop
    if home is None and found.start is not None and found.back is not None:
        home = Stop(*found.back, found.start)
    found.start, found.stops = left.text, found.stops[found.stops.index(left) + 1 :]
    if home is not None:
        found.end, found.back = (home.text, None) if found.stops else (None, None)
        found.stops = found.stops or [home]


def _left_stop(text: str, found: Trail) -> Stop | None:
    """The stop the question asks when to leave ("the latest time I can leave X")."""
    asked = pattern("ask", "latest_departure").search(text)
    match = _LEAVE.search(text, asked.start()) if asked else None
    return _named(match, found) if match else None


def _named(cue: re.Match[str], found: Trail) -> Stop | None:
    """The stop whose name, new or repeated, follows a cue."""
    again = next((stop for stop in (*found.repeats, *found.stops) if stop.start == cue.end()), None)
    if again is None:
        return None
    return next((one for one in found.stops if same_name(one.text, again.text)), None)


def _intent(analysis: Analysis, found: Trail, ask: Ask, said: Times, *, ordered: bool) -> TripIntent:
    visits = tuple(
        Visit(
            place=stop.text,
            dwell_s=stop.dwell_s,
            mode=stop.mode,
            arrive_by=said.arrive_by.get(index),
            not_before=said.not_before.get(index),
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
        available_s=_available_s(analysis),
        end_by=said.end,
        ask=ask,
    )


def _day(analysis: Analysis, found: Trail) -> When | None:
    """The day of the trip; a day inside a name ("Sunday Market") is none."""
    for mark in analysis.days:
        if not any(start <= mark.start < end for start, end in found.spans):
            said = mark.value
            day = When(weekday=said.weekday, day=said.day, relative_days=said.relative_days)
            return None if day.is_now else day
    return None


def _budgets(analysis: Analysis) -> list[Mark[float]]:
    text = analysis.text.casefold()
    return [mark for mark in analysis.durations if is_budget(text, mark)]


def _available_s(analysis: Analysis) -> float | None:
    budgets = _budgets(analysis)
    return budgets[0].value if budgets else None


def _cue(found: Trail, ask: Ask) -> float:
    """How typical of a trip question this is."""
    cue = 1.0 if ask in TRIP_ONLY else 0.97 if len(found.stops) > 1 else 0.9
    if len(found.stops) == 1 and found.back is None and ask in {"arrival", "feasible"}:
        cue = 0.75
    return cue


def _used(analysis: Analysis, found: Trail, text: str, ask: Ask) -> list[Span]:
    spans = [*found.spans, *_selves(analysis), *found.used]
    marks = (*analysis.durations, *analysis.clocks, *analysis.days, *analysis.modes)
    spans += [(mark.start, mark.end) for mark in marks]
    asked = "time" if ask in {"travel_time", "total_time"} else ask
    for section, key in (("ask", asked), ("order", "asked"), ("order", "said"), ("back", "words")):
        spans += [match.span() for match in pattern(section, key).finditer(text)]
    return spans
