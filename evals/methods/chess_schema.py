"""CHESS's schema selector: the tables and columns that a question needs, as the model chooses them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evals.methods.parsing import json_objects
from evals.methods.records import name_column
from evals.methods.value_index import ValueMatch
from map_tools.spatial_db.port import Schema, Table

type Selection = Mapping[str, frozenset[str]]
"""The chosen columns of each chosen table."""


def selected(reply: str, schema: Schema, always: Iterable[str]) -> Selection:
    """What a reply such as `{"pois": ["amenity"]}` chooses, as far as it exists.

    Ids, names and geometries are never left out, nor are the columns of `always` ("table.column") in chosen
    tables. A reply that chooses no table at all leaves the schema whole.
    """
    chosen: dict[str, frozenset[str]] = {}
    found: dict[str, Any] = next(iter(json_objects(reply)), {})
    kept = frozenset(always)
    for table in schema.tables:
        listed = found.get(table.name)
        if isinstance(listed, list):
            wanted = {str(column) for column in listed}
            chosen[table.name] = frozenset(
                column.name
                for column in table.columns
                if column.name in wanted or f"{table.name}.{column.name}" in kept
            ) | frozenset(_needed(table))
    return chosen or {table.name: frozenset(one.name for one in table.columns) for table in schema.tables}


def selection_text(selection: Selection, schema: Schema, matches: Iterable[ValueMatch]) -> str:
    """The chosen part of the schema, with the values that words of the question may mean."""
    lines = [
        f"Table {table.name}: {', '.join(_typed(table, selection[table.name]))}"
        for table in schema.tables
        if table.name in selection
    ]
    lines += [
        f"  {match.column} has the value {match.value!r}"
        for match in matches
        if match.column.partition(".")[0] in selection
    ]
    return "\n".join(lines)


def _needed(table: Table) -> Iterator[str]:
    yield from (name for name in ("id", name_column(table), table.geometry) if name and table.column(name))


def _typed(table: Table, names: frozenset[str]) -> Iterator[str]:
    for column in table.columns:
        if column.name in names:
            yield column.name if column.type == "text" else f"{column.name} ({column.type})"
