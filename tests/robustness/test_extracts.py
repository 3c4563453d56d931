"""Extracts that are not what they should be, and disks that are full: named, refused, nothing left behind."""

import resource
import subprocess
from pathlib import Path

import pytest

from tests.support.cli import PROGRAM, CommandLine
from tests.support.data import demo_extract


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
