"""What a run records: the ledger's budgets, the trace's two forms, and telemetry."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from pydantic import SecretStr

from map_tools.errors import LimitError
from mapagent.core.agent import MapAgent
from mapagent.core.ports import RequestContext
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger, Limits
from mapagent.runtime.telemetry import Telemetry, observed, open_telemetry
from mapagent.runtime.trace import Span, Trace
from tests.support.awkward import WORLD
from tests.support.chat import chat_model, completion, user
from tests.support.cli import PROGRAM
from tests.support.loopback import Scripted, json_reply, serving

QUESTION = "How long does it take to drive from Customs House to Lighthouse Museum?"
SECRET = "sk-verysecret-0123456789"


@dataclass
class Collected:
    """What the SDK's exporters in memory were told."""

    spans_out: InMemorySpanExporter
    tracers: TracerProvider
    reader: InMemoryMetricReader
    meters: MeterProvider

    def telemetry(self, **settings: Any) -> Telemetry:
        return Telemetry(Settings(**settings), self.tracers, self.meters)

    def spans(self) -> dict[str, ReadableSpan]:
        """The spans by name; each name occurs once here, or the last one counts."""
        return {span.name: span for span in self.spans_out.get_finished_spans()}

    def points(self, metric: str) -> list[Any]:
        data = self.reader.get_metrics_data()
        return [
            point
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for entry in scope.metrics
            if entry.name == metric
            for point in entry.data.data_points
        ]

    def everything(self) -> str:
        """All that was told of spans, as text."""
        return "\n".join(span.to_json() for span in self.spans_out.get_finished_spans())


@pytest.fixture
def collected() -> Iterator[Collected]:
    exporter, reader = InMemorySpanExporter(), InMemoryMetricReader()
    tracers, meters = TracerProvider(), MeterProvider(metric_readers=(reader,))
    tracers.add_span_processor(SimpleSpanProcessor(exporter))
    yield Collected(exporter, tracers, reader, meters)
    tracers.shutdown()
    meters.shutdown()


def asked() -> Trace:
    """The trace of a real question over the hand-written world."""

    async def ask() -> Trace:
        async with MapAgent(Settings(provider=f"recorded:{WORLD}")) as agent:
            answer = await agent.ask(QUESTION)
            assert answer.text == "12 min"
            assert agent.last_trace is not None
            return agent.last_trace

    return asyncio.run(ask())


def traced(*spans: Span, began_ns: int = 0) -> Trace:
    trace = Trace(list(spans))
    trace.began_ns = began_ns
    return trace


def span(
    own_id: int, parent: int | None, name: str, start_s: float, end_s: float, status: str = "ok", **told: Any
) -> Span:
    return Span(own_id, parent, name, told, start_s, end_s, status)


def test_a_question_is_told_by_the_conventions(collected: Collected) -> None:
    trace = asked()
    collected.telemetry().record(trace, trace.spans[0])
    spans = collected.spans()
    agent, tool = spans["invoke_agent mapagent"], spans["execute_tool Trip"]
    assert agent.attributes is not None
    assert agent.attributes["gen_ai.operation.name"] == "invoke_agent"
    assert agent.attributes["gen_ai.agent.name"] == "mapagent"
    assert agent.attributes["mapagent.answer.status"] == "answered"
    assert tool.attributes is not None
    assert tool.attributes["gen_ai.operation.name"] == "execute_tool"
    assert tool.attributes["gen_ai.tool.name"] == "Trip"
    assert tool.kind is SpanKind.INTERNAL
    assert agent.parent is None
    assert tool.parent is not None
    assert tool.parent.span_id == spans["program"].context.span_id
    assert {one.context.trace_id for one in spans.values()} == {agent.context.trace_id}
    asks = collected.points("mapagent.question.duration")
    assert [(point.count, dict(point.attributes)) for point in asks] == [
        (1, {"mapagent.answer.status": "answered"})
    ]


def test_content_is_told_only_if_it_is_wanted(collected: Collected) -> None:
    trace = asked()
    collected.telemetry().record(trace, trace.spans[0])
    for word in ("Customs", "Lighthouse", "12 min", "Pier Road"):
        assert word not in collected.everything()
    collected.spans_out.clear()
    collected.telemetry(telemetry_content=True).record(trace, trace.spans[0])
    agent = collected.spans()["invoke_agent mapagent"].attributes or {}
    assert QUESTION in str(agent["gen_ai.input.messages"])
    assert "12 min" in str(agent["gen_ai.output.messages"])
    tool = collected.spans()["execute_tool Trip"].attributes or {}
    assert '"current_location": "id:customs-house"' in str(tool["gen_ai.tool.call.arguments"])


def test_secrets_are_never_told(collected: Collected) -> None:
    trace = traced(
        span(
            1, None, "ask", 0, 1, question=f"My key is {SECRET}, https://user:pass@maps.example/?key=abcdef"
        ),
        span(2, 1, "failure", 0.5, 0.5, message=f"refused {SECRET}"),
        span(3, 1, "tool", 0.5, 0.6, tool="PlaceInfo", arguments={"location_address": SECRET}),
    )
    telemetry = collected.telemetry(
        telemetry_content=True, api_key=SecretStr(SECRET), base_url="https://me:pw@models.example:8443/v1"
    )
    telemetry.record(trace, trace.spans[0])
    everything = collected.everything()
    assert "My key is ***" in everything
    for secret in (SECRET, "user:pass", "abcdef", "me:pw"):
        assert secret not in everything


def test_times_are_those_of_the_trace(collected: Collected) -> None:
    trace = traced(
        span(1, None, "ask", 1.0, 3.5),
        span(2, 1, "plan", 1.25, 1.5, planner="offline"),
        span(3, 1, "round", 2.0, 2.0, number=2, calls=3, note="Customs House"),
        began_ns=1_700_000_000_000_000_000,
    )
    collected.telemetry().record(trace, trace.spans[0])
    agent, plan = collected.spans()["invoke_agent mapagent"], collected.spans()["plan"]
    assert (agent.start_time, agent.end_time) == (1_700_000_001_000_000_000, 1_700_000_003_500_000_000)
    assert (plan.start_time, plan.end_time) == (1_700_000_001_250_000_000, 1_700_000_001_500_000_000)
    assert dict(plan.attributes or {}) == {"mapagent.planner": "offline"}
    (event,) = agent.events
    assert (event.name, event.timestamp) == ("round", 1_700_000_002_000_000_000)
    assert dict(event.attributes or {}) == {"mapagent.number": 2, "mapagent.calls": 3}


def test_a_real_call_of_a_model_is_a_client_span_with_its_tokens(collected: Collected) -> None:
    reply = completion("Hello.", usage=(120, 7), model="small-2026")

    async def call(base_url: str) -> Trace:
        request_context = RequestContext()
        chat = chat_model(base_url)
        with request_context.trace.span("ask"):
            await chat.complete(user("Hi"), request_context=request_context, label="plan")
        await chat.close()
        return request_context.trace

    with serving(lambda _: json_reply(reply)) as server:
        trace = asyncio.run(call(f"{server.url}/v1"))
        collected.telemetry(base_url=f"{server.url}/v1").record(trace, trace.spans[0])
    told = collected.spans()["chat small"]
    port = int(server.url.rpartition(":")[2])
    assert told.kind is SpanKind.CLIENT
    assert (
        dict(told.attributes or {}).items()
        >= {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": "small",
            "gen_ai.response.model": "small-2026",
            "gen_ai.usage.input_tokens": 120,
            "gen_ai.usage.output_tokens": 7,
            "gen_ai.response.finish_reasons": ("stop",),
            "server.address": "127.0.0.1",
            "server.port": port,
            "mapagent.call": "plan",
        }.items()
    )
    tokens = {
        point.attributes["gen_ai.token.type"]: point
        for point in collected.points("gen_ai.client.token.usage")
    }
    assert {sort: point.sum for sort, point in tokens.items()} == {"input": 120, "output": 7}
    assert tuple(tokens["input"].explicit_bounds)[:5] == (1, 4, 16, 64, 256)
    (duration,) = collected.points("gen_ai.client.operation.duration")
    assert duration.attributes["gen_ai.request.model"] == "small"
    assert duration.sum == pytest.approx((told.end_time or 0) / 1e9 - (told.start_time or 0) / 1e9, abs=1e-6)


def test_a_reply_from_the_cache_is_no_call_of_a_server(collected: Collected) -> None:
    trace = traced(
        span(1, None, "ask", 0, 1),
        span(2, 1, "model", 0, 0.1, model="small", cached=True, prompt_tokens=9, completion_tokens=1),
    )
    collected.telemetry().record(trace, trace.spans[0])
    assert (collected.spans()["chat small"].attributes or {})["mapagent.cached"] is True
    assert collected.points("gen_ai.client.token.usage") == []
    assert collected.points("gen_ai.client.operation.duration") == []


def test_errors_have_their_type_and_no_words(collected: Collected) -> None:
    trace = Trace()
    told = observed(trace, collected.telemetry())
    tool = trace.span("tool", tool="PlaceInfo", arguments={})
    with pytest.raises(ValueError, match="secret place"), told, trace.span("ask"), tool:
        raise ValueError("secret place")
    failure = collected.spans()["execute_tool PlaceInfo"]
    assert failure.status.status_code is StatusCode.ERROR
    assert (failure.attributes or {})["error.type"] == "ValueError"
    assert "secret place" not in collected.everything()
    (failed,) = collected.points("mapagent.tool.duration")
    assert dict(failed.attributes) == {"gen_ai.tool.name": "PlaceInfo", "error.type": "ValueError"}


def test_money_is_added_up(collected: Collected) -> None:
    trace = traced(
        span(1, None, "ask", 0, 1),
        span(2, 1, "tool", 0, 0.1, tool="Route", cost_usd=0.005),
        span(3, 1, "model", 0, 0.1, model="small", cost_usd=0.0125),
    )
    collected.telemetry().record(trace, trace.spans[0])
    (cost,) = collected.points("mapagent.cost")
    assert cost.value == pytest.approx(0.0175)


def test_the_caller_s_own_span_is_the_parent(collected: Collected) -> None:
    trace = traced(span(1, None, "ask", 0, 1))
    with collected.tracers.get_tracer("app").start_as_current_span("request") as request:
        collected.telemetry().record(trace, trace.spans[0])
    told = collected.spans()["invoke_agent mapagent"]
    assert told.parent is not None
    assert told.parent.span_id == request.get_span_context().span_id


def test_only_the_question_at_hand_is_told_where_an_account_holds_several(collected: Collected) -> None:
    trace = Trace()
    telemetry = collected.telemetry()
    for _ in range(2):
        with observed(trace, telemetry), trace.span("ask"), trace.span("plan"):
            pass
    assert len(collected.spans_out.get_finished_spans()) == 4


def test_off_means_nothing_is_imported() -> None:
    assert open_telemetry(Settings()) is None
    code = "import sys, mapagent.core.agent as a; a.MapAgent(); print('opentelemetry' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


def test_a_missing_package_is_named() -> None:
    code = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "from mapagent.runtime.config import Settings\n"
        "from mapagent.runtime.telemetry import open_telemetry\n"
        "try: open_telemetry(Settings(telemetry=True))\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("ConfigError")
    assert "pip install 'mapagent[otel]'" in ran.stdout


def test_the_command_line_sends_otlp(tmp_path: Path) -> None:
    with serving(lambda _: Scripted(body=b"")) as collector:
        subprocess.run(
            [*PROGRAM, "ask", QUESTION, "--provider", f"recorded:{WORLD}"],
            env=dict(os.environ)
            | {
                "MAPAGENT_TELEMETRY": "1",
                "MAPAGENT_DATA_HOME": str(tmp_path),
                "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
                "OTEL_EXPORTER_OTLP_COMPRESSION": "none",
            },
            check=True,
            capture_output=True,
        )
    sent = {asked.path: asked.body for asked in collector.asked}
    traces = ExportTraceServiceRequest.FromString(sent["/v1/traces"]).resource_spans
    metrics = ExportMetricsServiceRequest.FromString(sent["/v1/metrics"]).resource_metrics
    assert "invoke_agent mapagent" in {one.name for one in traces[0].scope_spans[0].spans}
    assert {"service.name"} <= {attribute.key for attribute in traces[0].resource.attributes}
    assert "mapagent.question.duration" in {one.name for one in metrics[0].scope_metrics[0].metrics}
    assert b"Customs" not in sent["/v1/traces"]


def test_the_call_budget_stops_before_the_call() -> None:
    ledger = Ledger(Limits(max_tool_calls=2))
    ledger.charge_tool()
    ledger.charge_tool()
    with pytest.raises(LimitError, match=r"limit of 2 map calls"):
        ledger.charge_tool()
    assert ledger.usage().tool_calls == 2


def test_the_money_budget_is_hard() -> None:
    ledger = Ledger(Limits(max_usd=0.01))
    ledger.charge_model(10, 5, cost_usd=0.008)
    with pytest.raises(LimitError, match=r"0.0100 USD"):
        ledger.charge_tool(cost_usd=0.005)
    usage = ledger.usage()
    assert (usage.cost_usd, usage.tool_calls, usage.prompt_tokens, usage.completion_tokens) == (
        0.008,
        0,
        10,
        5,
    )


def test_a_lost_call_counts_even_where_the_budget_does_not_hold_it() -> None:
    ledger = Ledger(Limits(max_usd=0.01))
    with ledger.reserve(0.008):
        ledger.lose(0.008)
        with pytest.raises(LimitError, match=r"0.0100 USD"):
            ledger.spend(0.0)
    assert (ledger.cost_usd, ledger.reserved_usd) == (0.008, 0.0)
    ledger.lose(0.008)
    assert ledger.cost_usd == 0.016


def test_time_left_never_goes_below_zero() -> None:
    moments = iter([1000.0, 1070.0, 1070.0])
    ledger = Ledger(Limits(deadline_s=60), timer=lambda: next(moments))
    assert ledger.elapsed_s == 70.0
    assert ledger.left_s == 0.0


def test_spans_nest_and_are_written_as_json_lines(tmp_path: Path) -> None:
    trace = Trace()

    def broken() -> None:
        with trace.span("ask"):
            with trace.span("tool", tool="Route") as inner:
                inner.attributes["facts"] = 2
            raise ValueError("boom")

    with pytest.raises(ValueError, match=r"boom"):
        broken()
    file = tmp_path / "trace.jsonl"
    trace.write(file)
    first, second = (json.loads(line) for line in file.read_text().splitlines())
    assert (first["name"], first["parent"], first["status"]) == ("ask", None, "ValueError")
    assert (second["parent"], second["attributes"]) == (first["id"], {"tool": "Route", "facts": 2})
    assert first["start_s"] <= second["start_s"] <= second["end_s"] <= first["end_s"]
    tree = trace.tree().splitlines()
    assert tree[0].startswith("ask (")
    assert tree[1].startswith("  tool (")
