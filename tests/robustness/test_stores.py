"""Maps and recorded worlds that are damaged, foreign or incomplete: named and refused with the remedy.

They are never half believed; of a world, file, line or entry and field are named. So it is before the first map, and
where maps cannot be kept.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from map_tools.maps.info import SCHEMA_VERSION
from tests.support.cli import CommandLine
from tests.support.data import demo_extract


def test_without_a_map_the_remedy_is_named(mapagent: CommandLine, data_home: Path) -> None:
    ran = mapagent("ask", "Where is Ateneum?")
    assert ran.code == 2
    assert "There is no map yet. Add one with `mapagent map add FILE.osm.pbf`" in ran.err
    assert ran.out == ""
    assert not data_home.exists()  # asking makes no folders


def test_the_list_of_no_maps(mapagent: CommandLine) -> None:
    ran = mapagent("map", "list")
    assert ran.code == 0
    assert "No maps yet" in ran.out


def test_a_named_map_where_there_is_none(mapagent: CommandLine) -> None:
    ran = mapagent("ask", "Where is Ateneum?", "--map", "helsinki")
    assert ran.code == 2
    assert "There is no map 'helsinki'. There is none yet." in ran.err


def test_a_recorded_world_needs_no_map(mapagent: CommandLine, world: str) -> None:
    ran = mapagent("ask", "What is the address of Customs House?", "--provider", world)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "12 Quay Lane, Harbourtown")


def test_a_data_home_that_is_a_file(mapagent: CommandLine, data_home: Path) -> None:
    data_home.write_text("in the way")
    ran = mapagent("map", "add", demo_extract())
    assert ran.code == 1
    assert f"cannot be written below {data_home / 'maps'}: Not a directory." in ran.err
    assert "Traceback" not in ran.err
    assert data_home.read_text() == "in the way"


def test_a_map_without_its_description_is_no_map(mapagent: CommandLine, maps: Path) -> None:
    (maps / "helsinki" / "map.json").unlink()
    ran = mapagent("ask", "Where is Ateneum?")
    assert ran.code == 2
    assert "There is no map yet" in ran.err


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


HEAD: dict[str, Any] = {"format": "mapagent-world", "version": 1}
TRAVEL = {"origin": "A", "destination": "B", "duration": "5 mins"}
BIG_NUMBER = '{"format":"mapagent-world","version":1,"places":[{"name":"A","rating":' + "9" * 5000 + "}]}"


def world_of(**entries: Any) -> str:
    return json.dumps(HEAD | entries)


BROKEN: list[tuple[str, list[str]]] = [
    ("", ["line 1, column 1: not JSON"]),
    ('{"format": "mapagent-world",\n"version": 1,\n"places": [}', ["line 3, column 12: not JSON", "Correct"]),
    ("[]", ["is not a recorded world", "docs/recorded-world.md"]),
    ("[" * 100_000, ["holds a value that cannot be read", "recursion"]),
    (BIG_NUMBER, ["holds a value that cannot be read", "digits"]),
    (world_of(version=2), ["is of version 2; this program reads version 1"]),
    (world_of(plaaces=[]), ["plaaces"]),
    (world_of(places=[{"name": "A"}, {"name": ""}]), ['places[1] ("").name']),
    (world_of(places=[{"name": "Old Light", "rating": 6}]), ['places[0] ("Old Light").rating']),
    (world_of(places=[{"name": "A", "location": [91, 0]}]), ['places[0] ("A").location']),
    (world_of(places=[{"name": "A", "location": [float("nan"), 0]}]), ["location"]),
    (world_of(places=[{"name": "A\ud800"}]), ["places[0]", "name"]),
    (world_of(travel_times=[TRAVEL, TRAVEL | {"duration": -5}]), ["travel_times[1].duration"]),
    (world_of(travel_times=[TRAVEL | {"duration": float("inf")}]), ["travel_times[0].duration", "finite"]),
    (world_of(travel_times=[TRAVEL | {"distance": float("nan")}]), ["travel_times[0].distance"]),
    (world_of(travel_times=[TRAVEL | {"mode": "flying carpet"}]), ["travel_times[0].mode"]),
    (world_of(nearby=[{"anchor": "A", "what": "cafe"}]), ["nearby[0].items", "required"]),
]


@pytest.mark.parametrize(("text", "words"), BROKEN, ids=[words[0] for _, words in BROKEN])
def test_broken(mapagent: CommandLine, tmp_path: Path, text: str, words: list[str]) -> None:
    path = tmp_path / "town.json"
    path.write_text(text, encoding="utf-8")
    ran = mapagent("ask", "Where is A?", "--provider", f"recorded:{path}")
    assert (ran.code, ran.out) == (2, "")
    for word in (str(path), *words):
        assert word in ran.err
    assert "Traceback" not in ran.err
    assert len(ran.err.splitlines()) == 1
    assert path.read_text(encoding="utf-8") == text


def test_not_utf8(mapagent: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "town.json"
    path.write_bytes(world_of(name="x").encode("utf-16"))
    ran = mapagent("ask", "Where is A?", "--provider", f"recorded:{path}")
    assert ran.code == 2
    assert "is not UTF-8 text. Save it as UTF-8." in ran.err


def test_a_folder_without_worlds(mapagent: CommandLine, tmp_path: Path) -> None:
    ran = mapagent("ask", "Where is A?", "--provider", f"recorded:{tmp_path}")
    assert ran.code == 2
    assert f"The folder {tmp_path} holds no .json file." in ran.err


def test_one_broken_file_of_several_is_named(mapagent: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(world_of(travel_times=[TRAVEL]))
    (tmp_path / "b.json").write_text("{")
    ran = mapagent("ask", "How long is the drive from A to B?", "--provider", f"recorded:{tmp_path}")
    assert ran.code == 2
    assert f"{tmp_path / 'b.json'}, line 1" in ran.err


def test_names_in_messages_cannot_steer_the_terminal(mapagent: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "town.json"
    path.write_text(world_of(places=[{"name": "\x1b[31mRed\nHarbour\u202e", "rating": "good"}]))
    ran = mapagent("ask", "Where is A?", "--provider", f"recorded:{path}")
    assert ran.code == 2
    assert "[31mRed Harbour" in ran.err
    assert ran.err.rstrip("\n").isprintable()


def test_a_byte_order_mark_does_no_harm(mapagent: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "town.json"
    path.write_text("\ufeff" + world_of(travel_times=[TRAVEL]), encoding="utf-8")
    ran = mapagent("ask", "How long is the drive from A to B?", "--provider", f"recorded:{path}")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "5 min")
