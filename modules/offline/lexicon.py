"""The vocabulary of map questions: phrases that carry meaning, found in running words.

The phrases are data (`data/lexicon.toml`). A phrase is written as words; `a|b` are alternatives for one word
and a trailing `?` makes a word optional: "how long|far is it?" covers four wordings.
"""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

from modules.offline.token import Token


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase found: tokens `first` to `last` (exclusive) and its group ("sup.nearest")."""

    first: int
    last: int
    group: str

    def within(self, others: "Iterable[Cue]") -> bool:
        """True if one of these covers all of its words."""
        return any(one.first <= self.first and self.last <= one.last for one in others)

    @property
    def family(self) -> str:
        """The first part of the group's name ("sup")."""
        return self.group.partition(".")[0]

    @property
    def key(self) -> str:
        """The last part of the group's name."""
        return self.group.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class _Slot:
    """One word of a phrase: what it may be, and whether it may be missing."""

    words: frozenset[str]
    optional: bool


class Lexicon:
    """Phrases by group, found in one pass over the words.

    A phrase is filed, unread, under each word it can begin with, and taken apart when such a word first
    occurs: a question meets a small part of the vocabulary, and start-up time counts.

    Args:
        groups: Names of groups with their phrases.
        frames: Phrases that precede each of those in `framed` ("buy some", then "flowers").
        framed: Groups whose phrases count only after a frame; the cue spans both.
    """

    def __init__(
        self,
        groups: Iterable[tuple[str, Sequence[str]]],
        frames: Sequence[str] = (),
        framed: Iterable[tuple[str, Sequence[str]]] = (),
    ) -> None:
        self._by_head: dict[str, list[tuple[str, str]]] = {}
        self._read: dict[str, list[tuple[str, tuple[_Slot, ...]]]] = {}
        for group, phrases in groups:
            for phrase in phrases:
                for head in _heads(phrase):
                    self._by_head.setdefault(head, []).append((group, phrase))
        self._frames = Lexicon([("", frames)]) if frames else None
        self._framed = Lexicon(framed) if frames else None

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that occur in a phrase."""
        phrases = (phrase for filed in self._by_head.values() for _, phrase in filed)
        own = frozenset(" ".join(dict.fromkeys(phrases)).replace("|", " ").replace("?", " ").split())
        parts = (part.words for part in (self._frames, self._framed) if part is not None)
        return own.union(*parts)

    def find(self, tokens: Sequence[Token]) -> tuple[Cue, ...]:
        """All cues; within one group the longest at each place, without overlap."""
        norms = tuple(token.norm for token in tokens)
        found: list[Cue] = []
        free_from: dict[str, int] = {}
        for index in range(len(norms)):
            for group, end in sorted(self.ends_at(norms, index).items(), key=lambda item: -item[1]):
                if free_from.get(group, 0) <= index:
                    found.append(Cue(index, end, group))
                    free_from[group] = end
        return (*found, *self._framed_cues(tokens, norms))

    def ends_at(self, norms: Sequence[str], index: int) -> dict[str, int]:
        """Where the longest phrase of each group that begins at `index` ends."""
        longest: dict[str, int] = {}
        for group, slots in self._beginning(norms[index]):
            end = _end(slots, norms, index)
            if end > longest.get(group, index):
                longest[group] = end
        return longest

    def _framed_cues(self, tokens: Sequence[Token], norms: Sequence[str]) -> Iterator[Cue]:
        if self._frames is None or self._framed is None:
            return
        for frame in self._frames.find(tokens):
            if frame.last < len(norms):
                for group, end in self._framed.ends_at(norms, frame.last).items():
                    yield Cue(frame.first, end, group)

    def _beginning(self, head: str) -> list[tuple[str, tuple[_Slot, ...]]]:
        """The phrases that can begin with a word, taken apart."""
        if head not in self._by_head:
            return []
        if head not in self._read:
            self._read[head] = [(group, _slots(phrase)) for group, phrase in self._by_head[head]]
        return self._read[head]


def _heads(phrase: str) -> Iterator[str]:
    """The words a phrase can begin with."""
    for word in phrase.split():
        yield from word.rstrip("?").split("|")
        if not word.endswith("?"):
            return


def _slots(phrase: str) -> tuple[_Slot, ...]:
    return tuple(_Slot(frozenset(word.rstrip("?").split("|")), word.endswith("?")) for word in phrase.split())


def _end(slots: Sequence[_Slot], norms: Sequence[str], index: int) -> int:
    """Where the longest wording of a phrase that begins at `index` ends; 0 if none does."""
    if not slots:
        return index
    first, rest = slots[0], slots[1:]
    taken = index < len(norms) and norms[index] in first.words
    with_it = _end(rest, norms, index + 1) if taken else 0
    return max(with_it, _end(rest, norms, index)) if first.optional else with_it


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
    table = read_toml("lexicon.toml")
    frames, goods = table.pop("goods_frames")["words"], table.pop("goods")
    return Lexicon(flatten(table), frames, ((f"need.{shop}", things) for shop, things in goods.items()))


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
