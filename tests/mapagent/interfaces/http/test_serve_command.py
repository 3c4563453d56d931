"""`mapagent serve` as a process."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.cli import CommandLine
from tests.support.http_server import Client, served


def test_two_workers_answer_many_at_once(data_home: Path, tmp_path: Path) -> None:
    arguments = ("--workers", "2", "--rate", "0", "--state", str(tmp_path))
    with served(*arguments, data_home=data_home) as client, ThreadPoolExecutor(16) as threads:
        replies = list(threads.map(lambda _: client.ask("Which cafe is nearest to Ateneum?"), range(60)))
        metrics = client.get("/api/metrics").text
    assert {reply.status_code for reply in replies} == {200}
    assert len({reply.json()["id"] for reply in replies}) == 60
    assert 'mapagent_asks_total{status="answered"} 60' in metrics


def test_only_the_printed_link_opens_the_history(data_home: Path, tmp_path: Path) -> None:
    with served("--state", str(tmp_path), data_home=data_home) as client:
        asked = client.ask("Which cafe is nearest to Ateneum?").json()
        assert [item["id"] for item in client.get("/api/history").json()["items"]] == [asked["id"]]
        with Client(base_url=client.base_url, timeout=30) as another:
            for reply in (
                another.get("/api/history"),
                another.delete("/api/history"),
                another.get("/api/history/"),
            ):
                assert reply.status_code == 403
                assert "link" in reply.json()["error"]["remedy"]
            assert another.ask("Which cafe is nearest to Kiasma?").status_code == 200
            assert another.get(f"/api/history/{asked['id']}").status_code == 200, "who asked knows the id"


def test_any_worker_goes_on_with_a_conversation(data_home: Path, tmp_path: Path) -> None:
    """Each question on a connection of its own, so that both workers get some; a wrong one would not know it."""
    arguments = ("--workers", "2", "--rate", "0", "--state", str(tmp_path))
    with served(*arguments, data_home=data_home) as client:
        name = client.ask("Which cafe is nearest to Ateneum?").json()["conversation"]
        for _ in range(12):
            with Client(base_url=client.base_url, timeout=30) as another:
                reply = another.ask("Which cafe is nearest to Kiasma?", conversation=name)
            assert reply.json()["conversation"] == name
        workers = client.get("/api/metrics").text
        assert client.delete(f"/api/conversations/{name}").status_code == 204
        assert client.ask("And the next?", conversation=name).status_code == 422
    assert "mapagent_asks_total" in workers


def test_a_taken_port_is_told_in_one_sentence(data_home: Path, mapagent: CommandLine, tmp_path: Path) -> None:
    with served("--state", str(tmp_path), data_home=data_home) as client:
        ran = mapagent("serve", "--port", str(client.base_url.port))
    assert ran.code == 2
    assert "cannot be used" in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--host", "0.0.0.0"), "--open"),
        (("--port", "70000"), "port 70000"),
        (("--rate", "-1"), "cannot be negative"),
        (("--token-file", "missing"), "missing"),
        (("--record", "run.jsonl"), "neither records nor replays"),
        (("--host", "no.such.host.invalid", "--open"), "cannot be used"),
    ],
)
def test_wrong_use(mapagent: CommandLine, arguments: tuple[str, ...], words: str) -> None:
    ran = mapagent("serve", *arguments)
    assert ran.code == 2
    assert words in ran.err
