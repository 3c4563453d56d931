"""The vocabulary of kinds of places: words, tags, umbrellas.

It is `data/categories.toml`, with the words of other languages in `data/kinds_abroad.toml`.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.kinds.phrases import PhraseIndex

type _Entries = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Concept:
    """What a word for a kind of place means.

    Attributes:
        id: The category id.
        ids: All category ids it covers: its own first, then those below it.
        label: How it is called in an answer ("petrol station").
    """

    id: str
    ids: tuple[str, ...]
    label: str


@dataclass(frozen=True, slots=True)
class Rule:
    """Tags that make a feature one of a category, beside the main tag the rule is filed under.

    Attributes:
        category: The category id.
        also: Keys and values that must be there as well.
        built: It tells what a building was made as, so it holds for named features without a tag of use.
    """

    category: str
    also: tuple[tuple[str, str], ...]
    built: bool


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The vocabulary as loaded.

    Attributes:
        keys: OpenStreetMap's main keys in order of precedence, with what the file says of each.
        order: The place of each main key in that order.
        uses: The keys that say what a place is used for.
        concepts: All concepts by category id.
        words: The words a category is known by, its label first.
        parents: The umbrellas above a category.
        background: Categories that do not make an unnamed feature kept.
        nameless: Categories nobody looks for by name.
        grounds: Categories of places that one is in, or along.
        index: All words, to find concepts by.
        narrow: The words that tell more than their category does.
        beside: The words that name a category only beside a name; of several categories that a word may name there,
            the concept is the first one's, with the ids of all.
        rules: By main tag, those of the most specific categories first.
        telling: All keys whose values categories depend on.
        called: From a category to the one that its features are of, too, where their names say so.
    """

    keys: _Entries
    order: Mapping[str, int]
    uses: frozenset[str]
    concepts: Mapping[str, Concept]
    words: Mapping[str, tuple[str, ...]]
    parents: Mapping[str, tuple[str, ...]]
    background: frozenset[str]
    nameless: frozenset[str]
    grounds: frozenset[str]
    index: PhraseIndex[Concept]
    narrow: PhraseIndex[str]
    beside: PhraseIndex[Concept]
    telling: frozenset[str]
    rules: Mapping[tuple[str, str], tuple[Rule, ...]]
    called: Mapping[str, str]


def read_data(name: str) -> dict[str, Any]:
    """One of the TOML files of `map_tools.data`."""
    return tomllib.loads((files("map_tools.data") / name).read_text("utf-8"))


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """The vocabulary; read once."""
    data = read_data("categories.toml")
    keys: _Entries = data["keys"]
    entries: _Entries = data["categories"]
    parents = {category: _listed(entry, "under") for category, entry in entries.items()}
    children = _children(parents)
    words = {category: _words(category, entry) for category, entry in entries.items()}
    concepts = {
        category: Concept(category, (category, *children.get(category, ())), words[category][0])
        for category in entries
    }
    rules = _rules(entries, parents)
    conditions = (key for filed in rules.values() for rule in filed for key, _ in rule.also)
    return Vocabulary(
        keys=keys,
        order={key: place for place, key in enumerate(keys)},
        uses=frozenset(key for key, about in keys.items() if about.get("use")),
        concepts=concepts,
        words=words,
        parents=parents,
        background=frozenset(
            category for category, entry in entries.items() if entry.get("named") or "tags" not in entry
        ),
        nameless=_marked(entries, "nameless"),
        grounds=_marked(entries, "ground"),
        index=PhraseIndex(_phrases(entries, words, concepts)),
        narrow=PhraseIndex(_by_word(entries, "narrow")),
        beside=PhraseIndex(_beside(entries, concepts)),
        telling=frozenset((*keys, *conditions)),
        rules=rules,
        called={entry["called"]: category for category, entry in entries.items() if "called" in entry},
    )


def _marked(entries: _Entries, mark: str) -> frozenset[str]:
    return frozenset(category for category, entry in entries.items() if entry.get(mark))


def _by_word(entries: _Entries, field_name: str) -> dict[str, str]:
    """The category of each word that a field lists."""
    return {word: category for category, entry in entries.items() for word in _listed(entry, field_name)}


def _beside(entries: _Entries, concepts: Mapping[str, Concept]) -> dict[str, Concept]:
    """The concept of each word of `beside`."""
    found: dict[str, Concept] = {}
    for category, entry in entries.items():
        for word in _listed(entry, "beside"):
            first = found.get(word)
            ids = concepts[category].ids
            found[word] = replace(first, ids=(*first.ids, *ids)) if first else concepts[category]
    return found


def _children(parents: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    children: dict[str, list[str]] = {}
    for category, above in parents.items():
        for umbrella in above:
            children.setdefault(umbrella, []).append(category)
    return children


def _words(category: str, entry: Mapping[str, Any]) -> tuple[str, ...]:
    name = category.replace("_", " ")
    listed = (*_listed(entry, "words"), *_listed(entry, "narrow"))
    return tuple(dict.fromkeys((entry.get("label", name), *listed, name)))


def _phrases(
    entries: _Entries, words: Mapping[str, tuple[str, ...]], concepts: Mapping[str, Concept]
) -> dict[str, Concept]:
    """Words to concepts. Ids come first: an id always means its own category, unless it is mute.

    Words of other languages come last, so that none changes what an English one means.
    """
    phrases: dict[str, Concept] = {}
    for category, entry in entries.items():
        if not entry.get("mute"):
            phrases[category] = concepts[category]
    for category, entry in entries.items():
        own_name = category.replace("_", " ")
        for word in words[category]:
            if not (entry.get("mute") and word == own_name and "label" not in entry):
                phrases.setdefault(word, concepts[category])
    for category in entries:
        if len(category) > 3 and "_" in category:
            phrases.setdefault(category, concepts[category])
    return phrases | {word: concepts[category] for word, category in _abroad() if word not in phrases}


def _abroad() -> Iterator[tuple[str, str]]:
    """Words of other languages, with the category of each."""
    for category, tongues in read_data("kinds_abroad.toml")["kinds"].items():
        for tongue in tongues:
            yield from ((word, category) for word in _listed(tongues, tongue))


def _rules(
    entries: _Entries, parents: Mapping[str, tuple[str, ...]]
) -> dict[tuple[str, str], tuple[Rule, ...]]:
    """Rules by main tag, the most specific category first: a metro station is one before it is a station."""
    rules: dict[tuple[str, str], list[Rule]] = {}
    for category, entry in entries.items():
        for field_name in ("tags", "built"):
            for tags in _listed(entry, field_name):
                first, *also = (_tag(tag) for tag in tags.split("&"))
                rules.setdefault(first, []).append(Rule(category, tuple(also), field_name == "built"))
    return {
        main: tuple(sorted(filed, key=lambda rule: -len(parents[rule.category])))
        for main, filed in rules.items()
    }


def _tag(text: str) -> tuple[str, str]:
    key, _, value = text.partition("=")
    return key, value


def _listed(entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A comma-separated list of the vocabulary."""
    text: str = entry.get(key, "")
    return tuple(part.strip() for part in text.split(",") if part.strip())
