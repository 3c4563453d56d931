"""The cache: replies kept in one file, as long as the service's terms allow and never longer.

A wire uses it under one policy, without holding up the event loop (`KeptReplies`).

A cache never makes a question fail: what is wrong with its file is a warning in the log.
"""

import asyncio
import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from map_tools.clock import Clock
from map_tools.wire.policy import CLOCK_SLACK, DataKind, Retention, WirePolicy
from map_tools.wire.request import Difference, Identity, WireReply, first_difference, nearest, stored_fields
from map_tools.wire.sqlite_file import DAMAGED_SUFFIX, ExpendableFile

CACHE_FILE = "replies.v1.sqlite"
LOOKED_AT = 2000
"""So many of the newest requests are compared to find the nearest one."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, provider TEXT NOT NULL, request TEXT NOT NULL, kind TEXT NOT NULL,
    status INTEGER NOT NULL, headers TEXT NOT NULL, body BLOB NOT NULL, received_at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS misses (
    provider TEXT PRIMARY KEY, request TEXT NOT NULL, reason TEXT NOT NULL, at REAL NOT NULL,
    newest_reply INTEGER NOT NULL
)"""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a request is answered from the cache or not.

    Attributes:
        key: The key it is looked up by.
        request: Its canonical JSON, from which the key is made.
        found: A reply is there and may be used.
        note: What decides, in a sentence.
        nearest: Canonical JSON of the nearest request there is, if this one is not there.
        difference: The first field in which that one differs.
    """

    key: str
    request: str
    found: bool
    note: str
    nearest: str | None = None
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class Miss:
    """The latest request to a provider that was not answered from the cache, and why."""

    provider: str
    at: datetime
    explanation: Explanation


class ReplyCache:
    """Replies by request, for all providers that share a folder.

    Args:
        folder: Where the file lies; made when the first reply is kept.
        clock: Tells the age of replies.
    """

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.path = folder / CACHE_FILE
        self._file = ExpendableFile(self.path, _SCHEMA)
        self._clock = clock

    def get(self, identity: Identity, keep: Retention) -> WireReply | None:
        """The kept reply, if there is one that the terms still allow to be kept."""
        kept = self._kept(identity)
        return kept.reply if kept is not None and keep.allows(kept.kind, self._age(kept)) else None

    def put(self, identity: Identity, kind: DataKind, keep: Retention, reply: WireReply) -> None:
        """Keeps a reply, if the terms allow keeping its kind."""
        if not keep.allows(kind):
            return
        row = (
            identity.key,
            identity.fields["provider"],
            identity.canonical,
            kind.value,
            reply.status,
            json.dumps(dict(reply.headers)),
            reply.body,
            reply.received_at.timestamp(),
        )
        insert = "INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        self._file.write(lambda db: db.execute(insert, row))

    def purge(self, provider: str, keep: Retention) -> int:
        """Deletes what a provider's terms no longer allow to be kept; returns how many replies that were."""
        now = self._clock.now().timestamp()
        deleted = 0
        for kind in DataKind:
            days = keep.days(kind)
            if days is not None:
                oldest = now - days * 86400 if days > 0 else float("inf")
                newest = now + CLOCK_SLACK.total_seconds()
                deleted += self._delete(
                    "DELETE FROM replies WHERE provider = ? AND kind = ? AND received_at NOT BETWEEN ? AND ?",
                    (provider, kind.value, oldest, newest),
                )
        return deleted

    def clear(self, provider: str | None = None) -> int:
        """Deletes the replies of one provider, or all and what was set aside; returns how many."""
        if provider is not None:
            self._delete("DELETE FROM misses WHERE provider = ?", (provider,))
            return self._delete("DELETE FROM replies WHERE provider = ?", (provider,))
        self.path.with_name(self.path.name + DAMAGED_SUFFIX).unlink(missing_ok=True)
        self._delete("DELETE FROM misses", ())
        return self._delete("DELETE FROM replies", ())

    def entries(self) -> int:
        """How many replies are kept."""
        count = self._file.read(lambda db: db.execute("SELECT count(*) FROM replies").fetchone()[0])
        return int(count or 0)

    def explain(self, identity: Identity, kind: DataKind, keep: Retention) -> Explanation:
        """Why a request for data of this kind is answered from the cache or not."""
        kept = self._kept(identity)
        reason = self._refusal(kept, identity, kind, keep)
        if reason:
            return Explanation(identity.key, identity.canonical, found=False, note=reason)
        if kept is None:
            return self._missed(identity)
        note = f"A reply is kept, {self._age(kept) / timedelta(days=1):.1f} days old."
        return Explanation(identity.key, identity.canonical, found=True, note=note)

    def note_miss(self, identity: Identity, kind: DataKind, keep: Retention) -> None:
        """Remembers that this request was not answered from the cache, until the provider's next miss."""
        reason = self._refusal(self._kept(identity), identity, kind, keep)
        miss = (identity.fields["provider"], identity.canonical, reason, self._clock.now().timestamp())
        insert = "INSERT OR REPLACE INTO misses SELECT ?, ?, ?, ?, coalesce(max(rowid), 0) FROM replies"
        self._file.write(lambda db: db.execute(insert, miss))

    def latest_misses(self) -> tuple[Miss, ...]:
        """Each provider's latest miss, explained by the replies that were kept at that time."""
        query = "SELECT provider, request, reason, at, newest_reply FROM misses ORDER BY provider"
        rows = self._file.read(lambda db: db.execute(query).fetchall()) or ()
        return tuple(
            Miss(provider, moment, self._missed_then(Identity(fields), reason, newest))
            for provider, request, reason, at, newest in rows
            if (fields := _request(request)) is not None and (moment := _moment(at)) is not None
        )

    def close(self) -> None:
        """Closes the file; it is opened again when needed."""
        self._file.close()

    def _kept(self, identity: Identity) -> "_Kept | None":
        """What is kept of a request, whatever the terms say; what is damaged counts as not kept."""
        query = "SELECT kind, received_at, status, headers, body FROM replies WHERE key = ?"
        row = self._file.read(lambda db: db.execute(query, (identity.key,)).fetchone())
        return None if row is None else _read_row(row, identity.fields["url"])

    def _age(self, kept: "_Kept") -> timedelta:
        return self._clock.now() - kept.reply.received_at

    def _refusal(self, kept: "_Kept | None", identity: Identity, kind: DataKind, keep: Retention) -> str:
        """Why the terms forbid answering from the cache; empty if they do not."""
        if kept is not None and not keep.allows(kept.kind, self._age(kept)):
            age_days = self._age(kept) / timedelta(days=1)
            if age_days < 0:
                return "A reply is kept, but it came later than now: the clock was set back."
            return f"A reply is kept, {age_days:.1f} days old: too old for data of the kind '{kept.kind}'."
        if kept is None and not keep.allows(kind):
            provider = identity.fields["provider"]
            return f"The terms of '{provider}' do not allow keeping data of the kind '{kind}'."
        return ""

    def _missed_then(self, identity: Identity, reason: str, newest_reply: int) -> Explanation:
        if reason:
            return Explanation(identity.key, identity.canonical, found=False, note=reason)
        return self._missed(identity, newest_reply)

    def _missed(self, identity: Identity, newest_reply: int | None = None) -> Explanation:
        near = nearest(identity.fields, self._stored(identity.fields["provider"], newest_reply))
        if near is None:
            note = f"No reply of '{identity.fields['provider']}' is kept."
            return Explanation(identity.key, identity.canonical, found=False, note=note)
        difference = first_difference(identity.fields, near)
        return Explanation(
            identity.key,
            identity.canonical,
            found=False,
            note=f"No reply is kept; the nearest request differs in {difference}.",
            nearest=Identity(near).canonical,
            difference=difference,
        )

    def _stored(self, provider: str, newest_reply: int | None) -> list[dict[str, Any]]:
        """The newest requests of a provider, up to a reply's number."""
        query = "SELECT request FROM replies WHERE provider = ? AND rowid <= ? ORDER BY rowid DESC LIMIT ?"
        limits = (provider, sys.maxsize if newest_reply is None else newest_reply, LOOKED_AT)
        rows = self._file.read(lambda db: db.execute(query, limits).fetchall()) or ()
        return [fields for (text,) in rows if (fields := _request(text)) is not None]

    def _delete(self, statement: str, values: tuple[Any, ...]) -> int:
        return self._file.read(lambda db: db.execute(statement, values).rowcount) or 0


@dataclass(frozen=True, slots=True)
class _Kept:
    """A reply as it is kept, and what it holds."""

    kind: DataKind
    reply: WireReply


def _read_row(row: tuple[Any, ...], address: str) -> _Kept | None:
    """A row of the file; None if it is damaged in a way that SQLite does not notice."""
    kind, received_at, status, headers, body = row
    moment, fields = _moment(received_at), stored_fields(headers)
    if moment is None or fields is None or not isinstance(status, int) or not isinstance(body, bytes):
        return None
    try:
        data = DataKind(kind)
    except ValueError:
        return None
    reply = WireReply(
        status=status,
        headers={name: str(value) for name, value in fields.items()},
        body=body,
        received_at=moment,
        cached=True,
        address=address,
    )
    return _Kept(data, reply)


def _request(text: Any) -> dict[str, Any] | None:
    """The fields of a request that was written down; None if it is damaged."""
    fields = stored_fields(text)
    return fields if fields is not None and {"provider", "method", "url"} <= fields.keys() else None


def _moment(stamp: Any) -> datetime | None:
    """A point in time from its seconds; None if it is damaged."""
    try:
        return datetime.fromtimestamp(stamp, UTC)
    except (OSError, OverflowError, TypeError, ValueError):
        return None


class KeptReplies:
    """What the cache keeps of one service.

    The file is read in a thread of its own: the event loop's threads may all be waiting for this very wire.

    Args:
        cache: The cache, or None for keeping nothing.
        policy: Says what may be kept for how long.
    """

    def __init__(self, cache: ReplyCache | None, policy: WirePolicy) -> None:
        self._cache = cache
        self._policy = policy
        self._purged = False
        self._thread: ThreadPoolExecutor | None = None

    async def get(self, identity: Identity, kind: DataKind) -> WireReply | None:
        """The kept reply to a request for this kind of data; None if there is none, which is noted.

        The first time, what may no longer be kept is deleted.
        """
        cache = self._cache
        if cache is None:
            return None
        if not self._purged:
            self._purged = True
            await self._run(lambda: cache.purge(self._policy.name, self._policy.keep))
        return await self._run(lambda: self._looked_up(cache, identity, kind))

    async def put(self, identity: Identity, kind: DataKind, reply: WireReply) -> None:
        """Keeps a reply, if the terms allow it."""
        cache = self._cache
        if cache is not None and self._policy.keep.allows(kind):
            await self._run(lambda: cache.put(identity, kind, self._policy.keep, reply))

    def explain(self, identity: Identity, kind: DataKind) -> Explanation:
        """Why a request is answered from the cache or not."""
        if self._cache is None:
            note = f"{self._policy.shown_name} is asked without a cache."
            return Explanation(identity.key, identity.canonical, found=False, note=note)
        return self._cache.explain(identity, kind, self._policy.keep)

    def clear(self) -> int:
        """Deletes all that is kept of the service; returns how many replies that were."""
        return self._cache.clear(self._policy.name) if self._cache is not None else 0

    def close(self) -> None:
        """Closes the file; it is opened again when needed."""
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None
        if self._cache is not None:
            self._cache.close()

    def _looked_up(self, cache: ReplyCache, identity: Identity, kind: DataKind) -> WireReply | None:
        reply = cache.get(identity, self._policy.keep)
        if reply is None:
            cache.note_miss(identity, kind, self._policy.keep)
        return reply

    async def _run[T](self, work: Callable[[], T]) -> T:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="wire-cache")
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)
