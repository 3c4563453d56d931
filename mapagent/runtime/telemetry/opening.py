"""Opens telemetry as the settings ask for it."""

from map_tools.errors import ConfigError
from mapagent.runtime.config import Settings
from mapagent.runtime.telemetry.kinds import AGENT
from mapagent.runtime.telemetry.telling import Telemetry


def open_telemetry(settings: Settings) -> Telemetry | None:
    """What the settings ask for: None, with nothing imported, unless `telemetry` is set.

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
