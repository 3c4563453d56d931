"""What is asked of a trip."""

import re
from typing import Literal

from map_tools.compute.quantities import find_clocks
from modules.names import same_name
from modules.offline.analysis import Analysis
from modules.offline.options import ordered_names
from modules.offline.speaker import as_speaker
from modules.offline.trip_grammar_trail import Trail, pattern

Ask = Literal[
    "travel_time", "total_time", "distance", "arrival", "latest_departure", "feasible", "max_visits",
    "best_order", "schedule", "leave_at", "spare",
]  # fmt: skip


_ASKS = (
    "max_visits", "best_order", "latest_departure", "spare", "schedule", "leave_at", "arrival", "feasible",
    "distance", "time",
)  # fmt: skip
"""The order in which asks overrule each other."""
_SEVERAL = 2


def ask_of(analysis: Analysis, text: str, found: Trail) -> Ask | None:
    """What is asked of the trip; the options decide where the words leave it open."""
    kind, text = analysis.option_kind, as_speaker(text)
    if kind in {"none", "yes_no"} and pattern("ask", "open_then").search(text):
        return "feasible"
    asks = [ask for ask in _ASKS if _asks(text, ask)]
    if kind == "order" and not asks and pattern("ask", "best_of_ways").search(text):
        return "best_order"
    if kind == "count" and "max_visits" not in asks:
        asks = [ask for ask in asks if ask in {"time", "spare"}]
    if kind == "distance":
        asks = [ask for ask in asks if ask == "distance"]
    if kind == "clock":
        asks = [ask for ask in asks if ask in {"latest_departure", "arrival", "leave_at", "schedule"}]
    if kind == "duration":
        asks = [ask for ask in asks if ask in {"time", "spare"}]
    if kind == "yes_no":
        asks = ["feasible"] if "feasible" in asks or _is_bounded(analysis) else []
    if not asks:
        return None
    if asks[0] == "time":
        return _time_ask(text, found)
    return next(ask for ask in _NAMES if ask == asks[0])


def ask_by_options(analysis: Analysis, text: str, found: Trail) -> Ask | None:
    """What the options say is asked of a trip if the words do not; None if they leave it open too.

    Numbers to choose from behind places with their stays can only be how many of them fit, times of day
    behind a deadline only when to leave.
    """
    options, kind = analysis.options, analysis.option_kind
    stayed = sum(stop.dwell_s > 0 for stop in found.stops)
    if kind == "count" and stayed >= _SEVERAL:
        return "max_visits"
    timed = len(options) > 1 and all(len(find_clocks(option)) >= _SEVERAL for option in options)
    if timed and stayed >= _SEVERAL:
        return "schedule"
    if kind == "order" or ordered_names(options) or (stayed and _are_stops(options, found)):
        return "best_order"
    if kind == "duration" and (len(found.stops) >= _SEVERAL or found.back is not None):
        return _time_ask(text, found)
    if kind != "clock" or not stayed or not analysis.clocks:
        return None
    due = any(pattern("clock", "end").search(text[: mark.start]) for mark in analysis.clocks)
    return "latest_departure" if due else "leave_at"


def _are_stops(options: tuple[str, ...], found: Trail) -> bool:
    """True if the options are stops of the trip."""
    named = [any(same_name(option, stop.text) for stop in found.stops) for option in options]
    return len(named) > 1 and all(named)


def _asks(text: str, ask: str) -> bool:
    found = pattern("ask", ask).search(text)
    if found is None and ask == "max_visits":
        found = pattern("ask", ask).search(pattern("ask", "at_most").sub("", text))
    if found is None or ask != "feasible":
        return found is not None
    return pattern("ask", "question_word").search(text[: found.start()]) is None


def _is_bounded(analysis: Analysis) -> bool:
    """True if times or a limit are spoken of: without them no trip can fail."""
    return bool(analysis.clocks or analysis.durations or analysis.days) or (
        pattern("ask", "limited").search(analysis.text.casefold()) is not None
    )


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


def position_asked(analysis: Analysis, text: str) -> Literal["order", "first", "last"]:
    """Whether the place to visit first or last is asked for, or the whole order."""
    if analysis.option_kind == "order" or ordered_names(analysis.options):
        return "order"
    for position in ("last", "first"):
        found = pattern("order", f"wanted_{position}").search(text)
        if found is not None:
            return "last" if position == "last" else "first"
    return "order"
