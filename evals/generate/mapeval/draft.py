"""A question before it has its words: what is asked, the right answer, the wrong ones, and why."""

import random
import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources

from evals.generate.mapeval.wordings import Wordings
from evals.generate.travel import Travel
from evals.generate.world import RawMap, RawPlace


@dataclass(frozen=True)
class Kind:
    """A kind of places.

    Attributes:
        one: Its word for one of them.
        many: Its word for several.
        tags: OpenStreetMap tags; any of them makes a place one of the kind.
    """

    one: str
    many: str
    tags: tuple[tuple[str, str], ...]

    def has(self, place: RawPlace) -> bool:
        """True for a place of this kind."""
        return any(place.has(key, value) for key, value in self.tags)


@lru_cache(maxsize=1)
def load_kinds() -> tuple[Kind, ...]:
    """The kinds of `kinds.toml`."""
    text = resources.files("evals.generate.mapeval").joinpath("kinds.toml").read_text("utf-8")
    return tuple(
        Kind(entry["one"], entry["many"], tuple((key, value) for key, value in entry["tags"]))
        for entry in tomllib.loads(text)["kind"]
    )


@dataclass(frozen=True)
class Draft:
    """A question without words.

    Attributes:
        slots: What stands in the wording's braces.
        right: The right option; None for a question that the map cannot answer.
        wrong: The other options.
        why: How the answer follows, with the numbers.
        ids: The OpenStreetMap objects it rests on.
    """

    slots: dict[str, str]
    right: str | None
    wrong: tuple[str, ...]
    why: str
    ids: tuple[str, ...]


@dataclass
class Bench:
    """What a family makes its questions of.

    Attributes:
        raw: The map's content.
        travel: Its ways; None for a map without routing.
        dice: Makes every choice, so that equal seeds make equal questions.
        wordings: What the questions are worded with.
    """

    raw: RawMap
    travel: Travel | None
    dice: random.Random
    wordings: Wordings
    kinds: tuple[Kind, ...] = field(default_factory=load_kinds)
    _of_kind: dict[str, tuple[RawPlace, ...]] = field(default_factory=dict)

    def places(self, count: int) -> tuple[RawPlace, ...]:
        """Different places with names of their own; fewer if the map has fewer."""
        unique = self.raw.unique
        return tuple(self.dice.sample(unique, min(count, len(unique))))

    def kind(self) -> Kind:
        """Any kind of places."""
        return self.dice.choice(self.kinds)

    def of_kind(self, kind: Kind) -> tuple[RawPlace, ...]:
        """All places of a kind, those without a name too."""
        if kind.one not in self._of_kind:
            self._of_kind[kind.one] = tuple(place for place in self.raw.objects if kind.has(place))
        return self._of_kind[kind.one]

    def clock(self, first: int = 8, last: int = 21) -> int:
        """A half or full hour in minutes after midnight."""
        return self.dice.randrange(first * 2, last * 2 + 1) * 30


def said_clock(minutes: int) -> str:
    """A time of day in twelve-hour form: "9:30 PM"."""
    hour, minute = divmod(minutes % (24 * 60), 60)
    return f"{(hour - 1) % 12 + 1}:{minute:02d} {'AM' if hour < 12 else 'PM'}"
