"""Traces as OpenTelemetry spans and metrics, by the conventions for generative AI. Off unless it is set.

A question's trace (`mapagent.runtime.trace`) is told when the question has ended: every span with its own times,
below the span that is current for the caller. What people ask and what maps and models say is content: it is
told only with `telemetry_content`, and without what is known or looks like a secret.

Where the process has set up OpenTelemetry, that is used. Otherwise spans and metrics go out by OTLP over
HTTP, as the variables `OTEL_EXPORTER_OTLP_*` say (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
"""

from mapagent.runtime.telemetry.telling import Telemetry, observed, open_telemetry

__all__ = ["Telemetry", "observed", "open_telemetry"]
