"""Metrics of finished spans: how long asking, tools and models took, tokens, money."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mapagent.runtime.telemetry.kinds import MODEL_API, OPERATION, Told
from mapagent.runtime.trace import Span

if TYPE_CHECKING:
    from opentelemetry.metrics import Histogram, Meter

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
