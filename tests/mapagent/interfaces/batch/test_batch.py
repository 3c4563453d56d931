"""`mapagent batch`: every row gets its answer, in its place, and own places leave the process with none."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from map_tools.errors import ModelError
from map_tools.own_places import OwnPlace
from map_tools.types import LatLng
from mapagent.interfaces.batch.part import BATCH_FILE, Outcome, part_of
from mapagent.interfaces.batch.run import BatchAsker
from mapagent.interfaces.batch.table import Row
from mapagent.runtime.ledger import Limits
from mapagent.runtime.own_places import OwnPlacesFile
from tests.mapagent.interfaces.batch.conftest import COLUMNS, QUESTIONS
from tests.support.cli import CommandLine, snapshot
from tests.support.tables import read, timeless, write

pytestmark = pytest.mark.usefixtures("demo")

YES, BAD, WHAT = "answered", "invalid", "unanswerable"
STATUSES = [YES, YES, YES, BAD, WHAT, YES, BAD, YES, BAD]


def test_every_row_gets_its_answer_in_its_place(
    mapagent: CommandLine, questions: Path, tmp_path: Path
) -> None:
    out = tmp_path / "answers.parquet"
    ran = mapagent("batch", questions, out)
    assert ran.code == 0, ran.err
    rows = read(out)
    assert [row["id"] for row in rows] == [row[0] for row in QUESTIONS]
    assert [row["status"] for row in rows] == STATUSES
    assert (rows[1]["answer"], rows[1]["option"], rows[1]["option_index"]) == ("8 min", "A", 0)
    assert f"{out}: 9 rows: 5 answered, 3 invalid, 1 unanswerable." in ran.err
    assert ran.out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "answers.parquet",
        "data",
        "questions.parquet",
    ]


def test_a_row_has_the_fields_of_ask_json(mapagent: CommandLine, questions: Path, tmp_path: Path) -> None:
    assert mapagent("batch", questions, tmp_path / "answers.parquet").code == 0
    row = read(tmp_path / "answers.parquet")[0]
    asked = json.loads(mapagent("ask", QUESTIONS[0][1], "--json").out)
    row = row | {
        name: json.loads(row[name]) for name in ("evidence", "plan", "parts", "places", "candidates")
    }
    assert list(row) == ["id", *asked]
    for answer in (row, asked):
        answer["usage"]["latency_s"] = 0
    assert {name: row[name] for name in asked} == asked


def test_a_bad_row_says_what_is_wrong_with_it(mapagent: CommandLine, questions: Path, tmp_path: Path) -> None:
    assert mapagent("batch", questions, tmp_path / "answers.parquet").code == 0
    reasons = [row["reason"] for row in read(tmp_path / "answers.parquet") if row["status"] == "invalid"]
    assert [reason.partition(":")[0] for reason in reasons] == [
        "The question is empty. Write what you want to know about the map.", "near", "at"
    ]  # fmt: skip
    assert "'north of here' is not a position" in reasons[1]


def test_rows_without_ids_are_known_by_their_number(mapagent: CommandLine, tmp_path: Path) -> None:
    source = write(
        tmp_path / "in.parquet", {"other": "INTEGER", "question": "VARCHAR"}, [(9, "?"), (8, None)]
    )
    assert mapagent("batch", source, tmp_path / "out.parquet").code == 0
    assert [(row["id"], row["status"]) for row in read(tmp_path / "out.parquet")] == [
        (0, "not_understood"),
        (1, "invalid"),
    ]


@pytest.mark.parametrize(
    ("kind", "value"), [("BIGINT", 2**60), ("UUID", "6f1c2f0e-0000-4000-8000-000000000001"), ("DOUBLE", 0.1)]
)
def test_ids_keep_their_type(mapagent: CommandLine, tmp_path: Path, kind: str, value: object) -> None:
    source = write(tmp_path / "in.parquet", {"id": kind, "question": "VARCHAR"}, [(value, None)])
    assert mapagent("batch", source, tmp_path / "out.parquet").code == 0
    assert str(read(tmp_path / "out.parquet")[0]["id"]) == str(value)


def test_a_table_without_rows(mapagent: CommandLine, tmp_path: Path) -> None:
    source = write(tmp_path / "in.parquet", COLUMNS, [])
    assert mapagent("batch", source, tmp_path / "out.parquet").code == 0
    assert read(tmp_path / "out.parquet") == []


def test_a_row_with_a_text_is_answered_from_it(mapagent: CommandLine, tmp_path: Path) -> None:
    text = "Ateneum is located at Somewhere Street 5. Phone Number: 555 1234."
    columns = {"question": "VARCHAR", "context": "VARCHAR"}
    asked = "What is the phone number of Ateneum?"
    source = write(tmp_path / "in.parquet", columns, [(asked, text), (asked, " ")])
    assert mapagent("batch", source, tmp_path / "out.parquet").code == 0
    read_from_text, read_from_map = read(tmp_path / "out.parquet")
    assert (read_from_text["provider"], read_from_map["provider"]) == ("context", "osm")


def test_odd_texts_arrive_whole(mapagent: CommandLine, tmp_path: Path) -> None:
    """Ends of lines, quotes, NUL, and characters beyond the first plane in what goes in and out."""
    odd = 'Ho"w\nfar\u2028is\\ "Ate\x00neum"?\U0001f5fa'
    source = write(
        tmp_path / "in.parquet", {"question": "VARCHAR", "options": "VARCHAR[]"}, [(odd, [odd, None])]
    )
    assert mapagent("batch", source, tmp_path / "out.parquet").code == 0
    assert len(read(tmp_path / "out.parquet")) == 1


def test_a_missing_picture_is_the_row_s_fault(mapagent: CommandLine, tmp_path: Path) -> None:
    source = write(
        tmp_path / "in.parquet", {"question": "VARCHAR", "image": "VARCHAR"}, [("Where?", "no.png")]
    )
    assert mapagent("batch", source, tmp_path / "out.parquet").code == 0
    (row,) = read(tmp_path / "out.parquet")
    assert row["status"] == "invalid"
    assert str(tmp_path / "no.png") in row["reason"]


@pytest.mark.parametrize("kind", ["TIMESTAMP", "TIMESTAMP_NS", "TIMESTAMPTZ", "VARCHAR"])
def test_moments_may_be_of_any_type(mapagent: CommandLine, tmp_path: Path, kind: str) -> None:
    columns = {"question": "VARCHAR", "at": kind}
    row = ("How long does it take to walk from Ateneum to Kamppi?", "2026-11-21 18:30:00+00")
    assert (
        mapagent("batch", write(tmp_path / "in.parquet", columns, [row]), tmp_path / "out.parquet").code == 0
    )
    assert read(tmp_path / "out.parquet")[0]["answer"] == "8 min"


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"text": "VARCHAR"}, "has no column 'question'. It has text; rename"),
        ({"question": "DATE[]", "near": "VARCHAR"}, "The column 'question' of"),
        ({"question": "VARCHAR", "near": "DOUBLE"}, "is of the type DOUBLE. It should be VARCHAR."),
        ({"question": "VARCHAR", "options": "VARCHAR"}, "It should be VARCHAR[]."),
    ],
)
def test_a_table_of_another_shape(
    mapagent: CommandLine, tmp_path: Path, columns: dict[str, str], message: str
) -> None:
    source = write(tmp_path / "in.parquet", columns, [])
    before = snapshot(tmp_path)
    ran = mapagent("batch", source, tmp_path / "out.parquet")
    assert ran.code == 2
    assert message in ran.err
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("content", [None, b"", b"question\nWhere?\n", b"PAR1 nothing PAR1"])
def test_a_file_that_is_no_table(mapagent: CommandLine, tmp_path: Path, content: bytes | None) -> None:
    source = tmp_path / "in.parquet"
    if content is not None:
        source.write_bytes(content)
    ran = mapagent("batch", source, tmp_path / "out.parquet")
    assert ran.code == 2
    assert f"The table {source} cannot be read: " in ran.err
    assert "Traceback" not in ran.err


def test_a_pattern_is_no_table(mapagent: CommandLine, questions: Path, tmp_path: Path) -> None:
    ran = mapagent("batch", questions.parent / "*.parquet", tmp_path / "out.parquet")
    assert ran.code == 2
    assert "cannot be read: there is no such file." in ran.err


def test_no_table_is_overwritten(mapagent: CommandLine, questions: Path, tmp_path: Path) -> None:
    (tmp_path / "out.parquet").write_text("mine")
    before = snapshot(tmp_path)
    ran = mapagent("batch", questions, tmp_path / "out.parquet")
    assert ran.code == 2
    assert f"{tmp_path / 'out.parquet'} is there already. Name another file" in ran.err
    assert snapshot(tmp_path) == before


def test_the_number_of_seats_changes_nothing(mapagent: CommandLine, questions: Path, tmp_path: Path) -> None:
    for seats in ("1", "4"):
        ran = mapagent(
            "batch", questions, tmp_path / f"{seats}.parquet", "--concurrency", seats, "--rate", "500"
        )
        assert ran.code == 0, ran.err
    assert timeless(read(tmp_path / "1.parquet")) == timeless(read(tmp_path / "4.parquet"))


@pytest.mark.parametrize("rate", ["0", "-1", "nan", "inf", "many"])
def test_a_rate_is_a_number_above_0(
    mapagent: CommandLine, questions: Path, tmp_path: Path, rate: str
) -> None:
    ran = mapagent("batch", questions, tmp_path / "out.parquet", f"--rate={rate}")
    assert ran.code == 2
    assert f"'{rate}' is not a number above 0" in ran.err


def test_what_is_wrong_with_the_map_is_not_the_answer_of_a_row(
    mapagent: CommandLine, questions: Path, tmp_path: Path
) -> None:
    ran = mapagent("batch", questions, tmp_path / "out.parquet", "--map", "atlantis")
    assert ran.code == 2
    assert "There is no map 'atlantis'" in ran.err
    assert not (tmp_path / "out.parquet").exists()


def test_the_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; from mapagent.interfaces.cli.main import main\n"
        "try: main(['batch', '--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'duckdb', 'ray', 'openai', 'numpy', 'httpx2'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


HOME, MOVED = LatLng(lat=60.16507, lng=24.94013), LatLng(lat=60.17603, lng=24.94207)


@pytest.fixture
def file(tmp_path: Path, demo: None) -> OwnPlacesFile:
    """The own places: home."""
    file = OwnPlacesFile(tmp_path / "data")
    file.add([OwnPlace(name="home", location=HOME)])
    return file


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The nearest cafe to home, and to where home is."""
    rows = [
        ("Which cafe is nearest to home?", None),
        ("Which cafe is nearest to me?", f"{HOME.lat},{HOME.lng}"),
    ]
    return write(tmp_path / "in.parquet", {"question": "VARCHAR", "near": "VARCHAR"}, rows)


@pytest.mark.usefixtures("file")
def test_a_row_may_name_them(mapagent: CommandLine, table: Path, tmp_path: Path) -> None:
    assert mapagent("batch", table, tmp_path / "out.parquet").code == 0
    at_home, at_position = read(tmp_path / "out.parquet")
    assert at_home["answer"] == at_position["answer"]
    assert "a place of your own" in at_home["understood"]


@pytest.mark.usefixtures("file")
def test_unless_that_is_not_wanted(mapagent: CommandLine, table: Path, tmp_path: Path) -> None:
    assert mapagent("batch", table, tmp_path / "out.parquet", "--no-own-places").code == 0
    assert "of your own" not in str(read(tmp_path / "out.parquet"))


@pytest.mark.usefixtures("file")
def test_they_are_not_sent_to_other_machines(mapagent: CommandLine, table: Path, tmp_path: Path) -> None:
    ran = mapagent("batch", table, tmp_path / "out.parquet", "--own-places", "--executor", "ray")
    assert ran.code == 2
    assert "stay on this machine" in ran.err
    assert not part_of(tmp_path / "out.parquet").exists()


def test_a_batch_goes_on_with_the_places_it_was_begun_with(
    mapagent: CommandLine, table: Path, file: OwnPlacesFile, tmp_path: Path
) -> None:
    async def ask(_: BatchAsker, __: Row, ___: Limits) -> Outcome:
        raise ModelError("The model server is gone.")

    out = tmp_path / "out.parquet"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(BatchAsker, "ask", ask)
        assert mapagent("batch", table, out).code == 1
    begun = (part_of(out) / BATCH_FILE).read_text()
    kept = json.loads(begun)["own_places"]
    content, seen = file.path.read_bytes(), file.path.stat()
    file.add([OwnPlace(name="home", location=MOVED)])
    for flags in ((), ("--no-own-places",)):
        ran = mapagent("batch", table, out, *flags)
        assert ran.code == 2
        assert "its own_places is not that of this one" in ran.err
        assert kept in ran.err
    file.path.write_bytes(content)
    os.utime(file.path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert mapagent("batch", table, out).code == 0
    assert "home" not in begun
    assert "60.16" not in begun
