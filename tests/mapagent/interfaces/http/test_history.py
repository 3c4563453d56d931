"""What is remembered of questions, and what must not be."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from map_tools.errors import MapStoreError
from mapagent.interfaces.http.history import FILE, PRUNE_EVERY, History, Kept
from tests.support.awkward import register
from tests.support.http_server import Client, serving

ANSWER = {"status": "answered", "answer": "yes", "model": "offline", "provider": "osm", "map": None}
QUESTION = "Which cafe is nearest to Ateneum?"


@pytest.fixture
def own(data_home: Path, tmp_path: Path) -> Iterator[Client]:
    """A client of a server with a history of its own."""
    with serving(data_home, state=tmp_path / "state") as client:
        yield client


def test_history_and_traces_survive_a_restart(data_home: Path, tmp_path: Path) -> None:
    with serving(data_home, state=tmp_path) as client:
        asked = client.ask(QUESTION).json()
    with serving(data_home, state=tmp_path) as client:
        (item,) = client.get("/api/history").json()["items"]
        kept = client.get(f"/api/history/{asked['id']}").json()
        trace = client.get(f"/api/traces/{asked['id']}")
    assert (item["id"], item["question"], item["answer"]) == (asked["id"], QUESTION, asked["answer"])
    assert kept["answer"] == {
        name: value for name, value in asked.items() if name not in {"id", "conversation"}
    }
    assert kept["features"]
    assert trace.headers["content-disposition"] == f'attachment; filename="mapagent-{asked["id"]}.jsonl"'
    spans = [json.loads(line) for line in trace.text.splitlines()]
    assert (spans[0]["name"], spans[0]["attributes"]["question"]) == ("ask", QUESTION)
    assert {"plan", "program", "tool"} <= {span["name"] for span in spans}


def test_only_its_owner_can_read_the_file(own: Client, tmp_path: Path) -> None:
    own.ask(QUESTION)
    assert stat.S_IMODE((tmp_path / "state" / FILE).stat().st_mode) == 0o600


def test_pages_go_back_in_time(own: Client) -> None:
    for number in range(5):
        own.ask(f"Which cafe is nearest to Ateneum? {number}")
    first = own.get("/api/history", params={"limit": 3}).json()
    rest = own.get("/api/history", params={"limit": 3, "before": first["before"]}).json()
    numbers = [item["question"][-1] for item in (*first["items"], *rest["items"])]
    assert numbers == ["4", "3", "2", "1", "0"]
    assert rest["before"] is None


def test_forgetting_leaves_nothing_but_the_counters(own: Client) -> None:
    asked = own.ask(QUESTION).json()
    assert own.delete("/api/history").status_code == 204
    assert own.get("/api/history").json()["items"] == []
    assert own.get(f"/api/traces/{asked['id']}").status_code == 404
    assert 'mapagent_asks_total{status="answered"} 1' in own.get("/api/metrics").text


def test_what_is_forgotten_stands_in_no_file(own: Client, tmp_path: Path) -> None:
    words = "Which cafe is nearest to the Ateneum of my secret?"
    own.ask(words)
    own.ask("Which cafe is nearest to Ateneum?")
    files = [path for path in (tmp_path / "state").iterdir() if path.is_file()]
    assert any(words.encode() in path.read_bytes() for path in files)
    assert own.delete("/api/history").status_code == 204
    assert not any(words.encode() in path.read_bytes() for path in files if path.exists())


def test_without_a_history_answers_have_no_id(data_home: Path, tmp_path: Path) -> None:
    with serving(data_home, state=tmp_path, history=0) as client:
        assert client.ask(QUESTION).json()["id"] == ""
        assert client.get("/api/history").json()["items"] == []


def test_pictures_and_texts_are_not_kept(own: Client, tmp_path: Path) -> None:
    secret = "A text that came with the question."
    asked = own.ask("Where is The Anchor?", context=secret).json()
    kept = own.get(f"/api/history/{asked['id']}").json()["question"]
    assert kept["with_context"] is True
    assert not {"context", "image"} & kept.keys()


def test_what_terms_forbid_to_keep_is_not_kept(
    data_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Google's terms let nobody keep names and addresses (Google Maps Platform terms of service, 3.2.3)."""
    register(tmp_path / "plugins", monkeypatch)
    with serving(data_home, state=tmp_path, provider="guarded") as client:
        events = client.events("What is the address of Customs House?")
        asked = events[-1].data
        (item,) = client.get("/api/history").json()["items"]
        replies = [client.get(f"/api/{what}/{asked['id']}") for what in ("history", "traces")]
    assert asked["status"] == "answered"
    assert (item["kept"], item["answer"]) == (False, "")
    assert [reply.status_code for reply in replies] == [404, 404]
    assert "terms" in replies[0].json()["error"]["message"]
    assert not any(event.data.get("features") for event in events), "nothing to draw over another base map"
    assert asked["base_map"] == "Guarded"


@pytest.mark.anyio
async def test_old_questions_make_room(tmp_path: Path) -> None:
    history = History(tmp_path, keep=10)
    for number in range(PRUNE_EVERY + 1):
        await history.add(str(number), ANSWER, Kept(content={}, trace=""), {"n": 1})
    kept = [item.question for item in await history.page(None)]
    counted = (await history.counters())["n"]
    await history.close()
    assert kept == [str(number) for number in range(PRUNE_EVERY, PRUNE_EVERY - 10, -1)]
    assert counted == PRUNE_EVERY + 1


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("This is no database, and it is longer than a header. " * 10)
    with pytest.raises(MapStoreError, match=r"history\.sqlite"):
        History(tmp_path, keep=10)
