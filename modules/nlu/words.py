"""A question as words and as pieces of words that the network knows."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+|[^\w\s]|_")
_LONGEST = 8
"""Maximum number of pieces read of a word."""
_LONGEST_WORD = 100
"""Longer words, in characters, count as unknown: BERT's own limit, which bounds the work."""
_UNKNOWN, _BEGIN, _END = "[UNK]", "[CLS]", "[SEP]"
OPTION_WORDS = 10
"""Maximum number of words read of each option."""
EARLIER_TURNS = 4
"""Maximum number of earlier questions of a conversation read."""
MARK = "|"
"""Stands before each option and each earlier question."""
QUESTION, MARKED, FIRST_OPTION, LAST_OPTION, EARLIER = 0, 1, 2, 6, 9
"""Segments: words of the question, marks, words of the options by their number, words of earlier questions."""


@dataclass(frozen=True, slots=True)
class Words:
    """A question, its options and what was asked before as one row of words.

    Attributes:
        text: The question, then each option and each earlier question behind a mark.
        spans: Begin and end of each word in it.
        segments: What each word belongs to.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    segments: tuple[int, ...]

    def said(self, first: int, last: int) -> str:
        """The text from one word to another, as written."""
        return self.text[self.spans[first][0] : self.spans[last][1]]

    def behind(self, asked: str) -> "Words":
        """The same with an earlier question appended."""
        text = f"{self.text} {MARK} "
        spans = [(len(text) - 2, len(text) - 1)]
        spans += [(len(text) + begin, len(text) + end) for begin, end in spans_in(asked)]
        segments = (MARKED, *[EARLIER] * (len(spans) - 1))
        return Words(f"{text}{asked}", (*self.spans, *spans), (*self.segments, *segments))


def words_of(question: str, options: Sequence[str] = (), earlier: Sequence[str] = ()) -> Words:
    """A question in words, with its options and with the earlier questions of the conversation, in order."""
    text, segments = question, [QUESTION] * len(spans_in(question))
    for number, option in enumerate(options):
        kept = spans_in(option)[:OPTION_WORDS]
        text = f"{text} {MARK} {option[: kept[-1][1]] if kept else ''}"
        segments += [MARKED, *[min(FIRST_OPTION + number, LAST_OPTION)] * len(kept)]
    words = Words(text, tuple(spans_in(text)), tuple(segments))
    for asked in reversed(earlier[-EARLIER_TURNS:]):
        words = words.behind(asked)
    return words


def spans_in(text: str) -> list[tuple[int, int]]:
    """Begin and end of each word or mark of a text."""
    return [match.span() for match in _WORD.finditer(text)]


@dataclass(frozen=True, slots=True)
class Pieces:
    """A row of words as the network reads it.

    Attributes:
        ids: Ids of the pieces, begin and end token included.
        segments: The segment of each piece.
        first, last: Index of the first and the last piece of each word that the network takes in.
        usable: Whether a span may begin or end at each word: not at marks.
    """

    ids: list[int]
    segments: list[int]
    first: list[int]
    last: list[int]
    usable: list[bool]


class Vocabulary:
    """The pieces of words (WordPiece: Wu et al., 2016, arXiv:1609.08144; uncased, as BERT has it).

    Args:
        pieces: In the order of their ids.

    Attributes:
        of: Gives the pieces of a word.
        edges: Ids of the pieces that begin and end a row; the latter also separates its parts.
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(pieces)}
        self.of = lru_cache(maxsize=4096)(self._split)
        self.edges = self._ids[_BEGIN], self._ids[_END]

    def pieces(self, words: Words, situation: int, *, longest: int) -> Pieces:
        """A row of words in pieces.

        Args:
            words: The row.
            situation: The segment that says what the question is asked over.
            longest: Maximum number of pieces; what exceeds it is not read.
        """
        found = Pieces([self._ids[_BEGIN]], [situation], [], [], [])
        for (begin, end), segment in zip(words.spans, words.segments, strict=True):
            own = (self._ids[_END],) if segment == MARKED else self.of(words.text[begin:end])
            if len(found.ids) + len(own) > longest - 1:
                break
            found.first.append(len(found.ids))
            found.ids.extend(own)
            found.segments.extend([segment] * len(own))
            found.last.append(len(found.ids) - 1)
            found.usable.append(segment != MARKED)
        found.ids.append(self._ids[_END])
        found.segments.append(QUESTION)
        return found

    def _split(self, word: str) -> tuple[int, ...]:
        """The longest pieces from the left; one unknown piece where a part of the word has none."""
        if len(word) > _LONGEST_WORD:
            return (self._ids[_UNKNOWN],)
        plain = "".join(
            char for char in unicodedata.normalize("NFD", word.lower()) if unicodedata.category(char) != "Mn"
        )
        found: list[int] = []
        begin = 0
        while begin < len(plain):
            lead = "##" if begin else ""
            ends = range(len(plain), begin, -1)
            end = next((one for one in ends if f"{lead}{plain[begin:one]}" in self._ids), None)
            if end is None:
                return (self._ids[_UNKNOWN],)
            found.append(self._ids[f"{lead}{plain[begin:end]}"])
            begin = end
        return tuple(found[:_LONGEST]) or (self._ids[_UNKNOWN],)
