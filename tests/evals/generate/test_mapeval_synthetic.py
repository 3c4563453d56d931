"""Questions are made of an invented city as of any other map, and answered from it."""

import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest

from evals.generate.mapeval.generator import FAMILIES, generate
from map_tools.maps.home import MapHome
from map_tools.maps.synth import synth
from map_tools.providers.osm import OsmProvider
from mapagent.agent import MapAgent

COUNT = 40
MOST_WRONG = 2
"""The agent may refuse what it does not understand."""


@pytest.fixture(scope="module")
def city(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The map's folder."""
    home = MapHome(tmp_path_factory.mktemp("maps"))
    return home.path(synth(seed=21, size=2_500, home=home, name="city").name)


def test_all_families_find_material(city: Path, tmp_path: Path) -> None:
    manifest = generate(city, COUNT, 4, tmp_path / "questions")
    assert manifest["given_up"] == {}
    assert manifest["attribution"] == "Synthetic data (public domain)"
    lines = (tmp_path / "questions" / "truth.jsonl").read_text("utf-8").splitlines()
    families = Counter(json.loads(line)["family"] for line in lines)
    known = {family for category in FAMILIES.values() for family in category}
    assert families.keys() <= known
    assert len(families) > 15


def test_the_agent_answers_them(city: Path, tmp_path: Path) -> None:
    generate(city, COUNT, 5, tmp_path / "questions")
    records = json.loads((tmp_path / "questions" / "dataset.json").read_text("utf-8"))

    async def wrong() -> list[str]:
        async with MapAgent(provider=OsmProvider.open(city)) as agent:
            return [
                record["question"]
                for record in records
                if not await _is_right(agent, record["question"], record["answer"])
            ]

    assert len(asyncio.run(wrong())) <= MOST_WRONG


async def _is_right(agent: MapAgent, question: str, key: dict[str, object]) -> bool:
    options = key["options"]
    assert isinstance(options, list)
    answer = await agent.ask(question, options=tuple(options))
    return (-1 if answer.option_index is None else answer.option_index) == key["correct"]
