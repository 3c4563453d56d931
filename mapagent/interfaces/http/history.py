"""What was asked: questions, answers and traces in one SQLite file that survives a restart.

Several worker processes share the file (write-ahead log, https://www.sqlite.org/wal.html). Counters for
`/api/metrics` lie in it too, so that they count all workers and outlive the questions themselves.
"""

import asyncio
import json
import secrets
import sqlite3
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from map_tools.errors import MapStoreError
from map_tools.files import FILE_MODE, private_folder
from map_tools.validation import json_text
from mapagent.interfaces.http.schemas import HistoryItem

FILE = "history.sqlite"
ID_BYTES = 8
PAGE = 50
BUSY_S = 10.0
PRUNE_EVERY = 20
"""Old questions are removed when so many new ones have come, not at each one."""
ANSWER_EXCERPT = 300

_TABLES = """
CREATE TABLE IF NOT EXISTS asks (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL,
    question TEXT NOT NULL, status TEXT NOT NULL, answer TEXT NOT NULL, model TEXT NOT NULL,
    provider TEXT NOT NULL, map TEXT, kept INTEGER NOT NULL, content BLOB, trace BLOB
);
CREATE TABLE IF NOT EXISTS private (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value REAL NOT NULL);
"""
_ADD = """
INSERT INTO asks (id, at, question, status, answer, model, provider, map, kept, content, trace)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_COUNT = """
INSERT INTO counters VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value
"""
_LIST = """
SELECT id, at, question, status, answer, model, provider, map, kept FROM {told}
WHERE number < coalesce((SELECT number FROM asks WHERE id = ?), 9e18) ORDER BY number DESC LIMIT ?
"""
_PRUNE = """
DELETE FROM asks WHERE number <= (SELECT number FROM asks ORDER BY number DESC LIMIT 1 OFFSET ?)
"""
_PRUNE_PRIVATE = "DELETE FROM private WHERE id NOT IN (SELECT id FROM asks)"
_FORGET = """
DELETE FROM asks; DELETE FROM private; VACUUM; PRAGMA wal_checkpoint(TRUNCATE);
"""
_ALL = "asks"
_NOT_PRIVATE = "(SELECT * FROM asks WHERE id NOT IN (SELECT id FROM private))"


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of an answer, where the terms of its source allow it.

    Attributes:
        content: What the page needs to show it again, as JSON.
        trace: The spans as JSON lines.
    """

    content: Mapping[str, Any]
    trace: str


class History:
    """The history of a server.

    Args:
        folder: Made if it is not there; only its owner may read it.
        keep: How many questions are remembered; 0 for none (they are still counted).
        private: Whether questions are told that were asked where the user's own places were known, as another server
            over the same folder may have been. Who may not know those may not read them in its answers either.

    Raises:
        MapStoreError: The file cannot be opened.
    """

    def __init__(self, folder: Path, keep: int, *, private: bool = False) -> None:
        self._path = folder / FILE
        self._told = _ALL if private else _NOT_PRIVATE
        self._keep = keep
        self._added = 0
        try:
            private_folder(folder)
            self._path.touch(mode=FILE_MODE)  # before anything is written into it
            self._path.chmod(FILE_MODE)
            self._database = sqlite3.connect(
                self._path, timeout=BUSY_S, check_same_thread=False, isolation_level=None
            )
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.execute("PRAGMA secure_delete = ON")
            self._database.executescript(_TABLES)
        except (OSError, sqlite3.Error) as error:
            raise _unusable(self._path, error) from error
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="history")

    async def close(self) -> None:
        """Waits for what is being written and closes the file."""
        await asyncio.to_thread(self._thread.shutdown, wait=True)
        self._database.close()

    async def add(
        self,
        question: str,
        answer: Mapping[str, Any],
        kept: Kept | None,
        counts: Mapping[str, float],
        *,
        private: bool = False,
    ) -> str:
        """Remembers a question and adds to the counters.

        Args:
            question: Its text.
            answer: The record that `ask --json` prints.
            kept: None if terms forbid it: then only the question and its status are remembered.
            counts: What is added to the counters.
            private: The user's own places were known.

        Returns:
            The question's id, empty if nothing is remembered.
        """
        ask_id = secrets.token_hex(ID_BYTES) if self._keep else ""
        row = _row(ask_id, question, answer, kept) if ask_id else None
        await self._do(lambda: self._add(row, counts, private=private))
        return ask_id

    async def page(self, before: str | None, limit: int = PAGE) -> tuple[HistoryItem, ...]:
        """Questions, newest first, from the one after `before`."""
        sql = _LIST.format(told=self._told)
        rows = await self._do(lambda: self._database.execute(sql, (before, limit)).fetchall())
        return tuple(_item(row) for row in rows)

    async def content(self, ask_id: str) -> Mapping[str, Any] | None:
        """What the page needs to show a question again; None if it is not known or not kept."""
        packed = await self._blob("content", ask_id)
        return None if packed is None else json.loads(packed)

    async def trace(self, ask_id: str) -> str | None:
        """The trace of a question as JSON lines; None if it is not known or not kept."""
        packed = await self._blob("trace", ask_id)
        return None if packed is None else packed.decode()

    async def knows(self, ask_id: str) -> bool:
        """Whether a question of this id is remembered, be it without its content."""
        sql = f"SELECT 1 FROM {self._told} WHERE id = ?"  # noqa: S608 - one of two of ours
        found = await self._do(lambda: self._database.execute(sql, (ask_id,)).fetchone())
        return found is not None

    async def clear(self) -> None:
        """Forgets all questions, and leaves nothing of them in the files; the counters go on.

        What is deleted is overwritten (https://www.sqlite.org/pragma.html#pragma_secure_delete), and the write-ahead
        log, which still has it, is emptied.
        """
        await self._do(lambda: self._database.executescript(_FORGET))

    async def counters(self) -> dict[str, float]:
        """All counters by name."""
        return dict(
            await self._do(lambda: self._database.execute("SELECT name, value FROM counters").fetchall())
        )

    async def _do[T](self, work: Callable[[], T]) -> T:
        def guarded() -> T:
            try:
                return work()
            except sqlite3.Error as error:
                raise _unusable(self._path, error) from error

        return await asyncio.get_running_loop().run_in_executor(self._thread, guarded)

    async def _blob(self, column: str, ask_id: str) -> bytes | None:
        sql = f"SELECT {column} FROM {self._told} WHERE id = ?"  # noqa: S608 - the column is one of ours
        found = await self._do(lambda: self._database.execute(sql, (ask_id,)).fetchone())
        return zlib.decompress(found[0]) if found and found[0] is not None else None

    def _add(self, row: tuple[Any, ...] | None, counts: Mapping[str, float], *, private: bool) -> None:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            if row is not None:
                self._database.execute(_ADD, row)
                if private:
                    self._database.execute("INSERT INTO private VALUES (?)", row[:1])
            self._database.executemany(_COUNT, counts.items())
            if self._added % PRUNE_EVERY == 0:
                self._database.execute(_PRUNE, (self._keep,))
                self._database.execute(_PRUNE_PRIVATE)
        except sqlite3.Error:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")
        self._added += 1


def _row(ask_id: str, question: str, answer: Mapping[str, Any], kept: Kept | None) -> tuple[Any, ...]:
    return (
        ask_id,
        datetime.now(UTC).isoformat(timespec="seconds"),
        question,
        answer["status"],
        answer["answer"][:ANSWER_EXCERPT] if kept else "",
        answer["model"],
        answer["provider"],
        answer["map"],
        kept is not None,
        _packed(json_text(kept.content)) if kept else None,
        _packed(kept.trace) if kept else None,
    )


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode(errors="replace"), level=1)


def _item(row: tuple[Any, ...]) -> HistoryItem:
    return HistoryItem(**dict(zip(HistoryItem.model_fields, row, strict=True)))


def _unusable(path: Path, error: Exception) -> MapStoreError:
    return MapStoreError(
        f"The history {path} cannot be used: {error}.", "Name another folder with --state, or remove it."
    )
