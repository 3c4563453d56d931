"""Replies spoilt on purpose: pure functions from JSON to what a faulty server makes of it."""

import json
import random
from typing import Any

MISSING_SHARE = 0.2
"""Share of the fields that go missing."""


def emptied(value: Any) -> Any:
    """The value with every list at its top emptied (the value itself, if it is a list)."""
    if isinstance(value, list):
        return []
    if isinstance(value, dict):
        return {name: [] if isinstance(item, list) else item for name, item in value.items()}
    return value


def thinned(value: Any, dice: random.Random) -> Any:
    """The value without some of its fields, at any depth."""
    if isinstance(value, list):
        return [thinned(item, dice) for item in value]
    if isinstance(value, dict):
        return {name: thinned(item, dice) for name, item in value.items() if dice.random() >= MISSING_SHARE}
    return value


def doubled(value: Any) -> str:
    """JSON text in which each number and each text stands twice, the second time with another value."""
    if isinstance(value, list):
        return f"[{', '.join(map(doubled, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(_fields(value))}}}"
    return json.dumps(value, ensure_ascii=False)


def _fields(value: dict[str, Any]) -> list[str]:
    fields = []
    for name, item in value.items():
        fields.append(f"{json.dumps(name)}: {doubled(item)}")
        if isinstance(item, str | int | float):
            fields.append(f"{json.dumps(name)}: {json.dumps(_other(item), ensure_ascii=False)}")
    return fields


def _other(item: str | float) -> str | float | bool:
    """Another value of the same type."""
    if isinstance(item, bool):
        return not item
    return item[::-1] + "?" if isinstance(item, str) else item * 2 + 1
