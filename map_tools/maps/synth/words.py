"""The words cities are made of (`map_tools/data/synth.toml`), and names put together from syllables."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

type Week = tuple[tuple[tuple[int, int], ...], ...]
"""For each day from Monday on its spans in minutes after midnight, opening and closing."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of place.

    Attributes:
        key, value: Its OpenStreetMap tag.
        eats: It has cuisine, diets and a price level.
        rated: People rate it and write reviews.
        named: It has a name.
    """

    key: str
    value: str
    eats: bool
    rated: bool
    named: bool


@dataclass(frozen=True, slots=True)
class Words:
    """The file, read."""

    kinds: tuple[Kind, ...]
    weeks: tuple[Week, ...]
    cuisines: tuple[str, ...]
    streets: tuple[str, ...]
    syllables: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    reviews: Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def words() -> Words:
    """The words."""
    data = tomllib.loads((files("map_tools.data") / "synth.toml").read_text("utf-8"))
    names = data["names"]
    return Words(
        kinds=tuple(kind for group in data["kinds"] for kind in _kinds(group)),
        weeks=tuple(tuple(map(_spans, week["days"])) for week in data["weeks"]),
        cuisines=tuple(data["cuisines"]),
        streets=tuple(names["streets"]),
        syllables=(tuple(names["onsets"]), tuple(names["vowels"]), tuple(names["codas"])),
        reviews={tone: tuple(texts) for tone, texts in data["reviews"].items()},
    )


def made_up_name(dice: np.random.Generator) -> str:
    """A name of two or three syllables."""
    first, second, third, more = dice.integers(0, 1 << 30, 4).tolist()
    numbers = (first, second, third)[: 2 + more % 2]
    return "".join(map(_syllable, numbers)).capitalize()


def pick[T](choices: Sequence[T], draw: float) -> T:
    """One of the choices by a number from 0 up to 1."""
    return choices[int(draw * len(choices))]


def _syllable(number: int) -> str:
    onsets, vowels, codas = words().syllables
    return (
        onsets[number % len(onsets)]
        + vowels[number // 100 % len(vowels)]
        + codas[number // 10_000 % len(codas)]
    )


def _kinds(group: Mapping[str, Any]) -> list[Kind]:
    return [
        Kind(
            group["key"],
            value,
            eats=value in group["eat"],
            rated=value in group["rated"],
            named=value not in group["unnamed"],
        )
        for value in group["values"]
    ]


def _spans(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of a day written as "11:30-14:30 17:00-23:00"."""
    return tuple((_minutes(span[:5]), _minutes(span[6:])) for span in text.split())


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])
