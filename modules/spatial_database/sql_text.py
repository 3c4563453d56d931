"""SQL as a model writes and reads it: queries in its replies (fenced, after a sentence, or alone), rows in lines."""

import re
from collections.abc import Iterator

from map_tools.spatial_db.port import QueryResult, Value

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
