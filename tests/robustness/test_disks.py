"""Full and read-only disks: one sentence with the remedy, nothing half-made, and what was finished stays."""

from pathlib import Path

import pytest

from evals.runner.folder import read_results
from map_tools.clock import FrozenClock, SystemClock
from map_tools.errors import OutputFileError
from map_tools.wire.cache import ReplyCache
from map_tools.wire.policy import DataKind, Retention
from map_tools.wire.recording import Entry, Player, Recorder
from tests.evals.support import LITTLE, little
from tests.evals.support import write as write_records
from tests.support.cli import CommandLine
from tests.support.data import demo_extract
from tests.support.disks import files_up_to, on_a_full_disk, on_a_read_only_disk, with_files_up_to
from tests.support.replies import NOON, asked, reply
from tests.support.tables import read, write

QUESTION = "How long does it take to walk from Ateneum to Kamppi?"
REQUEST, OTHER = asked("tea"), asked("coffee")
MB = 1_000_000
ROWS = 20


@pytest.mark.parametrize("size_bytes", [1 * MB, 5 * MB, 10 * MB])
def test_a_map_that_does_not_fit_is_no_map(
    tmp_path: Path, size_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extract makes 2.8 MB, and takes 11 MB while it is built: routes fail last, but never in silence."""
    disk = tmp_path / "disk"
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(disk))
    ran = on_a_full_disk(disk, size_bytes, "map", "add", demo_extract())
    assert (ran.code, ran.out) == (1, "")
    assert f"The map 'helsinki' cannot be written below {disk / 'maps'}: " in ran.err
    assert "nothing was changed" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.usefixtures("untouched")
def test_a_read_only_disk_can_be_asked(maps: Path) -> None:
    ran = on_a_read_only_disk(maps, "ask", QUESTION)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "8 min"), ran.err


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize(
    ("action", "done"), [("add", "written below"), ("remove", "removed from")], ids=("add", "remove")
)
def test_the_maps_of_a_read_only_disk_stay(maps: Path, action: str, done: str) -> None:
    ran = on_a_read_only_disk(maps, "map", action, demo_extract() if action == "add" else "helsinki")
    assert (ran.code, ran.out) == (1, "")
    assert f"The map 'helsinki' cannot be {done} {maps}: " in ran.err
    assert "Read-only file system" in ran.err
    assert "Traceback" not in ran.err


def test_an_evaluation_keeps_what_it_finished(mapagent: CommandLine, data_home: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    records = [record | {"id": number} for number, record in enumerate(little() * 8)]
    data = write_records(tmp_path / "data.json", records)
    arguments = ("eval", "mapeval-textual", "--data", data, "--out", out)
    ran = with_files_up_to(8000, *arguments)
    assert ran.code == 1
    assert f"{out / 'results.jsonl'} cannot be written: File too large." in ran.err
    assert "continue with --resume" in ran.err
    assert "Traceback" not in ran.err
    finished = read_results(out)
    assert 0 < len(finished) < len(records)
    assert mapagent(*arguments, "--resume").code == 0
    assert read_results(out)[: len(finished)] == finished


def test_a_batch_keeps_what_it_finished(mapagent: CommandLine, maps: Path, tmp_path: Path) -> None:
    source = write(tmp_path / "in.parquet", {"question": "VARCHAR"}, [(QUESTION,)] * ROWS)
    out = tmp_path / "out.parquet"
    ran = with_files_up_to(12_000, "batch", source, out)
    assert ran.code == 1
    assert "rows.jsonl cannot be written: File too large." in ran.err
    assert "run the same command again" in ran.err
    kept = (tmp_path / "out.parquet.part" / "rows.jsonl").read_bytes()
    assert 0 < kept.count(b"\n") < ROWS
    assert kept.endswith(b"\n")
    assert mapagent("batch", source, out).code == 0
    assert [row["answer"] for row in read(out)] == ["8 min"] * ROWS


@pytest.mark.usefixtures("maps")
def test_the_table_of_answers_does_not_fit(mapagent: CommandLine, tmp_path: Path) -> None:
    """All rows are finished, and then the disk has no place for the table: it is written the next time."""
    source = write(tmp_path / "in.parquet", {"question": "VARCHAR"}, [("  ",)])
    out = tmp_path / "out.parquet"
    ran = with_files_up_to(1500, "batch", source, out)
    assert ran.code == 1
    assert "cannot be written: " in ran.err
    assert "run the same command again" in ran.err
    assert "Traceback" not in ran.err
    assert not out.exists()
    assert mapagent("batch", source, out).code == 0
    assert len(read(out)) == 1


@pytest.mark.parametrize("command", ["eval", "batch"])
@pytest.mark.usefixtures("maps")
def test_results_on_a_read_only_disk(tmp_path: Path, command: str) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    source = write(tmp_path / "in.parquet", {"question": "VARCHAR"}, [(QUESTION,)])
    arguments: dict[str, tuple[str | Path, ...]] = {
        "eval": ("eval", "mapeval-textual", "--data", LITTLE, "--out", disk / "run"),
        "batch": ("batch", source, disk / "out.parquet"),
    }
    ran = on_a_read_only_disk(disk, *arguments[command])
    assert ran.code in (1, 2)
    assert "cannot be written: Read-only file system." in ran.err
    assert "Traceback" not in ran.err


def test_a_recording_on_a_full_disk_says_so_and_keeps_what_it_has(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "run.jsonl", clock=FrozenClock(NOON))
    recorder.add(Entry(REQUEST, NOON, reply=reply()))
    with files_up_to(100), pytest.raises(OutputFileError, match=r"part cannot be written: File too large"):
        recorder.add(Entry(OTHER, NOON, reply=reply()))
    with files_up_to(100), pytest.raises(OutputFileError, match=r"run\.jsonl cannot be written"):
        recorder.close()
    assert not (tmp_path / "run.jsonl").exists()
    assert Player(tmp_path / "run.jsonl.part").play(REQUEST).reply == reply()


def test_a_cache_on_a_full_disk_keeps_nothing_and_stops_nothing(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path, SystemClock())
    keep = Retention.for_ever()
    cache.put(REQUEST, DataKind.PAYLOAD, keep, reply())
    large = reply(body=b"x" * 500_000)
    with files_up_to(100_000):
        cache.put(OTHER, DataKind.PAYLOAD, keep, large)
    assert cache.get(REQUEST, keep) is not None
    assert cache.get(OTHER, keep) is None
    cache.put(OTHER, DataKind.PAYLOAD, keep, large)
    assert cache.get(OTHER, keep) is not None
    cache.close()
