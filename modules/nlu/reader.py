"""The learned reader: from a question to the programs it may mean, the likeliest first."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache, partial
from itertools import groupby

import numpy as np

from map_tools.errors import ProgramError
from modules.nlu.decoding import program_of
from modules.nlu.literals import amount_in, name_in, number_in, times_in
from modules.nlu.network import LONGEST_INPUT, POINTING, Network, Row
from modules.nlu.rows import Literal, RowError, Token, tokens_of
from modules.nlu.weights import Trained, trained
from modules.nlu.words import FIRST_OPTION, LAST_OPTION, QUESTION, Vocabulary, Words, words_of
from modules.query.inventory import built_in
from modules.query.operators.base import Operator

WIDTH = 5
"""Beam width of the decoder."""
DAY_AND_CLOCK, CORNER = "TD", "corner"
"""Tokens before two spans that make one literal: a day and a time of day, two streets that meet."""
KEPT_QUESTIONS = 256
"""Number of questions, except those in a conversation, whose readings are cached: many people ask the same."""
WORTH = 3.0
"""A reading whose score is lower than the first one's by more than this is not worth running."""
UNCLEAR, CLEAR = 0.6, 0.75
"""Probability of the likeliest reading below which a later question of a conversation is unclear, and from which it is
clear alone: chosen so that no follow-up of the bank is torn from its conversation."""
_ENDS = frozenset(".!?:;-–—(“\"'")
"""Punctuation after which a capital letter says nothing."""


class Over(IntEnum):
    """The source that a question is asked over, as the segment by which the network is told."""

    MAP = 0
    TEXT = 7
    DATABASE = 8


@dataclass(frozen=True, slots=True)
class Reading:
    """A program that a question may mean.

    Attributes:
        program: The program.
        score: The logarithm of its probability, as far as the network can tell.
        weakest: The logarithm of the probability of its least likely step.
        unused: How many numbers of the question the program does not use.
        unread: How many words of the question that are written like names it does not use.
        left: Those words, numbers and names, side by side as in the question; without words of a name or an option
            that it does use.
        halves: The times of day in it that may mean either half of the day: as taken, and twelve hours off.
    """

    program: str
    score: float
    weakest: float = 0.0
    unused: int = 0
    unread: int = 0
    left: tuple[str, ...] = ()
    halves: tuple[tuple[str, str], ...] = ()


class Reader:
    """Reads questions.

    Args:
        model: The trained network.
        operators: Those that programs may use.
    """

    def __init__(self, model: Trained, operators: Mapping[str, Operator]) -> None:
        self._network = Network(model.arrays, model.tokens)
        self._vocabulary = Vocabulary(model.pieces)
        self._operators = operators
        self._kept = lru_cache(maxsize=KEPT_QUESTIONS)(self._read)

    def readings(
        self, question: str, options: Sequence[str], over: Over, earlier: Sequence[str] = ()
    ) -> tuple[Reading, ...]:
        """The programs that a question may mean, the likeliest first; equivalent ones are merged.

        A question of a conversation that is unclear after what was asked before, and clear alone, stands by itself.

        Args:
            question: In its words.
            options: Those to choose from.
            over: What it is asked over.
            earlier: The questions of the conversation before it, in order.
        """
        if not earlier:
            return self._kept(question, tuple(options), over, ())
        read = self._read(question, tuple(options), over, tuple(earlier))
        if read and math.exp(read[0].score) >= UNCLEAR:
            return read
        alone = self._kept(question, tuple(options), over, ())
        clear = bool(alone) and math.exp(alone[0].score) >= CLEAR
        # alone, many a follow-up looks like something that no map tells
        return alone if clear and not refuses(alone[0].program) else read

    def forget(self) -> None:
        """Clears the cache of readings."""
        self._kept.cache_clear()

    def _read(
        self, question: str, options: tuple[str, ...], over: Over, earlier: tuple[str, ...]
    ) -> tuple[Reading, ...]:
        words = words_of(question, options, earlier)
        pieces = self._vocabulary.pieces(words, over, longest=LONGEST_INPUT)
        found: dict[str, Reading] = {}
        for row in self._network.rows(pieces, width=WIDTH):
            try:
                tokens = with_words(row, words)
                program = self._canonical(program_of(tokens, self._operators))
            except (RowError, ProgramError):
                continue
            before = found.get(program)
            score = row.score if before is None else float(np.logaddexp(before.score, row.score))
            figures, names, left = _left_over(row, words)
            halves = tuple(_halves(row, words))
            found[program] = Reading(program, score, row.weakest, len(figures), len(names), left, halves)
        return tuple(sorted(found.values(), key=lambda one: -one.score))

    def _canonical(self, program: str) -> str:
        """The canonical form of equivalent programs."""
        return program_of(tokens_of(program, self._operators), self._operators)


def refuses(program: str) -> bool:
    """Whether a program says that no map can answer the question."""
    return program.startswith("unanswerable(")


def _left_over(row: Row, words: Words) -> tuple[list[int], list[int], tuple[str, ...]]:
    """The words of the question no token points to: those with a digit, those written like a name, `Reading.left`."""
    used = {word for span in row.spans if span is not None for word in range(span[0], span[1] + 1)}
    left = [number for number, at in enumerate(words.segments) if at == QUESTION and number not in used]
    figures = [number for number in left if any(map(str.isdigit, words.said(number, number)))]
    names = [number for number in left if _like_a_name(number, words)]
    options = {number for number, at in enumerate(words.segments) if FIRST_OPTION <= at <= LAST_OPTION}
    carried = {words.said(number, number).casefold() for number in used | options}
    lost = (one for one in sorted({*figures, *names}) if words.said(one, one).casefold() not in carried)
    return figures, names, tuple(words.said(*run) for run in _runs(lost))


def _halves(row: Row, words: Words) -> Iterator[tuple[str, str]]:
    """`Reading.halves`."""
    before = ""
    for token, span in zip(row.tokens, row.spans, strict=True):
        number = _HALVES.get(token)
        if number is not None and span is not None and before != DAY_AND_CLOCK:
            found = times_in(words.said(*span))
            if len(found) == len(_HALVES) and " " not in found[0]:
                yield found[number], found[1 - number]
        before = token


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """First and last of each run of numbers that follow one another."""
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        members = [number for _, number in run]
        yield members[0], members[-1]


def _like_a_name(number: int, words: Words) -> bool:
    """Whether a word is capitalised other than at the beginning of a sentence."""
    said = words.said(number, number)
    begins = number == 0 or words.said(number - 1, number - 1) in _ENDS
    return said[0].isupper() and not begins and len(said) > 1


@lru_cache(maxsize=1)
def reader() -> Reader:
    """The reader of this version over the built-in operators."""
    return Reader(trained(), built_in())


def with_words(row: Row, words: Words) -> list[Token]:
    """The tokens of a row, with literals for those that point to words.

    Raises:
        RowError: The words do not fit their token.
    """
    made: list[Token] = []
    parts = iter(zip(row.tokens, row.spans, strict=True))
    for token, span in parts:
        if token in {DAY_AND_CLOCK, CORNER}:
            joint = " " if token == DAY_AND_CLOCK else " & "
            first, second = (
                _literal(*part, words) for part in (next(parts, None), next(parts, None)) if part
            )
            made.append(Literal("S" if token == CORNER else "T", f"{first.text}{joint}{second.text}"))
        elif token in POINTING:
            made.append(_literal(token, span, words))
        else:
            made.append(token)
    return made


def _literal(token: str, span: tuple[int, int] | None, words: Words) -> Literal:
    if span is None or token not in _READERS:
        raise RowError(f"{token} without words")
    said = words.said(*span)
    text = _READERS[token](said)
    if not text:
        raise RowError(f"“{said}” is no {token}")
    return Literal(token, text)


def _time(said: str, number: int) -> str:
    """One of the two times of day that the words may mean, by its number; the only one if they say which."""
    found = times_in(said)
    return found[min(number, len(found) - 1)] if found else ""


_HALVES = {"T": 0, "T2": 1}
"""Tokens of times, and which of the two that words may mean they take."""
_READERS: Mapping[str, Callable[[str], str | None]] = {
    "S": name_in,
    **{token: partial(_time, number=number) for token, number in _HALVES.items()},
    "Q": amount_in,
    "N": number_in,
}
