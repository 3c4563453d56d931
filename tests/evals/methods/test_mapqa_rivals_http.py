"""MapAgent and its five rivals on mapqa from the command line (MapAgent, table 6), over real HTTP."""

import json
from pathlib import Path
from typing import Any

import pytest

from map_tools.spatial_db.duckdb_engine import connect
from tests.support.chat import completion
from tests.support.cli import CommandLine
from tests.support.loopback import Asked, Scripted, json_reply, serving

METHODS = ("mapagent", "react", "llm-compiler", "chameleon", "octotools", "direct")
LEAKING = "mapqa-leaks-the-answer"
LABEL = "leaks the answer"
MILL = {"name": "Old Mill", "role": "subject", "lat": 50.0, "lon": 10.0}
INN = {"name": "Sea Inn", "role": "answer", "lat": 50.0, "lon": 10.0005}
QUESTIONS = (
    {"id": "a", "type": 1, "question": "What hotel is next to Old Mill?", "answers": ["Sea Inn"]},
    {"id": "b", "type": 6, "question": "What is the nearest hotel east of Old Mill?", "answers": ["Sea Inn"]},
    {"id": "c", "type": 3, "question": "What amenity can be found in Old Mill?", "answers": ["museum"]},
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the questions, with the world beside it."""
    folder = tmp_path_factory.mktemp("mapqa")
    lines = [json.dumps(one | {"entities": [MILL, INN], "world_ok": True}) for one in QUESTIONS]
    (folder / "dev.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    world = folder / "mapqa_world"
    world.mkdir()
    with connect() as connection:
        connection.execute(
            "COPY (SELECT * FROM (VALUES ('Old Mill', 1, 'museum', ST_Point(10.0, 50.0)),"
            " ('Sea Inn', 2, 'hotel', ST_Point(10.0005, 50.0))) AS t(name, osm_id, amenity, geometry))"
            f" TO '{world / 'entities.parquet'}' (FORMAT parquet)"
        )
    return folder


@pytest.fixture(autouse=True)
def _home(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(data / "home"))
    monkeypatch.setenv("MAPAGENT_MODEL_CACHE", "false")


def answers(asked: Asked) -> Scripted:
    """One answer to everything: what an agent asks on the way, it cannot read, and asks for the end."""
    if asked.method == "GET":
        return json_reply({"object": "list", "data": [{"id": "small", "object": "model"}]})
    return json_reply(completion("Answer: Sea Inn"))


def evaluated(
    capsys: pytest.CaptureFixture[str], suite: str, data: Path, out: Path
) -> dict[str, dict[str, Any]]:
    """The summaries by method."""
    with serving(answers) as server:
        ran = CommandLine(capsys)(
            *("eval", suite, "--data", data, "--out", out, "--method", ",".join(METHODS)),
            *("--model", "small", "--base-url", f"{server.url}/v1"),
        )
    assert ran.code == 0, ran.err
    assert (LABEL in ran.err) == (suite == LEAKING)
    return {name: json.loads((out / name / "summary.json").read_text("utf-8")) for name in METHODS}


@pytest.mark.parametrize("suite", ["mapqa", LEAKING])
def test_all_methods_of_table_6_run(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path, suite: str
) -> None:
    summaries = evaluated(capsys, suite, data, tmp_path)
    for name, summary in summaries.items():
        assert summary["errors"] == 0, name
        assert summary["llm_calls_mean"] > 0, name
        if name != "mapagent":
            types = {kind: group["accuracy"] for kind, group in summary["by_category"].items()}
            assert types == {"type 1": 1.0, "type 3": 0.0, "type 6": 1.0}, name
            assert summary["metrics"]["macro"] == pytest.approx(2 / 3), name
            assert summary["metrics"]["as_published"]["by_type"]["1"] == 1.0, name
