"""Maps that are damaged, foreign or incomplete: named and refused with the remedy, never half believed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from map_tools.maps.info import SCHEMA_VERSION
from tests.support.cli import CommandLine
from tests.support.data import demo_extract

QUESTION = "How long does it take to walk from Ateneum to Kamppi?"


def cut(name: str) -> Callable[[Path], None]:
    def harm(folder: Path) -> None:
        path = folder / name
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    return harm


def gone(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def garbled(name: str, start: int) -> Callable[[Path], None]:
    """Same size, other bytes: what a failing disk leaves."""

    def harm(folder: Path) -> None:
        path = folder / name
        content = path.read_bytes()
        path.write_bytes(content[:start] + b"\x55" * (len(content) - start))

    return harm


def info(**values: object) -> Callable[[Path], None]:
    def harm(folder: Path) -> None:
        path = folder / "map.json"
        path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | values), "utf-8")

    return harm


def written(text: str) -> Callable[[Path], None]:
    def harm(folder: Path) -> None:
        (folder / "map.json").write_text(text, "utf-8")

    return harm


def without_marks(folder: Path) -> None:
    """A description that does not say which files there should be, and one of them gone."""
    info(files={})(folder)
    gone("index/lats.npy")(folder)


def first_tile(folder: Path) -> str:
    return max(folder.rglob("*.gph"), key=lambda path: path.stat().st_size).relative_to(folder).as_posix()


HARMS: dict[str, tuple[Callable[[Path], None], str]] = {
    "sqlite cut": (cut("features.sqlite"), "features.sqlite is missing or cut short"),
    "sqlite gone": (gone("features.sqlite"), "features.sqlite is missing or cut short"),
    "sqlite garbled": (garbled("features.sqlite", 8192), "features.sqlite is damaged"),
    "sqlite foreign": (garbled("features.sqlite", 0), "features.sqlite is damaged"),
    "array cut": (cut("index/lats.npy"), "index/lats.npy is missing or cut short"),
    "array gone": (gone("index/trigram_keys.npy"), "index/trigram_keys.npy is missing or cut short"),
    "array garbled": (garbled("index/lats.npy", 0), "its files cannot be read"),
    "tile cut": (lambda folder: cut(first_tile(folder))(folder), ".gph is missing or cut short"),
    "tile gone": (lambda folder: gone(first_tile(folder))(folder), ".gph is missing or cut short"),
    "tiles gone": (lambda folder: shutil.rmtree(folder / "tiles"), ".gph is missing or cut short"),
    "json cut": (cut("map.json"), "map.json cannot be read"),
    "json empty": (written(""), "map.json cannot be read"),
    "json deep": (written("[" * 100_000), "map.json cannot be read"),
    "json other": (written("[1, 2]"), f"its schema version is None, this program reads {SCHEMA_VERSION}"),
    "no version": (info(schema_version="\x1b[31m5"), "the schema version in map.json is no number"),
    "older": (info(schema_version=0), f"its schema version is 0, this program reads {SCHEMA_VERSION}"),
    "newer": (info(schema_version=99), f"its schema version is 99, this program reads {SCHEMA_VERSION}"),
    "field foreign": (info(colour="red"), "map.json is not valid"),
    "no marks": (without_marks, "its files cannot be read"),
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_harmed_map_is_refused(mapagent: CommandLine, maps: Path, harm: str) -> None:
    damage, words = HARMS[harm]
    damage(maps / "helsinki")
    for flags in ((), ("--json",), ("--map", "helsinki")):
        ran = mapagent("ask", QUESTION, *flags)
        assert (ran.code, ran.out) == (1, "")
        assert "The map 'helsinki' cannot be used: " in ran.err
        assert words in ran.err
        assert "Run `mapagent map add` again to build it." in ran.err
        assert "Traceback" not in ran.err


def test_the_remedy_works(mapagent: CommandLine, maps: Path) -> None:
    cut("features.sqlite")(maps / "helsinki")
    assert mapagent("map", "add", demo_extract(), "--name", "helsinki").code == 0
    ran = mapagent("ask", QUESTION)
    assert ran.code == 0
    assert sorted(path.name for path in maps.iterdir()) == [".builds", ".lock", "helsinki"]


def test_one_harmed_map_hides_no_other(mapagent: CommandLine, maps: Path) -> None:
    shutil.copytree(maps / "helsinki", maps / "town")
    info(name="town")(maps / "town")
    info(schema_version=0)(maps / "helsinki")
    ran = mapagent("map", "list")
    assert ran.code == 0
    harmed, sound = ran.out.splitlines()
    assert harmed.startswith("helsinki")
    assert "schema version is 0" in harmed
    assert sound.startswith("town")
    assert "4530 features" in sound
    assert mapagent("ask", QUESTION, "--map", "town").code == 0


def test_a_harmed_map_can_be_removed(mapagent: CommandLine, maps: Path) -> None:
    info(schema_version=0)(maps / "helsinki")
    assert mapagent("map", "remove", "helsinki").code == 0
    assert sorted(path.name for path in maps.iterdir()) == [".builds", ".lock"]
    assert list((maps / ".builds").iterdir()) == []
