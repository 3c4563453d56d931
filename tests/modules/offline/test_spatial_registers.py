"""Questions over a spatial database in many registers: parts, places and kinds as they are meant."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from map_tools.errors import PlaceNotFoundError
from map_tools.spatial_db.memory.engine import MemoryEngine
from modules.intents import SpatialIntent
from modules.offline.spatial_grammar import read_spatial
from modules.spatial_database.kinds import KindReader
from modules.spatial_database.places import PlaceFinder, Wanted
from tests.modules.spatial_database.county import county
from tests.modules.spatial_database.engines import Names

FILES = ("spatial_registers.toml", "spatial_tongues.toml")
QUESTIONS = [
    question
    for file in FILES
    for question in tomllib.loads(Path(__file__).with_name(file).read_text("utf-8"))["questions"]
]
DEFAULTS: dict[str, Any] = {"direction": None, "pick": "any", "k": 1, "n": None, "ask": "name"}
PLACES: dict[str, Wanted] = {"anchor": "place", "other": "place", "toward": "place", "region": "region"}
BEYOND = (
    "Which café is no more than 25 km from the latter of Copper Teapot and Kettle Ridge?",
    "No other pond of Brindlemoor is as large as which one?",
    "Which restaurant is closer to Kettle Ridge, Luigi & Daughters or Jade Lantern?",
    "Which location is nearer to Kettle Ridge, Brindlemoor General or Stockman's Bank?",
    "Compare Luigi & Daughters with Jade Lantern: which has the smaller distance to Kettle Ridge?",
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> MemoryEngine:
    """The invented county."""
    return county(tmp_path_factory.mktemp("county"))


@pytest.fixture(scope="module")
def kinds(engine: MemoryEngine) -> KindReader:
    """What the county's data knows of kinds."""
    return KindReader(engine)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["text"])
def test_registers(engine: MemoryEngine, kinds: KindReader, question: dict[str, Any]) -> None:
    """What is marked `skip` is out of the grammar's reach."""
    if "skip" in question:
        pytest.skip(question["skip"])
    reading = read_spatial(question["text"], Names(engine), kinds)
    assert reading is not None
    intent = reading.intent
    assert {key: getattr(intent, key) for key in DEFAULTS} == {
        key: question.get(key, default) for key, default in DEFAULTS.items()
    }
    assert intent.within_m == (pytest.approx(question["within"]) if "within" in question else None)
    assert _kind(kinds, intent.what) == _kind(kinds, question.get("what", ""))
    assert list(intent.corner or ()) == question.get("corner", [])
    assert intent.described == question.get("described", False)
    assert _places(engine, intent, question) == {
        role: _meant(engine, question.get(role), wanted) for role, wanted in PLACES.items()
    }


@pytest.mark.parametrize("text", BEYOND)
def test_what_only_looks_like_a_search_is_none(engine: MemoryEngine, kinds: KindReader, text: str) -> None:
    assert read_spatial(text, Names(engine), kinds) is None


def _kind(kinds: KindReader, words: str) -> object:
    kind = kinds.read(words) if words else None
    return None if kind is None else (kind.table, kind.alternatives)


def _places(engine: MemoryEngine, intent: SpatialIntent, question: dict[str, Any]) -> dict[str, object]:
    """What each name means; a place that a fact describes is nowhere."""
    told = {role: getattr(intent, role) for role in PLACES}
    if question.get("described"):
        told["anchor"] = None
    return {role: _meant(engine, told[role], wanted) for role, wanted in PLACES.items()}


def _meant(engine: MemoryEngine, words: str | None, wanted: Wanted) -> object:
    if words is None:
        return None
    try:
        return PlaceFinder(engine).find(words, wanted).refs
    except PlaceNotFoundError:
        return words
