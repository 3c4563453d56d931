"""How long one stays at the stops of a trip, and which duration is the time at hand instead."""

import re
from collections.abc import Sequence

from map_tools.compute.quantities import find_durations, parse_number
from modules.names import same_name
from modules.offline.analysis import Analysis
from modules.offline.marks import Mark
from modules.offline.trip_grammar_trail import Stop, Trail, blanked, pattern

_HOUR_S = 3600.0
_BARE = re.compile(
    r"(?:,|\band\b|\bplus\b|\bthen\b)\s+(?P<number>one|two|three|four|five|\d(?:\.\d)?)\s+(?=(?:at|in|inside|for)\s)",
    re.IGNORECASE,
)
_IN_TURN = re.compile(r"\b(?:respectively|in that order|in this order|in turn)\b", re.IGNORECASE)
_ELLIPTIC = re.compile(
    r"\s+(?:\(|(?:takes|needs|wants|gets)\s+)?"
    r"(?P<number>(?:one|two|three|four|five|\d(?:\.\d)?)(?: and a half)?)"
    r"(?=\s*(?:[,;.)]|\band\b|$))",
    re.IGNORECASE,
)
"""Behind a name ("X needs two hours, Y one, Z one and a half")."""
_DAY_S = 86400.0
"""Nobody stays for a day at a stop of a day's trip; "in one day" is no stay."""
_SEVERAL = 2
_SENTENCE_ENDS = (". ", "? ", "! ")


def assign_stays(analysis: Analysis, found: Trail) -> int:
    """Gives each stay to the stop it is said of; returns how many stays there are."""
    text = analysis.text.casefold()
    plain = blanked(analysis, found.spans)
    found.budget = _lone_budget(analysis, found)
    places = sorted([*found.stops, *found.repeats], key=lambda stop: stop.start)
    count = _assign_in_turn(analysis, found)
    marks = [*analysis.durations, *_respelt(analysis), *_bare_hours(analysis, found)]
    for mark in sorted(
        marks, key=lambda one: (not _is_bracketed(text, one), _is_for_each(plain, one), one.start)
    ):
        if is_budget(text, mark) or is_margin(text, mark) or mark.value >= _DAY_S or mark == found.budget:
            continue
        for stop in _stops_of_stay(analysis, plain, mark, places):
            again = (one for one in found.stops if same_name(one.text, stop.text))
            target = stop if stop in found.stops else next(again, None)
            if target is not None and not target.dwell_s:
                target.dwell_s = mark.value
                found.used.append((mark.start, mark.end))
                count += 1
    return count


def _assign_in_turn(analysis: Analysis, found: Trail) -> int:
    """Gives the stays of "2 hours, 1 hour and 30 minutes respectively" to the stops in their order.

    Returns how many these are: none, unless there are as many as stops.
    """
    said = _IN_TURN.search(analysis.text)
    if said is None:
        return 0
    text, told = analysis.text.casefold(), analysis.sentence_at(said.start())
    marks = [
        mark
        for mark in analysis.durations
        if analysis.sentence_at(mark.start) == told
        and mark.start < said.start()
        and not is_budget(text, mark)
    ]
    stops = [stop for stop in found.stops if stop.start < said.start()]
    if len(marks) != len(stops):
        return 0
    for stop, mark in zip(stops, marks, strict=True):
        stop.dwell_s = mark.value
        found.used.append((mark.start, mark.end))
    return len(stops)


def _is_bracketed(text: str, mark: Mark[float]) -> bool:
    """True for "X (2 hours)", which leaves no doubt about whose stay it is."""
    return text[: mark.start].rstrip().endswith("(")


def _lone_budget(analysis: Analysis, found: Trail) -> Mark[float] | None:
    """The time at hand where how many places fit is asked and no words say it is; None if there is none.

    It is the longest of all durations, told in a sentence of its own that names no stop ("Lisbon in six
    hours, is that doable? The castle takes 2 ...").
    """
    text = analysis.text.casefold()
    counts = analysis.option_kind == "count" or pattern("ask", "max_visits").search(text) is not None
    if not counts or any(is_budget(text, mark) for mark in analysis.durations):
        return None
    longest = max(analysis.durations, key=lambda mark: mark.value, default=None)
    if longest is None or sum(mark.value < longest.value for mark in analysis.durations) < _SEVERAL:
        return None
    told = analysis.sentence_at(longest.start)
    alone = all(analysis.sentence_at(mark.start) != told for mark in analysis.durations if mark != longest)
    stops = [stop for stop in found.stops if analysis.sentence_at(stop.start) == told and stop.start > 0]
    return longest if alone and not stops else None


def _stops_of_stay(analysis: Analysis, plain: str, mark: Mark[float], places: Sequence[Stop]) -> list[Stop]:
    """The stops a stay is said of."""
    if _is_for_each(plain, mark):
        return _all_of_sentence(analysis.text.casefold(), mark, places)
    return _where_told(plain, mark, places) or _stayed_at(analysis, mark, places)


def _where_told(plain: str, mark: Mark[float], places: Sequence[Stop]) -> list[Stop]:
    """The stop of "a swim at X", where "the swim takes an hour" comes later."""
    said = pattern("stay", "what_lasts").search(plain[: mark.start])
    if said is None:
        return []
    deed = re.escape(said["deed"])
    told = re.search(rf"\b{deed}\s+(?:at|in|on|of)\s+(?:the\s+)?(?=_)", plain[: said.start()])
    return [stop for stop in places if told is not None and stop.start == told.end()]


def _respelt(analysis: Analysis) -> list[Mark[float]]:
    """Stays that are no measures as they stand: "3 minutes per stop" is a rate, "the last hour" no number."""
    text = analysis.text.casefold()
    plain = pattern("stay", "per_stop").sub(lambda match: " " * len(match.group()), text)
    plain = pattern("stay", "one").sub(lambda match: "1 ".rjust(len(match.group())), plain)
    if plain == text:
        return []
    known = {mark.start for mark in analysis.durations}
    found = (Mark(one.start, one.end, one.value) for one in find_durations(plain))
    return [mark for mark in found if mark.start not in known]


def _bare_hours(analysis: Analysis, trail: Trail) -> list[Mark[float]]:
    """Stays whose unit is that of the one before ("an hour at X, two at the Y", "X two hours, Y one")."""
    behind = (_ELLIPTIC.match(analysis.text, stop.end) for stop in trail.stops)
    said = [*_BARE.finditer(analysis.text), *(match for match in behind if match is not None)]
    found: list[Mark[float]] = []
    for match in said:
        before = [mark for mark in analysis.durations if mark.end <= match.start("number")]
        alike = before and analysis.sentence_at(before[-1].start) == analysis.sentence_at(
            match.start("number")
        )
        number = parse_number(match["number"])
        if alike and number and "hour" in analysis.text[before[-1].start : before[-1].end].casefold():
            found.append(Mark(*match.span("number"), number * _HOUR_S))
    return found


def is_margin(text: str, mark: Mark[float]) -> bool:
    """True for "ten minutes early": neither a stay nor the time at hand."""
    return pattern("clock", "early").search(text[mark.end :]) is not None and not _is_at_hand(text, mark)


def _is_at_hand(text: str, mark: Mark[float]) -> bool:
    before = text[max(0, mark.start - 90) : mark.start]
    return pattern("budget", "before").search(before) is not None


def _stayed_at(analysis: Analysis, mark: Mark[float], places: Sequence[Stop]) -> list[Stop]:
    """The stop a stay belongs to: the name right behind it ("2 hours at X"), else the last one before it.

    A stay in brackets belongs to the name before them ("X (45 minutes) then Y"), one that ends a sentence too
    ("X, 2 hours. Lunch at Y").
    """
    text = analysis.text.casefold()
    before = [stop for stop in places if stop.end <= mark.start][-1:]
    if before and "(" in text[before[0].end : mark.start]:
        return before
    told = analysis.sentence_at(mark.start)
    behind = next((stop for stop in places if stop.start >= mark.end), None)
    if behind is not None and analysis.sentence_at(behind.start) != told:
        return before
    if behind is not None and pattern("stay", "before_name").search(_unquoted(text[mark.end : behind.start])):
        between = text[mark.end : behind.start].strip()
        listed = text[: mark.start].rstrip().endswith((":", ",", ";"))
        if between or listed:  # "1 hour X, 2 hours Y" has them before, "X 1 hour, Y 2 hours" behind
            return [behind]
    return before


def _unquoted(before: str) -> str:
    """What stands before a name, without the quotation mark that the name begins with."""
    return before.rstrip("\"'")


def _all_of_sentence(text: str, mark: Mark[float], places: Sequence[Stop]) -> list[Stop]:
    """The stops a stay "each" belongs to: those of its sentence, or else all."""
    first = max(text.rfind(sign, 0, mark.start) for sign in _SENTENCE_ENDS) + 1
    ends = [at for sign in _SENTENCE_ENDS if (at := text.find(sign, mark.end)) >= 0]
    inside = [stop for stop in places if first <= stop.start < min(ends, default=len(text))]
    return inside or list(places)


def _is_for_each(text: str, mark: Mark[float]) -> bool:
    """True for "30 minutes each", "at each of them 20 minutes"."""
    before, after = text[max(0, mark.start - 40) : mark.start], text[mark.end :]
    return bool(pattern("stay", "each_before").search(before) or pattern("stay", "each_after").match(after))


def is_budget(text: str, mark: Mark[float]) -> bool:
    """True if a duration is the time at hand, not a stay."""
    after = text[mark.end :]
    if is_margin(text, mark):
        return False
    if pattern("budget", "hyphenated").search(text[mark.start : mark.end]):
        return pattern("budget", "at_hand").match(after) is not None and _is_at_hand(text, mark)
    if pattern("budget", "after").search(after):
        return True
    return _is_at_hand(text, mark) and pattern("budget", "stay_after").search(after) is None
