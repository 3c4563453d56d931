"""By which mode each leg of a trip is travelled."""

import re
from collections.abc import Sequence

from map_tools.types import TravelMode
from modules.names import same_name
from modules.offline.analysis import Analysis, Span
from modules.offline.marks import Mark
from modules.offline.route_vocabulary import says
from modules.offline.trip_grammar_trail import Stop, Trail, pattern

type Leg = tuple[Span, Stop | None]
"""Where the question speaks of a leg, and the stop it leads to; None for the way back."""

_SENTENCE_END = re.compile(r"[.?!](?:\s|$)")


def assign_modes(analysis: Analysis, found: Trail) -> None:
    """Gives each mode to the leg it is said of; one said apart from all stops is that of the whole trip."""
    text = analysis.text.casefold()
    legs = _legs(analysis, found)
    for mark in analysis.modes:
        before = text[: mark.start]
        ruled_out = says(before, "pattern", "ruled_out") or pattern("place", "mode_after").search(before)
        if not ruled_out and not pattern("place", "no_mode").match(text[mark.end :]):
            _assign(text, mark, found, legs)
    said = {stop.mode for stop in found.stops if stop.mode} | (
        {found.back_mode} if found.back_mode else set()
    )
    if len(said) <= 1 and (found.mode is None or not said):
        found.mode = found.mode or next(iter(said), None)
        _forget(found)
    else:
        _inherit(found)


def _legs(analysis: Analysis, found: Trail) -> list[Leg]:
    """All legs, in the order of the text."""
    legs: list[Leg] = [((stop.start, stop.end), stop) for stop in found.stops]
    legs += _told_again(analysis, found)
    left = _start_span(analysis, found)
    if left is not None:
        legs.append((left, found.stops[0]))
    if found.back is not None:
        legs.append((found.back, None))
    return sorted(legs, key=lambda leg: leg[0])


def _assign(text: str, mark: Mark[TravelMode], found: Trail, legs: Sequence[Leg]) -> None:
    if pattern("place", "vehicle_left").search(text[: mark.start]):
        _leave_vehicle(mark, found)
        return
    if _told_ahead(text, mark, found):
        return
    leg = _leg_of(text, mark, legs)
    if leg is None:
        found.mode = found.mode or mark.value
    elif leg[1] is None:
        found.back_mode = mark.value
    elif leg[1].mode is None or _is_means(text, mark):
        leg[1].mode = mark.value


def _told_again(analysis: Analysis, found: Trail) -> list[Leg]:
    """The ways to stops that are no more than pointed at there ("then walk to the opera")."""
    named = {start for start, _ in found.spans}
    pointed = [item for item in analysis.by_role("to") if item.start not in named]
    return [
        ((item.start, item.end), stop)
        for item in pointed
        for stop in found.stops
        if stop.end <= item.start and same_name(item.place, stop.text)
    ]


def _told_ahead(text: str, mark: Mark[TravelMode], found: Trail) -> bool:
    """True for the modes of "out on foot, back by car", told before the stops; they are assigned."""
    before = text[: mark.start]
    if not found.stops or found.back is None or mark.start > min(stop.start for stop in found.stops):
        return False
    if pattern("place", "homeward").search(before):
        found.back_mode = mark.value
        return True
    if pattern("place", "outward").search(before):
        found.stops[0].mode = mark.value
        return True
    return False


def counted_mode(analysis: Analysis, text: str, found: Trail) -> TravelMode | None:
    """The mode of the legs that alone are asked about ("how much time do I spend walking?").

    None unless the legs differ in their modes and the question itself names one of these and no place.
    """
    said = {stop.mode for stop in found.stops} | ({found.back_mode} if found.back is not None else set())
    last = max((match.end() for match in _SENTENCE_END.finditer(text.rstrip(" ?!."))), default=0)
    asked = {mark.value for mark in analysis.modes if mark.start >= last}
    if len(said) < 2 or len(asked) != 1 or "_" in text[last:]:
        return None
    (mode,) = asked
    return mode if mode in said and pattern("time", "by_one_mode").search(text[last:]) else None


def _start_span(analysis: Analysis, found: Trail) -> Span | None:
    """Where the start is named; a mode said of leaving it is that of the first leg."""
    if found.start is None or not found.stops:
        return None
    named = (span for span in sorted(found.spans) if same_name(analysis.text[slice(*span)], found.start))
    first = next(named, None)
    return first if first is not None and (found.back is None or first < found.back) else None


def _leave_vehicle(mark: Mark[TravelMode], found: Trail) -> None:
    """What is left at a stop ("leave the bike there") is what one came by."""
    before = [stop for stop in found.stops if stop.end <= mark.start]
    if before:
        before[-1].mode = before[-1].mode or mark.value


def _is_means(text: str, mark: Mark[TravelMode]) -> bool:
    """True for "by bus", "on foot": it overrules a verb such as "go for a drive" in the same leg."""
    return pattern("place", "means").match(text[mark.start : mark.end]) is not None


def _leg_of(text: str, mark: Mark[TravelMode], legs: Sequence[Leg]) -> Leg | None:
    """The leg a mode is said of: that of the same clause, before or behind it."""
    inside = next((leg for leg in legs if leg[0][0] < mark.end and mark.start < leg[0][1]), None)
    if inside is not None:
        return inside
    before = next((leg for leg in reversed(legs) if leg[0][1] <= mark.start), None)
    behind = next((leg for leg in legs if leg[0][0] >= mark.end), None)
    means = _is_means(text, mark)
    choices: list[tuple[int, int, Leg]] = []
    if before is not None and (cost := _cost(text[before[0][1] : mark.start])) is not None:
        choices.append((cost, 0 if means else 1, before))
    if behind is not None and (cost := _cost(text[mark.end : behind[0][0]])) is not None:
        choices.append((cost, 1 if means else 0, behind))
    return min(choices, key=lambda choice: choice[:2])[2] if choices else None


def _cost(between: str) -> int | None:
    """How far apart a mode and a place are in clauses; None if a sentence ends between them."""
    if _SENTENCE_END.search(between):
        return None
    return len(pattern("place", "clause_end").findall(between))


def _forget(found: Trail) -> None:
    for stop in found.stops:
        stop.mode = None
    found.back_mode = None


def _inherit(found: Trail) -> None:
    """A leg without a mode goes on in that of the whole trip, or of the leg before it."""
    last: TravelMode | None = None
    for stop in found.stops:
        stop.mode = stop.mode or found.mode or last
        last = stop.mode
    first = next((stop.mode for stop in found.stops if stop.mode), None)
    for stop in found.stops:
        stop.mode = stop.mode or first
    if found.back is not None:
        found.back_mode = found.back_mode or found.mode or last
