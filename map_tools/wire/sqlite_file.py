"""A SQLite file that may be lost without harm: set aside when damaged, done without if need be."""

import logging
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from map_tools.files import FILE_MODE, private_folder

DAMAGED_SUFFIX = ".damaged"

_BUSY_WAIT_S = 5.0
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

_log = logging.getLogger(__name__)


class ExpendableFile:
    """A database file that nothing but speed depends on.

    Each piece of work is one transaction, so a killed process leaves the file whole; other processes and
    other threads may use it at once.

    Args:
        path: The file; made by the first piece of work that writes.
        schema: `CREATE TABLE IF NOT EXISTS` statements.
    """

    def __init__(self, path: Path, schema: str) -> None:
        self.path = path
        self._schema = schema
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._inode = 0

    def read[T](self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """What `work` returns; None if there is no file or none that can be used."""
        with self._lock:
            return self._run(work) if self._connection is not None or self.path.exists() else None

    def write[T](self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """What `work` returns; None if the file cannot be used."""
        with self._lock:
            return self._run(work)

    def close(self) -> None:
        """Closes the file; it is opened again when needed."""
        with self._lock:
            self._disconnect()

    def _run[T](self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        for _ in range(2):
            try:
                with self._connect() as transaction:
                    return work(transaction)
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
                    _log.warning("The cache %s cannot be used now: %s", self.path, error)
                    self._disconnect()  # it may have failed before its tables were made
                    return None
                self._set_aside(error)
            except UnicodeDecodeError as error:  # SQLite repeats the damaged bytes where it tells of them
                self._set_aside(error)
            except OSError as error:
                _log.warning("The cache %s cannot be used: %s", self.path, error.strerror)
                return None
        return None

    def _connect(self) -> sqlite3.Connection:
        if self._connection is None:
            private_folder(self.path.parent)
            self.path.touch(mode=FILE_MODE)
            self._inode = self.path.stat().st_ino
            self._connection = sqlite3.connect(self.path, timeout=_BUSY_WAIT_S, check_same_thread=False)
            self._connection.executescript(self._schema)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _set_aside(self, error: sqlite3.DatabaseError | UnicodeDecodeError) -> None:
        """Renames the damaged file, unless another process did so already and there is a new one."""
        self._disconnect()
        with suppress(OSError):
            if self.path.stat().st_ino == self._inode:
                aside = self.path.with_name(self.path.name + DAMAGED_SUFFIX)
                self.path.replace(aside)
                self.path.with_name(f"{self.path.name}-journal").unlink(missing_ok=True)
                _log.warning("The cache %s is damaged (%s) and was set aside as %s.", self.path, error, aside)
