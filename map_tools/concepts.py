"""The kinds of places: category ids, the words people use for them and the OpenStreetMap tags that make them.

A category id is a value of one of OpenStreetMap's main keys ("restaurant", "pharmacy", "castle"), or an
umbrella over several of them ("food": all places to eat). The vocabulary is data: `data/categories.toml` and
`data/cuisines.toml`.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.phrases import Phrase, PhraseIndex


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


Span = Phrase[Concept]
"""A mention of a kind of place in a text: `start`, `end`, and the concept as `value`."""


def lookup(words: str) -> Concept | None:
    """The concept these words name: "chemists", "drug store" and "Pharmacy" are all `pharmacy`.

    Place types as Google writes them ("gas_station", "tourist_attraction") are understood too.

    Returns:
        None if the words, taken as a whole, are not in the vocabulary.
    """
    return _vocabulary().index.get(words)


def find_in(text: str) -> list[Span]:
    """All kinds of places a text mentions, the longest mention first; none lies within another."""
    return _vocabulary().index.find(text)


def concept(category: str) -> Concept | None:
    """The concept with this category id, None if the vocabulary has none."""
    return _vocabulary().concepts.get(category)


def words_for(category: str) -> tuple[str, ...]:
    """The words a category is known by, its label first; for an id outside the vocabulary the id itself."""
    known = _vocabulary().words.get(category)
    return known if known is not None else (category.replace("_", " "),)


def label_of(category: str) -> str:
    """What to call a category in an answer."""
    return words_for(category)[0]


def umbrellas_of(category: str) -> tuple[str, ...]:
    """The wider categories a category belongs to ("cafe" → "food"); empty for one outside the vocabulary."""
    return _vocabulary().parents.get(category, ())


def categories_of(tags: Mapping[str, str]) -> tuple[str, ...]:
    """The category ids of a feature with these OpenStreetMap tags: the most specific first, umbrellas last.

    A value that the vocabulary does not name becomes an id of its own for the keys that are marked `open`; it
    carries its key ("shop_hospital") where the bare value would mean another category.
    """
    specific, umbrellas = _read_tags(tags)
    return (*specific, *(umbrella for umbrella in umbrellas if umbrella not in specific))


def main_tags(category: str) -> dict[str, frozenset[str] | None]:
    """The main tags that features of a category have: values by OpenStreetMap key, None for any value.

    All that `categories_of` reads as this category is among what these tags find, and more: it may ask for
    further tags beside the main one.
    """
    vocabulary = _vocabulary()
    known = vocabulary.concepts.get(category)
    wanted = set(known.ids) if known is not None else set()
    found: dict[str, frozenset[str] | None] = {}
    for (key, value), rules in vocabulary.rules.items():
        if any(rule.category in wanted for rule in rules):
            found[key] = (found.get(key) or frozenset()) | {value}
    for key, about in vocabulary.keys.items():
        if about.get("open") and known is None:  # its value became the id, alone or behind its key
            found[key] = frozenset({category, category.removeprefix(f"{key}_")})
        if about.get("under") in wanted:
            found[key] = None
    return found


def is_listed_unnamed(categories: Iterable[str]) -> bool:
    """True if a feature of these categories is kept without a name: an ATM is, a stretch of road is not."""
    background = _vocabulary().background
    return any(category not in background for category in categories)


def is_nameless(categories: Iterable[str]) -> bool:
    """True if people look for places of these categories without caring for a name: benches, toilets."""
    wanted = set(categories)
    return bool(wanted) and wanted <= _vocabulary().nameless


def without_covered(categories: Iterable[str]) -> tuple[str, ...]:
    """The categories without those that another one of them covers: "food" makes "cafe" superfluous."""
    wanted = dict.fromkeys(categories)
    parents = _vocabulary().parents
    return tuple(category for category in wanted if not any(up in wanted for up in parents.get(category, ())))


def main_keys() -> tuple[str, ...]:
    """The OpenStreetMap keys that say what a feature is, in order of precedence."""
    return tuple(_vocabulary().keys)


def cuisine_in(text: str) -> str | None:
    """The first cuisine a text mentions, as OpenStreetMap's key `cuisine` writes it ("ice_cream")."""
    found = sorted(_cuisines().find(text), key=lambda phrase: phrase.start)
    return found[0].value if found else None


def cuisines_in(text: str) -> list[Phrase[str]]:
    """All cuisines a text mentions with their places in it, the longest mention first."""
    return _cuisines().find(text)


@dataclass(frozen=True, slots=True)
class _Rule:
    """Tags that make a feature one of a category, beside the main tag the rule is filed under.

    `built`: the rule tells what a building was made as, so it holds for named features without a tag of use.
    """

    category: str
    also: tuple[tuple[str, str], ...]
    built: bool = False

    def fits(self, tags: Mapping[str, str]) -> bool:
        if self.built and ("name" not in tags or not _vocabulary().uses.isdisjoint(tags)):
            return False
        return all(value in _values(tags.get(key, "")) for key, value in self.also)


@dataclass(slots=True)
class _Vocabulary:
    """The vocabulary as loaded.

    `background` are categories that do not make an unnamed feature kept, `nameless` those nobody looks for by
    name, `uses` the keys that say what a place
    is used for.
    """

    keys: Mapping[str, Mapping[str, Any]]
    uses: frozenset[str]
    precedence: Mapping[str, int]
    concepts: dict[str, Concept]
    words: dict[str, tuple[str, ...]]
    parents: dict[str, tuple[str, ...]]
    background: frozenset[str]
    nameless: frozenset[str]
    index: PhraseIndex[Concept]
    rules: dict[tuple[str, str], list[_Rule]] = field(default_factory=dict)


def _read_tags(tags: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The specific categories and the umbrellas of a feature, each in order of precedence."""
    vocabulary = _vocabulary()
    specific: dict[str, None] = {}
    umbrellas: dict[str, None] = {}
    for key in sorted(vocabulary.keys.keys() & tags.keys(), key=vocabulary.precedence.__getitem__):
        about, raw = vocabulary.keys[key], tags[key]
        if raw == "no":
            continue
        for value in _values(raw):
            found = _categories_of_value(vocabulary, key, value, tags)
            specific.update(dict.fromkeys(found))
            for category in found:
                umbrellas.update(dict.fromkeys(vocabulary.parents.get(category, ())))
        if "under" in about:
            umbrellas[about["under"]] = None
    return list(specific), list(umbrellas)


def _categories_of_value(vocabulary: _Vocabulary, key: str, value: str, tags: Mapping[str, str]) -> list[str]:
    found = [rule.category for rule in vocabulary.rules.get((key, value), ()) if rule.fits(tags)]
    if found or not vocabulary.keys[key].get("open") or not _is_plain(value):
        return found
    return [f"{key}_{value}" if value in vocabulary.concepts else value]


def _is_plain(value: str) -> bool:
    """True for a value that can be an id; free text, "yes" and the like cannot."""
    return (
        value not in {"yes", "unknown", "fixme"} and re.fullmatch(r"[a-z][a-z0-9_]{1,30}", value) is not None
    )


def _values(raw: str) -> list[str]:
    """The values of a tag: OpenStreetMap separates several by semicolons."""
    return [raw] if ";" not in raw else [value.strip() for value in raw.split(";") if value.strip()]


def _read_data(name: str) -> dict[str, Any]:
    return tomllib.loads((files("map_tools.data") / name).read_text("utf-8"))


@lru_cache(maxsize=1)
def _vocabulary() -> _Vocabulary:
    data = _read_data("categories.toml")
    entries: Mapping[str, Mapping[str, Any]] = data["categories"]
    parents = {category: _listed(entry, "under") for category, entry in entries.items()}
    children = _children(parents)
    words = {category: _words(category, entry) for category, entry in entries.items()}
    concepts = {
        category: Concept(category, (category, *children.get(category, ())), words[category][0])
        for category in entries
    }
    return _Vocabulary(
        keys=data["keys"],
        uses=frozenset(key for key, about in data["keys"].items() if about.get("use")),
        precedence={key: place for place, key in enumerate(data["keys"])},
        concepts=concepts,
        words=words,
        parents=parents,
        background=frozenset(
            category for category, entry in entries.items() if entry.get("named") or "tags" not in entry
        ),
        nameless=frozenset(category for category, entry in entries.items() if entry.get("nameless")),
        index=PhraseIndex(_phrases(entries, words, concepts)),
        rules=_rules(entries, parents),
    )


def _children(parents: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    children: dict[str, list[str]] = {}
    for category, above in parents.items():
        for umbrella in above:
            children.setdefault(umbrella, []).append(category)
    return children


def _words(category: str, entry: Mapping[str, Any]) -> tuple[str, ...]:
    name = category.replace("_", " ")
    return tuple(dict.fromkeys((entry.get("label", name), *_listed(entry, "words"), name)))


def _phrases(
    entries: Mapping[str, Mapping[str, Any]],
    words: Mapping[str, tuple[str, ...]],
    concepts: Mapping[str, Concept],
) -> dict[str, Concept]:
    """Words to concepts. Ids come first: an id always means its own category, unless it is mute."""
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
    return phrases


def _rules(
    entries: Mapping[str, Mapping[str, Any]], parents: Mapping[str, tuple[str, ...]]
) -> dict[tuple[str, str], list[_Rule]]:
    """Rules by main tag, the most specific category first: a metro station is one before it is a station."""
    rules: dict[tuple[str, str], list[_Rule]] = {}
    for category, entry in entries.items():
        for field_name in ("tags", "built"):
            for tags in _listed(entry, field_name):
                first, *also = (_tag(tag) for tag in tags.split("&"))
                rules.setdefault(first, []).append(_Rule(category, tuple(also), field_name == "built"))
    for filed in rules.values():
        filed.sort(key=lambda rule: -len(parents[rule.category]))
    return rules


def _tag(text: str) -> tuple[str, str]:
    key, _, value = text.partition("=")
    return key, value


def _listed(entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A comma-separated list of the vocabulary."""
    text: str = entry.get(key, "")
    return tuple(part.strip() for part in text.split(",") if part.strip())


@lru_cache(maxsize=1)
def _cuisines() -> PhraseIndex[str]:
    phrases: dict[str, str] = {}
    for keyword, words in _read_data("cuisines.toml")["cuisines"].items():
        for word in (keyword, *words.split(",")):
            phrases.setdefault(word.strip(), keyword)
    return PhraseIndex({phrase: keyword for phrase, keyword in phrases.items() if phrase})
