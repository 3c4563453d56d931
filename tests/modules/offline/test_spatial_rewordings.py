"""Questions over a spatial database in words the grammar was not written with: their slots."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from map_tools.spatial_db.grounding.kinds import KindReader
from map_tools.spatial_db.memory.engine import MemoryEngine
from modules.offline.spatial_grammar import read_spatial
from tests.modules.spatial_database.engines import Names, town

QUESTIONS = tomllib.loads(Path(__file__).with_name("spatial_rewordings.toml").read_text("utf-8"))["question"]
DEFAULTS: dict[str, Any] = {"what": "", "anchor": None, "other": None, "toward": None, "region": None,
    "direction": None, "within": None, "pick": "any", "k": 1, "n": None, "ask": "name"}  # fmt: skip


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> MemoryEngine:
    """The invented town."""
    return town(tmp_path_factory.mktemp("town"))


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["text"])
def test_rewordings(engine: MemoryEngine, question: dict[str, Any]) -> None:
    """What is marked `skip` is not read yet, and must not be read wrongly either."""
    reading = read_spatial(question["text"], Names(engine), KindReader(engine))
    if "skip" in question:
        pytest.skip(question["skip"])
    assert reading is not None
    intent = reading.intent.model_dump() | {"within": reading.intent.within_m}
    wanted = DEFAULTS | {key: value for key, value in question.items() if key not in {"text", "corner"}}
    found = {key: intent[key] for key in wanted}
    if found["within"] is not None and wanted["within"] is not None:
        assert found.pop("within") == pytest.approx(wanted.pop("within"))
    assert found == wanted
    assert list(intent["corner"] or ()) == question.get("corner", [])
