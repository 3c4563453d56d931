"""InspectSchema: what the columns of a table hold."""

from typing import ClassVar

import numpy as np
from pydantic import Field

from map_tools.errors import UnsupportedError
from map_tools.spatial_db.describe import ColumnStatistics
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.spatial_db.memory.table import FeatureTable
from modules.spatial_database.tools.base import Arguments, Concept, Result, Role, SpatialTool

COMMON = 8
"""Commonest values shown of each column."""


class SchemaArguments(Arguments):
    """What is to be looked at; no columns: all of the table."""

    table: str = Field(min_length=1)
    columns: tuple[str, ...] = ()


class SchemaResult(Result):
    """A table's rows and columns; columns without any value are only named."""

    table: str
    rows: int
    columns: tuple[ColumnStatistics, ...]
    empty: tuple[str, ...] = ()


class InspectSchema(SpatialTool[SchemaArguments, SchemaResult]):
    """Shows statistics of columns (Geo-ReAct, section 4.1.1).

    Args:
        engine: The data.
    """

    name: ClassVar[str] = "InspectSchema"
    description: ClassVar[str] = (
        "Tells what the columns of a table hold: null share, distinct count, common values."
    )
    role: ClassVar[Role] = Role.GROUNDING
    concepts: ClassVar[tuple[Concept, ...]] = (Concept.ACCURACY, Concept.GRANULARITY, Concept.MEANING)
    arguments: ClassVar[type[Arguments]] = SchemaArguments

    def __init__(self, engine: MemoryEngine) -> None:
        self._engine = engine

    async def run(self, arguments: SchemaArguments) -> SchemaResult:
        """Looks at the columns.

        Raises:
            UnsupportedError: There is no such table or column.
        """
        table = self._engine.tables.get(arguments.table)
        if table is None:
            known = ", ".join(self._engine.tables)
            raise UnsupportedError(f"There is no table '{arguments.table}'.", f"Tables: {known}.")
        names = arguments.columns or tuple(table.columns)
        unknown = [name for name in names if name not in table.columns]
        if unknown:
            known = ", ".join(table.columns)
            raise UnsupportedError(
                f"The table '{table.name}' has no column '{unknown[0]}'.", f"Columns: {known}."
            )
        found = [_statistics(table, name) for name in names]
        return SchemaResult(
            table=table.name,
            rows=len(table),
            columns=tuple(one for one in found if one.distinct),
            empty=tuple(one.name for one in found if not one.distinct),
        )


def _statistics(table: FeatureTable, name: str) -> ColumnStatistics:
    column = table.columns[name]
    counts = column.counts
    filled = int(counts.sum())
    best = np.argsort(-counts, kind="stable")[:COMMON]
    return ColumnStatistics(
        name=name,
        type="text",
        null_share=round(1 - filled / len(table), 4) if len(table) else 1.0,
        distinct=len(column.values),
        common=tuple(column.values[int(code)] for code in best),
    )
