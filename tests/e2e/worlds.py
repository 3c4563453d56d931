"""The maps the questions are asked of, each built once and read a second time by independent code."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from map_tools.clock import FrozenClock
from map_tools.maps.home import MapHome
from map_tools.maps.making.ingest import add_map
from map_tools.types import LatLng
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from tests.e2e.cases import Case, moment
from tests.e2e.tellers import Tellers
from tests.e2e.truth import RawMap
from tests.support.data import demo_extract, shared

EXTRACTS = {
    "andorra": "osm/andorra-2021-10-28.osm.pbf",
    "liechtenstein": "osm/liechtenstein-2022-12-15.osm.pbf",
    "london": "osm/london-city-2020-07-20.osm.pbf",
    "monaco": "osm/monaco-2026-03-09.osm.pbf",
    "munich": "osm/munich-centre-2020-07-20.osm.pbf",
    "porto": "osm/porto-2020-07-20.osm.pbf",
    "vancouver": "osm/vancouver-2015-05-02.osm.pbf",
}

USUAL = datetime(2020, 5, 4, 9, tzinfo=UTC)
"""The clock of the tests, a Monday morning: what cases expect must not depend on the day of the run."""


@dataclass(slots=True)
class World:
    """A map, its raw data, and an agent that knows the map alone."""

    raw: RawMap
    agent: MapAgent

    def answer(self, case: Case) -> Answer:
        """What the program of a case's question comes to."""
        near = LatLng(lat=case.near[0], lng=case.near[1]) if case.near else None
        at = moment(case.at) if case.at else None
        question = Question(text=case.question, options=case.options, near=near, at=at)
        return asyncio.run(self.agent.query(case.program, question=question))


@dataclass(slots=True)
class Worlds:
    """Builds the maps on first use.

    Args:
        data_home: Folder that the maps are put in.
    """

    data_home: Path
    _open: dict[str, World] = field(default_factory=dict)

    def get(self, name: str) -> World:
        """The world of this name; skips the test where its extract is absent."""
        if name not in self._open:
            path = shared(EXTRACTS[name]) if name in EXTRACTS else demo_extract()
            home = MapHome(self.data_home / "maps")
            add_map(path, name=name, home=home)
            settings = Settings(map=name, data_home=self.data_home)
            self._open[name] = World(
                RawMap(path, home.path(name) / "tiles"), MapAgent(settings, clock=FrozenClock(USUAL))
            )
        return self._open[name]

    def close(self) -> None:
        """Closes all maps."""
        for world in self._open.values():
            asyncio.run(world.agent.close())

    def check(self, case: Case) -> None:
        """Runs its program, and fails with everything one needs to see why."""
        world = self.get(case.world)
        for name, hours in case.hours.items():
            assert world.raw.tag(name, "opening_hours") == hours
        expected = Tellers(world.raw, case.near).tell(case.right)
        answer = world.answer(case)
        problem = expected.problem(answer, case.options)
        if problem is not None:
            pytest.fail(
                f"{problem}\n  asked: {case.question}\n  options: {case.options}\n"
                f"  got: {answer.status.value}, text {answer.text!r}, option {answer.option}\n"
                f"  reason: {answer.reason}\n  explanation: {answer.explanation}",
                pytrace=False,
            )
