"""Parquet tables through DuckDB: rows are read in blocks, and a table is written in the order of another.

DuckDB reads a table as a stream and sorts on disk, so memory does not grow with the number of rows
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

BLOCK_ROWS = 256
"""Rows read at once."""
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
