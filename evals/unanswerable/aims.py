"""What a text says, one statement at a time, and what has to vanish from it for a question to lose its answer.

Each aim knows its statements (as the reader of contexts finds them) and looks for what is left of them in the
bare words of the remaining lines, without that reader.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Literal, Protocol

from map_tools.facts import NearbyFact, PlaceFact, RoutesFact, TravelFact
from map_tools.text import normalise, same_name
from map_tools.types import Place
from modules.context_reader.drafts import Finding
from modules.context_reader.reader import read_text


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
    data = tomllib.loads(resources.files("evals.unanswerable").joinpath("words.toml").read_text("utf-8"))
    return Words(
        durations=frozenset(data["durations"]),
        modes={mode: frozenset(words) for mode, words in data["modes"].items()},
        impossible=frozenset(data["impossible"]),
        none_of_these=frozenset(data["none_of_these"]),
    )


type StatementKind = Literal["place", "list", "way", "note"]

FIELDS = (
    "location",
    "address",
    "phone",
    "website",
    "rating",
    "rating_count",
    "price_level",
    "hours",
    "reviews",
)
"""Fields of a place that a text states; its name and kind go with the block."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a statement is about.

    Attributes:
        names: The place; the anchor of a list; the two ends of a way. As printed.
        aspect: The field; the kind of places a list holds; the mode of travel.
    """

    kind: StatementKind
    names: tuple[str, ...]
    aspect: str


type Statements = Mapping[Subject, tuple[str, ...]]
"""All that is said of each subject, in the order of the text."""


def statements(text: str) -> Statements:
    """Reads a text into its statements."""
    said: dict[Subject, list[str]] = {}
    for finding in read_text(text).findings:
        for subject, value in _of_finding(finding):
            said.setdefault(subject, []).append(value)
    return {subject: tuple(values) for subject, values in said.items()}


def _of_finding(finding: Finding) -> Iterator[tuple[Subject, str]]:
    fact = finding.fact
    if isinstance(fact, PlaceFact):
        for aspect, value in _of_place(fact.place):
            yield Subject("place", (fact.query,), aspect), value
    elif isinstance(fact, NearbyFact):
        # The lines themselves: the items also take over what the blocks of their names say.
        yield Subject("list", (fact.anchor,), fact.what), finding.raw
    elif isinstance(fact, TravelFact):
        value = f"{fact.duration_s} s, {fact.distance_m} m"
        yield Subject("way", (fact.origin, fact.destination), fact.mode.value), value
    elif isinstance(fact, RoutesFact):
        routes = "; ".join(route.model_dump_json(exclude_defaults=True) for route in fact.routes)
        yield Subject("way", (fact.origin, fact.destination), fact.mode.value), routes
    else:
        yield Subject("note", (), ""), finding.raw


def _of_place(place: Place) -> Iterator[tuple[str, str]]:
    yield "itself", place.name
    for field in FIELDS:
        value = getattr(place, field)
        if value:
            yield field, str(value)
    for table in ("services", "attributes"):
        for key, value in sorted(getattr(place, table).items()):
            yield f"{table}.{key}", str(value)


MIN_WORDS_CHARS = 4
"""Shorter answers ("4", "No") occur in any text by chance."""
_COORDINATE = re.compile(r"-?\d{1,3}\.\d{3}")
"""A degree with at least three decimals (110 m)."""
_DISTANCE = re.compile(r"\d\s?(?:km|m|mi|miles?|kilomet(?:er|re)s?|met(?:er|re)s?)\b", re.IGNORECASE)
"""A distance on the road hints at the one as the crow flies."""


class Aim(Protocol):
    """Statements that decide a question."""

    @property
    def kind(self) -> str:
        """What it is, for the figures: "way", "ways", "list", "field"."""
        ...

    def hits(self, subject: Subject) -> bool:
        """True for the statements that have to vanish."""
        ...

    def spares(self, subject: Subject) -> bool:
        """True for statements that may not suffer when the others vanish."""
        ...

    def still_said(self, kept: Sequence[str], cut: Sequence[str], right: str) -> bool:
        """True if the words of the kept lines still tell what the cut lines told (`right`: the answer)."""
        ...


@dataclass(frozen=True, slots=True)
class Ways:
    """Ways between two places each, in both directions: a time back is as good as the time there.

    Attributes:
        ends: (origin, destination, mode) of each.
    """

    ends: frozenset[tuple[str, str, str]]

    @property
    def kind(self) -> str:
        """For a single leg "way", for several "ways"."""
        return "way" if len({frozenset(end[:2]) for end in self.ends}) == 1 else "ways"

    def hits(self, subject: Subject) -> bool:
        """A way by the same mode between the same two places."""
        return subject.kind == "way" and any(_joins(subject, *end) for end in self.ends)

    def spares(self, subject: Subject) -> bool:
        """Everything else."""
        return not self.hits(subject)

    def still_said(self, kept: Sequence[str], cut: Sequence[str], right: str) -> bool:  # noqa: ARG002
        """A line with both names and a number, unless it speaks of another mode alone."""
        return any(
            _holds(line, a) and _holds(line, b) and _numbered(line) and _may_mean(line, mode)
            for line in kept
            for a, b, mode in self.ends
        )


@dataclass(frozen=True, slots=True)
class EveryWay:
    """All ways by some modes, where it is open which of them a plan needs."""

    modes: frozenset[str]

    @property
    def kind(self) -> str:
        """Always "ways"."""
        return "ways"

    def hits(self, subject: Subject) -> bool:
        """Any way by one of the modes."""
        return subject.kind == "way" and subject.aspect in self.modes

    def spares(self, subject: Subject) -> bool:
        """Everything else."""
        return not self.hits(subject)

    def still_said(self, kept: Sequence[str], cut: Sequence[str], right: str) -> bool:  # noqa: ARG002
        """A line with a duration that does not speak of another mode alone."""
        units = load_words().durations
        return any(
            _numbered(line) and not units.isdisjoint(normalise(line).split()) and self._may_mean(line)
            for line in kept
        )

    def _may_mean(self, line: str) -> bool:
        return any(_may_mean(line, mode) for mode in self.modes)


@dataclass(frozen=True, slots=True)
class ListAround:
    """The list of the places of a kind around an anchor, and the blocks of the places to choose from.

    Were the blocks left, another of them would become an answer that can be argued for.

    Attributes:
        options: The options that are names.
    """

    anchor: str
    what: str
    options: frozenset[str] = frozenset()

    @property
    def kind(self) -> str:
        """Always "list"."""
        return "list"

    def hits(self, subject: Subject) -> bool:
        """A list of this kind around the same anchor, or what is said of an option."""
        if subject.kind == "place":
            return normalise(subject.names[0]) in map(normalise, self.options)
        return (
            subject.kind == "list"
            and normalise(subject.aspect) == normalise(self.what)
            and (not self.anchor or same_name(subject.names[0], self.anchor))
        )

    def spares(self, subject: Subject) -> bool:
        """Everything else."""
        return not self.hits(subject)

    def still_said(self, kept: Sequence[str], cut: Sequence[str], right: str) -> bool:  # noqa: ARG002
        """An option's words in a kept line."""
        return any(_somewhere(kept, option) for option in self.options)


@dataclass(frozen=True, slots=True)
class FieldOf:
    """One field of a place.

    Attributes:
        asked: True if the field itself is the answer, so that the answer's words may not stand elsewhere.
    """

    place: str
    field: str
    asked: bool = False

    @property
    def kind(self) -> str:
        """Always "field"."""
        return "field"

    def hits(self, subject: Subject) -> bool:
        """The field of the same place."""
        return (
            subject.kind == "place"
            and subject.aspect == self.field
            and same_name(subject.names[0], self.place)
        )

    def spares(self, subject: Subject) -> bool:
        """Everything but what the same lines say of the same place."""
        return subject.kind != "place" or not same_name(subject.names[0], self.place)

    def still_said(self, kept: Sequence[str], cut: Sequence[str], right: str) -> bool:
        """The same coordinates, the value (for a position: a distance) beside the name, or the answer."""
        numbers = {number for line in cut for number in _COORDINATE.findall(line)}
        if any(number in line for line in kept for number in numbers):
            return True
        values = [normalise(line.partition(":")[2]) for line in cut]
        beside = [line for line in kept if _holds(line, self.place)]
        if self.field == "location" and any(_DISTANCE.search(line) for line in beside):
            return True
        if any(value and value in normalise(line) for line in beside for value in values):
            return True
        return self.asked and _somewhere(kept, right)


def _joins(subject: Subject, a: str, b: str, mode: str) -> bool:
    start, end = subject.names
    there = same_name(start, a) and same_name(end, b)
    back = same_name(start, b) and same_name(end, a)
    return subject.aspect == mode and (there or back)


def _holds(line: str, name: str) -> bool:
    words, wanted = normalise(line), normalise(name)
    return bool(wanted) and f" {wanted} " in f" {words} "


def _somewhere(lines: Sequence[str], words: str) -> bool:
    return len(normalise(words)) >= MIN_WORDS_CHARS and any(_holds(line, words) for line in lines)


def _numbered(line: str) -> bool:
    return any(char.isdigit() for char in line)


def _may_mean(line: str, mode: str) -> bool:
    """True unless the line speaks of other modes of travel and not of this one."""
    modes = load_words().modes_in(line)
    return not modes or mode in modes
