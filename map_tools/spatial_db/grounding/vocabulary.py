"""The vocabulary of kinds and attributes (`kinds.toml`), read once."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.kinds.phrases import PhraseIndex
from map_tools.spatial_db.memory.table import Condition

PACKAGE = "map_tools.spatial_db.grounding"
_KIND = re.compile(r"(?P<table>\w+)\.(?P<column>\w+)=(?P<values>.+)")
_ATTRIBUTE = re.compile(r"(?P<column>\w+) (?P<match>is|has) (?P<value>\w+)")


@dataclass(frozen=True, slots=True)
class KindWords:
    """What words for a kind mean: one of the values of a column of a table."""

    table: str
    column: str
    values: tuple[str, ...]

    def key(self) -> str:
        """As it is written in the vocabulary."""
        return f"{self.table}.{self.column}={'|'.join(self.values)}"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The vocabulary.

    Attributes:
        kinds: Words for a kind.
        otherwise: What stands in for a kind that a table has nothing of.
        attributes: Words for what a place is like.
        values: Words for a value of a describing column, as (column, value).
        described: Describing columns, with the kinds they describe, the commonest first.
        heads: Words that are a kind and a description at once, with the kind.
        outlines: Tables of outlines, with the column whose values they share with `pois`.
    """

    kinds: PhraseIndex[KindWords]
    otherwise: Mapping[str, KindWords]
    attributes: PhraseIndex[Condition]
    values: PhraseIndex[tuple[str, str]]
    described: Mapping[str, tuple[str, ...]]
    heads: PhraseIndex[str]
    outlines: Mapping[str, str]


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """The vocabulary of `kinds.toml`."""
    data = read_data("kinds.toml")
    return Vocabulary(
        kinds=PhraseIndex({words: _kind(text) for words, text in data["kinds"].items()}),
        otherwise={words: _kind(text) for words, text in data["otherwise"].items()},
        attributes=PhraseIndex({words: _attribute(text) for words, text in data["attributes"].items()}),
        values=PhraseIndex({words: _value(text) for words, text in data["values"].items()}),
        described={column: tuple(kinds) for column, kinds in data["described"].items()},
        heads=PhraseIndex(data["heads"]),
        outlines=data["outlines"],
    )


def read_data(name: str) -> dict[str, Any]:
    """A vocabulary file of this package."""
    return tomllib.loads((files(PACKAGE) / name).read_text("utf-8"))


def _kind(text: str) -> KindWords:
    match = _KIND.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is not table.column=value")
    return KindWords(match["table"], match["column"], tuple(match["values"].split("|")))


def _attribute(text: str) -> Condition:
    match = _ATTRIBUTE.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is not 'column has value'")
    return Condition(
        column=match["column"], value=match["value"], match="is" if match["match"] == "is" else "has"
    )


def _value(text: str) -> tuple[str, str]:
    column, _, value = text.partition("=")
    return column, value
