"""Recorded worlds that are not what they should be: file, line or entry and field are named."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import CommandLine

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
