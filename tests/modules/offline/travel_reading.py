"""What a question about ways and trips is read as, slot by slot."""

from typing import Any

from mapagent.question import Question
from modules.offline.parser import parse


def best(text: str, *options: str) -> Any:
    """The intent of the best reading of a question."""
    reading = parse(Question(text=text, options=options))
    assert reading is not None, "not understood"
    return reading.intent


def assert_read(kind: type, slots: dict[str, Any], text: str, *options: str) -> None:
    """The question is read as this kind of intent, with these slots; the others may be anything."""
    intent = best(text, *options)
    assert isinstance(intent, kind)
    assert {key: getattr(intent, key) for key in slots} == slots
