"""The trace: span-shaped events for every step, call, token and retry, as JSON lines or a readable tree."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, time_ns
from typing import Any

from mapagent.core.rendering import clean

FORMAT_VERSION = 1


@dataclass
class Span:
    """One thing that took time. Times are seconds since the trace began."""

    id: int
    parent: int | None
    name: str
    attributes: dict[str, Any]
    start_s: float
    end_s: float | None = None
    status: str = "ok"

    def as_json(self) -> dict[str, Any]:
        """The span as one JSON-ready record."""
        return {
            "v": FORMAT_VERSION,
            "id": self.id,
            "parent": self.parent,
            "name": self.name,
            "start_s": round(self.start_s, 6),
            "end_s": None if self.end_s is None else round(self.end_s, 6),
            "status": self.status,
            "attributes": self.attributes,
        }


@dataclass
class Trace:
    """Collects the spans of one question.

    A span's parent is the span it was begun in; tasks inherit it, so steps that run at once nest rightly.

    Attributes:
        began_ns: When it began, in nanoseconds since 1970.
    """

    spans: list[Span] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._origin = monotonic()
        self.began_ns = time_ns()
        self._current: ContextVar[Span | None] = ContextVar("span", default=None)

    @contextmanager
    def span(self, name: str, **attributes: Any) -> Iterator[Span]:
        """Records how long the body takes; an exception marks the span and is re-raised."""
        parent = self._current.get()
        span = Span(
            id=len(self.spans) + 1,
            parent=parent.id if parent else None,
            name=name,
            attributes=attributes,
            start_s=monotonic() - self._origin,
        )
        self.spans.append(span)
        token = self._current.set(span)
        try:
            yield span
        except BaseException as error:
            span.status = type(error).__name__
            raise
        finally:
            self._current.reset(token)
            span.end_s = monotonic() - self._origin

    def event(self, name: str, **attributes: Any) -> None:
        """Records something that takes no time."""
        with self.span(name, **attributes):
            pass

    def write(self, path: Path) -> None:
        """Writes the spans as JSON lines (in ASCII, so that map data cannot control a terminal)."""
        lines = [json.dumps(span.as_json(), default=str) for span in self.spans]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def tree(self) -> str:
        """The spans as an indented tree with durations in milliseconds."""
        children: dict[int | None, list[Span]] = {}
        for span in self.spans:
            children.setdefault(span.parent, []).append(span)
        lines: list[str] = []

        def show(span: Span, depth: int) -> None:
            took = f"{(span.end_s - span.start_s) * 1000:.1f} ms" if span.end_s is not None else "unfinished"
            detail = ", ".join(f"{key}={value}" for key, value in span.attributes.items())
            mark = "" if span.status == "ok" else f" [{span.status}]"
            told = f"{span.name} ({took}){mark}{'  ' + clean(detail) if detail else ''}"
            lines.append(f"{'  ' * depth}{told}")
            for child in children.get(span.id, []):
                show(child, depth + 1)

        for root in children.get(None, []):
            show(root, 0)
        return "\n".join(lines)
