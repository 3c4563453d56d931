"""What the words for a kind of place mean: category ids, a keyword, or a raw tag of the map."""

from map_tools.errors import did_you_mean
from map_tools.kinds import concepts
from map_tools.kinds.category_file import vocabulary
from map_tools.kinds.properties import field_of, without_properties
from map_tools.kinds.tag_categories import is_left_out, kind_of_tag, raw_tag
from map_tools.tools.wanted import read_wanted

FOOD = "food"
"""The category of all places to eat."""


def categories_of(words: str) -> tuple[str, ...]:
    """The category ids that words name as a whole; the words themselves for an id outside the vocabulary."""
    found = concepts.lookup(words) or concepts.concept(words)
    if found is not None:
        return found.ids
    return (words.replace(" ", "_"),)


def meaning(words: str) -> tuple[tuple[str, ...], str]:
    """Category ids and a keyword: "italian restaurant" is a kind with a cuisine, "Netto" a name or brand.

    Words that the vocabulary knows wholly, or but for a cuisine, name a kind; a cuisine alone, or a place of it
    ("ramen", "sandwich place"), is wherever one eats; "place" is any; a tag ("cuisine=pizza") is a kind of its own
    unless its value is a category ("amenity=bench"); all others are a name.
    """
    if (tag := raw_tag(words)) is not None:
        return (kind_of_tag(tag),), ""
    wanted = read_wanted(words)
    if wanted.categories and (not wanted.keyword or concepts.cuisine_in(wanted.keyword)):
        return wanted.categories, wanted.keyword or ""
    if wanted.categories and wanted.keyword and words[:1].islower():
        return wanted.categories, wanted.keyword
    if not wanted.categories and not wanted.keyword:
        return (), ""
    if wanted.keyword and not wanted.categories and concepts.is_cuisine(wanted.keyword):
        return (FOOD,), wanted.keyword
    return (), words


def is_loose(words: str) -> bool:
    """Whether words are a kind and something that the vocabulary does not know: "drinking water tap".

    That no place has such words says nothing of whether there is what they mean.
    """
    categories, keyword = meaning(words)
    return bool(categories and keyword) and concepts.cuisine_in(keyword) is None


def is_sparse(words: str) -> bool:
    """Whether maps keep only a few of what words mean: trees that have a name."""
    categories, _ = meaning(words)
    return bool(categories) and all(map(is_left_out, categories))


def described(words: str) -> tuple[str, tuple[str, ...]]:
    """A kind and the fields that are wanted of it: "cafe with wifi" is a cafe whose `wifi` is true.

    Words that are a kind as a whole ("internet cafe"), a name or a cuisine have none.
    """
    if not words[:1].islower() or "=" in words or concepts.lookup(words) is not None:
        return words, ()
    kind, services = without_properties(words)
    if not services or concepts.lookup(kind) is None:
        return words, ()
    return kind, tuple(map(field_of, services))


def suggestion(words: str) -> str:
    """Kinds that look like words which mean none."""
    return did_you_mean(words.casefold(), [word for words in vocabulary().words.values() for word in words])
