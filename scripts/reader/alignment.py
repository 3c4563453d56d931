"""Where in a question the words of its program stand: what the reader learns to point at."""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from map_tools import concepts
from map_tools.text import normalise
from modules.nlu.literals import amount_in, number_in, times_in
from modules.nlu.rows import MAP, NUMBER_ROLE, Literal
from modules.nlu.words import EARLIER, MARKED, QUESTION, Words
from modules.query.values.amount import Amount, parse_amount
from modules.query.values.moment import is_time, parse_moment

LONGEST_NAME, LONGEST_TIME, LONGEST_KIND, LONGEST_NUMBER = 16, 9, 4, 3
"""So many words a name, a time or amount, a kind, a number may have."""
ALIKE = 0.84
"""Names that are this much alike are one, misspelt."""
_CLOCKED = re.compile(r"\d:|^(?:mon|tue|wed|thu|fri|sat|sun|today|tomorrow)", re.IGNORECASE)
_RANKS = {QUESTION: 0, EARLIER: 1}
"""Where words are looked for first; in options last."""
_NEVER = frozenset({"Mode", "Order"})
"""Roles whose words are of the language and never the asker's."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A token that stands for words, and their first and last."""

    token: str
    first: int
    last: int


class Aligner:
    """Finds the words of one question."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._plain = [_squeezed(words.text[begin:end]) for begin, end in words.spans]
        self._rank = [_RANKS.get(segment, len(_RANKS)) for segment in words.segments]

    def find(self, literal: Literal) -> tuple[Pointer, ...]:
        """The pointers that say a literal: one, two for a day and a time apart or for a corner, or none."""
        if literal.role in _NEVER or literal.text == MAP:
            return ()
        if literal.role == NUMBER_ROLE:
            return self._number(literal.text)
        if _is_clocked(literal):
            return self._time(literal.text)
        amount = parse_amount(literal.text)
        if amount is not None and literal.role not in {"What", "Text", "Place"}:
            return self._amount(literal.text)
        found = self._name(literal.text) or (self._kind(literal.text) if literal.role == "What" else ())
        return found or self._corner(literal.text) or self._misspelt(literal.text)

    def _spans(self, longest: int) -> Iterator[tuple[int, int]]:
        """All spans that hold no mark and end in words: the question's, then earlier ones', then options'."""
        size = len(self._plain)
        spans = [
            (i, j)
            for i in range(size)
            for j in range(i, min(size, i + longest))
            if self._plain[i] and self._plain[j] and MARKED not in self._words.segments[i : j + 1]
        ]
        yield from sorted(spans, key=lambda span: (self._rank[span[0]], span[1] - span[0], span[0]))

    def _is_asked(self, number: int) -> bool:
        """Whether a word is of the question or an earlier one, and of no option."""
        return self._rank[number] < len(_RANKS)

    def _name(self, text: str) -> tuple[Pointer, ...]:
        wanted = _squeezed(text)
        forms = (wanted, f"{wanted}s", f"{wanted}es", f"{wanted[:-1]}ies")
        for form in forms if wanted else ():
            for i, j in self._spans(LONGEST_NAME):
                if "".join(self._plain[i : j + 1]) == form:
                    return (Pointer("S", i, j),)
        return ()

    def _kind(self, text: str) -> tuple[Pointer, ...]:
        kind = concepts.lookup(text)
        for i, j in self._spans(LONGEST_KIND) if kind is not None else ():
            found = concepts.lookup(self._words.said(i, j)) if self._is_asked(i) else None
            if found is not None and kind is not None and found.ids == kind.ids:
                return (Pointer("S", i, j),)
        return ()

    def _corner(self, text: str) -> tuple[Pointer, ...]:
        if text.count(" & ") != 1:
            return ()
        one, other = (self._name(part) for part in text.split(" & "))
        return (*one, *other) if one and other else ()

    def _misspelt(self, text: str) -> tuple[Pointer, ...]:
        wanted = _squeezed(text)
        best: tuple[float, tuple[Pointer, ...]] = (ALIKE, ())
        for i, j in self._spans(LONGEST_TIME):
            given = "".join(self._plain[i : j + 1])
            if abs(len(given) - len(wanted)) <= 3:
                alike = difflib.SequenceMatcher(None, given, wanted).ratio()
                if alike > best[0]:
                    best = (alike, (Pointer("S", i, j),))
        return best[1]

    def _time(self, text: str) -> tuple[Pointer, ...]:
        for i, j in self._spans(LONGEST_TIME):
            for number, said in enumerate(times_in(self._words.said(i, j))[:2]):
                if _same_time(said, text):
                    return (self._clearest(Pointer("T2" if number else "T", i, j), text),)
        day, _, clock = text.rpartition(" ")
        if not day:
            return ()
        one, other = self._time(day), self._time(clock)
        return (*one, *other) if len(one) == len(other) == 1 else ()

    def _clearest(self, found: Pointer, text: str) -> Pointer:
        """A time with the words behind it that say which half of the day is meant: "12:30 pm"."""
        i, readings = found.first, len(times_in(self._words.said(found.first, found.last)))
        for j in range(found.last + 1, min(len(self._plain), i + LONGEST_TIME)):
            said = times_in(self._words.said(i, j))
            if len(said) < readings and any(_same_time(one, text) for one in said):
                return Pointer("T2" if not _same_time(said[0], text) else "T", i, j)
        return found

    def _number(self, text: str) -> tuple[Pointer, ...]:
        for i, j in self._spans(LONGEST_NUMBER):
            if self._is_asked(i) and number_in(self._words.said(i, j)) == text:
                return (Pointer(NUMBER_ROLE, i, j),)
        return ()

    def _amount(self, text: str) -> tuple[Pointer, ...]:
        wanted = parse_amount(text)
        for i, j in self._spans(LONGEST_TIME):
            said = amount_in(self._words.said(i, j))
            found = parse_amount(said) if said else None
            if found is not None and wanted is not None and _same_amount(found, wanted):
                return (Pointer("Q", i, j),)
        return ()


def _is_clocked(literal: Literal) -> bool:
    if literal.role == "Time":
        return True
    open_ = literal.role in {"Value", "Any", "List", "Place"}
    return open_ and is_time(literal.text) and _CLOCKED.search(literal.text) is not None


def _same_time(said: str, wanted: str) -> bool:
    """Whether two times of programs are one: the same word for the day, and the same time of it."""
    one, other = parse_moment(said, None), parse_moment(wanted, None)
    days = {re.sub(r"[\d:. ]", "", text.lower()) for text in (said, wanted)}
    if one is None or other is None or len(days) > 1:
        return said == wanted
    return (one.at, one.whole_day) == (other.at, other.whole_day)


def _same_amount(said: Amount, wanted: Amount) -> bool:
    slack = 1e-3 * max(1.0, abs(wanted.low))
    return said.dimension == wanted.dimension and abs(said.low - wanted.low) <= slack


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]", "", normalise(text))
