"""The words of told opening hours, and the tokens they become."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from map_tools.compute.scanning import load

_LEXEME = re.compile(r"\d+|[^\W\d_]+(?:'[^\W\d_]+)*'?|\S|\n")
_LONGEST_PHRASE = 6
"""Lexemes of the longest phrase that is looked for."""
_VALUED = ("groups", "dates", "sun", "named_times", "hours", "minutes", "parts", "season_edges", "ordinals")


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A word, a number or a mark of a text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a phrase means: the list it stands in, and its value there."""

    kind: str
    value: str = ""


def lexemes(folded: str) -> list[Lexeme]:
    """The words, numbers and marks of a folded text."""
    return [Lexeme(match.group(), match.start(), match.end()) for match in _LEXEME.finditer(folded)]


def longest_phrase(words: Sequence[Lexeme], at: int) -> tuple[int, tuple[Phrase, ...]]:
    """The number of lexemes of the longest phrase that begins there, and what it may mean."""
    table = _phrases()
    for length in range(min(_LONGEST_PHRASE, len(words) - at), 0, -1):
        found = table.get(tuple(word.text for word in words[at : at + length]))
        if found is not None:
            return length, found
    return 0, ()


def day_words(words: Sequence[Lexeme]) -> dict[str, str]:
    """The day that each day word of a text means, in the language most of them belong to."""
    known = _days()
    counts = Counter(language for word in words for language, table in known.items() if word.text in table)
    ranked = sorted(known, key=lambda language: -counts[language])  # stable: the first listed on a tie
    return {word: day for language in reversed(ranked) for word, day in known[language].items()}


@lru_cache(maxsize=1)
def _days() -> dict[str, dict[str, str]]:
    return {
        language: {word: day for day, listed in table.items() for word in listed}
        for language, table in load("told_hours")["days"].items()
    }


@lru_cache(maxsize=1)
def _phrases() -> dict[tuple[str, ...], tuple[Phrase, ...]]:
    table: dict[tuple[str, ...], list[Phrase]] = {}
    for phrase, meaning in _listed():
        words = tuple(word.text for word in lexemes(phrase))
        table.setdefault(words, []).append(meaning)
    return {words: tuple(meanings) for words, meanings in table.items()}


def _listed() -> Iterator[tuple[str, Phrase]]:
    lists = load("told_hours")
    for kind in (*_VALUED, "months"):
        for value, phrases in lists[kind].items():
            yield from ((phrase, Phrase(kind, value)) for phrase in phrases)
    for kind, phrases in lists["words"].items():
        yield from ((phrase, Phrase(kind)) for phrase in phrases)
    for listed in lists["days"].values():
        for phrase in (phrase for phrases in listed.values() for phrase in phrases):
            yield phrase, Phrase("day")
