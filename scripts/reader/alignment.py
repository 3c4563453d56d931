"""Where in a question the words of its program stand: what the reader learns to point at."""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from map_tools.kinds import concepts
from map_tools.text import normalise
from modules.nlu.literals import amount_in, number_in, times_in
from modules.nlu.rows import MAP, NUMBER_ROLE, Literal, Token
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
STAY = "stay="
"""What stands before how long one stays, in a row."""
_WRONG_SIDE = 100
"""So many words farther off is a stay told on the other side of the name than all others."""
_NEVER = frozenset({"Mode", "Order"})
"""Roles whose words are of the language and never the asker's."""


type Span = tuple[int, int]
"""A first and a last word."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A token that stands for words, and their first and last."""

    token: str
    first: int
    last: int


class Aligner:
    """Finds the words of one question.

    Args:
        words: The question.
        tokens: The row of its program.
    """

    def __init__(self, words: Words, tokens: Sequence[Token]) -> None:
        self._words = words
        self._tokens = tokens
        self._plain = [_squeezed(words.text[begin:end]) for begin, end in words.spans]
        self._rank = [_RANKS.get(segment, len(_RANKS)) for segment in words.segments]
        self._known: dict[Span, Amount | None] = {}
        self._stays = self._stays_told()

    def find(self, at: int) -> tuple[Pointer, ...]:
        """The pointers that say a literal of the row: one, two for a day and a time or for a corner, or none."""
        literal = self._tokens[at]
        if not isinstance(literal, Literal):
            return ()
        return (Pointer("Q", *self._stays[at]),) if at in self._stays else self._find(literal)

    def _find(self, literal: Literal) -> tuple[Pointer, ...]:
        if literal.role in _NEVER or literal.text == MAP:
            return ()
        if literal.role == NUMBER_ROLE:
            return self._number(literal.text)
        if _is_clocked(literal):
            return self._time(literal.text)
        amount = parse_amount(literal.text)
        if amount is not None and literal.role not in {"What", "Text", "Place"}:
            return tuple(Pointer("Q", *span) for span in islice(self._amounts(literal.text), 1))
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
                if _same_time(said, text) and not self._counts(i, j):
                    return (self._clearest(Pointer("T2" if number else "T", i, j), text),)
        day, _, clock = text.rpartition(" ")
        if not day:
            return ()
        one, other = self._time(day), self._time(clock)
        return (*one, *other) if len(one) == len(other) == 1 else ()

    def _counts(self, i: int, j: int) -> bool:
        """Whether words that could be a time are the number of an amount: the "1" of "1 hour"."""
        return any(self._amount(i, end) for end in range(j + 1, min(len(self._plain), j + 3)))

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

    def _amounts(self, text: str) -> Iterator[Span]:
        """The words that say an amount, wherever they stand; none that are a part of another amount."""
        wanted, found = parse_amount(text), list[Span]()
        for i, j in self._spans(LONGEST_TIME):
            if self._says(wanted, i, j) and not any(i <= one[0] and one[1] <= j for one in found):
                longer = [begin for begin in range(max(0, i - LONGEST_TIME + 1), i) if self._amount(begin, j)]
                if all(self._says(wanted, begin, j) for begin in longer):
                    found.append((i, j))
                    yield i, j

    def _says(self, wanted: Amount | None, i: int, j: int) -> bool:
        found = self._amount(i, j)
        return found is not None and wanted is not None and _same_amount(found, wanted)

    def _amount(self, i: int, j: int) -> Amount | None:
        if (i, j) not in self._known:
            said = amount_in(self._words.said(i, j))
            self._known[i, j] = parse_amount(said) if said else None
        return self._known[i, j]

    def _stays_told(self) -> dict[int, Span]:
        """The words for each stay, by its place in the row: all stand behind the names of their places, or all before.

        Whichever takes fewer words for two stays, and lies nearer to the names.
        """
        told: list[tuple[int, Span, list[Span]]] = []
        for at, (name, lead, stay) in enumerate(
            zip(self._tokens, self._tokens[1:], self._tokens[2:], strict=False)
        ):
            if lead == STAY and isinstance(name, Literal) and isinstance(stay, Literal):
                named, spans = self._find(name), list(self._amounts(stay.text))
                if named and spans:
                    told.append((at + 2, (named[0].first, named[-1].last), spans))
        behind, before = (
            [min(spans, key=lambda span: _gap(name, span, side)) for _, name, spans in told]
            for side in (1, -1)
        )

        def cost(chosen: Sequence[Span], side: int) -> tuple[int, int]:
            gaps = [_gap(name, span, side) for (_, name, _), span in zip(told, chosen, strict=True)]
            return -len(set(chosen)), sum(gaps)

        chosen = behind if cost(behind, 1) <= cost(before, -1) else before
        return {at: span for (at, _, _), span in zip(told, chosen, strict=True)}


def _gap(name: Span, stay: Span, side: int) -> int:
    """How many words a stay is behind a name (or before it, if `side` is -1); many more if it is not."""
    away = stay[0] - name[1] if side > 0 else name[0] - stay[1]
    return away if away > 0 else _WRONG_SIDE + abs(away)


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
