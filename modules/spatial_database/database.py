"""Which SQL database is asked and how long, how its queries get into the trace, and SQL as models write and read it.

The settings are `[modules.spatial_database.sql]` of a configuration file. A model's reply holds a query fenced, after
a sentence, or alone; it is shown rows in lines.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Protocol, runtime_checkable

from pydantic import Field, SecretStr

from map_tools.errors import QueryError, QueryRefusedError, UnsupportedError
from map_tools.providers.base import HasBuild, Provider
from map_tools.spatial_db.port import (
    DEFAULT_MAX_ROWS,
    DEFAULT_TIMEOUT_S,
    QueryResult,
    Schema,
    SpatialDatabase,
    Value,
)
from map_tools.types import Frozen
from mapagent.runtime.config import Settings, read_section
from mapagent.runtime.trace import Trace

_FENCED = re.compile(r"```(?:\w*\n)?(.*?)(?:```|\Z)", re.DOTALL)
_BEGINNING = re.compile(r"\b(?:SELECT|WITH)\b", re.IGNORECASE)

NO_ROWS = "The query ran and found no rows."
MORE = "(there are more rows)"


def read_sql(reply: str) -> str:
    """The last query of a reply; empty if it holds none."""
    return next(reversed(queries_in(reply)), "")


def queries_in(reply: str) -> tuple[str, ...]:
    """All queries of a reply, in their order: one for each fenced block, or the only one outside of any."""
    fenced = tuple(block.strip() for block in _FENCED.findall(reply) if _BEGINNING.search(block) is not None)
    if fenced:
        return fenced
    begin = _BEGINNING.search(reply)
    if begin is None:
        return ()
    return (reply[begin.start() :].partition(";")[0].strip(),)


def row_lines(result: QueryResult) -> Iterator[str]:
    """A header and the numbered rows; what the reader should know stands last."""
    if not result.rows:
        yield NO_ROWS
        return
    yield " | ".join(result.columns)
    for number, row in enumerate(result.rows, start=1):
        yield f"{number}. " + " | ".join(map(_shown, row))
    if result.truncated:
        yield MORE
    yield from (f"Note: {note}" for note in result.notes)


def _shown(value: Value) -> str:
    """Numbers to six figures: more than any map is exact to, and each digit is a token."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


MODULE, SECTION = "spatial_database", "sql"
CACHE_FOLDER = "sql"
"""Where, below the data home, embedded databases are kept."""

SPAN = "sql"
"""Name of the spans; attributes: `sql`, `rows`, `error` (its code, empty if there was none), `message`."""


@runtime_checkable
class HasSource(Protocol):
    """A provider whose map was made of a folder of GeoParquet files."""

    source: Path


class SqlSetting(Frozen):
    """What can be set.

    Attributes:
        dsn: Address of a PostgreSQL server with PostGIS that holds the tables; None for an embedded database
            made of the map.
        timeout_s: Longest time of a query: 60 s in GS-QA (section 5.1), 120 s in Geo-ReAct (section 5.1).
        max_rows: Rows of a result that are looked at: 20 in GS-QA.
    """

    dsn: SecretStr | None = None
    timeout_s: Annotated[float, Field(gt=0)] = DEFAULT_TIMEOUT_S
    max_rows: Annotated[int, Field(ge=1, le=1000)] = DEFAULT_MAX_ROWS

    @classmethod
    def of(cls, settings: Settings) -> "SqlSetting":
        """What the settings say.

        Raises:
            ConfigError: A value is unknown or wrong.
        """
        return read_section(cls, settings, MODULE, SECTION, see="docs/rivals.md")


def open_database(settings: Settings, source: Path) -> SpatialDatabase:
    """The database on the server that is set; else the embedded one, built if need be.

    Args:
        settings: The settings.
        source: A map's folder or a folder of GeoParquet files; of no account where a server is set.

    Raises:
        ConfigError: The server cannot be reached, or DuckDB is missing.
        InputFileError: The source cannot be read.
        MapStoreError: The map is damaged.
    """
    dsn = SqlSetting.of(settings).dsn
    if dsn is not None:
        from map_tools.spatial_db.postgis_db import PostgisDatabase

        return PostgisDatabase.open(dsn.get_secret_value())
    from map_tools.spatial_db.duckdb_db import open_kept

    return open_kept(source, settings.data_home / CACHE_FOLDER)


def source_of(provider: Provider) -> Path:
    """What the SQL database of a provider's map is made of.

    Raises:
        UnsupportedError: The provider has no map of its own.
    """
    if isinstance(provider, HasSource):
        return provider.source
    if isinstance(provider, HasBuild):
        return provider.build
    raise UnsupportedError(
        f"The provider '{provider.name}' has no map that could be asked in SQL.",
        "Ask with --provider osm and a map.",
    )


class TracedDatabase:
    """Asks another database (`SpatialDatabase`); one for each question.

    Args:
        inner: Who is asked; it belongs to the caller and is never closed here.
        trace: What the spans are written to.
    """

    def __init__(self, inner: SpatialDatabase, trace: Trace) -> None:
        self._inner = inner
        self._trace = trace

    @property
    def name(self) -> str:
        """The inner engine's name."""
        return self._inner.name

    def schema(self) -> Schema:
        """The inner database's tables."""
        return self._inner.schema()

    async def query(
        self, sql: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, max_rows: int = DEFAULT_MAX_ROWS
    ) -> QueryResult:
        """The first rows of one SELECT statement; see `SpatialDatabase.query`."""
        with self._trace.span(SPAN, sql=sql, rows=0, error="", message="") as span:
            try:
                result = await self._inner.query(sql, timeout_s=timeout_s, max_rows=max_rows)
            except (QueryRefusedError, QueryError) as error:
                span.attributes |= {"error": error.code, "message": error.message}
                raise
            span.attributes["rows"] = len(result.rows)
        return result

    def close(self) -> None:
        """Leaves the inner database open."""
