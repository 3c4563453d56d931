"""Which of several places is reached sooner: "Which is quicker to drive to from X, A or B?"."""

import re
from dataclasses import replace
from itertools import pairwise

from modules.names import same_name
from modules.offline.analysis import Analysis, Span
from modules.offline.intents import CloserIntent, Compare
from modules.offline.reading import Reading, score
from modules.offline.route_grammar_frame import streets_compared
from modules.offline.route_grammar_names import Slot, slots
from modules.offline.route_grammar_written import written_names
from modules.offline.route_vocabulary import says

_OR = re.compile(
    r"\s*,?\s+or\s+(?:rather\s+)?(?:the\s+)?(?:(?:way|walk|drive|ride|trip|route|road)\s+)?(?:to\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
_FROM = re.compile(r"\bfrom\s+(?:the\s+)?$", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*(?:the\s+|to\s+(?:the\s+)?)?", re.IGNORECASE)
_PLACE_OPTIONS = frozenset({"text", "pair"})


def read_reach(analysis: Analysis) -> list[Reading]:
    """Readings as a choice between places by the time (or the length) of the way to each of them."""
    text = analysis.text
    than = _read_than(analysis)
    if than is not None:
        return [than]
    if not says(text, "pattern", "reach") or streets_compared(text):
        return []
    candidates = _alternatives(analysis)
    if len(candidates) < 2 and says(text, "pattern", "route_word"):
        return []
    from_options = analysis.option_kind in _PLACE_OPTIONS
    if len(candidates) < 2 and not from_options:
        return []
    origin = next((slot for slot in _starts(analysis) if not _among(slot, candidates)), None)
    named = [text[start:end] for start, end in candidates]
    if len(named) < 2 and any(_is_goal(slot, origin) for slot in slots(analysis, "to")):
        return []  # the way to one place is asked about
    slow = says(text, "pattern", "reach_slow") is not None and not says(text, "select", "fastest")
    intent = CloserIntent(
        anchor=origin.text if origin is not None else analysis.here_place,
        candidates=tuple(named) if len(named) > 1 else (),
        pick=Compare.MAX if slow else Compare.MIN,
        measure="distance" if says(text, "pattern", "reach_length") else "duration",
        mode=analysis.mode,
    )
    cue = 0.95 if analysis.modes else 0.9
    return [Reading(intent, score(analysis, cue, _used(analysis, candidates, origin)))]


def _read_than(analysis: Analysis) -> Reading | None:
    """A yes/no question that compares two ways by their ends ("is it longer from X to A than to B?")."""
    text = analysis.text
    found = says(text, "pattern", "reach_than")
    if found is None or says(text, "pattern", "reach_amount") or says(text, "pattern", "route_word_first"):
        return None
    names = list(written_names(analysis))
    other = next((one for one in names if one[0] >= found.end()), None)
    starts = [slot for slot in _starts(analysis) if (slot.start, slot.end) != other]
    start = (starts[0].start, starts[0].end) if starts else None
    claimed = [one for one in names if one[1] <= found.end() and (start is None or one[0] != start[0])]
    if other is None or len(claimed) != 1:
        return None
    first = claimed[0]
    intent = CloserIntent(
        anchor=starts[0].text if starts else analysis.here_place,
        candidates=(text[slice(*first)], text[slice(*other)]),
        pick=Compare.MAX if says(found.group(), "pattern", "reach_slow") else Compare.MIN,
        measure="distance" if says(text, "pattern", "reach_length") else "duration",
        mode=analysis.mode,
        claim=text[slice(*first)],
    )
    used = [first, other, found.span(), *([start] if start else [])]
    used += [(mark.start, mark.end) for mark in analysis.modes]
    return Reading(intent, score(analysis, 0.97, used))


def _alternatives(analysis: Analysis) -> list[Span]:
    """The names joined by "or" ("A, B or C"); empty if there are none."""
    names = list(written_names(analysis))
    gaps = [analysis.text[one[1] : two[0]] for one, two in pairwise(names)]
    joint = next((index for index, gap in enumerate(gaps) if _OR.fullmatch(gap)), None)
    if joint is None:
        return []
    first = joint
    while first and _COMMA.fullmatch(gaps[first - 1]):
        first -= 1
    if joint > first and _FROM.search(analysis.text[: names[first][0]]):
        first += 1  # "from X, A or B"
    return names[first : joint + 2]


def _starts(analysis: Analysis) -> list[Slot]:
    """The names after "from"; one that begins a list ("from X, A or B") ends at its comma."""
    ends = dict(written_names(analysis))
    return [
        replace(slot, end=end, text=analysis.text[slot.start : end])
        for slot in slots(analysis, "from")
        for end in (ends.get(slot.start, slot.end),)
    ]


def _among(slot: Slot, candidates: list[Span]) -> bool:
    return any(slot.start < end and start < slot.end for start, end in candidates)


def _is_goal(slot: Slot, origin: Slot | None) -> bool:
    return slot.text[:1].isupper() and (origin is None or not same_name(slot.text, origin.text))


def _used(analysis: Analysis, candidates: list[Span], origin: Slot | None) -> list[Span]:
    spans = [*candidates, *((mark.start, mark.end) for mark in analysis.modes)]
    spans += [(mention.start, mention.end) for mention in analysis.by_role("self", "qualifier")]
    if origin is not None:
        spans.append((origin.start, origin.end))
    found = says(analysis.text, "pattern", "reach")
    return [*spans, found.span()] if found else spans
