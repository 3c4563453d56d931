"""Tables for tests, and what came of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

Rows = list[dict[str, Any]]


def write(path: Path, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> Path:
    """A Parquet file with these columns (name to type in SQL)."""
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        named = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
        connection.execute(f"CREATE TABLE rows ({named})")
        if rows:
            marks = ", ".join("?" for _ in columns)
            connection.executemany(f"INSERT INTO rows VALUES ({marks})", [list(row) for row in rows])
        connection.execute(f"COPY rows TO '{path}' (FORMAT parquet)")
    return path


def read(path: Path) -> Rows:
    """The rows of a Parquet file in its order."""
    with duckdb.connect() as connection:
        result = connection.execute("SELECT * FROM read_parquet(?)", [str(path)])
        names = [column[0] for column in result.description or ()]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def timeless(rows: Rows) -> Rows:
    """The rows without what differs from run to run: the time they took."""
    return [row | {"usage": row["usage"] | {"latency_s": None}} for row in rows]
