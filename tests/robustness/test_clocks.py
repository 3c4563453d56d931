"""The clock jumps: nothing is kept longer than allowed, nobody waits for ever, the last map is the last.

Expected values are those of the terms that `Retention` quotes: coordinates for 30 days, ids for ever.
"""

import asyncio
import os
import shutil
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from map_tools.maps.home import MapHome
from map_tools.wire import policy
from map_tools.wire.cache import ReplyCache
from map_tools.wire.policy import DataKind, Retention, SharedThrottle
from map_tools.wire.recording import Entry, Player, Recorder
from mapagent.runtime.ledger import Ledger
from tests.support.maps import demo_map
from tests.support.replies import NOON, asked, reply

KEEP = Retention(ids_days=None, coordinates_days=30)
REQUEST = asked("tea")


class JumpingClock:
    """A clock that tells what it was set to."""

    def __init__(self) -> None:
        self.moment = NOON

    def now(self) -> datetime:
        return self.moment


@pytest.fixture
def kept(tmp_path: Path) -> tuple[ReplyCache, JumpingClock]:
    """A cache in which a position was kept at noon."""
    clock = JumpingClock()
    cache = ReplyCache(tmp_path, clock)
    cache.put(REQUEST, DataKind.COORDINATES, KEEP, reply(NOON))
    return cache, clock


@pytest.mark.parametrize(
    ("days", "found"),
    [(0, True), (29, True), (31, False), (4000, False), (-1, False), (-4000, False), (-1 / 24 / 60, True)],
)
def test_nothing_is_used_whose_age_is_not_known_to_be_allowed(
    kept: tuple[ReplyCache, JumpingClock], days: float, found: bool
) -> None:
    """A reply of the future may be of any age; a minute back is what a time server does."""
    cache, clock = kept
    clock.moment = NOON + timedelta(days=days)
    assert (cache.get(REQUEST, KEEP) is not None) is found
    assert cache.explain(REQUEST, DataKind.COORDINATES, KEEP).found is found
    assert cache.purge("atlas", KEEP) == (0 if found else 1)
    cache.close()


def test_the_reason_is_told(kept: tuple[ReplyCache, JumpingClock]) -> None:
    cache, clock = kept
    clock.moment = NOON - timedelta(days=2)
    assert "the clock was set back" in cache.explain(REQUEST, DataKind.COORDINATES, KEEP).note
    cache.close()


def test_what_may_be_kept_for_ever_has_no_age(tmp_path: Path) -> None:
    clock = JumpingClock()
    cache = ReplyCache(tmp_path, clock)
    cache.put(REQUEST, DataKind.IDS, KEEP, reply(NOON))
    clock.moment = NOON - timedelta(days=4000)
    assert cache.get(REQUEST, KEEP) is not None
    assert cache.purge("atlas", KEEP) == 0
    cache.close()


@pytest.mark.parametrize("jump_s", [-1e9, -3600.0, 3600.0, 1e9])
def test_nobody_waits_for_a_time_that_a_jump_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump_s: float
) -> None:
    """Two requests a second; the clock jumps between the first and the second."""
    waits: list[float] = []
    moment = [time.time()]

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        moment[0] += seconds

    monkeypatch.setattr(policy.asyncio, "sleep", sleep)
    monkeypatch.setattr(policy.time, "time", lambda: moment[0])

    async def main() -> None:
        shared = SharedThrottle(tmp_path / "last-request", 2.0, longest_rest_s=30.0)
        await shared.acquire()
        moment[0] += jump_s
        await shared.acquire()
        await shared.acquire()

    asyncio.run(main())
    # The first waits for nobody, the second half a second at most, the third exactly that.
    assert waits[0] == 0
    assert 0 <= waits[1] <= 0.5
    assert waits[2] == pytest.approx(0.5)


def test_deadlines_do_not_follow_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert 0 <= ledger.elapsed_s < 60


def test_a_recording_has_one_moment(tmp_path: Path) -> None:
    clock = JumpingClock()
    with Recorder(tmp_path / "run.jsonl", clock=clock) as recorder:
        clock.moment = NOON - timedelta(days=365)
        recorder.add(Entry(REQUEST, clock.now(), reply=reply(clock.now())))
        assert recorder.clock().now() == NOON
    player = Player(tmp_path / "run.jsonl")
    assert player.clock().now() == NOON
    played = player.play(REQUEST).reply
    assert played is not None
    assert played.received_at == NOON - timedelta(days=365)


@pytest.mark.parametrize("years", [-20, 0, 20])
def test_the_map_added_last_is_the_last(tmp_path: Path, years: int) -> None:
    """The first map is dated as if the clock had been set by so many years since."""
    home = MapHome(tmp_path)
    for name in ("town", "village"):
        with home.building(name) as folder:
            shutil.copytree(demo_map(), folder, dirs_exist_ok=True)
        if name == "town":
            moment = time.time() + years * 365 * 86400
            os.utime(home.path("town") / "map.json", (moment, moment))
    assert home.last_added() == "village"
    with home.building("town") as folder:
        shutil.copytree(demo_map(), folder, dirs_exist_ok=True)
    assert home.last_added() == "town"
