"""The order of a trip's stops: as told, as set by the question, or by what is said of a stop."""

import re
from collections.abc import Sequence
from itertools import pairwise

from modules.names import same_name
from modules.offline.analysis import Analysis, Span
from modules.offline.trip_grammar_asks import Ask
from modules.offline.trip_grammar_trail import Stop, Trail, pattern

FREE_ASKS = frozenset(("max_visits", "schedule", "best_order", "feasible"))
"""Asks of trips whose stops may change places."""

_DATE_REACH = 30
"""How many characters behind a name its time may stand."""


def ordered_as_told(text: str, found: Trail, ask: Ask) -> bool:
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


def arrange(analysis: Analysis, text: str, found: Trail, ask: Ask, *, free: bool) -> bool:
    """Moves stops told out of turn: those "on the way" before the destination, a fixed date to the end.

    Returns:
        True if any was moved.
    """
    told = list(found.stops)
    _swap_after(text, found)
    _earlier_first(text, found)
    _date_last(analysis, text, found, ask)
    if free and ask in FREE_ASKS:
        _end_at_date(analysis, text, found)
    for stop in list(found.stops):
        target = _destination_before(found.stops, stop)
        if target is not None and _on_the_way(text, stop, found):
            found.stops.remove(stop)
            found.stops.insert(found.stops.index(target), stop)
    return found.stops != told


def _swap_after(text: str, found: Trail) -> None:
    """Puts B before A where the question has "A after B"."""
    stops = found.stops
    for index, (first, second) in enumerate(pairwise(list(stops))):
        if pattern("order", "after_name").fullmatch(text[first.end : second.start]):
            stops[index : index + 2] = [second, first]


def _earlier_first(text: str, found: Trail) -> None:
    """Puts the stops of "... before that I go to ..." before those told last before these words."""
    for said in pattern("order", "earlier").finditer(text):
        ends = [end for begin, end in _sentences(text) if said.start() < end]
        begins = [begin for begin, end in _sentences(text) if begin < said.start()]
        later = [stop for stop in found.stops if stop.start < said.start()]
        later = [stop for stop in later if stop.start >= _begin_told(begins, later)]
        sooner = [stop for stop in found.stops if said.end() <= stop.start < ends[0]]
        if later and sooner:
            found.stops = [stop for stop in found.stops if stop not in sooner]
            at = found.stops.index(later[0])
            found.stops[at:at] = sooner


def _begin_told(begins: Sequence[int], stops: Sequence[Stop]) -> int:
    """Where the last sentence begins that tells one of the stops."""
    return max((begin for begin in begins if any(stop.start >= begin for stop in stops)), default=0)


def _end_at_date(analysis: Analysis, text: str, found: Trail) -> None:
    """Where stops may change places, a last one with a fixed time is the end of the trip."""
    if len(found.stops) < 2 or found.back is not None or found.end is not None:
        return
    last = found.stops[-1]
    if is_dated(analysis, text, last) is not None and not last.dwell_s:
        found.stops.remove(last)
        found.end, found.end_stop = last.text, last


def is_dated(analysis: Analysis, text: str, stop: Stop) -> Span | None:
    """Where the time stands at which one must be at a stop; None if there is none."""
    clock = next((mark for mark in analysis.clocks if 0 <= mark.start - stop.end < _DATE_REACH), None)
    if clock is None or "_" in text[stop.end : clock.start]:
        return None
    if pattern("order", "over_then").search(text[stop.end : clock.start]):
        return None
    date = pattern("order", "date").search(text[_sentence_of(text, stop)[0] : stop.start])
    date = date or pattern("order", "date_after").search(text[stop.end : clock.start])
    return (clock.start, clock.end) if date else None


def _destination_before(stops: Sequence[Stop], stop: Stop) -> Stop | None:
    """The last stop before this one in the order told; None for the first."""
    index = stops.index(stop)
    return stops[index - 1] if index else None


def _on_the_way(text: str, stop: Stop, found: Trail) -> bool:
    """True if the question puts a stop between others that it has told before."""
    sentence = _sentence_of(text, stop)
    before, after = text[sentence[0] : stop.start], text[stop.end : sentence[1]]
    following = next((start for start, _ in found.spans if start >= stop.end), sentence[1])
    after = after[: max(0, following - stop.end)]
    if pattern("order", "stopping").search(before):
        return True
    return any(pattern("order", "between").search(part) for part in (after, _since_last_name(before)))


def _since_last_name(before: str) -> str:
    return before.rsplit("_", 1)[-1]


def _date_last(analysis: Analysis, text: str, found: Trail, ask: Ask) -> None:
    """A stop one must be at by a certain time ends the trip, even if it is told first."""
    if ask == "best_order" or len(found.stops) < 2:
        return
    for index, stop in enumerate(found.stops[:-1]):
        dated = is_dated(analysis, text, stop)
        if dated is None:
            continue
        going_on = text[dated[1] : found.stops[index + 1].start]
        if not pattern("order", "going_on").search(going_on):
            found.stops.remove(stop)
            found.stops.append(stop)
            if found.start is None:
                found.back = None  # the way back leads to where one must be
            return


def _sentence_of(text: str, stop: Stop) -> Span:
    """The sentence a stop is named in."""
    return next(span for span in _sentences(text) if span[0] <= stop.start < span[1])


def _sentences(text: str) -> list[Span]:
    ends = [match.end() for match in re.finditer(r"[.?!](?=\s)", text)] + [len(text)]
    return list(zip([0, *ends[:-1]], ends, strict=True))


def _all_again(again: Sequence[Stop], found: Trail) -> bool:
    return len(found.stops) > 1 and all(
        any(same_name(one.text, stop.text) for one in again) for stop in found.stops
    )
