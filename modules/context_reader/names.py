"""Names in supplied texts: where they end in a phrase, and which place of the text each name of a question means.

Of two names in one phrase ("A to B", "A and B", "cafes of A") known names decide where one ends. A text has names of
its own ("Harbour Tower Eye" for "Harbour Tower", "the lake" for "Mirror Lake"), and one name may be part of another.
So all names of a question are looked at together, the best fit first, and each is given to at most one place while
other names are left over.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from map_tools.kinds.concepts import lookup
from map_tools.text import SAME_SCORE, normalise, similarity
from modules.context_reader.vocabulary import words

_SENTENCE_WORD = re.compile(  # names hold capitals ("It", "A") where sentences have these
    r"\b(?:is|are|it|was|our|my|takes?|lies|needs?|you|your|we|reached|can|by|an?|minutes?|km|left|right|exit|every)\b"
    r"|[.;:!?] |, (?:and|but) "
)
_MOST_NAME_WORDS = 9
_EDGE = " ,;:()[]-–"

LOOSE_SCORE = 0.4
"""From here on a name is taken for another if nothing else is left to choose from."""
ALIKE_SCORE = 0.6
"""Names that share no word but for their kind are as alike as the other words are, from here on."""
TOKEN_WEIGHT = 0.8
"""A name that shares only words with another never scores as the same name: 0.8 < `SAME_SCORE`."""
FILLERS = frozenset(
    ("a", "an", "and", "at", "de", "del", "der", "des", "du", "in", "la", "le", "my", "of", "on", "the", "to")
)
"""Words that two different names often share."""
MOST_NAMES = 500
"""A text with more names than this is data, which spells a name the same everywhere: none is looked for by likeness."""
KIND_WORDS = 2
"""Words that a name tells its kind in, at most ("zoological garden")."""


def split_pair(text: str, kind: str, known: frozenset[str]) -> tuple[str, str] | None:
    """Splits at a separator of the kind ("pair", "between").

    Of several ways to split, the one with most known names on its sides wins, then the first of the most
    trusted separator.

    Args:
        text: The phrase.
        kind: Which separators: a key of `[separators]` in `words.toml`.
        known: Normalised names of places the text speaks of elsewhere.
    """

    def score(way: tuple[str, str]) -> int:
        return sum(normalise(name) in known for name in way)

    return max(_splits(text, words().separators[kind]), key=score, default=None)


def is_name(text: str) -> bool:
    """True for words that may be a name: few, and none of them such as only sentences have."""
    return (
        any(map(str.isalpha, text))
        and text.count("(") == text.count(")")
        and _SENTENCE_WORD.search(text) is None
        and len(text.split()) <= _MOST_NAME_WORDS
    )


def split_anchor(text: str, known: frozenset[str]) -> tuple[str, str] | None:
    """Splits "places of interest of A" into the kind of place and the anchor.

    A known anchor decides; else the longest words that name a kind of place; else the first separator.
    """

    def score(way: tuple[str, str]) -> tuple[bool, int]:
        kind = normalise(way[0])
        named = kind in words().vague_types or lookup(kind) is not None
        return normalise(way[1]) in known, len(kind.split()) if named else 0

    return max(_splits(text, words().separators["anchor"]), key=score, default=None)


def _splits(text: str, separators: Sequence[str]) -> Iterator[tuple[str, str]]:
    folded = text.lower()
    for separator in separators:
        at = folded.find(separator)
        while at >= 0:
            left, right = text[:at].strip(_EDGE), text[at + len(separator) :].strip(_EDGE)
            if left and right:
                yield _balanced(left, text), _balanced(right, text)
            at = folded.find(separator, at + 1)


def _balanced(part: str, text: str) -> str:
    """Gives a bracket back that belongs to the name: "B (North" of "A to B (North)" is "B (North)"."""
    if part.count("(") == part.count(")") + 1 and f"{part})" in text:
        return f"{part})"
    return part


def most_alike(name: str, names: Collection[str]) -> str | None:
    """The one of `names` that `name` is a slip in, or a shorter or longer form of; None if none is."""
    score, other = max(((similarity(name, other), other) for other in names), default=(0.0, ""))
    return other if score >= SAME_SCORE else None


def assigned(asked: Sequence[str], known: Sequence[str], taken: Sequence[str] = ()) -> Mapping[str, str]:
    """The known name that each asked one means; asked names that mean none are left out.

    Args:
        asked: The names of a question that are not found as they stand.
        known: The names to choose from.
        taken: Those of them that other names of the question mean.
    """
    table: dict[str, str] = {}
    free = [name for name in dict.fromkeys(known) if name not in taken]
    pairs = sorted(
        ((_fit(name, other), name, other) for name in asked for other in free), key=lambda pair: -pair[0]
    )
    for score, name, other in pairs:
        if score >= LOOSE_SCORE and name not in table and other in free:
            table[name] = other
            free.remove(other)
    left = [name for name in asked if name not in table]
    if len(left) == 1 and len(free) == 1 and (taken or table):
        table[left[0]] = free[0]
    return table


def _fit(name: str, other: str) -> float:
    """How well two names fit: as wholes, or by the telling words they share, or the kind they tell."""
    words, others = _telling(name), _telling(other)
    shared = len(words & others) / min(len(words), len(others)) if words and others else 0.0
    if shared < 1 and _tells_kind(name, other):
        shared = 1.0
    own, others_own = (frozenset(word for word in each if lookup(word) is None) for each in (words, others))
    if own and others_own and own.isdisjoint(others_own):  # two parks are not one because both are parks
        score = similarity(" ".join(sorted(own)), " ".join(sorted(others_own)))
        return score if score >= ALIKE_SCORE else 0.0
    return max(similarity(name, other), TOKEN_WEIGHT * shared)


def _tells_kind(name: str, other: str) -> bool:
    """Whether a name is no more than a kind that the other one tells in other words ("the zoo")."""
    words = normalise(other).split()
    kind = lookup(" ".join(word for word in normalise(name).split() if word not in FILLERS))
    if kind is None:
        return False
    runs = (" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, i + 1 + KIND_WORDS))
    told = (lookup(run) for run in runs)
    return any(found is not None and not set(found.ids).isdisjoint(kind.ids) for found in told)


def _telling(name: str) -> frozenset[str]:
    return frozenset(normalise(name).split()) - FILLERS
