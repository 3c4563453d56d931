"""OpenStreetMap tags and category ids: which kinds of place a feature is, and which tags a kind has.

The rules are data: `data/categories.toml`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from map_tools.category_file import Rule, Vocabulary, vocabulary

RAW_TAG = re.compile(r"(?P<key>[a-z][a-z0-9_:]*)=(?P<value>[^\s=][^=]*)")
"""A tag as a kind of place: "amenity=bench"."""
_TELLING = frozenset({"cuisine", "sport", "religion", "denomination", "vending"})
"""Keys beside the main ones that tell kinds of places."""
_MOST_CHARS = 40
"""Longer values are sentences."""
_PLAIN = re.compile(r"[a-z][a-z0-9_]{1,30}")
_SAYS_NOTHING = frozenset({"yes", "unknown", "fixme"})


def categories_of(tags: Mapping[str, str]) -> tuple[str, ...]:
    """The category ids of a feature with these OpenStreetMap tags: the most specific first, umbrellas last.

    A value that the vocabulary does not name becomes an id of its own for the keys that are marked `open`; it
    carries its key ("shop_hospital") where the bare value would mean another category.
    """
    telling = vocabulary().telling
    said = tuple([(key, value) for key, value in tags.items() if key in telling])
    read = _read if all(len(value) <= _MOST_CHARS for _, value in said) else _read.__wrapped__
    return read(said, is_named="name" in tags)


@lru_cache(maxsize=1 << 13)
def _read(said: tuple[tuple[str, str], ...], *, is_named: bool) -> tuple[str, ...]:
    """`categories_of`; a million objects have few tags that differ, but for their names."""
    known, tags = vocabulary(), dict(said)
    specific: dict[str, None] = {}
    umbrellas: dict[str, None] = {}
    # Of some thirty main keys an object has one or two, so they are looked for in its tags.
    present = sorted((key for key in tags if key in known.order), key=known.order.__getitem__)
    for key in present:
        raw, about = tags[key], known.keys[key]
        if raw == "no":
            continue
        for value in _values(raw):
            found = _categories_of_value(known, key, value, tags, is_named=is_named)
            specific.update(dict.fromkeys(found))
            for category in found:
                umbrellas.update(dict.fromkeys(known.parents.get(category, ())))
        if "under" in about:
            umbrellas[about["under"]] = None
    return tuple(specific | umbrellas)


@dataclass(frozen=True, slots=True)
class TagFilter:
    """Tags that features have.

    Attributes:
        key: A main key.
        values: Its values, one of which they have; None for any.
        also: Keys and values that they have besides.
    """

    key: str
    values: frozenset[str] | None
    also: tuple[tuple[str, str], ...] = ()


def tag_filters(categories: Iterable[str]) -> tuple[TagFilter, ...]:
    """The tags that features of some categories have, each filter finding a part of them.

    All that `categories_of` reads as one of them is among what these filters find, and more: a category may
    ask for tags that are missing.
    """
    known = vocabulary()
    found: dict[tuple[str, tuple[tuple[str, str], ...]], set[str] | None] = {}
    for category in categories:
        concept = known.concepts.get(category)
        wanted = set(concept.ids) if concept is not None else set()
        for (key, value), rules in known.rules.items():
            for rule in rules:
                if rule.category in wanted:
                    also = tuple(condition for condition in rule.also if condition[1])
                    _add(found, (key, also), {value})
        for key, about in known.keys.items():
            if about.get("open") and concept is None:  # its value became the id, alone or behind its key
                _add(found, (key, ()), {category, category.removeprefix(f"{key}_")})
            if about.get("under") in wanted:
                _add(found, (key, ()), None)
        if raw := RAW_TAG.fullmatch(category):
            _add(found, (raw["key"], ()), {raw["value"]})
    return tuple(_without_covered(found))


def _add[K](found: dict[K, set[str] | None], where: K, values: set[str] | None) -> None:
    known = found.get(where, set())
    found[where] = None if values is None or known is None else known | values


def _without_covered(
    found: Mapping[tuple[str, tuple[tuple[str, str], ...]], set[str] | None],
) -> Iterator[TagFilter]:
    """The filters without what another one finds that asks for less."""
    for (key, also), values in found.items():
        plain = found.get((key, ()), set())
        if also and plain is None:
            continue
        left = values - plain if also and values is not None and plain is not None else values
        if left is None or left:
            yield TagFilter(key, None if left is None else frozenset(left), also)


def raw_kinds(tags: Mapping[str, str]) -> tuple[str, ...]:
    """The tags that tell what a feature is as kinds of their own: "amenity=bench", "cuisine=pizza"."""
    known = vocabulary().order
    told = [(key, raw) for key, raw in tags.items() if key in known or key in _TELLING]
    return tuple(tag for key, raw in told for tag in _tags_of(key, raw))


@lru_cache(maxsize=1 << 13)
def _tags_of(key: str, raw: str) -> tuple[str, ...]:
    values = (value for value in _values(raw) if value != "no" and len(value) <= _MOST_CHARS)
    return tuple(f"{key}={value}" for value in values)


def main_keys() -> tuple[str, ...]:
    """The OpenStreetMap keys that say what a feature is, in order of precedence."""
    return tuple(vocabulary().keys)


def _categories_of_value(
    known: Vocabulary, key: str, value: str, tags: Mapping[str, str], *, is_named: bool
) -> list[str]:
    rules = known.rules.get((key, value), ())
    is_building = is_named and known.uses.isdisjoint(tags)
    found = [rule.category for rule in rules if _fits(rule, tags, is_building=is_building)]
    if found or not known.keys[key].get("open") or not _is_plain(value):
        return found
    return [f"{key}_{value}" if value in known.concepts else value]


def _fits(rule: Rule, tags: Mapping[str, str], *, is_building: bool) -> bool:
    if rule.built and not is_building:
        return False
    return all(value in _values(tags.get(key, "")) for key, value in rule.also)


def _is_plain(value: str) -> bool:
    """True for a value that can be an id; free text, "yes" and the like cannot."""
    return value not in _SAYS_NOTHING and _PLAIN.fullmatch(value) is not None


def _values(raw: str) -> list[str]:
    """The values of a tag: OpenStreetMap separates several by semicolons."""
    return [raw] if ";" not in raw else [value.strip() for value in raw.split(";") if value.strip()]
