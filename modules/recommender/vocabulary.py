"""The words of recommendations, found in running text. They are data: `vocabulary.toml`."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.phrases import Phrase, PhraseIndex

_SENTENCE_ENDS = frozenset(".?!:;")

TASTES = ("chain", "weights", "semantic", "spatial")
"""Sections of words of taste; their phrases are no part of any name."""


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


def is_taste(text: str) -> bool:
    """True if a text has a phrase of taste or of a way, without which there is no wish: one quick look."""
    return bool(_tastes().find(text))


@lru_cache(maxsize=1)
def _tastes() -> PhraseIndex[bool]:
    vocabulary = _vocabulary()
    sections = (vocabulary[name] for name in TASTES)
    said = [phrase for section in sections for listed in section.values() for phrase in listed]
    return PhraseIndex(dict.fromkeys((*said, *vocabulary["geometry"]["route"]), True))


@lru_cache(maxsize=1)
def targets() -> Mapping[str, Mapping[str, Any]]:
    """The types of places people ask travellers' forums for, by name."""
    table: Mapping[str, Mapping[str, Any]] = _vocabulary()["target"]
    return table


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
    return PhraseIndex({phrase: key for key, said in _vocabulary()[section].items() for phrase in said})


@lru_cache(maxsize=1)
def _vocabulary() -> dict[str, Any]:
    return tomllib.loads((files("modules.recommender") / "vocabulary.toml").read_text("utf-8"))
