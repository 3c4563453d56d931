"""Parquet tables through DuckDB: questions are read row by row, answers are written in the order of their questions.

DuckDB reads a table as a stream, in blocks, and sorts on disk, so memory does not grow with the number of rows
(https://duckdb.org/docs/stable/guides/performance/how_to_tune_workloads#larger-than-memory-workloads-out-of-core-processing).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from map_tools.errors import ConfigError, InputFileError
from map_tools.spatial_db.duckdb_engine import sql_text

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
from argparse import ArgumentTypeError
from collections.abc import Callable
from dataclasses import dataclass

from map_tools.errors import UsageError
from mapagent.core.question import Question
from mapagent.interfaces.cli.command import moment, position

BLOCK_ROWS = 256
"""Rows read at once."""
QUESTION = "question"
_TEXT = ("VARCHAR",)
COLUMNS = {
    QUESTION: _TEXT,
    "options": ("VARCHAR[]",),
    "context": _TEXT,
    "image": _TEXT,
    "near": _TEXT,
    "at": (
        *_TEXT,
        "TIMESTAMP",
        "TIMESTAMP_S",
        "TIMESTAMP_MS",
        "TIMESTAMP_NS",
        "TIMESTAMP WITH TIME ZONE",
    ),
}
"""The columns that are read, with the types each may have; moments that know their zone are read in UTC."""
_ALL_NULL = ("INTEGER", "INTEGER[]")
"""What DuckDB writes for a column, or a list, that holds nothing but NULL."""
_SETTINGS = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": "512MB",
    "threads": "1",
}
_LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of one answer with its evidence."""


class InputTable:
    """A Parquet file of rows, known by their place in it.

    Args:
        path: The file.

    Attributes:
        columns: Its columns with DuckDB's names of their types ("VARCHAR", "VARCHAR[]", "DOUBLE").
        rows: How many rows it has.

    Raises:
        ConfigError: DuckDB is not installed.
        InputFileError: The file is missing or no Parquet file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():  # DuckDB would take a pattern or an address as well
            raise self._unreadable("there is no such file")
        with _connected() as connection, self._reading():
            described = connection.execute("DESCRIBE SELECT * FROM read_parquet(?)", [str(path)]).fetchall()
            counted = connection.execute("SELECT count(*) FROM read_parquet(?)", [str(path)]).fetchone()
        self.columns: Mapping[str, str] = {name: kind for name, kind, *_ in described}
        self.rows: int = counted[0] if counted else 0

    def read(self, columns: Mapping[str, str]) -> Iterator[tuple[Any, ...]]:
        """The rows from the first to the last: number (from 0), then these columns as these types.

        Raises:
            InputFileError: The file is damaged further on.
        """
        wanted = ", ".join(f"CAST({_name(column)} AS {kind})" for column, kind in columns.items())
        query = f"SELECT file_row_number, {wanted} FROM read_parquet(?, file_row_number = true)"  # noqa: S608
        with _connected() as connection, self._reading():
            result = connection.execute(query, [str(self.path)])
            while block := result.fetchmany(BLOCK_ROWS):
                yield from block

    @contextmanager
    def _reading(self) -> Iterator[None]:
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            raise self._unreadable(str(error).partition("\n")[0]) from error

    def _unreadable(self, why: str) -> InputFileError:
        return InputFileError(
            f"The table {self.path} cannot be read: {why}.", "Give a Parquet file, a row a question."
        )


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it stands in the table; None where it says nothing.

    Attributes:
        number: Its place in the table, from 0.
        near: "LAT,LON" in degrees.
        at: A moment in ISO 8601.
        image: Path of a picture, from the folder of the table if it is relative.
    """

    number: int
    question: str | None
    options: list[str | None] | None = None
    context: str | None = None
    image: str | None = None
    near: str | None = None
    at: str | None = None


def read_rows(table: InputTable) -> Iterator[Row]:
    """The rows of a table in its order.

    Raises:
        InputFileError: The table is damaged.
    """
    present = {name: "VARCHAR[]" if name == "options" else "VARCHAR" for name in _present(table)}
    for number, *values in table.read(present):
        yield Row(number, **dict(zip(present, values, strict=True)))


def check_columns(table: InputTable) -> None:
    """Finds out before anything is asked whether the columns can be read.

    Raises:
        InputFileError: There is no column `question`, or a column has another type.
    """
    if QUESTION not in table.columns:
        raise InputFileError(
            f"The table {table.path} has no column '{QUESTION}'.",
            f"It has {', '.join(table.columns)}; rename the one with the questions.",
        )
    for name in _present(table):
        kind, allowed = table.columns[name], COLUMNS[name]
        if kind not in allowed and kind not in _ALL_NULL:
            raise InputFileError(
                f"The column '{name}' of {table.path} is of the type {kind}.",
                f"It should be {' or '.join(allowed)}.",
            )


def question_of(row: Row, folder: Path) -> Question:
    """The question of a row.

    Args:
        row: The row.
        folder: Where relative paths of pictures begin.

    Raises:
        UsageError: Something in the row is not what it should be; says what.
    """
    return Question(
        text=row.question or "",
        options=tuple(option or "" for option in row.options or ()),
        context=_said(row.context),
        image=_as(folder.joinpath, "image", row.image),
        near=_as(position, "near", row.near),
        at=_as(moment, "at", row.at),
    )


def _present(table: InputTable) -> list[str]:
    return [name for name in COLUMNS if name in table.columns]


def _said(text: str | None) -> str | None:
    """The text of an optional column; blank counts as nothing."""
    return text if text and not text.isspace() else None


def _as[T](read: Callable[[str], T], column: str, text: str | None) -> T | None:
    """The value of an optional column, read as the command line reads it."""
    said = _said(text)
    try:
        return read(said) if said is not None else None
    except ArgumentTypeError as error:
        raise UsageError(f"{column}: {error}.") from error


def write_answers(
    source: InputTable, lines: Path, columns: Mapping[str, str], out: Path, *, scratch: Path
) -> dict[str, int]:
    """Writes a Parquet file with one row for each row of `source`, in its order.

    Args:
        source: Its column `id` is taken over as it is; without one, the number of the row is the id.
        lines: JSON lines with `row`, the number of a row, and the columns.
        columns: The columns of the answers with their types.
        out: The file.
        scratch: A folder for what does not fit into memory.

    Returns:
        How many rows there are of each `status`.

    Raises:
        duckdb.Error: It cannot be written.
    """
    identity = "id" if "id" in source.columns else "file_row_number AS id"
    structure = ", ".join(
        f"{sql_text(name)}: {sql_text(kind)}" for name, kind in {"row": "BIGINT", **columns}.items()
    )
    chosen = ", ".join(f"answers.{_name(name)}" for name in columns)
    query = f"""
        COPY (
            SELECT asked.id, {chosen}
            FROM (SELECT {identity}, file_row_number FROM read_parquet($1, file_row_number = true)) asked
            JOIN read_json($2, format = 'newline_delimited', columns = {{{structure}}},
                           maximum_object_size = {_LONGEST_LINE}) answers
              ON answers.row = asked.file_row_number
            ORDER BY answers.row
        ) TO {sql_text(str(out))} (FORMAT parquet)
    """  # noqa: S608
    with _connected() as connection:
        connection.execute(f"SET temp_directory = {sql_text(str(scratch))}")
        connection.execute(query, [str(source.path), str(lines)])
        counts = connection.execute("SELECT status, count(*) FROM read_parquet(?) GROUP BY 1", [str(out)])
        return dict(counts.fetchall())


@contextmanager
def _connected() -> Iterator["DuckDBPyConnection"]:
    try:
        import duckdb
    except ImportError as error:
        raise ConfigError("Tables are read by DuckDB.", "pip install 'mapagent[sql]'") from error
    with duckdb.connect(config=dict(_SETTINGS)) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        yield connection


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'
