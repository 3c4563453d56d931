"""A batch that ended early goes on where it stopped, as the same batch and as no other."""

import json
import os
import shutil
from pathlib import Path

import pytest

from map_tools.errors import ModelError, WorkerLostError
from mapagent.core.answer import Answer, Status, Usage
from mapagent.interfaces.batch.part import BATCH_FILE, ROWS_FILE, Outcome, outcome_of, part_of
from mapagent.interfaces.batch.run import BatchAsker
from mapagent.interfaces.batch.table import Row
from mapagent.runtime.ledger import Limits
from tests.support.cli import CommandLine, snapshot
from tests.support.maps import demo_map
from tests.support.tables import read, timeless, write

pytestmark = pytest.mark.usefixtures("demo")


class Stopping:
    """Asks as ever until so many rows are asked, then breaks down."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
        self.asked: list[int] = []
        real = BatchAsker.ask

        async def ask(asker: BatchAsker, row: Row, limits: Limits) -> Outcome:
            if len(self.asked) == after:
                raise ModelError("The model server is gone.")
            self.asked.append(row.number)
            return await real(asker, row, limits)

        monkeypatch.setattr(BatchAsker, "ask", ask)


@pytest.fixture
def begun(mapagent: CommandLine, questions: Path, tmp_path: Path) -> Path:
    """The table of answers of a batch that broke down after its fourth row."""
    out = tmp_path / "out.parquet"
    with pytest.MonkeyPatch.context() as patched:
        Stopping(patched, 4)
        ran = mapagent("batch", questions, out)
    assert (ran.code, out.exists()) == (1, False)
    assert "The model server is gone." in ran.err
    return out


def lines(out: Path) -> list[bytes]:
    return (part_of(out) / ROWS_FILE).read_bytes().splitlines(keepends=True)


def test_only_what_is_missing_is_asked(
    mapagent: CommandLine, questions: Path, begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert mapagent("batch", questions, tmp_path / "whole.parquet").code == 0
    rest = Stopping(monkeypatch, 100)
    assert mapagent("batch", questions, begun).code == 0
    assert rest.asked == [4, 5, 6, 7, 8]
    assert timeless(read(begun)) == timeless(read(tmp_path / "whole.parquet"))
    assert not part_of(begun).exists()


def test_half_a_line_is_asked_again(mapagent: CommandLine, questions: Path, begun: Path) -> None:
    file = part_of(begun) / ROWS_FILE
    file.write_bytes(file.read_bytes()[:-5])
    assert mapagent("batch", questions, begun).code == 0
    assert len(read(begun)) == 9


def test_now_is_the_same_moment_in_every_sitting(
    mapagent: CommandLine, questions: Path, begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = []
    real = BatchAsker.__init__

    def init(asker: BatchAsker, settings: object, around: object, own: object) -> None:
        moments.append(around.now)  # type: ignore[attr-defined]
        real(asker, settings, around, own)  # type: ignore[arg-type]

    monkeypatch.setattr(BatchAsker, "__init__", init)
    kept = json.loads((part_of(begun) / BATCH_FILE).read_text())["now"]
    assert mapagent("batch", questions, begun).code == 0
    assert [moment.isoformat() for moment in moments] == [kept]


def add_a_map(maps: Path) -> None:
    """Beside the demo map there is a newer one."""
    maps.unlink()
    maps.mkdir()
    (maps / "helsinki").symlink_to(demo_map())
    shutil.copytree(demo_map(), maps / "town")
    os.utime(maps / "town" / "map.json")


def test_a_map_that_was_added_meanwhile_is_not_asked(
    mapagent: CommandLine, questions: Path, begun: Path, tmp_path: Path
) -> None:
    add_a_map(tmp_path / "data" / "maps")
    assert mapagent("batch", questions, begun).code == 0
    assert {row["map"] for row in read(begun) if row["map"]} == {"helsinki"}


@pytest.mark.parametrize(
    ("flags", "name"), [(("--map", "town"), "map"), (("--provider", "osm"), "map_wanted")]
)
def test_another_batch_is_not_mixed_in(
    mapagent: CommandLine, questions: Path, begun: Path, tmp_path: Path, flags: tuple[str, ...], name: str
) -> None:
    add_a_map(tmp_path / "data" / "maps")
    before = snapshot(part_of(begun))
    ran = mapagent("batch", questions, begun, *flags)
    assert ran.code == 2
    assert f"holds another batch: its {name} is not that of this one" in ran.err
    assert snapshot(part_of(begun)) == before


def test_another_table_is_not_mixed_in(mapagent: CommandLine, begun: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "other.parquet", {"question": "VARCHAR"}, [("Where?",)] * 9)
    ran = mapagent("batch", other, begun)
    assert ran.code == 2
    assert "its table_sha256 is not that of this one" in ran.err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (ROWS_FILE, b"{}\n", "line 1: it is no finished row"),
        (ROWS_FILE, b'{"row": 99, "usage": {"cost_usd": 0}}\n', "line 1: it is no finished row"),
        (ROWS_FILE, b'{"row": -1, "usage": {"cost_usd": 0}}\n', "line 1: it is no finished row"),
        (ROWS_FILE, b'{"row": 0, "usage": {"cost_usd": null}}\n', "line 1: it is no finished row"),
        (ROWS_FILE, 2 * b'{"row": 1, "usage": {"cost_usd": 0}}\n', "line 2: row 1 is finished twice"),
        (BATCH_FILE, b"[]", "is not of a batch of this version"),
        (BATCH_FILE, b'{"v": 0}', "is not of a batch of this version"),
    ],
)
def test_damage_is_named(
    mapagent: CommandLine, questions: Path, begun: Path, name: str, content: bytes, message: str
) -> None:
    (part_of(begun) / name).write_bytes(content)
    ran = mapagent("batch", questions, begun)
    assert ran.code == 2
    assert message in ran.err
    assert f"Remove {part_of(begun)} to begin the batch anew." in ran.err


def test_a_kill_after_the_table_was_put_in_its_place(
    mapagent: CommandLine, questions: Path, begun: Path, tmp_path: Path
) -> None:
    """The folder beside it is swept up, but only if its table has gone to its place."""
    shutil.copy(questions, begun)
    (part_of(begun) / "finished").touch()
    (part_of(begun) / "answers.parquet").touch()
    assert mapagent("batch", questions, begun).code == 2
    assert part_of(begun).exists()
    (part_of(begun) / "answers.parquet").unlink()
    assert "is there already" in mapagent("batch", questions, begun).err
    assert not part_of(begun).exists()


def test_the_money_is_for_the_whole_batch(
    mapagent: CommandLine, questions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float | None] = []

    async def ask(_: BatchAsker, row: Row, limits: Limits) -> Outcome:
        given.append(limits.max_usd)
        return outcome_of(row.number, Answer(status=Status.ANSWERED, text="x", usage=Usage(cost_usd=0.25)))

    monkeypatch.setattr(BatchAsker, "ask", ask)
    out = tmp_path / "out.parquet"
    ran = mapagent("batch", questions, out, "--max-usd", "1")
    assert ran.code == 1
    assert "budget of 1.0000 USD is spent" in ran.err
    assert "Raise --max-usd and run the same command again." in ran.err
    assert given == [1.0, 0.75, 0.5, 0.25]
    assert len(lines(out)) == 4
    assert mapagent("batch", questions, out, "--max-usd", "2.25").code == 0
    assert len(given) == len(read(out)) == 9


def test_a_row_that_no_worker_survives_is_an_error(
    mapagent: CommandLine, questions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = BatchAsker.ask

    async def ask(asker: BatchAsker, row: Row, limits: Limits) -> Outcome:
        if row.number == 2:
            raise WorkerLostError("The worker that was asked died.")
        return await real(asker, row, limits)

    monkeypatch.setattr(BatchAsker, "ask", ask)
    assert mapagent("batch", questions, tmp_path / "out.parquet").code == 0
    row = read(tmp_path / "out.parquet")[2]
    assert (row["status"], row["reason"]) == ("error", "The worker that was asked died.")


def test_money_for_a_model_of_unknown_price_cannot_be_kept(
    mapagent: CommandLine, questions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAPAGENT_API_KEY", "none")
    flags = ("--model", "some-model", "--base-url", "https://models.example.com/v1", "--max-usd", "1")
    ran = mapagent("batch", questions, tmp_path / "out.parquet", *flags)
    assert ran.code == 2
    assert "so max_usd cannot be kept" in ran.err
