"""Which place of a text each name of a question means: all names together, the best fit first.

A text has names of its own ("Harbour Tower Eye" for "Harbour Tower", "the lake" for "Mirror Lake"), and one name
may be part of another. So each name of a question is given to at most one place while others are left over.
"""

from collections.abc import Collection, Mapping, Sequence

from map_tools.kinds.concepts import lookup
from modules.names import SAME_SCORE, normalise, similarity

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


__all__ = ["MOST_NAMES", "SAME_SCORE", "assigned", "most_alike"]
