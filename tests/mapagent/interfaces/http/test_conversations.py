"""Conversations over HTTP: who asks on is told from who begins, and what is deleted is gone."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mapagent.interfaces.http.history import FILE
from tests.support.awkward import ADDRESS, WORLD
from tests.support.http_server import Client, serving
from tests.support.literal import ALKO, ALKOS, EARLIER, MODEL, register, said, saying

NONE = "A" * 22
"""An id like any other that nobody was given."""


@pytest.fixture
def talking(data_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """A server over the demo map whose questions are programs."""
    register(tmp_path / "plugins", monkeypatch)
    with serving(data_home, state=tmp_path / "state", model=MODEL) as client:
        yield client


def test_a_conversation_over_the_demo_map(talking: Client) -> None:
    first = talking.ask(ALKO).json()
    name = first["conversation"]
    assert [one["number"] for one in first["candidates"]] == [1, 2]
    chosen = talking.ask(ALKO, conversation=name, choice=[2]).json()
    assert (chosen["conversation"], chosen["answer"]) == (name, ALKOS[1])
    (_, *_, last) = talking.events(ADDRESS.replace("Customs House", "Kiasma"), conversation=name)
    assert last.data["conversation"] == name
    told = talking.ask(EARLIER, conversation=name).json()["answer"]
    assert told == f"{ALKOS[1]} | {last.data['answer']}", "the choice has taken the place of the question"
    assert talking.ask(EARLIER).json()["answer"] == "nothing", "who sends no id begins anew"


def test_a_program_goes_on_with_a_conversation(talking: Client) -> None:
    name = talking.ask(saying(1)).json()["conversation"]
    run = {"program": saying(7), "question": "Seven", "conversation": name}
    assert talking.post("/api/query", json=run).json()["conversation"] == name
    assert talking.ask(EARLIER, conversation=name).json()["answer"] == said(1, 7)
    refused = talking.post("/api/query", json=run | {"conversation": NONE})
    assert refused.json()["error"]["code"] == "unknown_conversation"


def test_two_at_once_do_not_mix(talking: Client) -> None:
    names = {who: talking.ask(saying(who)).json()["conversation"] for who in (1, 2)}
    with ThreadPoolExecutor(4) as threads:
        replies = threads.map(lambda who: talking.ask(saying(who), conversation=names[who]), [1, 2] * 4)
        assert {reply.status_code for reply in replies} == {200}
    for who, name in names.items():
        assert talking.ask(EARLIER, conversation=name).json()["answer"] == said(*[who] * 5)


def test_what_is_deleted_is_gone_for_good(talking: Client) -> None:
    name, other = (talking.ask(saying(1)).json()["conversation"] for _ in range(2))
    assert talking.delete(f"/api/conversations/{name}").status_code == 204
    reply = talking.ask(EARLIER, conversation=name)
    assert reply.status_code == 422
    assert reply.json()["error"]["code"] == "unknown_conversation"
    assert talking.delete(f"/api/conversations/{name}").status_code == 404
    assert talking.ask(EARLIER, conversation=other).json()["answer"] == said(1)


@pytest.mark.parametrize("name", ["", "x", NONE, "\ud800", "a" * 201, 7, ["a"]])
def test_an_id_that_nobody_was_given(talking: Client, name: object) -> None:
    for path in ("/api/ask", "/api/ask/stream"):
        body = json.dumps({"question": EARLIER, "conversation": name})
        reply = talking.post(path, content=body, headers={"Content-Type": "application/json"})
        assert reply.status_code == 422, reply.text
        assert reply.json()["error"]["message"]


@pytest.mark.parametrize("name", ["x", NONE, "%2e%2e", "a" * 500])
def test_nothing_of_that_id_can_be_deleted(talking: Client, name: str) -> None:
    assert talking.delete(f"/api/conversations/{name}").status_code in {404, 422}


def test_nobody_else_finds_it(talking: Client, tmp_path: Path) -> None:
    """The history is read by all who may ask, so that it must not tell the id."""
    asked = talking.ask(saying(1)).json()
    again = talking.ask(saying(2), conversation=asked["conversation"]).json()
    for reply in ("/api/history", f"/api/history/{again['id']}", f"/api/traces/{again['id']}"):
        assert asked["conversation"] not in talking.get(reply).text
    assert asked["conversation"].encode() not in (tmp_path / "state" / FILE).read_bytes()
    assert talking.get("/api/conversations").status_code == 404


def test_a_question_that_fails_is_no_turn(talking: Client) -> None:
    name = talking.ask(saying(1)).json()["conversation"]
    assert talking.ask("answer(", conversation=name).status_code == 422
    assert talking.ask(EARLIER, conversation=name).json()["answer"] == said(1)


def test_a_program_begins_none(talking: Client) -> None:
    assert talking.post("/api/query", json={"program": saying(1)}).json()["conversation"] is None


def test_a_restart_forgets_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    register(tmp_path / "plugins", monkeypatch)
    settings = {"provider": f"recorded:{WORLD}", "model": MODEL}
    with serving(tmp_path / "home", **settings) as client:
        name = client.ask(ADDRESS).json()["conversation"]
    with serving(tmp_path / "home", **settings) as client:
        assert client.ask(EARLIER, conversation=name).status_code == 422
