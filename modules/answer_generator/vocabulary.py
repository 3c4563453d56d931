"""The words of `words.toml`, loaded once when first needed."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, cast

from modules.names import normalise


@cache
def _tables() -> Mapping[str, Mapping[str, Any]]:
    text = files("modules.answer_generator").joinpath("words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def phrases(table: str, entry: str) -> Sequence[str]:
    """The phrases listed under one entry of a table."""
    return cast("Sequence[str]", _tables()[table][entry])


@cache
def values(table: str) -> Mapping[str, float]:
    """A table of words with a number each."""
    return {word: float(number) for word, number in _tables()[table].items()}


@cache
def meanings(table: str) -> Mapping[str, str]:
    """A table of phrase lists turned round: from each phrase to its entry."""
    return {phrase: entry for entry, listed in _tables()[table].items() for phrase in listed}


def has_phrase(text: str, listed: Sequence[str]) -> bool:
    """True if one of the phrases occurs in the text as whole words."""
    padded = f" {normalise(text)} "
    return any(f" {phrase} " in padded for phrase in listed)


def is_phrase(text: str, listed: Sequence[str]) -> bool:
    """True if the text is one of the phrases and nothing else."""
    return normalise(text) in listed
