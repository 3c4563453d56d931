"""Questions over a spatial database in many registers: parts, places and kinds as they are meant."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from map_tools.spatial_db.grounding.kinds import KindReader
from map_tools.spatial_db.memory.engine import MemoryEngine
from modules.offline.spatial_grammar import read_spatial
from tests.modules.offline.spatial_reading import Examiner
from tests.modules.spatial_database.county import county
from tests.modules.spatial_database.engines import Names

FILES = ("spatial_registers.toml", "spatial_tongues.toml")
QUESTIONS = [
    question
    for file in FILES
    for question in tomllib.loads(Path(__file__).with_name(file).read_text("utf-8"))["questions"]
]
BEYOND = (
    "Which café is no more than 25 km from the latter of Copper Teapot and Kettle Ridge?",
    "No other pond of Brindlemoor is as large as which one?",
    "Which restaurant is closer to Kettle Ridge, Luigi & Daughters or Jade Lantern?",
    "Which location is nearer to Kettle Ridge, Brindlemoor General or Stockman's Bank?",
    "Which café within 25 km of Kettle Ridge lies in that direction?",
    "Compare Luigi & Daughters with Jade Lantern: which has the smaller distance to Kettle Ridge?",
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> MemoryEngine:
    """The invented county."""
    return county(tmp_path_factory.mktemp("county"))


@pytest.fixture(scope="module")
def examiner(engine: MemoryEngine) -> Examiner:
    """Knows the county."""
    return Examiner(engine)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["text"])
def test_registers(examiner: Examiner, question: dict[str, Any]) -> None:
    """What is marked `skip` is out of the grammar's reach."""
    if "skip" in question:
        pytest.skip(question["skip"])
    assert examiner.mistakes(question) == {}


@pytest.mark.parametrize("text", BEYOND)
def test_what_only_looks_like_a_search_is_none(engine: MemoryEngine, text: str) -> None:
    assert read_spatial(text, Names(engine), KindReader(engine)) is None
