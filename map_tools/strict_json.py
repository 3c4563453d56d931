"""JSON of servers, read strictly: an object that says two things under one name says nothing."""

import json
from collections.abc import Sequence
from typing import Any


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text.

    Names of an object should be unique, and what becomes of those that are not differs from reader to reader
    (RFC 8259, section 4). A name that is repeated with the same value does no harm; with another value,
    nobody knows which one is meant.

    Raises:
        ValueError: It is no JSON, or an object holds two values under one name.
        RecursionError: It is nested too deeply.
    """
    return json.loads(text, object_pairs_hook=_unique)


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        for name, item in pairs:
            if value[name] != item:
                raise ValueError(f"'{name}' stands twice, with different values")
    return value
