"""A spatial database that writes each query into the question's trace: what ran, what came of it."""

from map_tools.errors import QueryError, QueryRefusedError
from map_tools.spatial_db.port import (
    DEFAULT_MAX_ROWS,
    DEFAULT_TIMEOUT_S,
    QueryResult,
    Schema,
    SpatialDatabase,
)
from mapagent.runtime.trace import Trace

SPAN = "sql"
"""Name of the spans; attributes: `sql`, `rows`, `error` (its code, empty if there was none), `message`."""


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
