"""Worlds: merging, references, errors that name the line or the field, and tolerant look-up among their places."""

import json
from pathlib import Path
from typing import Any

import pytest

from map_tools.errors import InputFileError
from map_tools.providers.world import World, build_world
from map_tools.providers.world_file import read_world
from map_tools.providers.world_search import NameIndex
from map_tools.types import Place, TravelMode


def load(path: Path) -> World:
    return build_world(read_world(path))


def write(path: Path, **content: Any) -> Path:
    path.write_text(json.dumps({"format": "mapagent-world", "version": 1, **content}), encoding="utf-8")
    return path


def fails(path: Path) -> str:
    with pytest.raises(InputFileError) as caught:
        load(path)
    return str(caught.value)


def test_not_json_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"format": "mapagent-world",\n "version": 1,\n "places": [,]}', encoding="utf-8")
    assert "line 3" in fails(path)


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([{"name": "Inn"}, {"name": "Mill", "rating": 9}], 'places[1] ("Mill").rating'),
        ([{"name": "Inn", "colour": "red"}], 'places[0] ("Inn").colour'),
        ([{"name": "Inn", "hours": "now and then"}], 'places[0] ("Inn").hours'),
        ([{"name": "Inn", "location": [91, 0]}], 'places[0] ("Inn").location'),
        ([{"name": "Inn", "location": [1, 2, 3]}], 'places[0] ("Inn").location'),
        ([{"name": "Inn", "price_level": "dear"}], 'places[0] ("Inn").price_level'),
        ([{"name": "Inn", "price_level": "\ud800"}], 'places[0] ("Inn").price_level'),
        ([{"name": "Inn", "services": [["wifi"]]}], 'places[0] ("Inn").services'),
        ([{"address": "Main Street"}], "places[0].name"),
    ],
)
def test_wrong_values_name_entry_and_field(tmp_path: Path, places: list[Any], expected: str) -> None:
    assert expected in fails(write(tmp_path / "world.json", places=places))


def test_wrong_distances_and_durations(tmp_path: Path) -> None:
    times = [{"origin": "A", "destination": "B", "duration": "soon"}]
    assert "travel_times[0].duration" in fails(write(tmp_path / "world.json", travel_times=times))


def test_foreign_files(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("[1, 2]", encoding="utf-8")
    assert "not a recorded world" in fails(other)
    assert "version 1" in fails(write(tmp_path / "new.json", version=2))
    assert "cannot be read" in fails(tmp_path / "missing.json")
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in fails(binary)


def test_a_folder_is_one_world(tmp_path: Path) -> None:
    write(tmp_path / "1.json", name="town", places=[{"name": "Inn", "rating": 4.0}], attribution="© A")
    write(tmp_path / "2.json", places=[{"name": "Inn", "rating": 3.0, "phone": "123"}], attribution="© B")
    world = load(tmp_path)
    assert world.name == "town"
    assert world.attribution == "© A; © B"
    (inn,) = world.places.values()
    assert (inn.rating, inn.phone) == (4.0, "123")


def test_an_empty_folder_is_said(tmp_path: Path) -> None:
    assert "no .json file" in fails(tmp_path)


def test_branches_of_one_name_need_ids(tmp_path: Path) -> None:
    branches = [{"name": "Bakery", "address": "1 A St"}, {"name": "Bakery", "address": "2 B St"}]
    times = [{"origin": "Bakery", "destination": "Inn", "duration": 60}]
    message = fails(write(tmp_path / "world.json", places=branches, travel_times=times))
    assert "bakery, bakery-2" in message
    times[0]["origin"] = "bakery-2"
    world = load(write(tmp_path / "world.json", places=branches, travel_times=times))
    assert ("bakery-2", "inn", TravelMode.DRIVING) in world.travel


def test_modes_and_units_in_other_words(tmp_path: Path) -> None:
    times = [
        {"origin": "A", "destination": "B", "mode": "on foot", "duration_s": 90, "distance": "0.5 miles"}
    ]
    world = load(write(tmp_path / "world.json", travel_times=times))
    cell = world.travel["a", "b", TravelMode.WALKING]
    assert cell.duration_s == 90
    assert cell.distance_m == pytest.approx(804.672)


def test_categories_in_words(tmp_path: Path) -> None:
    world = load(
        write(tmp_path / "world.json", places=[{"name": "X", "categories": ["Coffee shop", "odd kind"]}])
    )
    assert world.places["x"].categories == ("cafe", "odd kind")


PLACES = (
    Place(id="park", name="Kestrel Park", address="Salamanca Road, Millport"),
    Place(id="university", name="Université d'Été", aliases=("Summer University",)),
    Place(id="main", name="Corner Bakery", address="1 Main Street, Springfield"),
    Place(id="lake", name="Corner Bakery", address="7 Lake Avenue, Springfield"),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kestrel park", "park"),
        ("Kestrel Park, Millport", "park"),
        ("Kesterl Park", "park"),
        ("Universite d'Ete", "university"),
        ("Summer University", "university"),
        ("Corner Bakery, Lake Avenue", "lake"),
        ("Corner Bakery on Main Street", "main"),
        ("7 Lake Avenue, Springfield", "lake"),
    ],
)
def test_best_match(text: str, expected: str) -> None:
    assert NameIndex(PLACES).find(text)[0][0].id == expected


def test_equal_names_score_the_same() -> None:
    found = NameIndex(PLACES).find("Corner Bakery")
    assert [(place.id, score) for place, score in found] == [("main", 1.0), ("lake", 1.0)]


@pytest.mark.parametrize("text", ["", "!?", "Harbour Bridge", "Park Avenue Hotel"])
def test_nothing_fits(text: str) -> None:
    assert NameIndex(PLACES).find(text) == []


def test_a_shared_common_word_does_not_flood_the_search() -> None:
    crowd = [Place(id=str(number), name=f"Hotel Number {number}") for number in range(2_000)]
    found = NameIndex([*crowd, Place(id="x", name="Hotel Zanzibar")]).find("Zanzibar Hotel")
    assert found[0][0].id == "x"
