"""Reasoners and providers that behave badly, registered like any other plug-in.

`register` writes the entry points of a distribution named "awkward", so that `--model` and `--provider` of
the real command line find them.
"""

import asyncio
from pathlib import Path
from typing import Any, NoReturn, Self

import pytest

from map_tools.errors import ProviderError
from map_tools.facts import PlaceFact
from map_tools.providers.base import ProviderSetting, Terms
from map_tools.providers.recorded import RecordedProvider
from map_tools.types import TravelMode
from mapagent.answer import Solution, Status, Text
from mapagent.config import Settings
from mapagent.evidence import Evidence
from mapagent.ports import Account, NameHints, ToolCall, Understanding
from mapagent.question import Question

WORLD = Path(__file__).resolve().parents[1] / "fixtures" / "worlds" / "harbour.json"
FOUND = "Customs House"
"""A place of the world that the awkward reasoners ask for first, so that there is evidence to keep."""

ENTRY_POINTS = """
[mapagent.reasoners]
repeating = tests.support.awkward:Repeating
inventing = tests.support.awkward:Inventing
endless = tests.support.awkward:Endless
greedy = tests.support.awkward:Greedy
satisfied = tests.support.awkward:Satisfied
brooding = tests.support.awkward:Brooding
raving = tests.support.awkward:Raving

[mapagent.providers]
hanging = tests.support.awkward:Hanging
refusing = tests.support.awkward:Refusing
broken = tests.support.awkward:Broken
guarded = tests.support.awkward:Guarded
"""


def register(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs the plug-ins for one test."""
    info = folder / "awkward-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: awkward\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(folder))


def place_info(text: str) -> ToolCall:
    return ToolCall(tool="PlaceInfo", arguments={"location_address": text})


class Awkward:
    """Understands everything, asks for one place, and concludes nothing."""

    name = "awkward"

    def __init__(self) -> None:
        self.rounds = 0

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        return cls()

    async def plan(self, question: Question, *, names: NameHints | None, account: Account) -> Understanding:
        return Understanding()

    async def next_calls(
        self,
        question: Question,
        understanding: Understanding,
        evidence: tuple[Evidence, ...],
        *,
        account: Account,
    ) -> tuple[ToolCall, ...]:
        self.rounds += 1
        return self.calls(self.rounds)

    def calls(self, number: int) -> tuple[ToolCall, ...]:
        """The calls of a round, numbered from 1."""
        return (place_info(FOUND),)

    async def conclude(
        self,
        question: Question,
        understanding: Understanding,
        evidence: tuple[Evidence, ...],
        *,
        closed: bool,
        account: Account,
    ) -> Solution:
        return Solution(status=Status.UNANSWERABLE, reason="The facts do not tell.")


class Repeating(Awkward):
    """Asks the same for ever."""


class Inventing(Awkward):
    """Asks for tools and arguments that do not exist, another one each time."""

    def calls(self, number: int) -> tuple[ToolCall, ...]:
        rounds: tuple[tuple[ToolCall, ...], ...] = (
            (place_info(FOUND), ToolCall(tool="Teleport", arguments={"to": "Mars"})),
            (ToolCall(tool="Route", arguments={"origin": ["a", {"b": 1}], "travel_mode": "flying"}),),
            (ToolCall(tool="Nearby", arguments={"query": "cafe", "location": FOUND, "radius": "far"}),),
            (ToolCall(tool="PlaceInfo", arguments={"location_address": FOUND, "run": "rm -rf /"}),),
            (ToolCall(tool="", arguments={}), ToolCall(tool="__import__", arguments={"name": "os"})),
        )
        return rounds[number - 1] if number <= len(rounds) else ()


class Endless(Awkward):
    """Asks something new in each round, for ever."""

    def calls(self, number: int) -> tuple[ToolCall, ...]:
        return (place_info(FOUND if number == 1 else f"Nowhere {number}"),)


class Greedy(Awkward):
    """Asks a thousand new things in each round."""

    def calls(self, number: int) -> tuple[ToolCall, ...]:
        return (place_info(FOUND), *(place_info(f"Nowhere {number}.{each}") for each in range(1000)))


class Satisfied(Endless):
    """Asks for ever too, but has an answer once it is stopped."""

    async def conclude(
        self,
        question: Question,
        understanding: Understanding,
        evidence: tuple[Evidence, ...],
        *,
        closed: bool,
        account: Account,
    ) -> Solution:
        found = next(item for item in evidence if isinstance(item.value, PlaceFact))
        assert isinstance(found.value, PlaceFact)
        address = Text(text=found.value.place.address or "", topic="address")
        return Solution(status=Status.ANSWERED, value=address, evidence_ids=(found.id,))


class Brooding(Awkward):
    """Never comes to an understanding."""

    async def plan(self, question: Question, *, names: NameHints | None, account: Account) -> Understanding:
        await asyncio.Event().wait()
        raise AssertionError


class Raving(Awkward):
    """Breaks down after the first round."""

    def calls(self, number: int) -> tuple[ToolCall, ...]:
        if number > 1:
            raise ZeroDivisionError("no more ideas")
        return super().calls(number)


class _Harbour(RecordedProvider):
    """The hand-written world, whatever path is asked for."""

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        return cls.open(WORLD)


class Guarded(_Harbour):
    """Forbids to keep what it says and to draw it over other people's maps, and wants walks warned of."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.terms = Terms(
            attribution="Guarded Maps",
            keep_payload_days=0,
            base_map="Guarded",
            travel_warnings={TravelMode.WALKING: "Walks are in beta. Use caution."},
        )


class Hanging(_Harbour):
    """Knows one place and never answers anything else."""

    async def find_place(self, text: str, **more: Any) -> Any:
        if text == FOUND:
            return await super().find_place(text, **more)
        await asyncio.Event().wait()
        raise AssertionError

    async def directions(self, *spots: Any, **more: Any) -> Any:
        await asyncio.Event().wait()


class Refusing(_Harbour):
    """Is over its quota."""

    async def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise ProviderError("The map service is over its quota.", "Try again tomorrow.")

    find_place = place_details = nearby = inside = directions = matrix = _refuse


class Broken(_Harbour):
    """Knows one place and has a defect everywhere else."""

    async def find_place(self, text: str, **more: Any) -> Any:
        if text == FOUND:
            return await super().find_place(text, **more)
        raise KeyError("lat")

    async def _break(self, *_: Any, **__: Any) -> NoReturn:
        raise KeyError("lat")

    nearby = inside = directions = matrix = _break
