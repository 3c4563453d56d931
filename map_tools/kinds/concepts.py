"""The kinds of places: category ids, and the words people use for them.

A category id is a value of one of OpenStreetMap's main keys ("restaurant", "pharmacy", "castle"), or an
umbrella over several of them ("food": all places to eat). The vocabulary is data: `data/categories.toml`,
`data/cuisines.toml`, the words of other languages in `data/kinds_abroad.toml`, and the words that go with the names of
areas in `data/names.toml`.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files

from map_tools.kinds.category_file import Concept, read_data, vocabulary
from map_tools.kinds.phrases import Phrase, PhraseIndex, fold

BUILDING = "building"
"""The category id that every building has."""

AREA_KINDS = frozenset(
    {"admin", "country", "state", "county", "city", "town", "village", "hamlet", "suburb", "neighbourhood"}
    | {"locality", "island", "islet", "postal_area"}
)
"""Category ids of places one lies in: administrative areas and settlements."""

LINEAR = frozenset({"street", "path", "river", "stream", "canal", "railway"})
"""Categories of long things that maps cut into pieces."""

STREETS = frozenset({"street", "path"})
ADDRESSED = ("street", "square")
"""Categories of what places are told to stand on or at."""

REACH_M: Mapping[str, float] = {
    "neighbourhood": 500.0, "hamlet": 500.0, "locality": 500.0,
    "suburb": 1_000.0, "village": 1_000.0, "town": 2_000.0, "city": 5_000.0,
}  # fmt: skip
"""How far a settlement or district whose outline a map lacks is taken to reach from its middle: a round figure of
our own, said wherever it is used."""

Span = Phrase[Concept]
"""A mention of a kind of place in a text: `start`, `end`, and the concept as `value`."""


def lookup(words: str, *, beside: bool = False) -> Concept | None:
    """The concept these words name: "chemists", "drug store" and "Pharmacy" are all `pharmacy`.

    Place types as Google writes them ("gas_station", "tourist_attraction") are understood too.

    Args:
        words: Taken as a whole.
        beside: Also words that name a kind only beside a name: "hut".

    Returns:
        None if the words are not in the vocabulary.
    """
    found = vocabulary().index.get(words)
    return vocabulary().beside.get(words) if found is None and beside else found


def is_narrow(words: str) -> bool:
    """True if these words tell more than the concept they name does: an opera is not any theatre."""
    return vocabulary().narrow.get(words) is not None


def find_in(text: str, *, beside: bool = False) -> list[Span]:
    """All kinds of places a text mentions, the longest mention first; none lies within another.

    Args:
        text: The text.
        beside: It is a name with a kind beside it ("Juclar hut"): the words that name a kind only there come last.
    """
    found = vocabulary().index.find(text)
    return [*found, *vocabulary().beside.find(text)] if beside else found


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


def reach_m(categories: Iterable[str]) -> float | None:
    """How far a place of these kinds reaches; None for other kinds, and where a border is what makes it."""
    kinds = frozenset(categories)
    return None if "admin" in kinds else next((REACH_M[kind] for kind in REACH_M if kind in kinds), None)


def is_street(categories: Iterable[str]) -> bool:
    """Whether a place of these kinds is a street or path."""
    return not STREETS.isdisjoint(categories)


def plain_area(name: str) -> str | None:
    """A name without the word for the kind of area that stands before or behind it.

    "Bezirksteil Kreuzviertel" becomes "kreuzviertel", "the district of Kluuvi" and "Kluuvi district" become
    "kluuvi" (case and accents are folded on the way).

    Returns:
        None if the name has no such word, or is nothing else.
    """
    return _without_kind(name, _patterns())


def own_plain_area(name: str) -> str | None:
    """As `plain_area`, for the name an area has on a map.

    There a word behind the name is a part of what people call the area ("Kansas City").
    """
    return _without_kind(name, _patterns()[:-1])


@lru_cache(maxsize=1)
def _cuisines() -> PhraseIndex[str]:
    phrases: dict[str, str] = {}
    abroad = read_data("kinds_abroad.toml")["cuisines"]
    for keyword, words in (*read_data("cuisines.toml")["cuisines"].items(), *abroad.items()):
        for word in (keyword, *words.split(",")):
            phrases.setdefault(word.strip(), keyword)
    return PhraseIndex({phrase: keyword for phrase, keyword in phrases.items() if phrase})


def _without_kind(name: str, patterns: tuple[re.Pattern[str], ...]) -> str | None:
    folded = fold(name).strip()
    matches = (pattern.fullmatch(folded) for pattern in patterns)
    return next((match["name"] for match in matches if match), None)


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], ...]:
    data = tomllib.loads((files("map_tools.data") / "names.toml").read_text("utf-8"))["areas"]
    before, before_of, links, behind = (
        _alternatives(data[key]) for key in ("before", "before_of", "links", "behind")
    )
    gap = r"(?:\s+|(?<=['’]))"
    name = r"(?P<name>\w.*)"
    return (
        re.compile(rf"(?:{before})\s+(?:(?:{links}){gap})?{name}"),
        re.compile(rf"(?:the\s+)?(?:{before_of})\s+of\s+(?:the\s+)?{name}"),
        re.compile(rf"(?:the\s+)?(?P<name>\w.*?)\s+(?:{behind})"),
    )


def _alternatives(listed: str) -> str:
    """The phrases of a list as one pattern, the longest first; either form of apostrophe is understood."""
    phrases = sorted((fold(" ".join(part.split())) for part in listed.split(",")), key=len, reverse=True)
    return "|".join(re.escape(phrase).replace("'", "['’]").replace(r"\ ", r"\s+") for phrase in phrases)
