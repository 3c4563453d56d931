"""The kinds of places: category ids, and the words people use for them.

A category id is a value of one of OpenStreetMap's main keys ("restaurant", "pharmacy", "castle"), or an
umbrella over several of them ("food": all places to eat). The vocabulary is data: `data/categories.toml`,
`data/cuisines.toml`, and the words of other languages in `data/kinds_abroad.toml`.
"""

from collections.abc import Iterable
from functools import lru_cache

from map_tools.kinds.category_file import Concept, read_data, vocabulary
from map_tools.kinds.phrases import Phrase, PhraseIndex

__all__ = [
    "Concept",
    "Span",
    "concept",
    "cuisine_in",
    "cuisines_in",
    "find_in",
    "is_cuisine",
    "is_ground",
    "is_listed_unnamed",
    "is_nameless",
    "is_narrow",
    "label_of",
    "lookup",
    "umbrellas_of",
    "without_covered",
    "words_for",
]

BUILDING = "building"
"""The category id that every building has."""

Span = Phrase[Concept]
"""A mention of a kind of place in a text: `start`, `end`, and the concept as `value`."""


def lookup(words: str) -> Concept | None:
    """The concept these words name: "chemists", "drug store" and "Pharmacy" are all `pharmacy`.

    Place types as Google writes them ("gas_station", "tourist_attraction") are understood too.

    Returns:
        None if the words, taken as a whole, are not in the vocabulary.
    """
    return vocabulary().index.get(words)


def is_narrow(words: str) -> bool:
    """True if these words tell more than the concept they name does: an opera is not any theatre."""
    return vocabulary().narrow.get(words) is not None


def find_in(text: str) -> list[Span]:
    """All kinds of places a text mentions, the longest mention first; none lies within another."""
    return vocabulary().index.find(text)


def concept(category: str) -> Concept | None:
    """The concept with this category id, None if the vocabulary has none."""
    return vocabulary().concepts.get(category)


def words_for(category: str) -> tuple[str, ...]:
    """The words a category is known by, its label first; for an id outside the vocabulary the id itself."""
    known = vocabulary().words.get(category)
    return known if known is not None else (category.replace("_", " "),)


def label_of(category: str) -> str:
    """What to call a category in an answer."""
    return words_for(category)[0]


def umbrellas_of(category: str) -> tuple[str, ...]:
    """The wider categories a category belongs to ("cafe" → "food"); empty for one outside the vocabulary."""
    return vocabulary().parents.get(category, ())


def is_listed_unnamed(categories: Iterable[str]) -> bool:
    """True if a feature of these categories is kept without a name: an ATM is, a stretch of road is not."""
    background = vocabulary().background
    return any(category not in background for category in categories)


def is_nameless(categories: Iterable[str]) -> bool:
    """True if people look for places of these categories without caring for a name: benches, toilets."""
    wanted = set(categories)
    return bool(wanted) and wanted <= vocabulary().nameless


def is_ground(categories: Iterable[str]) -> bool:
    """True if one is in a place of these categories, or along it, rather than at it: a park, a street.

    A building is none, whatever it is used for.
    """
    given = set(categories)
    return BUILDING not in given and not given.isdisjoint(vocabulary().grounds)


def without_covered(categories: Iterable[str]) -> tuple[str, ...]:
    """The categories without those that another one of them covers: "food" makes "cafe" superfluous."""
    wanted = dict.fromkeys(categories)
    parents = vocabulary().parents
    return tuple(category for category in wanted if not any(up in wanted for up in parents.get(category, ())))


def cuisine_in(text: str) -> str | None:
    """The first cuisine a text mentions, as OpenStreetMap's key `cuisine` writes it ("ice_cream")."""
    found = sorted(_cuisines().find(text), key=lambda phrase: phrase.start)
    return found[0].value if found else None


def cuisines_in(text: str) -> list[Phrase[str]]:
    """All cuisines a text mentions with their places in it, the longest mention first."""
    return _cuisines().find(text)


def is_cuisine(text: str) -> bool:
    """Whether a text as a whole names a cuisine."""
    return _cuisines().get(text) is not None


@lru_cache(maxsize=1)
def _cuisines() -> PhraseIndex[str]:
    phrases: dict[str, str] = {}
    abroad = read_data("kinds_abroad.toml")["cuisines"]
    for keyword, words in (*read_data("cuisines.toml")["cuisines"].items(), *abroad.items()):
        for word in (keyword, *words.split(",")):
            phrases.setdefault(word.strip(), keyword)
    return PhraseIndex({phrase: keyword for phrase, keyword in phrases.items() if phrase})
