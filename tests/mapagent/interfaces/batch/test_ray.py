"""A batch on a real Ray cluster of this machine: its answers are those of one process."""

import time
from pathlib import Path

import pytest

from benchmarks.kills.killing import kill_a_worker
from mapagent.interfaces.batch.part import ROWS_FILE, part_of
from tests.mapagent.interfaces.batch.conftest import COLUMNS, QUESTIONS
from tests.support.cli import CommandLine, finish, start
from tests.support.tables import read, timeless, write

LONGEST_S = 240
COPIES = 12


def finished(out: Path) -> int:
    """Rows that are finished by now."""
    file = part_of(out) / ROWS_FILE
    return file.read_bytes().count(b"\n") if file.exists() else 0


@pytest.mark.slow
@pytest.mark.usefixtures("demo")
def test_a_killed_worker_changes_nothing(mapagent: CommandLine, tmp_path: Path) -> None:
    source = write(tmp_path / "in.parquet", COLUMNS, QUESTIONS * COPIES)
    process = start(
        "batch", source, tmp_path / "ray.parquet", "--executor", "ray", "--concurrency", "2",
        data_home=tmp_path / "data",
    )  # fmt: skip
    try:
        end = time.monotonic() + LONGEST_S
        while not finished(tmp_path / "ray.parquet") and process.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        kill_a_worker(process.pid, "BatchAsker")
        at_kill = finished(tmp_path / "ray.parquet")
    finally:
        ran = finish(process, LONGEST_S)
    assert ran.code == 0, ran.err
    assert at_kill < COPIES * len(QUESTIONS)
    assert mapagent("batch", source, tmp_path / "here.parquet").code == 0
    assert timeless(read(tmp_path / "ray.parquet")) == timeless(read(tmp_path / "here.parquet"))
