"""Figures for Prometheus, and health."""

import re
from pathlib import Path

from mapagent import __version__
from mapagent.interfaces.http.metrics import BUCKETS_S, ask_counts, exposition
from tests.support.http_server import Client, serving

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
