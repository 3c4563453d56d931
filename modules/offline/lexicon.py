"""The vocabulary of map questions: phrases that carry meaning, found in running words.

The phrases are data (`data/lexicon.toml`). A phrase is written as words; `a|b` are alternatives for one word
and a trailing `?` makes a word optional: "how long|far is it?" covers four wordings.
"""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import product
from typing import Any

from modules.offline.tokens import Token


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase found: tokens `first` to `last` (exclusive) and its group ("sup.nearest")."""

    first: int
    last: int
    group: str

    @property
    def family(self) -> str:
        """The first part of the group's name ("sup")."""
        return self.group.partition(".")[0]

    @property
    def key(self) -> str:
        """The last part of the group's name."""
        return self.group.rpartition(".")[2]


class Lexicon:
    """Phrases by group, found in one pass over the words."""

    def __init__(self, groups: Iterable[tuple[str, Sequence[str]]]) -> None:
        self._groups: dict[tuple[str, ...], list[str]] = {}
        self._longest: dict[str, int] = {}
        for group, phrases in groups:
            for phrase in phrases:
                for words in expand(phrase):
                    known = self._groups.setdefault(words, [])
                    if group not in known:
                        known.append(group)
                    self._longest[words[0]] = max(self._longest.get(words[0], 0), len(words))
        self.words = frozenset(word for words in self._groups for word in words)

    def find(self, tokens: Sequence[Token]) -> tuple[Cue, ...]:
        """All cues; within one group the longest at each place, without overlap."""
        norms = tuple(token.norm for token in tokens)
        found: list[Cue] = []
        free_from: dict[str, int] = {}
        for index, norm in enumerate(norms):
            for length in range(min(self._longest.get(norm, 0), len(norms) - index), 0, -1):
                for group in self._groups.get(norms[index : index + length], ()):
                    if free_from.get(group, 0) <= index:
                        found.append(Cue(index, index + length, group))
                        free_from[group] = index + length
        return tuple(found)


def expand(phrase: str) -> Iterator[tuple[str, ...]]:
    """All wordings a phrase stands for."""
    choices: list[list[str]] = []
    for word in phrase.split():
        optional = word.endswith("?")
        choices.append([*word.rstrip("?").split("|"), *([""] if optional else [])])
    for wording in product(*choices):
        words = tuple(word for word in wording if word)
        if words:
            yield words


def read_toml(name: str) -> dict[str, Any]:
    """A vocabulary file of this package."""
    return tomllib.loads((files("modules.offline") / "data" / name).read_text(encoding="utf-8"))


def flatten(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, list[str]]]:
    """The groups of a nested table, named by their path ("sup.nearest")."""
    for key, value in table.items():
        path = f"{prefix}{key}"
        if isinstance(value, dict):
            yield from flatten(value, f"{path}.")
        else:
            yield path, value


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The phrases of `lexicon.toml`."""
    return Lexicon(flatten(read_toml("lexicon.toml")))


@lru_cache(maxsize=1)
def glue() -> frozenset[str]:
    """Words without a meaning of their own in a map question: no part of a name unless capitalised."""
    return frozenset(word for line in _words()["glue"].values() for word in line.split())


@lru_cache(maxsize=1)
def misspellable() -> tuple[str, ...]:
    """Words worth correcting when misspelt."""
    return tuple(_words()["spelling"]["words"].split())


@lru_cache(maxsize=64)
def word_set(section: str, key: str = "words") -> frozenset[str]:
    """A list of `words.toml`."""
    return frozenset(_words()[section][key].split())


@lru_cache(maxsize=1)
def _words() -> dict[str, Any]:
    return read_toml("words.toml")
