"""Traces as OpenTelemetry spans and metrics, by the conventions for generative AI. Off by default.

A question's trace (`mapagent.runtime.trace`) is exported when the question has ended: every span with its own times,
below the span that is current for the caller. What people ask and what maps and models say is content: it is
exported only with `telemetry_content`, and without known secrets or anything that looks like one.

Where the process has set up OpenTelemetry, that is used. Otherwise spans and metrics go out by OTLP over
HTTP, as the variables `OTEL_EXPORTER_OTLP_*` say (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from map_tools.errors import ConfigError
from map_tools.validation import json_text
from map_tools.wire.request import redact
from mapagent.runtime.config import SECRETS, Settings
from mapagent.runtime.trace import Span, Trace

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.metrics import Histogram, Meter, MeterProvider
    from opentelemetry.trace import Span as OtelSpan
    from opentelemetry.trace import TracerProvider


AGENT = "mapagent"
"""Name of the agent, of the service and of the instrumentation scope."""
OPERATION = "gen_ai.operation.name"
MODEL_API = "openai"
"""`gen_ai.provider.name` of every server that speaks OpenAI's Chat Completions, as the conventions ask."""

type Told = Mapping[str, Any]


class Telemetry:
    """Exports the traces of finished questions.

    Args:
        settings: Whether content is exported, which values are secret, where the model is.
        tracers: Makes the tracer; default: that of the process.
        meters: Makes the meter; default: that of the process.
    """

    def __init__(
        self,
        settings: Settings,
        tracers: "TracerProvider | None" = None,
        meters: "MeterProvider | None" = None,
    ) -> None:
        from opentelemetry import metrics, trace

        from mapagent import __version__

        self._attributes = Attributes(settings)
        self._tracer = trace.get_tracer(AGENT, __version__, tracers)
        self._measures = Measures(metrics.get_meter(AGENT, __version__, meters), self._attributes.server)

    def record(self, trace: Trace, root: Span) -> None:
        """Exports a span of a trace and everything below it; all of them must have ended."""
        children: dict[int | None, list[Span]] = {}
        for span in trace.spans:
            children.setdefault(span.parent, []).append(span)
        self._tell(root, children, trace.began_ns, None)

    def _tell(
        self,
        span: Span,
        children: Mapping[int | None, list[Span]],
        began_ns: int,
        context: "Context | None",
    ) -> None:
        from opentelemetry.trace import SpanKind, set_span_in_context

        kind = KINDS.get(span.name, Kind(name=span.name))
        subject = span.attributes.get(kind.subject)
        told = self._tracer.start_span(
            f"{kind.name} {subject}" if subject else kind.name,
            context,
            SpanKind.CLIENT if span.name == "model" else SpanKind.INTERNAL,
            attributes=self._attributes.of(span),
            start_time=_at_ns(began_ns, span.start_s),
        )
        below = set_span_in_context(told, context)
        for child in children.get(span.id, ()):
            if child.name in KINDS or child.id in children:
                self._tell(child, children, began_ns, below)
            else:
                told.add_event(child.name, self._attributes.of(child), _at_ns(began_ns, child.start_s))
        _end(told, span, began_ns)
        self._measures.count(span)


@contextmanager
def observed(trace: Trace, telemetry: Telemetry | None) -> Iterator[None]:
    """Exports the first span of the body, and all below it, once the body has ended."""
    first = len(trace.spans)
    try:
        yield
    finally:
        if telemetry is not None and len(trace.spans) > first:
            telemetry.record(trace, trace.spans[first])


def open_telemetry(settings: Settings) -> Telemetry | None:
    """The exporter for the settings; None, with nothing imported, unless `telemetry` is set.

    Raises:
        ConfigError: The packages are not installed.
    """
    if not settings.telemetry:
        return None
    try:
        _set_up()
        return Telemetry(settings)
    except ImportError as error:
        raise ConfigError(
            "Telemetry needs the packages of OpenTelemetry.", "pip install 'mapagent[otel]'"
        ) from error


def _set_up() -> None:
    """Exports by OTLP, unless the process has set up something of its own."""
    from opentelemetry import metrics, trace

    if not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        return
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come before this name.
    resource = Resource({SERVICE_NAME: AGENT}).merge(Resource.create())
    tracers = TracerProvider(resource=resource)
    tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(tracers)
    reader = PeriodicExportingMetricReader(OTLPMetricExporter())
    metrics.set_meter_provider(MeterProvider(metric_readers=(reader,), resource=resource))


def _at_ns(began_ns: int, after_s: float) -> int:
    return began_ns + round(after_s * 1e9)


def _end(told: "OtelSpan", span: Span, began_ns: int) -> None:
    from opentelemetry.trace import Status, StatusCode

    if span.status != "ok":
        told.set_status(Status(StatusCode.ERROR))
    told.end(_at_ns(began_ns, span.start_s if span.end_s is None else span.end_s))


def _as_input(text: Any) -> str:
    return json.dumps([{"role": "user", "parts": [{"type": "text", "content": text}]}], ensure_ascii=False)


def _as_output(text: Any) -> str:
    part = {"type": "text", "content": text}
    return json.dumps([{"role": "assistant", "parts": [part], "finish_reason": "stop"}], ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Kind:
    """How spans of one name are exported.

    Attributes:
        name: Name of the exported span.
        subject: The attribute appended to that name ("chat MODEL").
        fixed: Attributes that all of them have; one with an operation has its name as `OPERATION`.
        told: Exported attributes: the name they are exported under, by their own.
        content: Attributes exported only with content: their exported name, and how the value is written.
    """

    name: str
    subject: str = ""
    fixed: Told = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)
    content: Mapping[str, tuple[str, Callable[[Any], str]]] = field(default_factory=dict)


KINDS: Mapping[str, Kind] = {
    "ask": Kind(
        name="invoke_agent mapagent",
        fixed={OPERATION: "invoke_agent", "gen_ai.agent.name": AGENT},
        told={"status": "mapagent.answer.status", "confidence": "mapagent.answer.confidence"},
        content={
            "question": ("gen_ai.input.messages", _as_input),
            "answer": ("gen_ai.output.messages", _as_output),
        },
    ),
    "plan": Kind(name="plan", told={"planner": "mapagent.planner"}),
    "program": Kind(
        name="program",
        told={"rounds": "mapagent.rounds", "calls": "mapagent.calls"},
        content={"text": ("mapagent.program", str)},
    ),
    "module": Kind(
        name="module",
        subject="module",
        told={"module": "mapagent.module", "request": "mapagent.module.request"},
    ),
    "tool": Kind(
        name="execute_tool",
        subject="tool",
        fixed={OPERATION: "execute_tool", "gen_ai.tool.type": "function"},
        told={
            "tool": "gen_ai.tool.name",
            "facts": "mapagent.facts",
            "requests": "mapagent.requests",
            "cached": "mapagent.requests.cached",
            "retries": "mapagent.retries",
            "cost_usd": "mapagent.cost_usd",
        },
        content={"arguments": ("gen_ai.tool.call.arguments", json_text)},
    ),
    "model": Kind(
        name="chat",
        subject="model",
        fixed={OPERATION: "chat", "gen_ai.provider.name": MODEL_API},
        told={
            "model": "gen_ai.request.model",
            "served_by": "gen_ai.response.model",
            "prompt_tokens": "gen_ai.usage.input_tokens",
            "completion_tokens": "gen_ai.usage.output_tokens",
            "label": "mapagent.call",
            "prompt": "mapagent.prompt",
            "output_mode": "mapagent.output_mode",
            "cached": "mapagent.cached",
            "retries": "mapagent.retries",
            "cost_usd": "mapagent.cost_usd",
        },
    ),
}
"""Which spans are exported, and which of their attributes; of spans of other names see `Attributes`.

Names are those of https://opentelemetry.io/docs/specs/semconv/gen-ai/ where it has one, else begin with
"mapagent.".
"""


class Attributes:
    """Selects the attributes of exported spans.

    Args:
        settings: Whether content is exported, which values are secret, where the model is.
    """

    def __init__(self, settings: Settings) -> None:
        self.server = _server(settings.base_url)
        self._content = settings.telemetry_content
        self._secrets = tuple(
            key.get_secret_value() for name in SECRETS if (key := getattr(settings, name)) is not None
        )

    def of(self, span: Span) -> dict[str, Any]:
        """The attributes of the exported span."""
        kind = KINDS.get(span.name)
        if kind is None:
            return dict(self._unlisted(span.attributes))
        told = dict(kind.fixed)
        told |= {name: span.attributes[key] for key, name in kind.told.items() if _has(span, key)}
        if self._content:
            told |= dict(self._content_of(span, kind))
        if span.name == "model":
            told |= self.server
            told.setdefault("gen_ai.response.model", span.attributes.get("model", ""))
            if _has(span, "finish_reason"):
                told["gen_ai.response.finish_reasons"] = (span.attributes["finish_reason"],)
        if span.status != "ok":
            told["error.type"] = span.status
        return told

    def _content_of(self, span: Span, kind: Kind) -> Iterator[tuple[str, str]]:
        for key, (name, write) in kind.content.items():
            if _has(span, key):
                yield name, redact(write(span.attributes[key]), self._secrets)

    def _unlisted(self, attributes: Told) -> Iterator[tuple[str, Any]]:
        """Attributes of spans that `KINDS` does not list: numbers, and with content also text."""
        for key, value in attributes.items():
            if isinstance(value, bool | int | float):
                yield f"mapagent.{key}", value
            elif self._content and value is not None:
                yield f"mapagent.{key}", redact(str(value), self._secrets)


def _server(base_url: str | None) -> dict[str, Any]:
    """Host and port of the model server, without user, password or path."""
    parts = urlsplit(base_url or "")
    told = {"server.address": parts.hostname, "server.port": parts.port}
    return {name: value for name, value in told.items() if value is not None}


def _has(span: Span, key: str) -> bool:
    return span.attributes.get(key) is not None


TOKEN_BUCKETS = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864)
DURATION_BUCKETS_S = (
    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
)  # fmt: skip
"""Both as https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/ advises."""


class Measures:
    """Counts finished spans.

    Args:
        meter: Makes the instruments.
        server: The attributes that name the model server.
    """

    def __init__(self, meter: "Meter", server: Told) -> None:
        def seconds(name: str, description: str) -> "Histogram":
            return meter.create_histogram(
                name, "s", description, explicit_bucket_boundaries_advisory=DURATION_BUCKETS_S
            )

        self._server = server
        self._model_time = seconds("gen_ai.client.operation.duration", "Duration of calls of a model")
        self._tool_time = seconds("mapagent.tool.duration", "Duration of calls of a map tool")
        self._ask_time = seconds("mapagent.question.duration", "Duration of whole questions")
        self._tokens = meter.create_histogram(
            "gen_ai.client.token.usage",
            "{token}",
            "Tokens read and written",
            explicit_bucket_boundaries_advisory=TOKEN_BUCKETS,
        )
        self._cost = meter.create_counter("mapagent.cost", "{USD}", "Money spent on models and map services")

    def count(self, span: Span) -> None:
        """Adds a span that has ended."""
        took_s = (span.end_s or span.start_s) - span.start_s
        failed = {} if span.status == "ok" else {"error.type": span.status}
        attributes = span.attributes
        if span.name == "ask":
            status = str(attributes.get("status", span.status))
            self._ask_time.record(took_s, {"mapagent.answer.status": status, **failed})
        elif span.name == "tool":
            self._tool_time.record(took_s, {"gen_ai.tool.name": str(attributes["tool"]), **failed})
        elif span.name == "model" and not attributes.get("cached"):
            self._count_model(attributes, took_s, failed)
        if attributes.get("cost_usd"):
            self._cost.add(float(attributes["cost_usd"]))

    def _count_model(self, attributes: Told, took_s: float, failed: Mapping[str, str]) -> None:
        about = {
            OPERATION: "chat",
            "gen_ai.provider.name": MODEL_API,
            "gen_ai.request.model": str(attributes.get("model", "")),
            **self._server,
        }
        self._model_time.record(took_s, {**about, **failed})
        for key, sort in (("prompt_tokens", "input"), ("completion_tokens", "output")):
            if key in attributes:
                self._tokens.record(int(attributes[key]), {**about, "gen_ai.token.type": sort})
