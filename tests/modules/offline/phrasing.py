"""Checks a phrasing against the intent a reader would write down for it."""

from typing import Any

from mapagent.ports import NameHints
from mapagent.question import Question
from modules.offline.parser import parse_all

Case = tuple[str, str, dict[str, Any]]
"""A question, the kind of its intent, and the slots that matter. A dotted slot looks inside ("filters.open_at.weekday")."""


def check(case: Case, options: tuple[str, ...] = (), names: NameHints | None = None) -> None:
    """Asserts that a question is read as the case says."""
    text, kind, slots = case
    parsed = parse_all(Question(text=text, options=options), names)
    assert parsed.best is not None, (
        f"not understood: {text} ({[(r.intent.kind, r.score) for r in parsed.readings]})"
    )
    intent = parsed.best.intent
    assert intent.kind == kind, f"{text}: {intent}"
    dumped = intent.model_dump(mode="json")
    for path, wanted in slots.items():
        value: Any = dumped
        for key in path.split("."):
            value = value[key] if value is not None else None
        if isinstance(wanted, (tuple, list)):
            wanted, value = list(wanted), list(value)
        assert value == wanted, f"{text}: {path} is {value!r}, not {wanted!r}"
