"""`map add` interrupted, killed, and run by several processes at once: the old map or the new, never half.

At the end the kills of `python -m benchmarks.kills`, a few of them: nothing is lost, doubled or damaged.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.kills.commands import BatchRun, EvalRun, Ground
from benchmarks.kills.killing import kill_often
from benchmarks.kills.writers import ModelReplies, Recordings, Replies, Store, Writer
from map_tools.maps.home import MapHome
from map_tools.maps.info import check_hashes, read_info
from tests.support.cli import CommandLine, finish, snapshot, start
from tests.support.data import demo_extract
from tests.support.maps import demo_map

QUESTION = "How long does it take to walk from Ateneum to Kamppi?"
SEED = 20261121
KILLS_SEED = 20261122
QUESTIONS = 20
LONGEST_S = 1.0
"""About what building the demo map takes beside the start of the program."""


def moments(count: int) -> list[float]:
    """Seeded waits, counted from when the folder to build in is there."""
    dice = random.Random(SEED)
    return [round(dice.uniform(0, LONGEST_S), 3) for _ in range(count)]


def wait_for_building(maps: Path, process: subprocess.Popen[str]) -> None:
    """Until a folder to build in is there that was not there before."""
    before = set(maps.glob(".builds/*"))
    while process.poll() is None and not set(maps.glob(".builds/*")) - before:
        time.sleep(0.002)


def wait_for_programs(maps: Path, longest_s: float = 10) -> None:
    """Until no program that a killed process had started works on the maps any more."""
    end = time.monotonic() + longest_s
    while time.monotonic() < end and any(str(maps).encode() in line for line in command_lines()):
        time.sleep(0.02)


def command_lines() -> list[bytes]:
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(process.read_bytes())
        except OSError:  # it has ended meanwhile
            continue
    return found


def builds(maps: Path) -> list[str]:
    """Names of the maps whose builds are there."""
    return sorted(path.name.partition(".")[0] for path in (maps / ".builds").iterdir())


def assert_sound(maps: Path) -> None:
    """The map "helsinki" is there in full."""
    folder = MapHome(maps).path("helsinki")
    check_hashes(folder, read_info(folder))


@pytest.mark.parametrize("moment_s", moments(3))
def test_an_interrupt_leaves_nothing_half_made(
    mapagent: CommandLine, maps: Path, data_home: Path, moment_s: float
) -> None:
    before = snapshot(maps / "helsinki")
    process = start("map", "add", demo_extract(), "--name", "helsinki", data_home=data_home)
    wait_for_building(maps, process)
    time.sleep(moment_s)
    os.killpg(process.pid, signal.SIGINT)  # what Ctrl-C sends: to the program and those it started
    ran = finish(process)
    if "is ready" not in ran.out:  # it may have been by then, and on its way out
        assert ran.code == 130
        assert "Interrupted; nothing half-made was left behind." in ran.err
        assert "Traceback" not in ran.err
        assert snapshot(maps / "helsinki") == before
    assert builds(maps) == ["helsinki"]
    assert_sound(maps)
    assert mapagent("ask", QUESTION).code == 0


def test_a_kill_at_any_moment_leaves_the_old_map_or_the_new_one(
    mapagent: CommandLine, maps: Path, data_home: Path
) -> None:
    for moment_s in moments(6)[3:]:
        process = start("map", "add", demo_extract(), "--name", "helsinki", data_home=data_home)
        wait_for_building(maps, process)
        time.sleep(moment_s)
        process.kill()
        assert finish(process).code in (0, -signal.SIGKILL)
        assert_sound(maps)
        assert mapagent("ask", QUESTION).code == 0
        assert mapagent("map", "list").out.count("\n") == 1
    wait_for_programs(maps)
    assert mapagent("map", "add", demo_extract(), "--name", "helsinki").code == 0
    assert builds(maps) == ["helsinki"]
    assert_sound(maps)


def test_a_kill_of_the_first_add_leaves_no_map(mapagent: CommandLine, data_home: Path) -> None:
    maps = data_home / "maps"
    process = start("map", "add", demo_extract(), "--name", "helsinki", data_home=data_home)
    wait_for_building(maps, process)
    process.kill()
    assert finish(process).code == -signal.SIGKILL
    assert "No maps yet" in mapagent("map", "list").out
    assert "There is no map yet" in mapagent("ask", QUESTION).err
    wait_for_programs(maps)


def test_several_processes_at_once(mapagent: CommandLine, maps: Path, data_home: Path) -> None:
    """Two replace the map that a third process reads all the time, and one adds another map."""
    adding = [
        start("map", "add", demo_extract(), "--name", name, data_home=data_home)
        for name in ("helsinki", "helsinki", "town")
    ]
    try:
        asked = 0
        while any(process.poll() is None for process in adding) or asked == 0:
            ran = mapagent("ask", QUESTION, "--map", "helsinki")
            assert (ran.code, ran.out.splitlines()[0]) == (0, "8 min"), ran.err
            asked += 1
    finally:
        added = [finish(process) for process in adding]
    assert [(ran.code, ran.err) for ran in added] == [(0, "")] * len(adding)
    assert sorted(path.name for path in maps.iterdir()) == [".builds", ".lock", "helsinki", "town"]
    for name in ("helsinki", "town"):
        check_hashes(maps / name, read_info(maps / name))


def test_a_map_replaced_again_and_again_can_always_be_read(mapagent: CommandLine, maps: Path) -> None:
    """Replaced as fast as it can be, beside a reader that opens the routing tiles late."""
    script = (
        "import shutil, sys, pathlib; from map_tools.maps.home import MapHome\n"
        "maps, whole = map(pathlib.Path, sys.argv[1:])\n"
        "for _ in range(100):\n"
        "    with MapHome(maps).building('helsinki') as folder:\n"
        "        shutil.copytree(whole, folder, dirs_exist_ok=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(maps), str(demo_map())])
    try:
        while process.poll() is None:
            ran = mapagent("ask", QUESTION)
            assert ran.code == 0, ran.err
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """A map and questions about it."""
    return Ground(tmp_path_factory.mktemp("killed"), demo_extract(), QUESTIONS, KILLS_SEED)


@pytest.mark.slow
@pytest.mark.parametrize("command", [EvalRun, BatchRun])
def test_a_killed_run_goes_on_to_the_same_end(
    ground: Ground, command: type[EvalRun] | type[BatchRun]
) -> None:
    toll = kill_often(command(ground), 2, KILLS_SEED)
    assert toll.broken == ()


@pytest.mark.parametrize("store", [Replies, ModelReplies, Recordings])
def test_a_killed_writer_loses_nothing_it_has_told(tmp_path: Path, store: Callable[[Path], Store]) -> None:
    toll = kill_often(Writer(store(tmp_path), tmp_path), 5, KILLS_SEED)
    assert toll.broken == ()
    assert toll.killed == 5
