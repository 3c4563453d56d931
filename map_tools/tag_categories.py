"""OpenStreetMap tags and category ids: which kinds of place a feature is, and which tags a kind has.

The rules are data: `data/categories.toml`.
"""

import re
from collections.abc import Mapping

from map_tools.category_file import Rule, Vocabulary, vocabulary

_PLAIN = re.compile(r"[a-z][a-z0-9_]{1,30}")
_SAYS_NOTHING = frozenset({"yes", "unknown", "fixme"})


def categories_of(tags: Mapping[str, str]) -> tuple[str, ...]:
    """The category ids of a feature with these OpenStreetMap tags: the most specific first, umbrellas last.

    A value that the vocabulary does not name becomes an id of its own for the keys that are marked `open`; it
    carries its key ("shop_hospital") where the bare value would mean another category.
    """
    known = vocabulary()
    specific: dict[str, None] = {}
    umbrellas: dict[str, None] = {}
    for key, about in known.keys.items():
        raw = tags.get(key)
        if raw is None or raw == "no":
            continue
        for value in _values(raw):
            found = _categories_of_value(known, key, value, tags)
            specific.update(dict.fromkeys(found))
            for category in found:
                umbrellas.update(dict.fromkeys(known.parents.get(category, ())))
        if "under" in about:
            umbrellas[about["under"]] = None
    return tuple(specific | umbrellas)


def main_tags(category: str) -> dict[str, frozenset[str] | None]:
    """The main tags that features of a category have: values by OpenStreetMap key, None for any value.

    All that `categories_of` reads as this category is among what these tags find, and more: it may ask for
    further tags beside the main one.
    """
    known = vocabulary()
    concept = known.concepts.get(category)
    wanted = set(concept.ids) if concept is not None else set()
    found: dict[str, frozenset[str] | None] = {}
    for (key, value), rules in known.rules.items():
        if any(rule.category in wanted for rule in rules):
            found[key] = (found.get(key) or frozenset()) | {value}
    for key, about in known.keys.items():
        if about.get("open") and concept is None:  # its value became the id, alone or behind its key
            found[key] = frozenset({category, category.removeprefix(f"{key}_")})
        if about.get("under") in wanted:
            found[key] = None
    return found


def main_keys() -> tuple[str, ...]:
    """The OpenStreetMap keys that say what a feature is, in order of precedence."""
    return tuple(vocabulary().keys)


def _categories_of_value(known: Vocabulary, key: str, value: str, tags: Mapping[str, str]) -> list[str]:
    rules = known.rules.get((key, value), ())
    found = [rule.category for rule in rules if _fits(rule, tags, known.uses)]
    if found or not known.keys[key].get("open") or not _is_plain(value):
        return found
    return [f"{key}_{value}" if value in known.concepts else value]


def _fits(rule: Rule, tags: Mapping[str, str], uses: frozenset[str]) -> bool:
    if rule.built and ("name" not in tags or not uses.isdisjoint(tags)):
        return False
    return all(value in _values(tags.get(key, "")) for key, value in rule.also)


def _is_plain(value: str) -> bool:
    """True for a value that can be an id; free text, "yes" and the like cannot."""
    return value not in _SAYS_NOTHING and _PLAIN.fullmatch(value) is not None


def _values(raw: str) -> list[str]:
    """The values of a tag: OpenStreetMap separates several by semicolons."""
    return [raw] if ";" not in raw else [value.strip() for value in raw.split(";") if value.strip()]
