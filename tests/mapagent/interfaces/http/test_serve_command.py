"""`mapagent serve` as a process, its figures for Prometheus, and its health."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mapagent import __version__
from mapagent.interfaces.http.metrics import BUCKETS_S, ask_counts, exposition
from tests.support.cli import CommandLine
from tests.support.http_server import Client, served, serving


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


SAMPLE = re.compile(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?\d+(\.\d+)?(e[+-]\d+)?')
"""A line of https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details."""


def test_health_needs_nothing_but_a_live_server(client: Client) -> None:
    assert client.get("/api/health").json() == {"status": "ok", "version": __version__, "maps": 1}


def test_the_format_is_prometheus_own(client: Client) -> None:
    client.ask("Which cafe is nearest to Ateneum?")
    client.ask(" ")
    client.get("/tiles/helsinki/0/0/0.mvt")
    reply = client.get("/api/metrics")
    assert reply.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    samples = [line for line in reply.text.splitlines() if not line.startswith("#")]
    assert samples
    assert [line for line in samples if not SAMPLE.fullmatch(line)] == []
    for family in ("mapagent_asks_total", "mapagent_refused_total", "mapagent_tiles_total"):
        assert reply.text.count(f"# TYPE {family} ") == 1


def test_a_histogram_counts_up() -> None:
    usage = {"tool_calls": 1, "llm_calls": 0, "prompt_tokens": 0, "completion_tokens": 0, "cost_usd": 0.0}
    counts = ask_counts({"status": "answered", "usage": usage | {"latency_s": 0.3}})
    buckets = {
        name.split('"')[1]: value
        for name, value in counts.items()
        if name.startswith("mapagent_ask_seconds_bucket")
    }
    assert len(buckets) == len(BUCKETS_S) + 1
    assert {end: value for end, value in buckets.items() if end in {"0.25", "0.5", "+Inf"}} == {
        "0.25": 0.0,
        "0.5": 1.0,
        "+Inf": 1.0,
    }


def test_whole_numbers_are_written_whole() -> None:
    assert "mapagent_cost_usd_total 0.25\n" in exposition({"mapagent_cost_usd_total": 0.25})
    assert "mapagent_map_calls_total 12345678\n" in exposition({"mapagent_map_calls_total": 12345678.0})


def test_counters_are_those_of_all_workers(data_home: Path, tmp_path: Path) -> None:
    """Two servers over one state folder, as two worker processes are."""
    with serving(data_home, state=tmp_path) as one, serving(data_home, state=tmp_path) as other:
        one.ask("Which cafe is nearest to Ateneum?")
        other.ask("Which cafe is nearest to Ateneum?")
        for client in (one, other):
            assert 'mapagent_asks_total{status="answered"} 2' in client.get("/api/metrics").text
        assert len(one.get("/api/history").json()["items"]) == 2
