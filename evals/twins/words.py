"""Words by which a line, or an option, shows what it speaks of."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from map_tools.text import normalise


@dataclass(frozen=True, slots=True)
class Words:
    """The vocabulary of `words.toml`, all normalised.

    Attributes:
        durations: Units of time.
        modes: Words of each mode of travel.
        impossible: Options that say that a plan does not work.
        none_of_these: Options that reject all the others.
    """

    durations: frozenset[str]
    modes: Mapping[str, frozenset[str]]
    impossible: frozenset[str]
    none_of_these: frozenset[str]

    def modes_in(self, text: str) -> frozenset[str]:
        """The modes of travel that a text speaks of."""
        found = normalise(text).split()
        return frozenset(mode for mode, words in self.modes.items() if not words.isdisjoint(found))


@lru_cache(maxsize=1)
def load_words() -> Words:
    """The vocabulary, read once."""
    data = tomllib.loads(resources.files("evals.twins").joinpath("words.toml").read_text("utf-8"))
    return Words(
        durations=frozenset(data["durations"]),
        modes={mode: frozenset(words) for mode, words in data["modes"].items()},
        impossible=frozenset(data["impossible"]),
        none_of_these=frozenset(data["none_of_these"]),
    )
