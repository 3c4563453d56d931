"""The words of recommendations, found in running text. They are data: `vocabulary.toml`."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.kinds.phrases import Phrase, PhraseIndex

_CLAUSE_END = re.compile(r"[.,;:!?]|\bbut\b", re.I)
_WORD = re.compile(r"[\w']+")
_SENTENCE_ENDS = frozenset(".?!:;")

TASTES = ("chain", "weights", "semantic", "spatial")
"""Sections of words of taste."""


def phrases(section: str, text: str) -> list[Phrase[str]]:
    """The phrases of a section in a text, each with the key it is listed under, the longest first.

    What is written with a capital inside a sentence is part of a name ("the Old Historical Museum") and no
    wish.
    """
    return [phrase for phrase in _index(section).find(text) if not _is_of_name(phrase, text)]


def keys_in(section: str, text: str) -> frozenset[str]:
    """The keys of a section whose phrases a text has."""
    return frozenset(found.value for found in phrases(section, text))


def _is_of_name(phrase: Phrase[str], text: str) -> bool:
    """True if the phrase has a capital where no sentence begins."""
    before = text[: phrase.start].rstrip()
    begins = not before or before[-1] in _SENTENCE_ENDS
    words = text[phrase.start : phrase.end].split()
    return any(word[0].isupper() and word != "I" for word in (words[1:] if begins else words))


def is_unwanted(phrase: Phrase[str], text: str) -> bool:
    """True if a phrase is named only to be ruled out ("we are not looking for fine dining")."""
    table = _vocabulary()["unwanted"]
    bridges = frozenset(table["bridges"])
    before = _WORD.findall(_CLAUSE_END.split(text[: phrase.start])[-1].casefold().replace("’", "'"))
    while before and before[-1] in bridges:
        before.pop()
    return bool(before) and (before[-1] in table["before"] or before[-1].endswith("n't"))


@lru_cache(maxsize=1)
def targets() -> Mapping[str, Mapping[str, Any]]:
    """The types of places people ask travellers' forums for, by name."""
    table: Mapping[str, Mapping[str, Any]] = _vocabulary()["target"]
    return table


def category_of(target: str) -> str:
    """The category id of `map_tools.kinds.concepts` that covers a type."""
    return str(targets()[target]["category"])


@lru_cache(maxsize=16)
def target_index(target: str, part: str) -> PhraseIndex[str]:
    """The phrases that speak for a type of place ("strong"), or that only seem to ("reference")."""
    return PhraseIndex(dict.fromkeys(targets()[target].get(part, ()), target))


@lru_cache(maxsize=1)
def surroundings() -> Mapping[str, Mapping[str, Any]]:
    """What may lie around a place, by the key of the wish for it: categories, reach in metres, words."""
    table: Mapping[str, Mapping[str, Any]] = _vocabulary()["surroundings"]
    return table


@lru_cache(maxsize=16)
def _index(section: str) -> PhraseIndex[str]:
    listed = {phrase: key for key, said in _vocabulary()[section].items() for phrase in said}
    return PhraseIndex(listed | dict(_beside()) if section == "spatial" else listed)


def _beside() -> Iterator[tuple[str, str]]:
    """The phrases of the section "beside" with the keys of the wish they express."""
    table = _vocabulary()["beside"]
    for key, nouns in table.items():
        if key != "before":
            articles = ((noun, "an" if noun[0] in "aeiou" else "a") for noun in nouns)
            yield from (
                (f"{word} {article} {noun}", key) for noun, article in articles for word in table["before"]
            )


@lru_cache(maxsize=1)
def _vocabulary() -> dict[str, Any]:
    return tomllib.loads((files("modules.recommender") / "vocabulary.toml").read_text("utf-8"))
