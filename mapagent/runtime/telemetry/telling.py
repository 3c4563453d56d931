"""Tells finished questions to OpenTelemetry: their spans, and below them events."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mapagent.runtime.config import Settings
from mapagent.runtime.telemetry.attributes import Attributes
from mapagent.runtime.telemetry.kinds import AGENT, KINDS, Kind
from mapagent.runtime.telemetry.measures import Measures
from mapagent.runtime.trace import Span, Trace

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import Span as OtelSpan
    from opentelemetry.trace import TracerProvider


class Telemetry:
    """Tells finished questions.

    Args:
        settings: Whether content is told, which values are secret, where the model is.
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
        """Tells a span of a trace and everything below it; all of it has ended."""
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
    """Tells the span that the body begins with, and all below it, once the body has ended."""
    first = len(trace.spans)
    try:
        yield
    finally:
        if telemetry is not None and len(trace.spans) > first:
            telemetry.record(trace, trace.spans[first])


def _at_ns(began_ns: int, after_s: float) -> int:
    return began_ns + round(after_s * 1e9)


def _end(told: "OtelSpan", span: Span, began_ns: int) -> None:
    from opentelemetry.trace import Status, StatusCode

    if span.status != "ok":
        told.set_status(Status(StatusCode.ERROR))
    told.end(_at_ns(began_ns, span.start_s if span.end_s is None else span.end_s))
