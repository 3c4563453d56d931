"""OpenStreetMap tags and category ids: which kinds of place a feature is, and which tags a kind has.

The rules are data: `data/categories.toml`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from map_tools.errors import did_you_mean
from map_tools.kinds.category_file import Rule, Vocabulary, read_data, vocabulary

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
    found = read(said, is_named="name" in tags)
    return found if vocabulary().called.keys().isdisjoint(found) else (*_called(found, tags), *found)


def _called(found: tuple[str, ...], tags: Mapping[str, str]) -> Iterator[str]:
    """The categories that a feature of these ones is of by its names: a church called cathedral."""
    names = " | ".join(value for key, value in tags.items() if key == "name" or key.startswith("name:"))
    known = vocabulary()
    phrases = known.index.find(names)
    said = {one.value.id for one in phrases if known.narrow.get(names[one.start : one.end]) is None}
    for kind, category in known.called.items():
        if kind in found and category in said and category not in found:
            yield category


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

    All that `categories_of` reads as one of them by its tags is among what these filters find, and more: a
    category may ask for tags that are missing. Those that are one by their names have the tags of `told_by_name`.
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


def told_by_name(categories: Iterable[str]) -> tuple[str, ...]:
    """The categories whose features may be of some categories by their names: churches for a cathedral."""
    wanted = set(categories)
    return tuple(kind for kind, called in vocabulary().called.items() if called in wanted)


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


def raw_tag(words: str) -> str | None:
    """The tag that words are ("amenity=bench"), without spaces around; None if they are none."""
    raw = RAW_TAG.fullmatch("=".join(part.strip() for part in words.split("=")))
    return None if raw is None else raw[0]


def has_tag(tags: Mapping[str, str], tag: str) -> bool:
    """Whether a feature has a tag ("cuisine=pizza"), among other values of the key or alone."""
    key, _, value = tag.partition("=")
    return key in tags and value in _values(tags[key])


def is_unlisted(kind: str) -> bool:
    """Whether a kind is a tag that is none of `raw_kinds`, of which maps keep no list: "wheelchair=yes"."""
    raw = RAW_TAG.fullmatch(kind)
    return raw is not None and raw["key"] not in vocabulary().order and raw["key"] not in _TELLING


def kind_of_tag(tag: str) -> str:
    """The category that a tag stands for where its value names one ("amenity=bench"), else the tag itself."""
    key, _, value = tag.partition("=")
    named = any(rule.category == value for rule in vocabulary().rules.get((key, value), ()))
    return value if named else tag


def is_left_out(kind: str) -> bool:
    """Whether maps keep features of a category or tag that people count only if something else speaks for it.

    A tree needs a name, a gate must be a place of another kind too.
    """
    known, category = vocabulary(), kind_of_tag(kind)
    if category in known.concepts:
        return category in known.nameless & known.background
    key, _, value = kind.partition("=")
    return key in known.order and not categories_of({key: value})


def is_known_tag(tag: str) -> bool:
    """Whether the vocabulary speaks of a tag, so that a map may well have none."""
    return tag in _known_tags()


def likely_tag(wrong: str) -> str:
    """The known tag that may be meant by another one, as a sentence; empty if none is like it."""
    key, _, value = wrong.partition("=")
    same = [tag for tag in _known_tags() if tag.endswith(f"={value}") and value not in _SAYS_NOTHING]
    if same:
        return f"Did you mean `{same[0]}`?"
    return did_you_mean(wrong, [tag for tag in _known_tags() if tag.startswith(f"{key}=")])


@lru_cache(maxsize=1)
def _known_tags() -> tuple[str, ...]:
    """The tags of kinds, those that they are told by besides, and cuisines."""
    rules = vocabulary().rules
    besides = (condition for filed in rules.values() for rule in filed for condition in rule.also)
    cuisines = (("cuisine", cuisine) for cuisine in read_data("cuisines.toml")["cuisines"])
    return tuple(dict.fromkeys(f"{key}={value}" for key, value in (*rules, *besides, *cuisines) if value))


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
