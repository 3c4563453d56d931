"""Generated MapQA questions against the extract itself: pyosmium, shapely and pyproj, nothing of ours."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pytest

from evals.generate.cli import MAPQA
from evals.generate.mapqa.generator import generate
from evals.suites.mapqa import Mapqa
from tests.evals.generate.gsqa.extract import GEOD, Object, objects, tagged
from tests.support.data import demo_extract
from tests.support.maps import demo_map

EACH = 5
SIDES = {"north": 0.0, "east": 90.0, "south": 180.0, "west": 270.0}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made") / "benchmark"
    manifest = generate(demo_map(), dict.fromkeys(range(1, 10), EACH), 5, out)
    assert manifest["given_up"] == {}
    return out


@pytest.fixture(scope="module")
def records(made: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((made / "dataset.json").read_text())
    return found


def of(records: list[dict[str, Any]], *kinds: int) -> list[dict[str, Any]]:
    found = [record for record in records if record["type"] in kinds]
    assert len(found) == EACH * len(kinds)
    return found


def subjects(record: dict[str, Any]) -> list[dict[str, Any]]:
    return [entity for entity in record["entities"] if entity["role"] == "subject"]


def others(record: dict[str, Any]) -> list[Object]:
    """All of the kind asked for, but the subject."""
    ids = {entity["osm"] for entity in subjects(record)}
    return [one for one in tagged(demo_extract(), f"amenity={record['amenity']}") if one.osm not in ids]


def near(one: Object, place: dict[str, Any]) -> float:
    return min(one.distances_m(place["lon"], place["lat"]))


def test_all_within_fifty_metres(records: list[dict[str, Any]]) -> None:
    for record in of(records, 1, 4):
        (subject,) = subjects(record)
        inside = [one.tags["name"].strip() for one in others(record) if near(one, subject) <= 50]
        assert sorted(inside) == sorted(record["answers"]), record["id"]


def test_kinds_within_a_hundred_metres(records: list[dict[str, Any]]) -> None:
    every = [one for one in objects(demo_extract()) if "amenity" in one.tags]
    for record in of(records, 2):
        (subject,) = subjects(record)
        found = {
            one.tags["amenity"] for one in every if one.osm != subject["osm"] and near(one, subject) <= 100
        }
        assert found == set(record["answers"]), record["id"]


def test_the_kind_of_a_place(records: list[dict[str, Any]]) -> None:
    by_id = {one.osm: one for one in objects(demo_extract())}
    for record in of(records, 3):
        (subject,) = subjects(record)
        assert by_id[subject["osm"]].tags["amenity"] == record["answers"][0]


def test_the_closer_of_two(records: list[dict[str, Any]]) -> None:
    for record in of(records, 5):
        (subject,) = subjects(record)
        options = [entity for entity in record["entities"] if entity["role"] == "option"]
        lengths = {
            one["name"]: GEOD.inv(subject["lon"], subject["lat"], one["lon"], one["lat"])[2]
            for one in options
        }
        assert record["answers"] == [min(lengths, key=lambda name: lengths[name])]


def test_the_nearest(records: list[dict[str, Any]]) -> None:
    for record in of(records, 9):
        (subject,) = subjects(record)
        best = min(others(record), key=lambda one: near(one, subject))
        assert record["answers"] == [best.tags["name"].strip()]


def test_the_nearest_on_a_side(records: list[dict[str, Any]]) -> None:
    """By latitude (longitude) alone, which is all that MapQA's own statement compares."""
    for record in of(records, 6):
        (subject,) = subjects(record)
        side = next(name for name in SIDES if f" {name} " in record["question"])

        def there(one: Object, side: str = side, subject: dict[str, Any] = subject) -> bool:
            turns = [
                abs((a - SIDES[side] + 180) % 360 - 180)
                for a in one.azimuths_deg(subject["lon"], subject["lat"])
            ]
            return max(turns) < 90

        best = min(filter(there, others(record)), key=lambda one: near(one, subject))
        assert record["answers"] == [best.tags["name"].strip()], record["id"]


def test_distances_are_those_on_the_ground(records: list[dict[str, Any]]) -> None:
    for record in of(records, 7):
        a, b = subjects(record)
        metres = GEOD.inv(a["lon"], a["lat"], b["lon"], b["lat"])[2]
        assert record["answers"] == [f"{metres:.2f} meters"]


def test_corners_are_shared_points_of_two_streets(records: list[dict[str, Any]], made: Path) -> None:
    by_id = {one.osm: one for one in objects(demo_extract()) if one.shape.geom_type == "LineString"}
    truths = [json.loads(line) for line in (made / "truth.jsonl").read_text().splitlines()]
    streets = {truth["id"]: truth["osm"][-2:] for truth in truths}
    for record in of(records, 8):
        first, second = (by_id[osm] for osm in streets[record["id"]])
        corner = first.shape.intersection(second.shape)
        place = {"lon": corner.x, "lat": corner.y}
        best = min(others(record), key=lambda one: near(one, place))
        assert record["answers"] == [best.tags["name"].strip()]
        assert first.tags["name"].strip() in record["question"]


def test_the_suite_reads_what_was_made(made: Path) -> None:
    items = Mapqa().load(made, "fair")
    assert len(items) == 9 * EACH
    assert not [item for item in items if item.apart or item.defective]


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = ArgumentParser()
    MAPQA.configure(parser)
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "helsinki").symlink_to(demo_map())
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(tmp_path))
    arguments = ["--map", "helsinki", "--n", "10", "--out", str(tmp_path / "out")]
    assert MAPQA.run(parser.parse_args(arguments)) == 0
    assert "10 questions about the map 'helsinki'" in capsys.readouterr().out
