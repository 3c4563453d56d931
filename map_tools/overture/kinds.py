"""Overture's categories of places as category ids and tags of ours; the table is `data/overture_kinds.toml`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from map_tools.kinds import concepts
from map_tools.kinds.category_file import read_data, vocabulary
from map_tools.kinds.tag_categories import categories_of

_FOOD = "food"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a place of Overture is.

    Attributes:
        categories: Category ids, the most specific first, umbrellas last; empty if its categories say nothing here.
        tags: OpenStreetMap tags that say the same; none for an umbrella, which has none.
    """

    categories: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)


def kind_of(overture_categories: Iterable[str]) -> Kind:
    """What Overture's categories of a place tell: the first of them that we have a category for.

    Args:
        overture_categories: The primary one first, such as "coffee_shop".
    """
    return next((kind for kind in map(_kind, overture_categories) if kind.categories), Kind())


@lru_cache(maxsize=4096)
def _kind(name: str) -> Kind:
    words = name.replace("_", " ")
    category = _table().get(name) or _by_words(words)
    if category is None:
        return Kind()
    tags = dict(_tags_of().get(category, ()))
    umbrellas = concepts.umbrellas_of(category)
    cuisine = concepts.cuisine_in(words) if _FOOD in umbrellas else None
    if cuisine is not None:
        tags.setdefault("cuisine", cuisine)
    return Kind(tuple(dict.fromkeys((category, *umbrellas, *categories_of(tags)))), tags)


def _by_words(words: str) -> str | None:
    """The category that words name, also with a cuisine before it: "thai restaurant"."""
    found = concepts.lookup(words)
    cuisine = next(iter(concepts.cuisines_in(words)), None)
    if found is None and cuisine is not None:
        found = concepts.lookup(f"{words[: cuisine.start]}{words[cuisine.end :]}".strip())
    return None if found is None else found.id


@lru_cache(maxsize=1)
def _table() -> Mapping[str, str]:
    table: dict[str, str] = read_data("overture_kinds.toml")["kinds"]
    return table


@lru_cache(maxsize=1)
def _tags_of() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """The tags of each category: by the rule that asks for the fewest, its own value before others."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for main, rules in vocabulary().rules.items():
        for rule in rules:
            tags = (main, *rule.also)
            if not rule.built and all(value for _, value in rule.also):
                known = found.setdefault(rule.category, tags)
                found[rule.category] = min(known, tags, key=lambda each: _rank(rule.category, each))
    return found


def _rank(category: str, tags: tuple[tuple[str, str], ...]) -> tuple[int, bool]:
    return len(tags), tags[0][1] != category
