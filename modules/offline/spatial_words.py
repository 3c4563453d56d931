"""A question over a spatial database as the grammar sees it: words, phrases, and what is known of names."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from map_tools.maps.names import canonical
from map_tools.spatial_db.grounding.areas import is_state, name_cuts
from map_tools.spatial_db.grounding.kinds import KindReader
from mapagent.ports import NameHints
from modules.offline.lexicon import Cue, Lexicon, flatten, glue, read_toml
from modules.offline.spatial_classes import all_words, expanded
from modules.offline.token import Token
from modules.offline.tokens import sentence_of, tidy, tokenise

_OTHER_PARTS = frozenset({"range", "lists", "patterns", "classes"})

type Stretch = tuple[int, int]
"""Tokens from the first to the last, exclusive."""

EXACT, LIKE_A_NAME, NO_NAME = 1.0, 0.45, 0.2
"""How surely a stretch is a name: the map knows it; it is written like one; it is not."""
ALIKE = 0.86
_AREA_WORDS = 4
_CODE_CHARS = 2
_PRONOUN = re.compile(r"I\b")
_HALF_KNOWN = 0.97
"""The map knows the name before a comma; what stands behind is taken for its city."""


class Known:
    """What the map knows of names and kinds, each question asked once.

    Args:
        names: Tells whether words are a name; None: nobody does.
        kinds: Reads words for kinds.
    """

    def __init__(self, names: NameHints | None, kinds: KindReader) -> None:
        self._names = names
        self.kinds = kinds
        self._seen: dict[str, float] = {}

    def name(self, text: str) -> float:
        """0 to 1: how surely these words are a name, with city and state behind commas."""
        if text not in self._seen:
            self._seen[text] = self._name(text)
        return self._seen[text]

    def alike(self, text: str) -> float:
        """As `name`, forgiving slips of the keyboard; costs more."""
        if self._names is None or self.name(text) >= _HALF_KNOWN:
            return self.name(text)
        head = text.partition(",")[0]
        score = max(self._names.score(text), self._names.score(head))
        return max(self.name(text), 0.8 if score >= ALIKE else 0.0)

    def _name(self, text: str) -> float:
        if not canonical(text):
            return 0.0
        looks = LIKE_A_NAME if any(char.isupper() or char.isdigit() for char in text) else NO_NAME
        if self._names is None:
            return looks
        if self._names.exact(text):
            return EXACT
        for head, areas in name_cuts(text):
            if self._names.exact(head):
                lies = areas and all(map(self._is_area, areas)) and not any(map(_is_code, areas[:-1]))
                return _HALF_KNOWN if lies else looks
        return looks

    def _is_area(self, text: str) -> bool:
        """True if words behind a comma can be a city or a state."""
        if is_state(text) or (self._names is not None and self._names.exact(text)):
            return True
        words = text.split()
        if not any(char.isalpha() for char in text) or _PRONOUN.match(text):
            return False
        proper = [word for word in words if word[0].isupper() or word[0].isdigit()]
        linked = all(word in proper or word.casefold() in word_list("name_links") for word in words)
        return 0 < len(words) <= _AREA_WORDS and linked and words[0] in proper and words[-1] in proper


def _is_code(area: str) -> bool:
    """True for the short form of a state, behind which no wider area follows ("Old Mill, OH in Westport")."""
    return len(area) == _CODE_CHARS and is_state(area)


@dataclass(frozen=True)
class Words:
    """A tidied question with its words and phrases.

    Attributes:
        sentence: For each token the number of its sentence.
        cues: Phrases of `spatial.toml`.
    """

    text: str
    tokens: tuple[Token, ...]
    sentence: tuple[int, ...]
    cues: tuple[Cue, ...]
    known: Known = field(repr=False)

    def __len__(self) -> int:
        return len(self.tokens)

    def norm(self, index: int) -> str:
        """A word in small letters; empty beyond the ends."""
        return self.tokens[index].norm if 0 <= index < len(self.tokens) else ""

    def say(self, first: int, last: int) -> str:
        """The text of a stretch, as written."""
        if first >= last:
            return ""
        return self.text[self.tokens[first].start : self.tokens[last - 1].end]

    def of(self, *groups: str) -> list[Cue]:
        """The phrases of some groups ("ask.count") or families ("ask"), in the order of the text."""
        return [cue for cue in self.cues if cue.group in groups or cue.family in groups]

    def sentence_end(self, index: int) -> int:
        """Where the sentence of a token ends."""
        own = self.sentence[index]
        return next((later for later in range(index, len(self)) if self.sentence[later] != own), len(self))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each token starts in the text."""
        return tuple(token.start for token in self.tokens)

    def stretch(self, start: int, end: int) -> Stretch:
        """The tokens that lie, at least in part, between two places of the text."""
        inside = [
            number for number, token in enumerate(self.tokens) if token.start < end and token.end > start
        ]
        return (inside[0], inside[-1] + 1) if inside else (0, 0)

    def unread(self, used: Iterable[Stretch]) -> list[int]:
        """The words with a meaning that none of the stretches covers."""
        covered = {index for first, last in used for index in range(first, last)}
        return [
            index
            for index, token in enumerate(self.tokens)
            if token.is_word and token.norm not in glue() and index not in covered
        ]

    def leftover(self, used: Iterable[Stretch]) -> int:
        """How many words with a meaning none of the stretches covers."""
        return len(self.unread(used))


def words_of(text: str, known: Known) -> Words:
    """Takes a question apart."""
    plain = tidy(text)
    tokens = tokenise(plain)
    cues = tuple(cue for cue in spatial_lexicon().find(tokens) if _is_plain(tokens, cue))
    return Words(plain, tokens, _sentences(tokens), cues, known)


def _sentences(tokens: tuple[Token, ...]) -> tuple[int, ...]:
    """For each token the number of its sentence; a sign without a blank behind it ends none ("a;b")."""
    glued = 0
    numbers: list[int] = []
    for index, number in enumerate(sentence_of(tokens)):
        starts = index > 0 and number > numbers[-1] + glued
        glued += starts and tokens[index].start == tokens[index - 1].end
        numbers.append(number - glued)
    return tuple(numbers)


def _is_plain(tokens: tuple[Token, ...], cue: Cue) -> bool:
    """True for a phrase in small letters: words with a capital inside a sentence belong to names."""
    return all(
        not token.text[0].isupper() or token.initial or token.norm == "i"
        for token in tokens[cue.first : cue.last]
    )


@lru_cache(maxsize=1)
def spatial_lexicon() -> Lexicon:
    """The phrases of `spatial.toml`, without the word lists of ranges."""
    table = _vocabulary()
    groups = flatten({name: part for name, part in table.items() if name not in _OTHER_PARTS})
    return Lexicon((name, expanded(phrases, table["classes"])) for name, phrases in groups)


@lru_cache(maxsize=1)
def range_words() -> dict[str, frozenset[str]]:
    """Words that stand around the figure of a range."""
    table = _vocabulary()["range"]
    return {
        key: frozenset(word for text in texts for word in text.split("|")) for key, texts in table.items()
    }


@lru_cache(maxsize=64)
def word_list(name: str) -> frozenset[str]:
    """A list of words of `spatial.toml`."""
    return frozenset(all_words(_vocabulary()["lists"][name]))


@lru_cache(maxsize=16)
def pattern(name: str) -> re.Pattern[str]:
    """A regular expression of `spatial.toml`."""
    return re.compile("|".join(_vocabulary()["patterns"][name]), re.IGNORECASE)


@lru_cache(maxsize=1)
def _vocabulary() -> dict[str, Any]:
    return read_toml("spatial.toml")


def overlaps(one: Stretch, other: Stretch) -> bool:
    """True if two stretches share a token."""
    return one[0] < other[1] and other[0] < one[1]
