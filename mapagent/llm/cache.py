"""Replies of models, kept and used again: same request, same reply, no cost."""

import hashlib
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from map_tools.wire.request import canonical_json, stored_fields
from map_tools.wire.sqlite_file import DAMAGED_SUFFIX, ExpendableFile
from mapagent.llm.reply import ServerReply

MAX_ENTRIES = 20_000
COMPARED = 500
"""So many of the newest requests are compared to find the nearest one."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL, parts TEXT NOT NULL, reply TEXT,
    kept_at TEXT NOT NULL
)"""
_INSERT = "INSERT OR REPLACE INTO entries (key, parts, reply, kept_at) VALUES (?, ?, ?, ?)"
_LATEST_MISS = "latest miss"
"""Key of the one entry that is no reply; its number tells which replies were there before it."""


@dataclass(frozen=True, slots=True)
class Miss:
    """The latest request that was not in the cache.

    Attributes:
        parts: The key's parts.
        at: When it was asked (ISO 8601).
        stored: Parts of the replies that were kept by then, the newest first.
    """

    parts: dict[str, Any]
    at: str
    stored: tuple[dict[str, Any], ...]


class ModelCache:
    """The replies of models in one file, for all servers and models.

    A damaged file is set aside and a new one begun; a file that cannot be used keeps nothing. Neither stops a
    question. Several processes may use it at once.

    Args:
        path: The file; made with its folder by the first request.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = ExpendableFile(path, _SCHEMA)

    def get(self, parts: dict[str, Any], *, now: datetime) -> ServerReply | None:
        """The reply to a request; None if there is none, and then the miss is written down."""
        text = canonical_json(parts)

        def look(database: sqlite3.Connection) -> str | None:
            row = database.execute("SELECT reply FROM entries WHERE key = ?", (_key(text),)).fetchone()
            if row is None:
                database.execute(_INSERT, (_LATEST_MISS, text, None, now.isoformat()))
                return None
            return str(row[0])

        kept = self._file.write(look)
        self._file.close()
        try:
            return ServerReply.from_json(kept) if kept is not None else None
        except ValueError:  # damaged in a way that the database does not notice
            return None

    def put(self, parts: dict[str, Any], reply: ServerReply, *, now: datetime) -> None:
        """Keeps a reply, and forgets the oldest where there are too many."""
        text = canonical_json(parts)

        def keep(database: sqlite3.Connection) -> None:
            database.execute(_INSERT, (_key(text), text, reply.as_json(), now.isoformat()))
            database.execute(
                "DELETE FROM entries WHERE number <= (SELECT max(number) FROM entries) - ?", (MAX_ENTRIES,)
            )

        self._file.write(keep)
        self._file.close()

    def entries(self) -> int:
        """How many replies are kept."""
        query = "SELECT count(*) FROM entries WHERE reply IS NOT NULL"
        count = self._file.read(lambda database: database.execute(query).fetchone()[0])
        self._file.close()
        return int(count or 0)

    def latest_miss(self) -> Miss | None:
        """The latest miss, with the newest replies that were there to be compared with."""

        def look(database: sqlite3.Connection) -> Miss | None:
            row = database.execute(
                "SELECT number, parts, kept_at FROM entries WHERE key = ?", (_LATEST_MISS,)
            ).fetchone()
            parts = None if row is None else stored_fields(row[1])
            if parts is None:
                return None
            before = "SELECT parts FROM entries WHERE number < ? ORDER BY number DESC LIMIT ?"
            stored = database.execute(before, (row[0], COMPARED)).fetchall()
            return Miss(parts, str(row[2]), tuple(filter(None, (stored_fields(text) for (text,) in stored))))

        miss = self._file.read(look)
        self._file.close()
        return miss

    def clear(self) -> int:
        """Forgets all replies, and what was set aside; says how many they were."""
        count = self.entries()
        self._file.read(lambda database: database.execute("DELETE FROM entries"))
        self._file.close()
        self.path.with_name(self.path.name + DAMAGED_SUFFIX).unlink(missing_ok=True)
        return count


def _key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
