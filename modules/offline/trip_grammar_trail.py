"""The trip a question tells, and the vocabulary of trips."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.types import TravelMode
from modules.offline.analysis import Analysis, Span
from modules.offline.intents import What
from modules.offline.marks import Mark


@dataclass(slots=True)
class Stop:
    """A place to go to, with what is said of it; `along` is the street the way to it takes."""

    start: int
    end: int
    text: str
    dwell_s: float = 0.0
    mode: TravelMode | None = None
    along: str | None = None
    what: What | None = None


@dataclass(slots=True)
class Trail:
    """The trip a question tells.

    Attributes:
        start: Where it begins, None if the question does not say; `stops` in the order told.
        end: A place of its own to end at. `back`: where the question speaks of the way back.
        spans: All names, repeated ones too. `ways`: the streets that tell which way a leg takes.
        budget: The time at hand where only the other durations tell that it is that.
        mode / back_mode: The mode of the whole trip, and of the way back.
    """

    start: str | None
    stops: list[Stop]
    end: str | None = None
    back: Span | None = None
    mode: TravelMode | None = None
    back_mode: TravelMode | None = None
    spans: list[Span] = field(default_factory=list)
    repeats: list[Stop] = field(default_factory=list)
    end_stop: Stop | None = None
    used: list[Span] = field(default_factory=list)
    ways: list[Stop] = field(default_factory=list)
    budget: Mark[float] | None = None


@lru_cache(maxsize=1)
def vocabulary() -> dict[str, Any]:
    """The phrases of `data/trips.toml`."""
    return tomllib.loads((files("modules.offline") / "data" / "trips.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=64)
def pattern(section: str, key: str) -> re.Pattern[str]:
    """One entry of the vocabulary."""
    return re.compile("|".join(f"(?:{one})" for one in vocabulary()[section][key]))


def blanked(analysis: Analysis, spans: Sequence[Span]) -> str:
    """The question in lower case with stretches blanked out, character by character."""
    text = list(analysis.text.casefold())
    for start, end in spans:
        text[start:end] = ["_"] * (end - start)
    return "".join(text)
