"""A tool's result as records and as single values, whatever its shape."""

from collections.abc import Iterator
from typing import Any

type Leaf = str | float | int | bool


def records(result: Any) -> Iterator[dict[str, Any]]:
    """The records in a result: rows under their columns, and objects."""
    if isinstance(result, dict):
        columns, rows = result.get("columns"), result.get("rows")
        if isinstance(columns, list) and isinstance(rows, list):
            yield from (dict(zip(map(str, columns), row, strict=False)) for row in rows)
        yield result
        for inner in result.values():
            yield from records(inner)
    elif isinstance(result, list):
        for inner in result:
            yield from records(inner)


def leaves(result: Any, name: str = "") -> Iterator[tuple[str, Leaf]]:
    """All single values with the name of their field; values of rows with that of their column."""
    if isinstance(result, dict):
        columns, rows = result.get("columns"), result.get("rows")
        if isinstance(columns, list) and isinstance(rows, list):
            for row in rows:
                for column, value in zip(columns, row, strict=False):
                    yield from leaves(value, str(column))
            result = {key: value for key, value in result.items() if key not in {"columns", "rows"}}
        for key, value in result.items():
            yield from leaves(value, key)
    elif isinstance(result, list):
        for inner in result:
            yield from leaves(inner, name)
    elif isinstance(result, str | float | int):
        yield name, result
