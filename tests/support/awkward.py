"""Planners and providers that behave badly, registered like any other plug-in.

`register` writes the entry points of a distribution named "awkward", so that `--model` and `--provider` of
the real command line find them.
"""

import asyncio
import sys
from itertools import count
from pathlib import Path
from typing import Any, NoReturn, Self

import pytest

from map_tools.errors import ProviderError
from map_tools.providers.base import ProviderSetting, Terms
from map_tools.providers.recorded import RecordedProvider
from map_tools.types import TravelMode
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import Run
from mapagent.runtime.config import Settings

WORLD = Path(__file__).resolve().parents[1] / "fixtures" / "worlds" / "harbour.json"
FOUND = "Customs House"
"""A place of the world that the awkward planners ask for first, so that there is evidence to keep."""
ADDRESS = f'answer(place("{FOUND}").address)'

ENTRY_POINTS = """
[mapagent.planners]
repeating = tests.support.awkward:Repeating
inventing = tests.support.awkward:Inventing
endless = tests.support.awkward:Endless
greedy = tests.support.awkward:Greedy
brooding = tests.support.awkward:Brooding
murmuring = tests.support.awkward:Murmuring
raving = tests.support.awkward:Raving

[mapagent.providers]
hanging = tests.support.awkward:Hanging
refusing = tests.support.awkward:Refusing
broken = tests.support.awkward:Broken
guarded = tests.support.awkward:Guarded
"""


def register(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs the plug-ins for one test."""
    install(folder, "awkward", ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(folder))


def install(folder: Path, name: str, entry_points: str) -> None:
    """Writes a distribution of this name with these entry points."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)


class Awkward:
    """Looks one place up, and concludes nothing."""

    name = "awkward"

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        return cls()

    async def answer(self, run: Run) -> Answer:
        await run.execute(ADDRESS)
        return Answer(status=Status.UNANSWERABLE, text="", reason="The facts do not tell.")


class Repeating(Awkward):
    """Runs the same program many times."""

    async def answer(self, run: Run) -> Answer:
        for _ in range(20):
            await super().answer(run)
        return await super().answer(run)


class Inventing(Awkward):
    """Writes what the language has not."""

    async def answer(self, run: Run) -> Answer:
        await run.execute(ADDRESS)
        return await run.execute('answer(teleport("Mars"))')


class Endless(Awkward):
    """Looks something new up, for ever, until it is told that there is a limit."""

    async def answer(self, run: Run) -> Answer:
        await run.execute(ADDRESS)
        for number in count(1):
            answer = await run.execute(f'answer(place("Nowhere {number}"))')
            if answer.status is Status.LIMIT:
                return answer
        raise AssertionError


class Greedy(Awkward):
    """Looks up a hundred places at once."""

    async def answer(self, run: Run) -> Answer:
        await run.execute(ADDRESS)
        names = ", ".join(f'"Nowhere {number}"' for number in range(100))
        return await run.execute(f"answer([place(n).address for n in [{names}]])")


class Brooding(Awkward):
    """Never comes to an understanding."""

    async def answer(self, run: Run) -> Answer:
        await asyncio.Event().wait()
        raise AssertionError


class Murmuring(Brooding):
    """Never comes to an understanding either, but says that it is at work."""

    async def answer(self, run: Run) -> Answer:
        sys.stdout.write("Hm.\n")
        sys.stdout.flush()
        return await super().answer(run)


class Raving(Awkward):
    """Breaks down after the first program."""

    async def answer(self, run: Run) -> Answer:
        await super().answer(run)
        raise ZeroDivisionError("no more ideas")


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
