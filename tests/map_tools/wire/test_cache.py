"""Replies are kept as long as the terms allow, by several processes, whatever happens to the file."""

import logging
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from map_tools.clock import Clock, FrozenClock
from map_tools.errors import ConfigError
from map_tools.wire.cache import CACHE_FILE, ReplyCache
from map_tools.wire.policy import DataKind, Retention, Verdict, WirePolicy
from map_tools.wire.request import Identity, WireReply, WireRequest

NOON = datetime(2030, 5, 4, 12, tzinfo=UTC)
GOOGLE = Retention(ids_days=None, coordinates_days=30)
FOR_EVER = Retention.for_ever()


def identity(query: str = "tea", provider: str = "atlas") -> Identity:
    return Identity.of(WireRequest(url="https://maps.test/search", params={"q": query}), provider)


def reply(body: bytes = b'{"id": 1}') -> WireReply:
    headers = {"content-type": "application/json"}
    return WireReply(status=200, headers=headers, body=body, received_at=NOON)


def later(days: float) -> Clock:
    return FrozenClock(NOON + timedelta(days=days))


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[ReplyCache]:
    kept = ReplyCache(tmp_path, FrozenClock(NOON))
    yield kept
    kept.close()


def reopened(cache: ReplyCache, clock: Clock) -> ReplyCache:
    cache.close()
    return ReplyCache(cache.path.parent, clock)


def test_a_kept_reply_comes_back_whole(cache: ReplyCache) -> None:
    body = bytes(range(256))
    cache.put(identity(), DataKind.PAYLOAD, FOR_EVER, reply(body))
    found = cache.get(identity(), FOR_EVER)
    assert found is not None
    assert (found.status, found.body, found.received_at, found.cached) == (200, body, NOON, True)
    assert found.headers == {"content-type": "application/json"}
    assert cache.get(identity("coffee"), FOR_EVER) is None


@pytest.mark.parametrize(
    ("kind", "days", "there"),
    [
        (DataKind.IDS, 4000, True),
        (DataKind.COORDINATES, 29.9, True),
        (DataKind.COORDINATES, 30.1, False),
        (DataKind.PAYLOAD, 0, False),
    ],
)
def test_nothing_is_read_that_may_not_be_kept(
    cache: ReplyCache, kind: DataKind, days: float, there: bool
) -> None:
    cache.put(identity(), kind, GOOGLE, reply())
    aged = reopened(cache, later(days))
    assert (aged.get(identity(), GOOGLE) is not None) is there
    aged.close()


def test_what_may_be_kept_for_ever_is_asked_for_again_when_it_is_old(cache: ReplyCache) -> None:
    monthly = replace(FOR_EVER, fresh_days=30)
    cache.put(identity(), DataKind.PAYLOAD, monthly, reply())
    aged = reopened(cache, later(29.9))
    assert aged.get(identity(), monthly) is not None
    older = reopened(aged, later(30.1))
    assert older.get(identity(), monthly) is None
    assert "too old" in older.explain(identity(), DataKind.PAYLOAD, monthly).note
    assert older.purge("atlas", monthly) == 0
    assert older.get(identity(), FOR_EVER) is not None
    older.close()


def test_the_purge_deletes_what_may_not_be_kept_and_nothing_else(cache: ReplyCache) -> None:
    for kind in DataKind:
        cache.put(identity(kind), kind, FOR_EVER, reply(f"body of {kind}".encode()))
    cache.put(identity("other", "globe"), DataKind.PAYLOAD, FOR_EVER, reply())
    aged = reopened(cache, later(31))
    assert aged.purge("atlas", GOOGLE) == 2
    assert aged.purge("atlas", GOOGLE) == 0
    assert aged.get(identity(DataKind.IDS), FOR_EVER) is not None
    assert aged.get(identity("other", "globe"), FOR_EVER) is not None
    aged.close()
    with sqlite3.connect(cache.path) as db:
        assert [row[0] for row in db.execute("SELECT kind FROM replies WHERE provider = 'atlas'")] == ["ids"]
    db.close()


def test_clearing_one_provider_leaves_the_others(cache: ReplyCache) -> None:
    cache.put(identity(), DataKind.PAYLOAD, FOR_EVER, reply())
    cache.put(identity(provider="globe"), DataKind.PAYLOAD, FOR_EVER, reply())
    assert cache.clear("atlas") == 1
    assert cache.clear() == 1
    assert cache.clear() == 0


def test_an_empty_cache_makes_no_file(cache: ReplyCache) -> None:
    assert cache.get(identity(), FOR_EVER) is None
    assert cache.clear() == 0
    assert cache.purge("atlas", GOOGLE) == 0
    cache.put(identity(), DataKind.PAYLOAD, GOOGLE, reply())
    assert not cache.path.exists()


def test_only_its_owner_may_read_the_file(cache: ReplyCache) -> None:
    cache.put(identity(), DataKind.PAYLOAD, FOR_EVER, reply())
    assert cache.path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "change",
    [
        "kind = 'payloaf'",
        "headers = '{'",
        "headers = '[1]'",
        "received_at = 1e300",
        "received_at = 'noon'",
        "status = 'ok'",
        "body = 5",
        "headers = x'ff'",
    ],
)
def test_a_damage_that_the_database_does_not_notice_is_no_reply(cache: ReplyCache, change: str) -> None:
    cache.put(identity(), DataKind.PAYLOAD, FOR_EVER, reply())
    cache.close()
    with sqlite3.connect(cache.path) as db:
        db.execute(f"UPDATE replies SET {change}")
    db.close()
    assert cache.get(identity(), FOR_EVER) is None
    assert not cache.explain(identity(), DataKind.PAYLOAD, FOR_EVER).found
    cache.put(identity(), DataKind.PAYLOAD, FOR_EVER, reply())
    assert cache.get(identity(), FOR_EVER) is not None


@pytest.mark.parametrize("change", ["request = '{'", "request = '{}'", "at = 1e300"])
def test_a_damaged_miss_is_not_explained(cache: ReplyCache, change: str) -> None:
    cache.note_miss(identity(), DataKind.PAYLOAD, FOR_EVER)
    assert [miss.provider for miss in cache.latest_misses()] == ["atlas"]
    cache.close()
    with sqlite3.connect(cache.path) as db:
        db.execute(f"UPDATE misses SET {change}")
    db.close()
    assert cache.latest_misses() == ()


def test_a_file_whose_tables_could_not_be_made_is_tried_again(cache: ReplyCache) -> None:
    """A folder with a bad name in the way of the journal: SQLite cannot write, until it is gone."""
    cache.path.parent.mkdir(exist_ok=True)
    journal = cache.path.with_name(f"{CACHE_FILE}-journal")
    journal.mkdir()
    cache.put(identity(), DataKind.PAYLOAD, FOR_EVER, reply())
    assert cache.get(identity(), FOR_EVER) is None
    journal.rmdir()
    cache.put(identity(), DataKind.PAYLOAD, FOR_EVER, reply())
    assert cache.get(identity(), FOR_EVER) is not None


def _not_a_database(path: Path) -> None:
    path.write_bytes(b"this is no database " * 500)


def _torn_page(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[100:] = b"\xff" * (len(content) - 100)
    path.write_bytes(content)


def _letters_that_are_none(path: Path) -> None:
    """The name of an index is no text any more, and SQLite repeats it in what it says is wrong."""
    content = path.read_bytes()
    damaged = content.replace(b"sqlite_autoindex_misses_1", b"\x80qlite_autoindex_misses_1")
    assert damaged != content
    path.write_bytes(damaged)


@pytest.mark.parametrize("damage", [_not_a_database, _torn_page, _letters_that_are_none])
def test_a_damaged_file_is_set_aside_with_a_warning(
    cache: ReplyCache, caplog: pytest.LogCaptureFixture, damage: object
) -> None:
    cache.put(identity(), DataKind.PAYLOAD, FOR_EVER, reply())
    cache.close()
    assert callable(damage)
    damage(cache.path)
    with caplog.at_level(logging.WARNING):
        assert cache.get(identity(), FOR_EVER) is None
    assert "is damaged" in caplog.text
    assert "set aside" in caplog.text
    cache.put(identity(), DataKind.PAYLOAD, FOR_EVER, reply())
    assert cache.get(identity(), FOR_EVER) is not None
    assert cache.path.with_name(f"{CACHE_FILE}.damaged").exists()
    cache.clear()
    assert not cache.path.with_name(f"{CACHE_FILE}.damaged").exists()


def test_a_folder_that_cannot_be_used_is_done_without(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("not a folder")
    cache = ReplyCache(tmp_path / "file", FrozenClock(NOON))
    cache.put(identity(), DataKind.PAYLOAD, FOR_EVER, reply())
    assert cache.get(identity(), FOR_EVER) is None
    assert "cannot be used" in caplog.text


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from map_tools.clock import SystemClock
from map_tools.wire import DataKind, Retention, WireReply, WireRequest
from map_tools.wire.cache import ReplyCache
from map_tools.wire.request import Identity

folder, name, count = sys.argv[1:]
cache = ReplyCache(Path(folder), SystemClock())
reply = WireReply(status=200, headers={}, body=b"x" * 20_000, received_at=datetime.now(UTC))
number = 0
while int(count) == 0 or number < int(count):
    request = WireRequest(url="https://maps.test/", params={"q": f"{name}{number}"})
    cache.put(Identity.of(request, "atlas"), DataKind.IDS, Retention.for_ever(), reply)
    number += 1
    if number == 20:
        print("well under way", flush=True)
"""


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, tmp_path, name, "60"], stdout=subprocess.DEVNULL)
        for name in "ab"
    ]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0]
    with sqlite3.connect(tmp_path / CACHE_FILE) as db:
        assert db.execute("SELECT count(*) FROM replies").fetchone() == (120,)
    db.close()


def test_a_kill_in_the_middle_of_writing_leaves_the_file_whole(tmp_path: Path) -> None:
    writer = subprocess.Popen([sys.executable, "-c", WRITER, tmp_path, "a", "0"], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    with writer.stdout:
        assert writer.stdout.readline() == b"well under way\n"
    writer.kill()
    writer.wait()
    with sqlite3.connect(tmp_path / CACHE_FILE) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT count(*) FROM replies").fetchone()[0] >= 20
    db.close()


def test_a_hit_a_miss_and_an_old_reply_are_explained(cache: ReplyCache) -> None:
    assert cache.explain(identity(), DataKind.IDS, GOOGLE).note == "No reply of 'atlas' is kept."
    cache.put(identity(), DataKind.COORDINATES, GOOGLE, reply())
    hit = cache.explain(identity(), DataKind.COORDINATES, GOOGLE)
    assert hit.found
    assert hit.note == "A reply is kept, 0.0 days old."
    miss = cache.explain(identity("coffee"), DataKind.COORDINATES, GOOGLE)
    assert not miss.found
    assert str(miss.difference) == 'params.q: wanted "coffee", stored "tea"'
    assert miss.nearest == identity().canonical
    forbidden = cache.explain(identity("coffee"), DataKind.PAYLOAD, GOOGLE)
    assert forbidden.note == "The terms of 'atlas' do not allow keeping data of the kind 'payload'."
    aged = reopened(cache, later(31))
    old = aged.explain(identity(), DataKind.COORDINATES, GOOGLE)
    assert not old.found
    assert "31.0 days old: too old" in old.note
    aged.close()


def test_the_latest_miss_is_explained_by_what_was_kept_then(cache: ReplyCache) -> None:
    assert cache.latest_misses() == ()
    cache.put(identity("tea"), DataKind.PAYLOAD, FOR_EVER, reply())
    cache.note_miss(identity("coffee"), DataKind.PAYLOAD, FOR_EVER)
    cache.put(identity("coffee"), DataKind.PAYLOAD, FOR_EVER, reply())
    cache.note_miss(identity("cocoa", "globe"), DataKind.PAYLOAD, GOOGLE)
    atlas, globe = cache.latest_misses()
    assert (atlas.provider, atlas.at) == ("atlas", NOON)
    assert str(atlas.explanation.difference) == 'params.q: wanted "coffee", stored "tea"'
    assert globe.explanation.note == "The terms of 'globe' do not allow keeping data of the kind 'payload'."
    assert cache.entries() == 2
    assert cache.clear("globe") == 0
    assert [miss.provider for miss in cache.latest_misses()] == ["atlas"]
    cache.clear()
    assert (cache.latest_misses(), cache.entries()) == ((), 0)


# https://cloud.google.com/maps-platform/terms/maps-service-terms: place ids for ever, coordinates 30 days.


def _replied(status: int, body: bytes = b"{}") -> WireReply:
    return WireReply(status=status, headers={}, body=body, received_at=datetime(2030, 5, 4, tzinfo=UTC))


@pytest.mark.parametrize(
    ("kind", "days", "allowed"),
    [
        (DataKind.IDS, 4000, True),
        (DataKind.COORDINATES, 30, True),
        (DataKind.COORDINATES, 30.001, False),
        (DataKind.PAYLOAD, 0, False),
    ],
)
def test_terms_tell_kinds_of_data_apart(kind: DataKind, days: float, allowed: bool) -> None:
    assert GOOGLE.allows(kind, timedelta(days=days)) is allowed


@pytest.mark.parametrize(("across", "each_per_s"), [(False, 0.5), (True, 3.0)])
def test_processes_side_by_side_divide_the_rate(across: bool, each_per_s: float) -> None:
    """Twelve on two machines; those of a machine keep a rate together that holds across processes."""
    policy = WirePolicy(name="atlas", requests_per_s=6.0, across_processes=across)
    assert policy.shared(12, 2).requests_per_s == each_per_s
    assert policy.shared(1, 1) == policy
    assert WirePolicy(name="atlas").shared(12, 2).requests_per_s is None


def test_nothing_is_kept_unless_a_provider_says_so() -> None:
    assert not any(Retention().allows(kind) for kind in DataKind)


def test_the_user_may_take_payloads_on_himself() -> None:
    chosen = GOOGLE.with_payloads(7)
    assert chosen.allows(DataKind.PAYLOAD, timedelta(days=7))
    assert not chosen.allows(DataKind.PAYLOAD, timedelta(days=8))
    assert chosen.coordinates_days == 30


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        (200, Verdict.GOOD),
        (302, Verdict.FINAL),
        (404, Verdict.FINAL),
        (429, Verdict.RETRY),
        (503, Verdict.RETRY),
    ],
)
def test_the_status_decides(status: int, verdict: Verdict) -> None:
    assert WirePolicy(name="atlas").verdict(_replied(status)) is verdict


def test_a_service_may_report_errors_inside_good_replies() -> None:
    def judge(answer: WireReply) -> Verdict:
        return Verdict.RETRY if answer.json()["status"] == "UNKNOWN_ERROR" else Verdict.GOOD

    policy = WirePolicy(name="atlas", judge=judge)
    assert policy.verdict(_replied(200, b'{"status": "UNKNOWN_ERROR"}')) is Verdict.RETRY
    assert policy.verdict(_replied(200, b'{"status": "OK"}')) is Verdict.GOOD
    assert policy.verdict(_replied(403, b"not even JSON")) is Verdict.FINAL


def test_senseless_policies_are_refused() -> None:
    with pytest.raises(ConfigError, match="attempts"):
        WirePolicy(name="atlas", attempts=0)
    with pytest.raises(ConfigError, match="no request at all"):
        WirePolicy(name="atlas", requests_per_s=0)
