"""The ends of a route in terse questions: "A to B by car?", "A → B walking"."""

import re
from itertools import pairwise

from modules.offline.analysis import Analysis, Span
from modules.offline.route_grammar_names import Slot, marked, name_at, slot_at
from modules.offline.route_grammar_written import written_names
from modules.offline.route_vocabulary import says, words

_ARROW = re.compile(r"\s*(?:->|>)\s*|\s[-/]\s")
_AWAY = re.compile(r"\s+(?:away\s+)?from\s+(?:the\s+)?(?=\W*)", re.IGNORECASE)
_WITHIN = re.compile(
    r"\s+(?:within|less than|under|no more than|not more than|at most|over|more than|an?)\b[^.?!;]*"
    r"\b(?:of|from)\s+(?:the\s+)?",
    re.IGNORECASE,
)
_BLANK = re.compile(r"\s*")


def start_before(analysis: Analysis, end: Slot) -> Slot | None:
    """The name right before "to X"; None if no name stands there."""
    written = [span for span in written_names(analysis) if span[0] != end.start]
    if written or end.text[:1].isupper():
        before = next((one for one in written if _adjoins(analysis, one, end.cue_start)), None)
        by_way = before is not None and says(analysis.text[: before[0]], "pattern", "before_via")
        return None if before is None or by_way else slot_at(analysis, "from", before)
    return _plain_before(analysis, end)


def _plain_before(analysis: Analysis, end: Slot) -> Slot | None:
    """The words before "to" back to one that cannot belong to a name, in a question without capitals."""
    last = next((i for i, token in enumerate(analysis.tokens) if token.start >= end.cue_start), 0)
    first = last
    while first:
        token = analysis.tokens[first - 1]
        if not token.is_word or token.norm in words("stop") | words("no_start") or marked(analysis, token):
            break
        first -= 1
    while first < last and analysis.tokens[first].norm in words("leading"):
        first += 1
    if first == last:
        return None
    return slot_at(analysis, "from", (analysis.tokens[first].start, analysis.tokens[last - 1].end))


def joined_ends(analysis: Analysis) -> tuple[Slot, Slot] | None:
    """The two names of "A → B" or "A - B"; None if there is another number of them."""
    names = list(written_names(analysis))
    pairs = [(one, two) for one, two in pairwise(names) if _ARROW.fullmatch(analysis.text[one[1] : two[0]])]
    if len(pairs) == 1:
        return slot_at(analysis, "from", pairs[0][0]), slot_at(analysis, "from", pairs[0][1])
    away = [(two, one) for one, two in pairwise(names) if _is_away(analysis, one, two)]
    if len(away) == 1:
        return slot_at(analysis, "from", away[0][0]), slot_at(analysis, "from", away[0][1])
    if len(names) == 1:
        return dashed(analysis, names[0])
    return None if names else _plain_joined(analysis)


def _is_away(analysis: Analysis, one: Span, two: Span) -> bool:
    """True for "A from B" or "A within a 15 minute walk of B", where a travel mode is said."""
    gap = analysis.text[one[1] : two[0]]
    inside = any(one[1] <= mark.start < two[0] for mark in analysis.modes)
    return bool(analysis.modes and _AWAY.fullmatch(gap)) or (inside and _WITHIN.fullmatch(gap) is not None)


def dashed(analysis: Analysis, span: Span) -> tuple[Slot, Slot] | None:
    """The parts of "A - B" or "A / B", where the question names nothing else."""
    dash = _ARROW.search(analysis.text, *span)
    if dash is None:
        return None
    one, two = (span[0], dash.start()), (dash.end(), span[1])
    return slot_at(analysis, "from", one), slot_at(analysis, "from", two)


def _plain_joined(analysis: Analysis) -> tuple[Slot, Slot] | None:
    """As `joined_ends`, in a question without capitals."""
    chain = plain_chain(analysis)
    return (chain[0], chain[1]) if len(chain) == 2 else None


def plain_chain(analysis: Analysis) -> list[Slot]:
    """The names strung together by arrows or dashes in a question without capitals ("a - b - c")."""
    found: list[Slot] = []
    for index, token in enumerate(analysis.tokens[:-1]):
        spaced = analysis.text[token.start - 1 : token.end + 1] == " - "
        if token.text not in {">", "->"} and not spaced:
            continue
        span = name_at(analysis, index + 1)
        if span is None:
            return []
        end = Slot("to", *span, analysis.text[span[0] : span[1]], token.start)
        start = _plain_before(analysis, end)
        if not found and start is None:
            return []
        found += [start, end] if start is not None and not found else [end]
    return found


def _adjoins(analysis: Analysis, span: Span, at: int) -> bool:
    return span[1] <= at and _BLANK.fullmatch(analysis.text[span[1] : at]) is not None
