"""Figures of the server in Prometheus' text format.

https://prometheus.io/docs/instrumenting/exposition_formats/
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
FIRST_REFUSAL = 400
BUCKETS_S = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper ends of the histogram of answering times: from an offline answer to the deadline of a model."""

HELP = {
    "mapagent_asks_total": ("counter", "Questions by how they ended."),
    "mapagent_ask_seconds": ("histogram", "Time to an answer."),
    "mapagent_map_calls_total": ("counter", "Calls of map tools."),
    "mapagent_model_calls_total": ("counter", "Calls of a language model."),
    "mapagent_model_tokens_total": ("counter", "Tokens read and written by language models."),
    "mapagent_cost_usd_total": ("counter", "Money spent on models and map services."),
    "mapagent_refused_total": ("counter", "Requests turned away by this worker, by status."),
    "mapagent_asks_in_progress": ("gauge", "Questions at work or waiting in this worker."),
    "mapagent_tiles_total": ("counter", "Tiles sent by this worker, by whether they were in memory."),
}


def ask_counts(answer: Mapping[str, Any]) -> dict[str, float]:
    """What one answer adds to the counters that all workers share."""
    usage = answer["usage"]
    took_s = usage["latency_s"]
    counts = {
        _named("mapagent_asks_total", status=answer["status"]): 1.0,
        "mapagent_map_calls_total": usage["tool_calls"],
        "mapagent_model_calls_total": usage["llm_calls"],
        _named("mapagent_model_tokens_total", direction="in"): usage["prompt_tokens"],
        _named("mapagent_model_tokens_total", direction="out"): usage["completion_tokens"],
        "mapagent_cost_usd_total": usage["cost_usd"],
        "mapagent_ask_seconds_sum": took_s,
        "mapagent_ask_seconds_count": 1.0,
    }
    for end_s in (*BUCKETS_S, float("inf")):
        told = "+Inf" if end_s == float("inf") else f"{end_s:g}"
        counts[_named("mapagent_ask_seconds_bucket", le=told)] = float(took_s <= end_s)
    return counts


class WorkerMetrics:
    """What one worker process counts for itself."""

    def __init__(self) -> None:
        self.refused: Counter[int] = Counter()
        self.tiles: Counter[str] = Counter()

    def rows(self, in_progress: int) -> dict[str, float]:
        """The figures, each with the worker's process id as a label."""
        worker = str(os.getpid())
        rows = {_named("mapagent_asks_in_progress", worker=worker): float(in_progress)}
        for status, count in self.refused.items():
            rows[_named("mapagent_refused_total", status=str(status), worker=worker)] = float(count)
        for source, count in self.tiles.items():
            rows[_named("mapagent_tiles_total", source=source, worker=worker)] = float(count)
        return rows


class RefusedCounter:
    """Counts replies that turn a request away (ASGI middleware)."""

    def __init__(self, app: ASGIApp, refused: Counter[int]) -> None:
        self._app = app
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on and looks at the status of the reply."""

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] >= FIRST_REFUSAL:
                self._refused[message["status"]] += 1
            await send(message)

        await self._app(scope, receive, counted)


def exposition(rows: Mapping[str, float]) -> str:
    """The figures as text, each family with its help and type."""
    lines: list[str] = []
    for family, (kind, told) in HELP.items():
        samples = list(_of(family, rows))
        if samples:
            lines += [f"# HELP {family} {told}", f"# TYPE {family} {kind}", *samples]
    return "\n".join(lines) + "\n"


def _of(family: str, rows: Mapping[str, float]) -> Iterable[str]:
    names = {family, f"{family}_bucket", f"{family}_sum", f"{family}_count"}
    found: Iterator[tuple[str, float]] = (
        (name, value) for name, value in rows.items() if name.partition("{")[0] in names
    )
    return (f"{name} {value:g}" if value % 1 else f"{name} {int(value)}" for name, value in found)


def _named(name: str, **labels: str) -> str:
    """A sample's name with its labels; values are our own words and need no escapes."""
    return name + "{" + ",".join(f'{label}="{value}"' for label, value in labels.items()) + "}"
