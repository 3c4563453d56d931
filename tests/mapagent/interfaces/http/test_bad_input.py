"""What is wrong is said in one sentence with its remedy, and nothing is lost."""

import json
from pathlib import Path
from typing import Any

import pytest

from mapagent.interfaces.http.schemas import MAX_BODY_BYTES
from tests.support.http_server import Client, serving

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"question": " "}, "empty"),
        ({"question": "x" * 20_001}, "longer"),
        ({}, "question"),
        ({"question": 7}, "question"),
        ({"question": "x", "options": ["a"] * 27}, "too many"),
        ({"question": "x", "near": {"lat": 91, "lng": 0}}, "near.lat"),
        ({"question": "x", "near": "here"}, "near"),
        ({"question": "x", "at": "teatime"}, "at"),
        ({"question": "x", "at": "9999-12-31T23:59:59-12:00"}, "out of range"),
        ({"question": "x", "at": "0001-01-01T00:00:00+14:00"}, "out of range"),
        ({"question": "x", "map": "atlantis"}, "atlantis"),
        ({"question": "x", "map": "a\0b"}, "cannot be the name"),
        ({"question": "x", "map": "../../etc"}, "cannot be the name"),
        ({"question": "x", "provider": "google"}, "offers no provider"),
        ({"question": "x", "provider": "recorded:/etc/passwd"}, "offers no provider"),
        ({"question": "x", "model": "gpt-9"}, "offers no model"),
        ({"question": "x", "base_url": "http://127.0.0.1"}, "base_url"),
        ({"question": "\ud800"}, "UTF-8"),
        ([], "dictionary"),
    ],
)
@pytest.mark.parametrize("path", ["/api/ask", "/api/ask/stream"])
def test_wrong_questions_are_422(client: Client, path: str, body: Any, words: str) -> None:
    reply = client.post(path, content=json.dumps(body).encode(), headers=JSON)
    assert reply.status_code == 422
    assert words in reply.text


@pytest.mark.parametrize("content", [b"{", b"", b"\xff\xfe", b"[" * 100_000, b'{"question": NaN}'])
def test_what_is_not_json_is_refused(client: Client, content: bytes) -> None:
    reply = client.post("/api/ask", content=content, headers=JSON)
    assert reply.status_code in {400, 422}
    assert reply.json()["error"]["remedy"]


def test_only_json_is_taken(client: Client) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        reply = client.post("/api/ask", content=b'{"question": "x"}', headers={"content-type": kind})
        assert reply.status_code == 415


@pytest.mark.parametrize("told", [True, False], ids=["with its length", "in chunks"])
def test_huge_bodies_are_refused(client: Client, told: bool) -> None:
    chunk = b"a" * 1_000_000
    chunks = MAX_BODY_BYTES // len(chunk) + 1
    content = chunk * chunks if told else (chunk for _ in range(chunks))
    reply = client.post("/api/ask", content=content, headers=JSON)
    assert reply.status_code == 413
    assert reply.json()["error"]["code"] == "too_large"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/traces/0123456789abcdef", 404),
        ("/api/traces/..%2f..%2fetc%2fpasswd", 404),
        ("/api/traces/history.sqlite", 422),
        ("/api/history/0123456789abcdef", 404),
        ("/api/history?before=' OR 1", 422),
        ("/api/history?limit=0", 422),
        ("/tiles/helsinki/15/0/0.mvt", 404),
        ("/tiles/helsinki/2/4/0.mvt", 404),
        ("/tiles/helsinki/-1/0/0.mvt", 404),
        ("/tiles/helsinki/a/0/0.mvt", 422),
        ("/tiles/.builds/0/0/0.mvt", 422),
        ("/tiles/..%2fx/0/0/0.mvt", 404),
        ("/tiles/atlantis/style.json", 422),
        ("/tiles/helsinki/style.json?theme=pink", 422),
        ("/page/../app.py", 404),
        ("/page/..%2fapp.py", 404),
        ("/page/%2e%2e/app.py", 404),
        ("/nothing", 404),
    ],
)
def test_paths_that_lead_nowhere(client: Client, path: str, status: int) -> None:
    reply = client.get(path)
    assert reply.status_code == status
    error = reply.json()["error"]
    assert error["message"]
    assert error["remedy"]


def test_without_a_map_the_remedy_is_told(tmp_path: Path) -> None:
    with serving(tmp_path / "empty") as client:
        reply = client.ask("Which cafe is nearest to Ateneum?")
        setup = client.get("/api/setup").json()
    assert reply.status_code == 422
    assert "mapagent map add" in reply.json()["error"]["remedy"]
    assert (setup["maps"], setup["default_map"]) == ([], None)


def test_a_model_that_cannot_be_reached_is_not_the_callers_fault(data_home: Path, tmp_path: Path) -> None:
    """Nothing listens at port 9 of the loopback (discard, RFC 863)."""
    with serving(data_home, state=tmp_path, model="tiny", base_url="http://127.0.0.1:9/v1") as client:
        reply = client.ask("Which cafe is nearest to Ateneum?")
        assert reply.status_code in {200, 502}
        told = reply.json()
    assert "127.0.0.1:9" in str(told)
    assert told.get("status", "error") == "error"
