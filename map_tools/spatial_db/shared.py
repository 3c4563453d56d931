"""Database files that are open in this process, each once, whoever asks.

DuckDB keeps one instance of a file for a whole process, and one that is locked down cannot be set up again: a
second opening would fail. So those who open a file share it, and the last to close it closes it.
"""

from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from map_tools.spatial_db.port import DEFAULT_MAX_ROWS, DEFAULT_TIMEOUT_S, QueryResult, Schema


@dataclass(slots=True)
class _Opened:
    database: DuckDBDatabase
    users: int = 0


class OpenFiles:
    """The files that are open, with how many use them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._opened: dict[Path, _Opened] = {}

    def take(self, path: Path) -> DuckDBDatabase:
        """The database of a file; opened if nobody has it open.

        Raises:
            InputFileError: It is missing or no spatial database.
            ConfigError: DuckDB or its spatial extension is missing.
        """
        with self._lock:
            opened = self._opened.get(path)
            if opened is None:
                opened = self._opened[path] = _Opened(DuckDBDatabase.open(path))
            opened.users += 1
            return opened.database

    def let_go(self, path: Path) -> None:
        """One user less; the last one closes the file."""
        with self._lock:
            opened = self._opened[path]
            opened.users -= 1
            if not opened.users:
                del self._opened[path]
                opened.database.close()


FILES: Final = OpenFiles()
"""Those of this process: there is one, as there is one DuckDB."""


class SharedDatabase:
    """A file's database, shared with whoever else has it open (`SpatialDatabase`).

    Args:
        path: The file.
        files: The files that are open.

    Raises:
        InputFileError: It is missing or no spatial database.
        ConfigError: DuckDB or its spatial extension is missing.
    """

    def __init__(self, path: Path, files: OpenFiles = FILES) -> None:
        self._path = path.resolve()
        self._files = files
        self._database: DuckDBDatabase | None = files.take(self._path)

    @property
    def name(self) -> str:
        """The engine's name."""
        return DuckDBDatabase.name

    def schema(self) -> Schema:
        """The tables; see `SpatialDatabase.schema`."""
        return self._opened().schema()

    async def query(
        self, sql: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, max_rows: int = DEFAULT_MAX_ROWS
    ) -> QueryResult:
        """The first rows of one SELECT statement; see `SpatialDatabase.query`."""
        return await self._opened().query(sql, timeout_s=timeout_s, max_rows=max_rows)

    def close(self) -> None:
        """Lets the file go; closing twice does nothing."""
        if self._database is not None:
            self._database = None
            self._files.let_go(self._path)

    def _opened(self) -> DuckDBDatabase:
        if self._database is None:
            raise RuntimeError(f"the database {self._path.name} was closed")
        return self._database
