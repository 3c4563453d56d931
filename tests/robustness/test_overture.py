"""Places of Overture on the command line: questions see them, what is wrong with a file is said, the old map stays."""

import json
from pathlib import Path

import pytest

from tests.support.cli import CommandLine
from tests.support.data import demo_extract
from tests.support.overture import ROWS, row, write_places

CREDIT = "© OpenStreetMap contributors, Overture Maps Foundation"


@pytest.fixture
def places(tmp_path: Path) -> Path:
    """The file of known truth."""
    return write_places(tmp_path / "places.parquet", ROWS)


def test_questions_are_answered_from_both(mapagent: CommandLine, places: Path) -> None:
    ran = mapagent("map", "add", demo_extract(), "--name", "town", "--overture", places)
    assert ran.code == 0, ran.err
    assert f"features. {CREDIT}\n" in ran.out
    assert "Overture Maps: 6 places united with OpenStreetMap's, 7 added.\n" in ran.out
    assert (
        "Left out: 2 below confidence 0.5, 1 closed for good, 1 of a kind that the map does not know, 1 repeated, "
        "3 without id, name or position, 2 outside the map.\n"
    ) in ran.out
    new = mapagent("ask", "What is the phone number of Testikahvila Orvokki?")
    assert new.out.startswith("+358 40 123 4567")
    assert CREDIT in new.out
    gained = mapagent("ask", "What is the phone number of Hotelli Fabian?", "--near", "60.164162,24.950139")
    assert "+358 9 6128 2000" in gained.out
    nearest = mapagent("ask", "Which cafe is nearest to Ateneum?")
    assert "Testikahvila Orvokki" in nearest.out
    found = json.loads(mapagent("ask", "What is the website of Cafe Engel?", "--json").out)
    assert (found["answer"], found["attribution"]) == ("https://www.cafeengel.fi/", CREDIT)
    assert "website and email from Overture Maps" in found["evidence"][0]["fact"]
    by_id = mapagent("ask", "What is the phone number of id:overture:new-cafe?")
    assert by_id.out.startswith("+358 40 123 4567")


def test_the_list_of_maps_says_how_many(mapagent: CommandLine, places: Path) -> None:
    sure = ("--overture-confidence", "0.4")
    ran = mapagent("map", "add", demo_extract(), "--name", "town", "--overture", places, *sure)
    assert "1 below confidence 0.4" in ran.out
    mapagent("map", "add", demo_extract(), "--name", "plain")
    told = mapagent("map", "list").out
    assert "14 places of Overture Maps" in told
    assert "Overture" not in next(line for line in told.splitlines() if line.startswith("plain"))
    rows = {row["name"]: row for row in json.loads(mapagent("map", "list", "--json").out)["maps"]}
    assert (rows["town"]["overture_places"], rows["plain"]["overture_places"]) == (14, None)


def _csv(path: Path) -> None:
    path.write_text("id,name\n1,Kahvila\n")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def _damaged(path: Path) -> None:
    """The footer is whole, the pages are not."""
    content = bytearray(path.read_bytes())
    content[4 : len(content) // 3] = b"\xff" * (len(content) // 3 - 4)
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_csv, "cannot be read as Parquet"),
        (_cut, "cannot be read as Parquet, or it is cut short"),
        (_damaged, "cannot be read as Parquet"),
        (lambda path: path.write_bytes(b""), "is empty"),
        (lambda path: write_places(path, []), "has no places in it"),
        (lambda path: path.unlink(), "There is no file"),
        (lambda path: write_places(path, ROWS, bounds=False, geometry=False), "no column geometry or bbox"),
    ],
)
@pytest.mark.usefixtures("untouched")
def test_refused(mapagent: CommandLine, maps: Path, places: Path, spoil: object, words: str) -> None:
    assert callable(spoil)
    spoil(places)
    for name in ("town", "helsinki"):  # a new name, and that of a map that must stay
        ran = mapagent("map", "add", demo_extract(), "--name", name, "--overture", places)
        assert ran.code == 2
        assert words in ran.err
        assert len(ran.err.strip().splitlines()) <= 2
    assert [path.name for path in maps.iterdir() if not path.name.startswith(".")] == ["helsinki"]


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--overture-confidence", "0.7"), "Give --overture too"),
        (("--overture", "P", "--overture-confidence", "1.5"), "no number from 0 to 1"),
        (("--overture", "P", "--overture-confidence", "nan"), "no number from 0 to 1"),
        (("--overture", "P", "--to", "dbname=x"), "A database keeps no places of Overture Maps"),
    ],
)
def test_wrong_use(mapagent: CommandLine, flags: tuple[str, ...], words: str) -> None:
    ran = mapagent("map", "add", demo_extract(), *flags)
    assert ran.code == 2
    assert words in ran.err


def test_without_duckdb(mapagent: CommandLine, places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    ran = mapagent("map", "add", demo_extract(), "--name", "town", "--overture", places)
    assert ran.code == 2
    assert "pip install 'mapagent[sql]'" in ran.err


@pytest.mark.parametrize("bounds", [True, False])
def test_a_million_rows_elsewhere(mapagent: CommandLine, tmp_path: Path, bounds: bool) -> None:
    import duckdb

    one = write_places(
        tmp_path / "one.parquet", [row("in", "Kahvila Ainoa", (60.17, 24.944), "cafe")], bounds=bounds
    )
    elsewhere = write_places(
        tmp_path / "other.parquet", [row("x", "Muualla", (1.0, 2.0), "cafe")], bounds=bounds
    )
    many = tmp_path / "many.parquet"
    with duckdb.connect(":memory:") as connection:
        connection.execute(
            f"COPY (SELECT * REPLACE ('x' || number AS id) FROM '{elsewhere}', range(1000000) numbers(number)"
            f" UNION ALL SELECT *, 0 FROM '{one}') TO '{many}' (FORMAT parquet)"
        )
    ran = mapagent("map", "add", demo_extract(), "--name", "town", "--overture", many)
    assert ran.code == 0, ran.err
    assert "0 places united with OpenStreetMap's, 1 added.\nLeft out: 1000000 outside the map.\n" in ran.out


def test_another_area_is_told(mapagent: CommandLine, tmp_path: Path) -> None:
    file = write_places(tmp_path / "p.parquet", [row("x", "Muualla", (1.0, 2.0), "cafe")])
    ran = mapagent("map", "add", demo_extract(), "--name", "town", "--overture", file)
    assert ran.code == 0
    assert "is it of another area?" in ran.err
    assert "Overture Maps Foundation" not in ran.out
