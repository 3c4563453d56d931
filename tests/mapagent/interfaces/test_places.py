"""`mapagent places`: what is kept, what is refused, and that nothing is lost."""

import json
import stat
from pathlib import Path

import pytest

from mapagent.runtime.own_places import FILE, MAX_PLACES
from tests.support.cli import CommandLine
from tests.support.maps import demo_map


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return CommandLine(capsys)


def listed(run: CommandLine) -> list[tuple[str, float, float, str]]:
    told = json.loads(run("places", "list", "--json").out)["places"]
    return [(one["name"], one["lat"], one["lon"], one["kind"]) for one in told]


def test_a_place_is_kept_for_its_owner_alone(run: CommandLine, tmp_path: Path) -> None:
    assert run("places", "add", "home", "60.165,24.94").code == 0
    assert run("places", "add", "Far away", "-33.9,151.2").code == 0
    file = tmp_path / "data" / FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert listed(run) == [("Far away", -33.9, 151.2, ""), ("home", 60.165, 24.94, "")]
    assert [path.name for path in file.parent.iterdir() if path.name != FILE] == [f".{FILE}.lock"]


def test_a_newer_place_of_a_name_replaces_the_older_one_and_says_so(run: CommandLine) -> None:
    run("places", "add", "My Home", "60.165,24.94")
    again = run("places", "add", "home", "60.17,24.95")
    assert again.code == 0
    assert "60.165000,24.940000" in again.err
    assert listed(run) == [("home", 60.17, 24.95, "")]


def test_a_name_or_address_is_looked_up(run: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "maps").symlink_to(demo_map().parent)
    assert run("places", "add", "gym", "Kiasma").code == 0
    ((_, lat, lon, _),) = listed(run)
    assert (lat, lon) == pytest.approx((60.1720, 24.9367), abs=1e-3)
    assert "Mannerheiminaukio 2" in run("places", "list").out
    for where, told in (("Kaismaxyz Street", "No place called"), ("Alko", "may be any of 2 places")):
        refused = run("places", "add", "shop", where)
        assert refused.code != 0
        assert told in refused.err
    assert len(listed(run)) == 1


def test_a_position_with_its_numbers_swapped_is_told(run: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "maps").symlink_to(demo_map().parent)
    assert "other way round" in run("places", "add", "office", "24.94,60.165").err
    assert "other way round" not in run("places", "add", "office", "60.165,24.94").err
    assert "other way round" not in run("places", "add", "cabin", "47.1,9.5").err


def test_without_a_map_only_positions_will_do(run: CommandLine) -> None:
    refused = run("places", "add", "gym", "Kiasma")
    assert refused.code == 2
    assert "There is no map yet" in refused.err


@pytest.mark.parametrize(
    ("name", "where", "told"),
    [
        ("home", "91,24", "is not a position"),
        ("home", "60,", "is not a position"),
        ("", "60,24", "has no letters or digits"),
        ("?!", "60,24", "has no letters or digits"),
        ("x" * 101, "60,24", "more than 100 characters"),
        ("here", "60,24", "means something else"),
        ("60.1,24.9", "60,24", "means something else"),
        ("id:osm:n1", "60,24", "means something else"),
    ],
)
def test_what_can_be_no_place_is_refused_in_one_sentence(
    run: CommandLine, name: str, where: str, told: str
) -> None:
    run("places", "add", "kept", "60,24")
    refused = run("places", "add", name, where)
    assert refused.code == 2
    assert told in refused.err
    assert refused.err.count("\n") == 1
    assert listed(run) == [("kept", 60.0, 24.0, "")]


def test_rows_that_are_wrong_are_told_and_the_others_kept(run: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "client_sites.csv").write_text(
        "Name,Lon,Lat,note\nNorth,24.942,60.176,x\n,24,60,\n--,24,60,\nOff,24,95,\nBad,a,nan,\nShort\n"
        '"South, old",24.94,60.16,\nNorth,24.9,60.1,\n',
        encoding="utf-8-sig",
    )
    taken = run("places", "import", "client_sites.csv")
    assert taken.code == 0
    assert "“client sites”: 3." in taken.out
    assert [line.split(":")[0] for line in taken.err.splitlines()] == [
        f"Left out, line {number}" for number in (3, 4, 5, 6, 7)
    ]
    kind = "client sites"
    assert listed(run) == [
        ("North", 60.176, 24.942, kind), ("North", 60.1, 24.9, kind), ("South, old", 60.16, 24.94, kind)
    ]  # fmt: skip
    again = run("places", "import", "client_sites.csv")
    assert "“client sites”: 0. Known already: 3." in again.out


def test_a_table_of_another_country(run: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("name;latitude;longitude\nEins;60,5;24,25\n", encoding="utf-8")
    run("places", "import", "a.csv", "--kind", "flats")
    assert listed(run) == [("Eins", 60.5, 24.25, "flats")]


def test_of_an_area_the_centroid_counts(run: CommandLine, tmp_path: Path) -> None:
    square = [[24.0, 60.0], [24.2, 60.0], [24.2, 60.2], [24.0, 60.2], [24.0, 60.0]]
    features = [
        {
            "type": "Feature",
            "properties": {"name": "Square"},
            "geometry": {"type": "Polygon", "coordinates": [square]},
        },
        {"type": "Feature", "properties": {"name": "None"}, "geometry": None},
        {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [24, 60]}},
        {
            "type": "Feature",
            "properties": {"name": "Odd"},
            "geometry": {"type": "Polygon", "coordinates": [5]},
        },
        7,
    ]
    (tmp_path / "a.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    taken = run("places", "import", "a.geojson", "--kind", "squares")
    assert taken.code == 0
    assert listed(run) == [("Square", 60.1, 24.1, "squares")]
    assert len(taken.err.splitlines()) == 4


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"a,b\n1,2\n", "has no column 'name'; it has a, b"),
        (b"name,lat\nx,1\n", "has no column 'lon'"),
        (b"name,lat,lon\nx,91,1\n", "has no place that can be used"),
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"\xff\xfe\x00", "is not UTF-8"),
        (b'{"type": "Point"}', "no GeoJSON with features"),
        (b"[1, 2]", "no GeoJSON with features"),
        (b"{", "is not JSON"),
        (b"name,lat,lon\n" + b"x,60,24\n" * 1_000_000, f"more than {MAX_PLACES} rows"),
    ],
)
def test_a_file_that_is_none_changes_nothing(
    run: CommandLine, tmp_path: Path, content: bytes, told: str
) -> None:
    run("places", "add", "kept", "60,24")
    (tmp_path / "bad.csv").write_bytes(content)
    refused = run("places", "import", "bad.csv")
    assert refused.code == 2
    assert told in refused.err
    assert refused.err.count("\n") == 1
    assert listed(run) == [("kept", 60.0, 24.0, "")]


def test_there_is_an_end_to_how_many(run: CommandLine, tmp_path: Path) -> None:
    rows = "".join(f"p{number},60,{number / 1e4}\n" for number in range(MAX_PLACES))
    (tmp_path / "many.csv").write_text(f"name,lat,lon\n{rows}")
    assert run("places", "import", "many.csv").code == 0
    refused = run("places", "add", "one", "60,24")
    assert refused.code == 2
    assert f"at most {MAX_PLACES} are allowed" in refused.err
    assert len(listed(run)) == MAX_PLACES


def test_removing(run: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "flats.csv").write_text("name,lat,lon\nA,60,24\nB,60,25\n")
    run("places", "import", "flats.csv")
    for name in ("home", "work"):
        run("places", "add", name, "60,24")
    assert run("places", "remove", "nowhere").code == 2
    assert run("places", "remove").code == 2
    assert run("places", "remove", "Home").code == 0
    assert run("places", "remove", "--kind", "flats").code == 0
    assert [name for name, *_ in listed(run)] == ["work"]
    assert run("places", "remove", "--all").code == 0
    assert listed(run) == []


def test_a_damaged_file_is_told_and_can_be_got_rid_of(run: CommandLine, tmp_path: Path) -> None:
    run("places", "add", "home", "60,24")
    (tmp_path / "data" / FILE).write_text('{"version": 1, "places": [{"name": "home"}]}')
    for command in (("places", "list"), ("places", "add", "x", "60,24"), ("ask", "How far is home?")):
        refused = run(*command)
        assert refused.code == 2
        assert "are damaged: places.0.location" in refused.err
    assert "home" in (tmp_path / "data" / FILE).read_text()
    assert run("places", "remove", "--all").code == 0
    assert run("places", "list").code == 0
