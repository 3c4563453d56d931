"""What is told of a span: listed attributes under their names; content only where wished, and redacted."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from map_tools.wire.redact import redact
from mapagent.runtime.config import SECRETS, Settings
from mapagent.runtime.telemetry.kinds import KINDS, Kind, Told
from mapagent.runtime.trace import Span


class Attributes:
    """Chooses what is told of spans.

    Args:
        settings: Whether content is told, which values are secret, where the model is.
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
        """Of things without a list: numbers, and with content also words."""
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
