"""A question before it has its words: what is asked, the right answer, the wrong ones, and why; and the wordings.

Wordings are data: sets for every family. Amounts as options are written as people do, and no rounding makes the
wrong ones right.
"""

import random
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any, Literal, get_args

from evals.generate.travel import Travel
from evals.generate.world import RawMap, RawPlace

type WordingSet = Literal["base", "more", "fresh", "all"]

FILES = {"base": "wordings.toml", "more": "wordings_more.toml", "fresh": "wordings_fresh.toml"}
MOVES = "moves"


@dataclass(frozen=True, slots=True)
class Wording:
    """One wording of a family.

    Attributes:
        id: Its set and its place in it: "more:3".
        text: With slots in braces.
    """

    id: str
    text: str


@dataclass(frozen=True)
class Wordings:
    """What questions may be worded with.

    Attributes:
        families: The wordings of each family.
        moves: For each mode of travel the words of the slots `move` ("walk") and `by` ("on foot").
    """

    families: Mapping[str, tuple[Wording, ...]]
    moves: Mapping[str, Mapping[str, tuple[str, ...]]]


@lru_cache(maxsize=len(get_args(WordingSet.__value__)))
def load_wordings(which: WordingSet) -> Wordings:
    """The wordings of one set, or of all of them."""
    families: dict[str, tuple[Wording, ...]] = {}
    moves: dict[str, dict[str, tuple[str, ...]]] = {}
    for name in FILES if which == "all" else (which,):
        data = _read(FILES[name])
        for mode, slots in data.pop(MOVES).items():
            known = moves.setdefault(mode, {})
            for slot, texts in slots.items():
                known[slot] = tuple(dict.fromkeys((*known.get(slot, ()), *texts)))
        for family, entry in data.items():
            texts = [Wording(f"{name}:{number}", text) for number, text in enumerate(entry["wordings"])]
            families[family] = (*families.get(family, ()), *texts)
    return Wordings(families, moves)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files("evals.generate.mapeval").joinpath(name).read_text("utf-8"))


SHARES = (0.45, 0.6, 0.72, 1.32, 1.5, 1.75, 2.1)
"""Wrong amounts as multiples of the right one: at least a quarter off."""


def duration_text(seconds: float) -> str:
    """A duration in words: "47 mins", "1 hour 13 mins", "2 hours"."""
    hours, minutes = divmod(round(seconds / 60), 60)
    parts = [_counted(hours, "hour")] if hours else []
    parts += [_counted(minutes, "min")] if minutes or not hours else []
    return " ".join(parts)


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'s' if number != 1 else ''}"


def distance_text(meters: float) -> str:
    """A distance in words: "420 m", "3.4 km"."""
    return f"{round(meters, -1):.0f} m" if meters < 1000 else f"{meters / 1000:.1f} km"


def wrong_amounts(
    dice: random.Random, right: float, show: Callable[[float], str], apart: float, count: int = 3
) -> tuple[str, ...] | None:
    """Wrong amounts, at least `apart` off the right one and from each other; None if too few."""
    chosen: list[float] = []
    for share in dice.sample(SHARES, len(SHARES)):
        value = right * share
        if all(abs(value - other) >= apart for other in (right, *chosen)) and value > 0:
            chosen.append(value)
    texts = tuple(dict.fromkeys(show(value) for value in chosen[:count]))
    return texts if len(texts) == count and show(right) not in texts else None


def wrong_counts(dice: random.Random, right: int, count: int = 3) -> tuple[str, ...]:
    """Other small numbers around a count."""
    around = [number for number in range(max(0, right - 3), right + 4) if number != right]
    return tuple(str(number) for number in sorted(dice.sample(around, count)))


def others[T](dice: random.Random, pool: Sequence[T], right: T, count: int = 3) -> tuple[T, ...] | None:
    """Some of the pool beside the right one; None if there are too few."""
    rest = [item for item in pool if item != right]
    return tuple(dice.sample(rest, count)) if len(rest) >= count else None


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
