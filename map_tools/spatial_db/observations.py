"""An engine's error as an observation: what is wrong, and the nearest thing that would be right."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from map_tools.errors import QueryError
from map_tools.spatial_db.port import Schema

_CLOSE = 0.5
_MOST = 4
_LONGEST = 300
"""Characters of an engine's own words in an observation."""


def nearest_columns(name: str, schema: Schema) -> tuple[str, ...]:
    """Columns named like this one, as "table.column", the nearest first."""
    bare = name.rpartition(".")[2].strip('"').lower()
    by_name: dict[str, list[str]] = {}
    for table in schema.tables:
        for column in table.columns:
            by_name.setdefault(column.name, []).append(f"{table.name}.{column.name}")
    close = get_close_matches(bare, by_name, _MOST, _CLOSE)
    inner = [column for column in by_name if bare in column.split("_") and column not in close]
    return tuple(full for column in (*inner, *close) for full in by_name[column])[:_MOST]


def nearest_tables(name: str, schema: Schema) -> tuple[str, ...]:
    """Tables named like this one, or all of them if none is."""
    names = [table.name for table in schema.tables]
    return tuple(get_close_matches(name.lower(), names, _MOST, _CLOSE)) or tuple(names)


def listing(items: Iterable[str]) -> str:
    """Items in one phrase: `a, b or c`."""
    *most, last = list(items)
    return f"{', '.join(most)} or {last}" if most else last


@dataclass(frozen=True, slots=True)
class _Reading:
    """How a kind of error message is understood: its pattern, and what is said of what that catches."""

    pattern: re.Pattern[str]
    says: Callable[[str, Schema], tuple[str, str]]


def unknown_column(name: str, schema: Schema) -> tuple[str, str]:
    """What to say of a column that is none, and what to write instead."""
    near = nearest_columns(name, schema)
    hint = f"Did you mean {listing(near)}?" if near else "Look the columns up in the schema."
    return f"There is no column {name} here.", hint


def _ambiguous(name: str, schema: Schema) -> tuple[str, str]:  # noqa: ARG001
    return f"The column {name} is in more than one of the tables.", "Write its table before it: table.column."


def _ungrouped(name: str, schema: Schema) -> tuple[str, str]:  # noqa: ARG001
    return f"The column {name} is neither grouped nor aggregated.", "Add it to GROUP BY or aggregate it."


def _bad_geometry(name: str, schema: Schema) -> tuple[str, str]:  # noqa: ARG001
    return (
        f"A text is not a valid geometry: {name}",
        "Write well-known text with longitude first, for example 'POINT(-73.98 40.75)'.",
    )


def _memory(name: str, schema: Schema) -> tuple[str, str]:  # noqa: ARG001
    return "The query needs more memory than it may have.", "Filter before joining, sorting or collecting."


def _types(name: str, schema: Schema) -> tuple[str, str]:  # noqa: ARG001
    return f"The types do not fit: {name}", "Add a cast, for example ::numeric, ::text or ::geography."


_READINGS = tuple(
    _Reading(re.compile(pattern, re.IGNORECASE), says)
    for pattern, says in (
        (r'Referenced column "([^"]+)" not found', unknown_column),
        (r'column "?([\w.]+)"? does not exist', unknown_column),
        (r'does not have a column named "([^"]+)"', unknown_column),
        (r'Ambiguous reference to column name "([^"]+)"', _ambiguous),
        (r'column reference "([^"]+)" is ambiguous', _ambiguous),
        (r'column "([^"]+)" must appear in the GROUP BY', _ungrouped),
        (r"(parse error - invalid geometry)", _bad_geometry),
        (
            r"(?:WKT|geometry).*?((?:Expected|Unexpected|invalid|unknown type|Unknown geometry)[^\n]*)",
            _bad_geometry,
        ),
        (
            r"(out of memory|OutOfMemory|failed to allocate|No space left|temporary file size exceeds)",
            _memory,
        ),
        (r"((?:function|operator) \S.*? (?:does not exist|is not unique))", _types),
        (r"(No function matches the given name and argument types '[^']*')", _types),
        (r"(Could not convert[^\n]*|invalid input syntax[^\n]*|Cannot compare[^\n]*)", _types),
    )
)


def query_error(message: str, schema: Schema) -> QueryError:
    """The observation for an engine's message."""
    for reading in _READINGS:
        if match := reading.pattern.search(message):
            return QueryError(*reading.says(match[1], schema))
    first = " ".join(message.split("\n\n", maxsplit=1)[0].split())[:_LONGEST]
    return QueryError(f"The database says: {first}.", "Change the query.")
