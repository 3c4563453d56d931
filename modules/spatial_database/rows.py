"""Rows of a query in lines, as a model reads them."""

from collections.abc import Iterator

from map_tools.spatial_db.port import QueryResult, Value

NO_ROWS = "The query ran and found no rows."
MORE = "(there are more rows)"


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
