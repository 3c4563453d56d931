"""Reading files of Overture's places: what is none, what lacks something, what lies outside."""

from pathlib import Path

import pytest

from map_tools.errors import ConfigError, InputFileError
from map_tools.overture.source import OvertureFile
from map_tools.types import Box
from tests.support.overture import row, write_places

BOX = Box(south=60.16, west=24.93, north=60.18, east=24.96)
INSIDE = row("in", "Kahvila", (60.17, 24.94), "cafe")


@pytest.mark.parametrize(("bounds", "geometry"), [(True, True), (True, False), (False, True)])
def test_position_from_geometry_or_bounds(tmp_path: Path, bounds: bool, geometry: bool) -> None:
    rows = [INSIDE, row("out", "Muualla", (60.5, 24.94), "cafe")]
    file = OvertureFile(write_places(tmp_path / "p.parquet", rows, bounds=bounds, geometry=geometry))
    (place,) = file.places(BOX)
    assert place is not None
    assert (place.id, place.kinds, file.rows) == ("in", ("cafe",), 2)
    assert (place.lat, place.lng) == pytest.approx((60.17, 24.94), abs=1e-5)


def test_a_box_across_the_antimeridian(tmp_path: Path) -> None:
    rows = [row(f"at{lng}", "Kahvila", (-17.0, float(lng)), "cafe") for lng in (179, -179, 0, 170)]
    for bounds in (True, False):
        file = OvertureFile(write_places(tmp_path / "p.parquet", rows, bounds=bounds))
        found = [place.id for place in file.places(Box(south=-18, west=178, north=-16, east=-178)) if place]
        assert found == ["at179", "at-179"]


@pytest.mark.parametrize("at", [(float("nan"), 24.94), (60.17, float("inf")), (95.0, 24.94), (60.17, 524.0)])
@pytest.mark.parametrize("bounds", [True, False])
def test_coordinates_that_are_none(tmp_path: Path, at: tuple[float, float], bounds: bool) -> None:
    file = OvertureFile(
        write_places(tmp_path / "p.parquet", [row("x", "Kahvila", at, "cafe"), INSIDE], bounds=bounds)
    )
    found = list(file.places(BOX))
    assert [place.id for place in found if place] == ["in"]
    assert file.rows == 2


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"id,name\n1,Cafe\n", "cannot be read as Parquet"),
        (b"PAR1" + bytes(200) + b"PAR1", "cannot be read as Parquet"),
    ],
)
def test_no_parquet(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "p.parquet"
    path.write_bytes(content)
    with pytest.raises(InputFileError, match=words):
        OvertureFile(path)


def test_missing(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="There is no file"):
        OvertureFile(tmp_path / "nothing.parquet")
    with pytest.raises(InputFileError, match="There is no file"):
        OvertureFile(tmp_path)


def test_cut_off_anywhere(tmp_path: Path) -> None:
    """A file that stops early has no footer, wherever it stops."""
    whole = write_places(tmp_path / "p.parquet", [INSIDE]).read_bytes()
    path = tmp_path / "cut.parquet"
    for share in (0.1, 0.5, 0.9, 0.999):
        path.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(InputFileError, match="cut short"):
            OvertureFile(path)


def test_no_rows(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="has no places"):
        OvertureFile(write_places(tmp_path / "p.parquet", []))


def _write(path: Path, columns: str) -> Path:
    import duckdb

    with duckdb.connect(":memory:") as connection:
        connection.execute(f"COPY (SELECT {columns}) TO '{path}' (FORMAT parquet)")
    return path


def test_other_columns_are_named(tmp_path: Path) -> None:
    path = _write(tmp_path / "p.parquet", "1 AS osm_id, 'Cafe' AS names")
    with pytest.raises(InputFileError) as refused:
        OvertureFile(path)
    for column in ("id", "names.primary", "confidence", "categories.primary", "geometry or bbox"):
        assert column in refused.value.message


def test_columns_of_odd_types_say_nothing(tmp_path: Path) -> None:
    path = _write(
        tmp_path / "p.parquet",
        "7 AS id, {'primary': 'Kahvila'} AS names, {'primary': 'cafe', 'alternate': 'bar'} AS categories,"
        " '0.7' AS confidence, 'tel' AS phones, 3 AS addresses, {'a': 1} AS sources, 'x' AS geometry,"
        " {'xmin': 24.94, 'xmax': 24.94, 'ymin': 60.17, 'ymax': 60.17} AS bbox",
    )
    assert list(OvertureFile(path).places(BOX)) == [None]  # 7 is no id


def test_the_newer_names_of_the_category(tmp_path: Path) -> None:
    path = _write(
        tmp_path / "p.parquet",
        "'k' AS id, {'primary': 'Kahvila'} AS names, {'primary': 'coffee_shop'} AS taxonomy, 0.7 AS confidence,"
        " {'xmin': 24.94, 'xmax': 24.94, 'ymin': 60.17, 'ymax': 60.17} AS bbox",
    )
    (place,) = OvertureFile(path).places(BOX)
    assert place is not None
    assert place.kinds == ("coffee_shop",)


def test_without_duckdb_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_places(tmp_path / "p.parquet", [INSIDE])
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    with pytest.raises(ConfigError, match=r"mapagent\[sql\]"):
        OvertureFile(path)


@pytest.mark.parametrize("name", ["it's.parquet", "p [1].parquet"])
def test_a_path_is_no_sql_and_no_pattern(tmp_path: Path, name: str) -> None:
    write_places(tmp_path / "p1.parquet", [row("other", "Muu", (60.17, 24.94), "cafe")])
    (tmp_path / name).write_bytes(write_places(tmp_path / "x.parquet", [INSIDE]).read_bytes())
    assert [place.id for place in OvertureFile(tmp_path / name).places(BOX) if place] == ["in"]


def test_a_name_that_is_a_pattern_is_said(tmp_path: Path) -> None:
    (tmp_path / "p?.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputFileError, match="Rename it"):
        OvertureFile(tmp_path / "p?.parquet")


def test_the_connection_opens_this_file_alone(tmp_path: Path) -> None:
    import duckdb

    from map_tools.overture.source import _connect

    own = write_places(tmp_path / "own.parquet", [INSIDE])
    other = write_places(tmp_path / "other.parquet", [INSIDE])
    with _connect(own) as connection:
        assert connection.execute(f"SELECT count(*) FROM '{own}'").fetchall() == [(1,)]
        for refused in (
            f"SELECT * FROM '{other}'",
            f"COPY (SELECT 1) TO '{other}'",
            "SET enable_external_access = true",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(refused)
