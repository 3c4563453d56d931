"""Extracts and timetables that are not what they should be, and disks that are full: named, refused, nothing left.

A sound timetable is kept with a map and named.
"""

import resource
import subprocess
from pathlib import Path

import pytest

from tests.support.cli import PROGRAM, CommandLine
from tests.support.data import demo_extract
from tests.support.gtfs import HELSINKI, write_feed


def places_of_no_town(path: Path) -> None:
    """A sound extract in which nothing is a place."""
    import osmium

    with osmium.SimpleWriter(str(path)) as writer:
        for number in range(1, 6):
            writer.add_node(osmium.osm.mutable.Node(id=number, location=(9.5, 47.1), version=1))


@pytest.fixture
def extract(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A broken extract of the kind the test names."""
    path = tmp_path / "town.osm.pbf"
    whole = demo_extract().read_bytes()
    middle = len(whole) // 2
    contents = {
        "empty": b"",
        "text": b"This is no map.\n" * 100,
        "head only": whole[:200],
        "cut": whole[:middle],
        "last byte gone": whole[:-1],
        "garbled": whole[:middle] + b"\xaa" * 4096 + whole[middle + 4096 :],
        "xml": b"<?xml version='1.0'?><osm version='0.6'></osm>",
    }
    if request.param == "no places":
        places_of_no_town(path)
    elif request.param != "missing":
        path.write_bytes(contents[request.param])
    return path


@pytest.mark.parametrize(
    ("extract", "words"),
    [
        ("missing", "There is no file"),
        ("empty", "is empty. Fetch the extract again."),
        ("text", "is not an OpenStreetMap extract, or it is cut short. Fetch"),
        ("head only", "is not an OpenStreetMap extract, or it is cut short"),
        ("cut", "is not an OpenStreetMap extract, or it is cut short"),
        ("last byte gone", "is not an OpenStreetMap extract, or it is cut short"),
        ("garbled", "is not an OpenStreetMap extract, or it is cut short"),
        ("xml", "is not an OpenStreetMap extract, or it is cut short"),
        ("no places", "has no places in it"),
    ],
    indirect=["extract"],
)
@pytest.mark.usefixtures("untouched")
def test_refused(mapagent: CommandLine, maps: Path, extract: Path, words: str) -> None:
    for name in ("town", "helsinki"):  # a new name, and that of a map that must stay
        ran = mapagent("map", "add", extract, "--name", name)
        assert (ran.code, ran.out) == (2, "")
        assert f"'{extract}'" in ran.err
        assert words in ran.err
        assert "Traceback" not in ran.err
    assert sorted(path.name for path in maps.iterdir()) == [".builds", ".lock", "helsinki"]


@pytest.mark.parametrize("name", ["../town", "Town", "a b", "-a", ""])
def test_names_maps_cannot_have(mapagent: CommandLine, data_home: Path, name: str) -> None:
    ran = mapagent("map", "add", demo_extract(), f"--name={name}")
    assert ran.code == 2
    assert f"'{name}' cannot be the name of a map. Use small letters" in ran.err
    assert not data_home.exists()


@pytest.mark.parametrize("limit_bytes", [20_000, 300_000])
@pytest.mark.usefixtures("untouched")
def test_a_full_disk(maps: Path, limit_bytes: int) -> None:
    """No file may grow beyond the limit, which the writer sees as a disk that takes no more."""
    for name in ("town", "helsinki"):
        ran = subprocess.run(
            [*PROGRAM, "map", "add", demo_extract(), "--name", name],
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes)),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.returncode, ran.stdout) == (1, "")
        assert f"The map '{name}' cannot be written below {maps}" in ran.stderr
        assert "nothing was changed" in ran.stderr
        assert "Traceback" not in ran.stderr
    assert [path.name.partition(".")[0] for path in (maps / ".builds").iterdir()] == ["helsinki"]


@pytest.fixture
def feed(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A feed with the tables changed as the test says."""
    changes = getattr(request, "param", {})
    tables = {**HELSINKI, **changes}
    return write_feed(tmp_path / "feed.zip", {name: text for name, text in tables.items() if text})


def test_a_map_with_a_timetable_and_the_same_without(
    mapagent: CommandLine, feed: Path, tmp_path: Path
) -> None:
    program = tmp_path / "way.mq"
    program.write_text('answer(travel("Kampin kappeli", "Kauppatori", "transit", depart="7:50").duration)')
    ask = ("query", program, "--at", "2026-11-23T07:40")
    ran = mapagent("map", "add", demo_extract(), "--name", "town", "--gtfs", feed)
    assert ran.code == 0
    assert "Timetable of Demo Transport: 4 lines, 7 trips, 3 of 4 stops on the map" in ran.out
    assert "from 2026-11-01 to 2026-12-31." in ran.out
    assert "timetable to 2026-12-31" in mapagent("map", "list").out
    told = mapagent(*ask)
    assert told.out.startswith("8 min")
    assert "timetable: Demo Transport" in told.out
    assert mapagent("map", "add", demo_extract(), "--name", "town").code == 0
    assert "no transit timetable" in mapagent(*ask).out


@pytest.mark.parametrize(
    "feed", [{"calendar": HELSINKI["calendar"].replace("2026", "2019"), "calendar_dates": ""}], indirect=True
)
def test_an_expired_timetable_is_kept_and_that_is_said(mapagent: CommandLine, feed: Path) -> None:
    ran = mapagent("map", "add", demo_extract(), "--name", "town", "--gtfs", feed)
    assert ran.code == 0
    assert "The timetable has expired" in ran.err


@pytest.mark.parametrize(
    ("feed", "words"),
    [
        ({"stop_times": ""}, "it has no stop_times.txt"),
        ({"calendar": "", "calendar_dates": ""}, "it has no calendar"),
        ({"stop_times": HELSINKI["stop_times"].replace("08:05:00", "8.05")}, "'8.05' is no time"),
        ({"stops": HELSINKI["stops"].replace(",60.", ",10.")}, "none of its 4 stops lies on the map"),
    ],
    indirect=["feed"],
)
@pytest.mark.usefixtures("untouched")
def test_a_feed_is_refused(mapagent: CommandLine, maps: Path, feed: Path, words: str) -> None:
    for name in ("town", "helsinki"):  # a new name, and that of a map that must stay
        ran = mapagent("map", "add", demo_extract(), "--name", name, "--gtfs", feed)
        assert (ran.code, ran.out) == (2, "")
        assert words in ran.err
        assert "Traceback" not in ran.err
    assert sorted(path.name for path in maps.iterdir()) == [".builds", ".lock", "helsinki"]


def test_a_database_keeps_none(mapagent: CommandLine, feed: Path) -> None:
    ran = mapagent("map", "add", demo_extract(), "--to", "host=/nowhere", "--gtfs", feed)
    assert ran.code == 2
    assert "A database keeps no timetable. Leave out --to, or --gtfs." in ran.err


def test_a_damaged_timetable_is_named(
    mapagent: CommandLine, data_home: Path, feed: Path, tmp_path: Path
) -> None:
    assert mapagent("map", "add", demo_extract(), "--name", "town", "--gtfs", feed).code == 0
    kept = data_home / "maps" / "town" / "timetable.npz"
    whole = kept.read_bytes()
    kept.write_bytes(b"\0" * len(whole))
    program = tmp_path / "way.mq"
    program.write_text(
        'answer(travel("Kampin kappeli", "Kauppatori", "transit", depart="2026-11-23 7:50").arrive)'
    )
    ran = mapagent("query", program)
    assert ran.out.startswith("Unanswerable: The timetable at")
    assert "Build the map again" in ran.out
