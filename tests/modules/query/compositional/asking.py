"""Asks a map a question by a program, and compares what comes back with the truth.

An expected value is written as what it is: a thing of the raw map, a list of them (in order), a set (in any
order), a number, a `timedelta`, a `time`, True or False, words; or one of the classes below.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from itertools import pairwise
from typing import Any

import pytest
import shapely

from map_tools.providers.osm import OsmProvider
from map_tools.types import LatLng, Place, TravelMode
from mapagent.core import answer as typed
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from tests.e2e.cases import squeezed
from tests.e2e.truth import Thing
from tests.modules.query.compositional.raw_map import RawMap

NOON = datetime(2020, 5, 4, 12)  # noqa: DTZ001 (local time of the place)
"""The moment questions are asked at: Monday noon of a week without holidays."""
MODES = {"walk": TravelMode.WALKING, "bike": TravelMode.BICYCLING, "drive": TravelMode.DRIVING}
ROUNDING_S = 0.51
"""Routers count in whole seconds."""


@dataclass(frozen=True, slots=True)
class Metres:
    """A length from `least` to `most`."""

    least: float
    most: float

    @classmethod
    def of(cls, metres: float) -> "Metres":
        """This length."""
        return cls(metres, metres)


@dataclass(frozen=True, slots=True)
class SquareMetres:
    """An area."""

    value: float


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day, some days after the day asked about."""

    at: time
    days_later: int = 0
    tolerance: timedelta = timedelta()


@dataclass(frozen=True, slots=True)
class Option:
    """The option of this index."""

    index: int


@dataclass(frozen=True, slots=True)
class Said:
    """Words that the text of the value must have, and others that it must not."""

    words: tuple[str, ...]
    never: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Nothing:
    """There is none: an answer, whose text names these things."""

    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotKnown:
    """No answer, for a reason that has these words."""

    words: tuple[str, ...]
    status: Status = Status.UNANSWERABLE


def on(**starts: Any) -> pytest.MarkDecorator:
    """Asks on several maps, beginning at a place of each: `@on(helsinki="Amos Rex", porto="Cinema da Trindade")`."""
    given = [pytest.param(name, start, id=name) for name, start in starts.items()]
    return pytest.mark.parametrize(("world", "start"), given, indirect=["world"])


@dataclass
class World:
    """A real map twice: as the product has it, and raw."""

    name: str
    raw: RawMap
    provider: OsmProvider

    def __post_init__(self) -> None:
        self._agent = MapAgent(provider=self.provider)

    def ask(
        self,
        question: str,
        program: str,
        *,
        at: datetime | None = NOON,
        near: tuple[float, float] | None = None,
        options: Sequence[str] = (),
        context: str | None = None,
    ) -> Answer:
        """What a program answers to a question."""
        position = None if near is None else LatLng(lat=near[0], lng=near[1])
        asked = Question(text=question, options=tuple(options), near=position, at=at, context=context)
        return asyncio.run(self._agent.query(program, question=asked))

    def check(
        self,
        question: str,
        program: str,
        expected: object,
        *,
        parts: dict[str, object] | None = None,
        warnings: Iterable[str] = (),
        **situation: Any,
    ) -> Answer:
        """Asks, and fails where the answer, one of its parts or a warning is not as expected."""
        answer = self.ask(question, program, **situation)
        problems = [_of_answer(answer, expected)]
        for name, wanted in (parts or {}).items():
            part = answer.parts.get(name)
            said = None if part is None else part.text
            found = "no such part" if part is None else _of_part(part, wanted)
            problems.append(found and f"part {name}: {found}, and it is {said!r}")
        told = " ".join(answer.warnings)
        problems += [f"no warning of {word!r}" for word in warnings if squeezed(word) not in squeezed(told)]
        wrong = "\n  ".join(problem for problem in problems if problem)
        assert not wrong, (
            f"{question}\n  {wrong}\n  got {answer.status.value}: {answer.text!r}, option {answer.option}"
            f"\n  reason {answer.reason!r}\n  warnings {answer.warnings}\n{program}"
        )
        return answer

    def travel(self, mode: str, *stops: Thing) -> timedelta:
        """The time from stop to stop, asked of the router directly."""
        return timedelta(seconds=sum(self._leg(mode, a, b)[0] for a, b in pairwise(stops)))

    def way_m(self, mode: str, *stops: Thing) -> float:
        """The length of the ways from stop to stop."""
        return sum(self._leg(mode, a, b)[1] for a, b in pairwise(stops))

    def place(self, thing: Thing) -> Place:
        """A thing of the raw map as the product has it: by its id alone."""
        return asyncio.run(self.provider.place_details(f"osm:{thing.kind[0]}{thing.osm_id}"))

    def _leg(self, mode: str, a: Thing, b: Thing) -> tuple[float, float]:
        ends = (self.place(a),), (self.place(b),)
        cell = asyncio.run(self.provider.matrix(*ends, mode=MODES[mode])).rows[0][0]
        assert cell.duration_s is not None, f"there is no way from {a.name} to {b.name}"
        assert cell.distance_m is not None
        return cell.duration_s, cell.distance_m


def _of_answer(answer: Answer, expected: object) -> str | None:
    if isinstance(expected, NotKnown):
        if answer.status is not expected.status:
            return f"expected {expected.status.value}"
        return _lacking(answer.reason, expected.words)
    if answer.status is not Status.ANSWERED:
        return f"expected {expected!r}"
    if isinstance(expected, Nothing):
        return _lacking(answer.text, expected.words) if answer.value is None else "expected none"
    if isinstance(expected, Option):
        return None if answer.option_index == expected.index else f"expected option {expected.index}"
    if isinstance(expected, Said):
        return _said(answer.text, expected)
    return _of_value(answer.value, expected, answer.places)


def _of_part(part: typed.Part, expected: object) -> str | None:
    if isinstance(expected, NotKnown):
        return _lacking(part.text, expected.words) if part.value is None and not part.known else "not unknown"
    if isinstance(expected, Nothing):
        return _lacking(part.text, expected.words) if part.value is None and part.known else "not none"
    if isinstance(expected, Said):
        return _said(part.text, expected)
    return _of_value(part.value, expected, part.places)


def _said(text: str, expected: Said) -> str | None:
    wrong = [word for word in expected.never if squeezed(word) in squeezed(text)]
    return f"it must not say {wrong}" if wrong else _lacking(text, expected.words)


def _lacking(text: str, words: Sequence[str]) -> str | None:
    missing = [word for word in words if squeezed(word) not in squeezed(text)]
    return f"it does not say {missing}: {text!r}" if missing else None


def _of_value(value: typed.Value | None, expected: object, places: Sequence[Place]) -> str | None:
    things = list(expected) if isinstance(expected, list | set | frozenset) else []
    if any(isinstance(one, Thing) for one in things):
        return (
            None
            if _are_things(places, things, ordered=isinstance(expected, list))
            else f"expected {_shown(expected)}"
        )
    right = next((judge for kind, judge in _JUDGES.items() if isinstance(expected, kind)), None)
    assert right is not None, f"{expected!r} is no expected value"
    return None if right(value, expected) else f"expected {_shown(expected)}"


def _shown(expected: object) -> str:
    if isinstance(expected, Thing):
        return f"{expected.name} ({expected.kind} {expected.osm_id})"
    if isinstance(expected, list | set | frozenset):
        return f"{len(expected)}: {', '.join(map(_shown, expected))}"
    return repr(expected)


def _is_yes_no(value: Any, expected: bool) -> bool:
    return isinstance(value, typed.YesNo) and value.value is expected


def _is_thing(value: Any, expected: Thing) -> bool:
    """A place of that name, lying where the thing lies."""
    if not isinstance(value, typed.Named) or value.name != expected.name or value.place is None:
        return False
    return _lies_at(value.place, expected)


def _are_things(places: Sequence[Place], things: list[Thing], *, ordered: bool) -> bool:
    """Each place is another one of the things, lies there and has its name."""
    left = list(things)
    for place in places:
        among = left[:1] if ordered else left
        found = next((one for one in among if one.name == place.name and _lies_at(place, one)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def _lies_at(place: Place, expected: Thing) -> bool:
    spot = place.location
    shape = expected.shape or shapely.Point(expected.lng, expected.lat)
    return spot is not None and shape.distance(shapely.Point(spot.lng, spot.lat)) < 3e-4  # about 30 m


def _is_listed(value: Any, expected: list[str]) -> bool:
    return _names(value) == expected


def _is_set(value: Any, expected: set[str] | frozenset[str]) -> bool:
    return sorted(_names(value)) == sorted(expected)


def _names(value: Any) -> list[str]:
    """The names of a list; one of one member stands as that member."""
    if isinstance(value, typed.NameSet | typed.Sequence):
        return list(value.names)
    return (
        [value.name]
        if isinstance(value, typed.Named)
        else [value.text]
        if isinstance(value, typed.Text)
        else []
    )


def _is_quantity(unit: str, tolerance: float) -> Callable[[Any, Any], bool]:
    def fits(value: Any, expected: Any) -> bool:
        least, most = (
            (expected.least, expected.most) if isinstance(expected, Metres) else (_number(expected),) * 2
        )
        slack = max(tolerance, 1e-4 * abs(most))
        return (
            isinstance(value, typed.Quantity)
            and value.unit == unit
            and least - slack <= value.value <= most + slack
        )

    return fits


def _number(expected: Any) -> float:
    if isinstance(expected, timedelta):
        return expected.total_seconds()
    return float(expected.value) if isinstance(expected, SquareMetres) else float(expected)


def _is_clock(value: Any, expected: Clock | time) -> bool:
    wanted = expected if isinstance(expected, Clock) else Clock(expected)
    if not isinstance(value, typed.ClockTime):
        return False
    day = timedelta(days=1)
    said = timedelta(hours=value.at.hour, minutes=value.at.minute) + value.day_offset * day
    meant = timedelta(hours=wanted.at.hour, minutes=wanted.at.minute) + wanted.days_later * day
    return abs(said - meant) <= wanted.tolerance


def _is_text(value: Any, expected: str) -> bool:
    words = {typed.Text: "text", typed.Named: "name"}.get(type(value))
    return words is not None and squeezed(getattr(value, words)) == squeezed(expected)


_JUDGES: dict[Any, Callable[[Any, Any], bool]] = {
    bool: _is_yes_no,
    Thing: _is_thing,
    list: _is_listed,
    (set, frozenset): _is_set,
    (int, float): _is_quantity("count", 1e-6),
    Metres: _is_quantity("m", 0.5),
    SquareMetres: _is_quantity("m2", 1.0),
    timedelta: _is_quantity("s", ROUNDING_S),
    (Clock, time): _is_clock,
    str: _is_text,
}
"""How each kind of expected value is told from others, the narrowest first."""
