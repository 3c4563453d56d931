"""Rates hold, within a process and across processes; waits that are cancelled take nobody's turn."""

import asyncio
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

from map_tools.wire.policy import FreeThrottle, ProcessThrottle, SharedThrottle, Throttle, WirePolicy
from map_tools.wire.request import WireRequest
from map_tools.wire.wire import Wire
from tests.support.loopback import in_turn, json_reply, serving

RATE = 2.0
GAP_S = 1 / RATE
TOLERANCE_S = 0.35
"""A request may travel so much longer than the one after it."""

ASKER = """
import asyncio, sys
from pathlib import Path
from map_tools.wire import Wire, WirePolicy, WireRequest

async def main(url, folder):
    policy = WirePolicy(name="shared service", requests_per_s=2, across_processes=True)
    wire = Wire(policy, folder=Path(folder))
    await asyncio.gather(*(wire.send(WireRequest(url=url)) for _ in range(3)))
    await wire.close()

asyncio.run(main(*sys.argv[1:]))
"""

HOLDER = """
import fcntl, sys, time
file = open(sys.argv[1], "w")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(60)
"""


def test_two_processes_together_keep_the_rate(tmp_path: Path) -> None:
    with serving(lambda _: json_reply({})) as server:
        askers = [subprocess.Popen([sys.executable, "-c", ASKER, server.url, tmp_path]) for _ in range(2)]
        assert [asker.wait(timeout=30) for asker in askers] == [0, 0]
        arrivals_s = sorted(asked.at_s for asked in server.asked)
    assert len(arrivals_s) == 6
    assert min(later - earlier for earlier, later in pairwise(arrivals_s)) >= GAP_S - TOLERANCE_S
    assert arrivals_s[-1] - arrivals_s[0] >= 5 * GAP_S - TOLERANCE_S


def test_a_process_keeps_its_own_rate() -> None:
    policy = WirePolicy(name="atlas", requests_per_s=5)

    async def ask(url: str) -> None:
        wire = Wire(policy)
        await asyncio.gather(*(wire.send(WireRequest(url=url)) for _ in range(11)))
        await wire.close()

    with serving(lambda _: json_reply({})) as server:
        asyncio.run(ask(server.url))
        arrivals_s = sorted(asked.at_s for asked in server.asked)
    # Of any six requests in a row the last comes at least a second after the first.
    spans_s = [later - earlier for earlier, later in zip(arrivals_s, arrivals_s[5:], strict=False)]
    assert min(spans_s) >= 1 - TOLERANCE_S
    assert arrivals_s[-1] - arrivals_s[0] >= 2 - TOLERANCE_S


def test_less_than_one_a_second_is_possible() -> None:
    async def second_waits() -> bool:
        throttle = ProcessThrottle(0.5)
        await throttle.acquire()
        try:
            await asyncio.wait_for(throttle.acquire(), 0.1)
        except TimeoutError:
            return True
        return False

    assert asyncio.run(second_waits())


def test_a_cancelled_wait_takes_nobodys_turn(tmp_path: Path) -> None:
    path = tmp_path / "last"

    async def cancelled_then_free() -> float:
        slow = SharedThrottle(path, 0.01)
        await slow.acquire()
        before = path.read_bytes()
        waiting = [asyncio.create_task(slow.acquire()) for _ in range(3)]
        await asyncio.sleep(0.05)
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)
        assert path.read_bytes() == before
        start_s = time.monotonic()
        await SharedThrottle(path, 1e6).acquire()
        return time.monotonic() - start_s

    assert asyncio.run(cancelled_then_free()) < 10  # not the hundred seconds of a turn taken or a lock left


def test_a_damaged_file_or_a_clock_set_back_costs_no_more_than_one_gap(tmp_path: Path) -> None:
    for content in ("rubbish", "99999999999.0", ""):
        path = tmp_path / "last"
        path.write_text(content)
        throttle = SharedThrottle(path, 100)
        asyncio.run(asyncio.wait_for(throttle.acquire(), 10))
        assert abs(float(path.read_text().split()[0]) - time.time()) < 10


def test_cached_replies_do_not_wait(tmp_path: Path) -> None:
    from map_tools.wire.policy import Retention

    policy = WirePolicy(name="slow", requests_per_s=0.001, across_processes=True, keep=Retention.for_ever())

    async def ask_often(url: str) -> list[bool]:
        wire = Wire(policy, folder=tmp_path)
        replies = [await wire.send(WireRequest(url=url)) for _ in range(20)]
        await wire.close()
        return [reply.cached for reply in replies]

    with serving(lambda _: json_reply({})) as server:
        cached = asyncio.run(asyncio.wait_for(ask_often(server.url), 20))
    assert cached == [False] + [True] * 19


def test_the_throttle_can_be_locked_again_after_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "last"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, path],
        stdout=subprocess.PIPE,
    )
    assert holder.stdout is not None
    with holder.stdout:
        assert holder.stdout.readline() == b"held\n"
    holder.kill()
    holder.wait()
    asyncio.run(asyncio.wait_for(SharedThrottle(path, 100).acquire(), 10))


def test_a_rest_holds_for_all_processes(tmp_path: Path) -> None:
    path = tmp_path / "last"

    async def waited_s() -> float:
        resting, other = (SharedThrottle(path, 1e6, longest_rest_s=0.6) for _ in range(2))
        await resting.acquire()
        start_s = time.monotonic()
        await resting.rest(60)  # cut to the longest one
        await resting.rest(0.1)  # a shorter one takes nothing from it
        await other.acquire()
        return time.monotonic() - start_s

    assert 0.5 < asyncio.run(waited_s()) < 10


def test_a_rest_holds_within_a_process_at_any_rate() -> None:
    async def waited_s(throttle: Throttle) -> float:
        start_s = time.monotonic()
        await throttle.rest(0.3)
        await throttle.acquire()
        await throttle.acquire()
        return time.monotonic() - start_s

    for throttle in (FreeThrottle(), ProcessThrottle(1e6)):
        assert 0.25 < asyncio.run(waited_s(throttle)) < 10


def test_after_too_many_requests_nobody_asks_for_a_while(tmp_path: Path) -> None:
    policy = WirePolicy(
        name="strict",
        requests_per_s=1e6,
        across_processes=True,
        attempts=1,
        rest_s=0.2,
        longest_wait_s=0.6,
    )

    async def ask_twice(url: str) -> list[int]:
        first, second = Wire(policy, folder=tmp_path), Wire(policy, folder=tmp_path)
        statuses = [(await wire.send(WireRequest(url=url))).status for wire in (first, second)]
        await asyncio.gather(first.close(), second.close())
        return statuses

    with serving(in_turn(json_reply({}, 429, retry_after="60"), json_reply({}))) as server:
        assert asyncio.run(ask_twice(server.url)) == [429, 200]
        busy, later = server.asked
    assert later.at_s - busy.at_s > 0.5
