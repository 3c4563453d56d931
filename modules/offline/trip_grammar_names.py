"""The names of places that a question about a trip tells, in the order of the text."""

import re
from collections.abc import Sequence

from map_tools.concepts import lookup
from modules.names import normalise, same_name
from modules.offline.analysis import Analysis, Span
from modules.offline.marks import Mention
from modules.offline.route_grammar_ends import dashed, plain_chain, start_before
from modules.offline.route_grammar_names import slots
from modules.offline.route_grammar_written import written_names
from modules.offline.route_vocabulary import words
from modules.offline.trip_grammar_trail import pattern

_ROOT = 5
"""So many letters at the beginning of two words make them one word in two languages ("clinic", "clínica")."""
_THE_KIND = re.compile(
    r"\b(?:to|visit|at|reach|see|into|via|and)\s+[Tt]he\s+(?P<kind>[a-z]+(?: [a-z]+)?)\b(?!\s*[\"\u201c])"
)


def trip_names(analysis: Analysis) -> list[Span]:
    """The names of places in the order of the text; without capitals those that follow a cue."""
    cities = [one for one in analysis.by_role("qualifier") if _is_qualifier(analysis, one)]
    apart = [*stated_positions(analysis), *cities]
    taken = [(mention.start, mention.end) for mention in apart]
    names = [span for span in _undashed(analysis) if not overlaps(span, taken)]
    if not names:
        names = [(slot.start, slot.end) for slot in plain_chain(analysis)]
    if not names:
        tos = list(slots(analysis, "to"))
        led = [one for slot in tos[:1] if (one := start_before(analysis, slot)) is not None]
        cued = [*tos, *led, *slots(analysis, "from"), *slots(analysis, "visit")]
        names = [(slot.start, slot.end) for slot in cued if not overlaps((slot.start, slot.end), taken)]
    known = normalise(" ".join(analysis.text[start:end] for start, end in names)).split()
    for match in _THE_KIND.finditer(analysis.text):
        if _refers_back(analysis, match.start(), names):
            continue
        kind = next((words_ for words_ in _heads(match["kind"]) if lookup(words_) is not None), None)
        span = match.start("kind"), match.start("kind") + len(kind or "")
        pointed = kind is not None and not _is_called(kind, known) and kind not in words("home")
        if pointed and not overlaps(span, [*names, *taken]):
            names.append(span)
    plain = [span for span in sorted(dict.fromkeys(names)) if not _names_next(analysis, span)]
    return _whole_starts(analysis, plain)


def _names_next(analysis: Analysis, span: Span) -> bool:
    """True for what tells the kind of the name behind it ("the Bergen bakery "Y"", "... called Y")."""
    behind = re.match(r'\s*"|\s+(?:called|named)\s', analysis.text[span[1] :])
    return behind is not None and analysis.text[span[1]] != '"'


def _whole_starts(analysis: Analysis, names: list[Span]) -> list[Span]:
    """The names, the start of the trip as one with the area behind its comma ("my home in X, City")."""
    joined: list[Span] = []
    for span in names:
        last = joined[-1] if joined else None
        if last is not None and _is_start_in(analysis, last, span):
            joined[-1] = (last[0], span[1])
        else:
            joined.append(span)
    return joined


def _is_start_in(analysis: Analysis, start: Span, area: Span) -> bool:
    """True if a name is where the trip surely starts, and the next one with it no name of its own."""
    before = analysis.text[max(0, start[0] - 50) : start[0]].casefold()
    whole = whole_of(analysis, start, area)
    alone = whole is not None and whole.role == "in" and " and " not in whole.text
    return alone and pattern("place", "start_surely").search(before) is not None


def whole_of(analysis: Analysis, one: Span, two: Span) -> Mention | None:
    """The mention that begins with "X, Y"; None if these are none."""
    if analysis.text[one[1] : two[0]] != ", ":
        return None
    begun = (item for item in analysis.mentions if item.start == one[0] and two[1] <= item.end)
    return next(begun, None)


def _is_called(kind: str, known: Sequence[str]) -> bool:
    """True if a kind is part of a name ("the clinic" of the "Clínica Sol"), in whatever language."""
    word = kind.rsplit(maxsplit=1)[-1]
    return any(word == name or (len(word) >= _ROOT and name.startswith(word[:_ROOT])) for name in known)


def _is_qualifier(analysis: Analysis, one: Mention) -> bool:
    """True for a city behind a name; not for a list, nor for a place named before ("to unload at X")."""
    named = [span for span in written_names(analysis) if span[1] <= one.start]
    texts = (analysis.text[slice(*span)] for span in named)
    if " and " in one.text or any(same_name(one.text, name) for name in texts):
        return False
    if analysis.text[: one.start].endswith("("):
        return False  # the name goes on to the bracket's end
    return not (named and _is_left_for(analysis, named[-1], one))


def _is_left_for(analysis: Analysis, owner: Span, one: Mention) -> bool:
    """True for Y in "dropped from X at Y": a stop, not where X lies."""
    joint = analysis.text[owner[1] : one.start].casefold()
    left = pattern("place", "start_surely").search(analysis.text[: owner[0]].casefold())
    return left is not None and joint.strip() == "at"


def _undashed(analysis: Analysis) -> list[Span]:
    """The names written as names; a single one with a dash is two ("A - B and back")."""
    names = list(written_names(analysis))
    ends = dashed(analysis, names[0]) if len(names) == 1 else None
    return [(slot.start, slot.end) for slot in ends] if ends else names


def _refers_back(analysis: Analysis, start: int, names: Sequence[Span]) -> bool:
    """True for "when are we at the cinema?" after a trip is told: one of its stops is meant."""
    number = analysis.sentence_at(start)
    told = [span for span in names if analysis.sentence_at(span[0]) < number]
    asked = analysis.text[start:].rstrip().endswith("?") and number == analysis.sentence[-1]
    return asked and len(told) > 1 and len(told) == len(names)


def _heads(kind: str) -> tuple[str, ...]:
    return (kind, kind.split(maxsplit=1)[0])


def overlaps(span: Span, others: Sequence[Span]) -> bool:
    """True if a stretch has a part in common with another."""
    return any(span[0] < end and start < span[1] for start, end in others)


def stated_positions(analysis: Analysis) -> list[Mention]:
    """Where the question says the speaker is; "can I stay at X" says nothing of the kind."""
    text = analysis.text.casefold()
    here = analysis.by_role("self")
    return [one for one in here if not pattern("place", "not_here").search(text[: one.start])]
