"""The SQL rivals from the command line over real HTTP: a scripted Chat Completions server, a small world."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals.runner.folder import read_trace
from map_tools.spatial_db.duckdb_engine import connect
from tests.evals.methods.context import WORLD
from tests.evals.methods.geo_react.moves import finish, move, sql
from tests.support.chat import completion
from tests.support.cli import CommandLine
from tests.support.loopback import Asked, Scripted, in_turn, json_reply, serving

PLACES = (
    (1, "Old Mill", "museum", 10.0, 50.0),
    (2, "Sea Inn", "hotel", 10.01, 50.0),
    (3, "Hill Inn", "hotel", 10.2, 50.0),
)
QUERY = (
    "SELECT b.poi_name FROM pois a, pois b WHERE a.poi_name = 'Old Mill' AND b.tourism = 'hotel' "
    "ORDER BY ST_Distance(a.geometry, b.geometry) LIMIT 1"
)
REPLIES = {
    "Write the query": f"```sql\n{QUERY}\n```",
    "Answer the question from the result": "Answer: Sea Inn",
    "Answer the question from the records": "Answer: Hill Inn",
    "Write Thought 1": f"Thought 1: look\nAction 1: GenerateSQL[{QUERY}]",
    "Write Thought 2": "Thought 2: there\nAction 2: Finish[Sea Inn]",
    "You retrieve information": "hotel, Old Mill",
    "You select the schema": '{"pois": ["tourism"]}',
    "You generate candidates": f"```sql\n{QUERY}\n```\n```sql\n{QUERY} OFFSET 1\n```",
    "You are the unit tester": "Candidate 1: pass",
}
CALLS = {"text-to-sql": 2, "raise": 2, "chess": 5, "rag": 1}
QUERIES = {"text-to-sql": 1, "raise": 1, "chess": 2, "rag": 0}


def answers(asked: Asked) -> Scripted:
    """Says what the instruction of the moment wants; the instruction stands last."""
    if asked.method == "GET":
        return json_reply({"object": "list", "data": [{"id": "small", "object": "model"}]})
    body: dict[str, Any] = json.loads(asked.body)
    told = body["messages"][-1]["content"]
    at, reply = max((told.rfind(opening), reply) for opening, reply in REPLIES.items())
    assert at >= 0, told
    return json_reply(completion(reply))


def write_world(folder: Path) -> Path:
    folder.mkdir()
    rows = ", ".join(
        f"({n}, {n}, '{name}', '{kind}', 'Quay Lane', 'Fernport', 'CA', '90000', ST_Point({x}, {y}))"
        for n, name, kind, x, y in PLACES
    )
    columns = "id, osm_id, poi_name, tourism, addr_street, addr_city, addr_state, addr_postcode, geometry"
    with connect() as connection:
        connection.execute(
            f"COPY (SELECT * FROM (VALUES {rows}) AS t({columns}))"
            f" TO '{folder / 'pois.parquet'}' (FORMAT parquet)"
        )
    return folder


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the world; the data home stands beside it, so that databases are built once."""
    return write_world(tmp_path_factory.mktemp("data") / "world")


@pytest.fixture(autouse=True)
def _home(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(world.parent / "home"))
    monkeypatch.setenv("MAPAGENT_MODEL_CACHE", "false")


def write_questions(path: Path) -> Path:
    question = {
        "id": 1,
        "template": "T5",
        "question": "Which hotel is nearest to Old Mill?",
        "answer_type": "name",
        "answers": [{"name": "Sea Inn"}],
        "world_ok": True,
    }
    path.write_text(json.dumps(question) + "\n", encoding="utf-8")
    return path


def test_geo_react_over_the_same_world(
    world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    nearest = move("CalculateMetric", metric="nearest", feature="hotel", origin="Old Mill")
    replies = in_turn(*(json_reply(completion(reply)) for reply in (nearest, sql(QUERY), finish("Sea Inn"))))
    with serving(replies) as server:
        ran = CommandLine(capsys)(
            *("eval", "gsqa", "--method", "geo-react", "--model", "small"),
            *("--base-url", f"{server.url}/v1", "--data", write_questions(tmp_path / "dev.jsonl")),
            *("--world", world, "--out", out),
        )
    assert ran.code == 0, ran.err
    (record,) = map(json.loads, (out / "results.jsonl").read_text().splitlines())
    assert (record["correct"], record["llm_calls"], record["tool_calls"]) == (True, 3, 2)
    trace = read_trace(out, "1")
    assert trace is not None
    assert [span["name"] for span in trace["spans"] if span["name"] in {"tool", "sql"}] == [
        "tool",
        "tool",
        "sql",
    ]
    assert CommandLine(capsys)("eval", "report", out).out.count("CalculateMetric") == 1


@pytest.mark.parametrize("method", CALLS)
def test_from_the_command_line(
    method: str, world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    with serving(answers) as server:
        ran = CommandLine(capsys)(
            *("eval", "gsqa", "--method", method, "--model", "small", "--base-url", f"{server.url}/v1"),
            *("--data", write_questions(tmp_path / "dev.jsonl"), "--world", world),
            *("--provider", f"recorded:{WORLD}", "--out", out),
        )
    assert ran.code == 0, ran.err
    (record,) = map(json.loads, (out / "results.jsonl").read_text().splitlines())
    assert record["correct"] is (method != "rag")
    assert record["llm_calls"] == CALLS[method]
    trace = read_trace(out, "1")
    assert trace is not None
    queries = [span["attributes"] for span in trace["spans"] if span["name"] == "sql"]
    assert len(queries) == QUERIES[method]
    assert not any(query["error"] for query in queries)
