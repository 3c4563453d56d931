"""Generated gold against the extract itself: pyosmium, shapely and pyproj, nothing of ours."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.generate.cli import GSQA
from evals.suites.gsqa import Gsqa
from tests.evals.generate.gsqa.extract import GEOD, Object, tagged

EACH = 4
BOUND_M = 1.5
SECTORS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")


@pytest.fixture(scope="module")
def made(monaco: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from evals.generate.gsqa.generator import generate
    from evals.generate.gsqa.templates import Options, templates

    out = tmp_path_factory.mktemp("made") / "benchmark"
    generate(monaco, dict.fromkeys(templates(), EACH), 7, out, Options())
    return out


@pytest.fixture(scope="module")
def questions(made: Path) -> dict[str, list[tuple[dict[str, Any], dict[str, Any]]]]:
    """(record, parameters) by template."""
    records = json.loads((made / "dataset.json").read_text())
    truths = [json.loads(line) for line in (made / "truth.jsonl").read_text().splitlines()]
    found: dict[str, list[tuple[dict[str, Any], dict[str, Any]]]] = {}
    for record, truth in zip(records, truths, strict=True):
        assert record["id"] == truth["id"]
        found.setdefault(record["template"], []).append((record, truth["params"]))
    return found


def point(record: dict[str, Any], osm: str) -> tuple[float, float]:
    entity = next(entity for entity in record["entities"].values() if entity.get("osm") == osm)
    return entity["lon"], entity["lat"]


def members(extract: Path, params: dict[str, Any]) -> list[Object]:
    """All of the kind but the anchor itself, as far as a map keeps them."""
    found = kept(extract, params["tag"], params["narrowed"])
    return [one for one in found if one.osm != params["anchor"]]


def kept(extract: Path, tag: str, narrowed: str = "") -> list[Object]:
    """Objects with a tag; a map keeps only roads and waterways with a name."""
    found = tagged(extract, tag, narrowed)
    only_named = tag.partition("=")[0] in {"highway", "waterway"}
    return [one for one in found if one.tags.get("name")] if only_named else found


def turn(azimuth: float, center: float) -> float:
    return abs((azimuth - center + 180) % 360 - 180)


def center_of(record: dict[str, Any], params: dict[str, Any]) -> float | None:
    if params["direction"]:
        return 45.0 * SECTORS.index(params["direction"])
    if params["target"]:
        (ax, ay), (bx, by) = point(record, params["anchor"]), point(record, params["target"])
        azimuth = GEOD.inv(ax, ay, bx, by)[0] % 360
        assert record["towards_azimuth"] == pytest.approx(azimuth, abs=1e-6)
        return float(azimuth)
    return None


def wholly_there(one: Object, origin: tuple[float, float], center: float | None, radius_m: float) -> bool:
    turns = [0.0] if center is None else [turn(azimuth, center) for azimuth in one.azimuths_deg(*origin)]
    return max(turns) <= 22.5 and (not radius_m or max(one.distances_m(*origin)) <= radius_m + BOUND_M)


def partly_there(one: Object, origin: tuple[float, float], center: float | None, radius_m: float) -> bool:
    turns = [0.0] if center is None else [turn(azimuth, center) for azimuth in one.azimuths_deg(*origin)]
    return min(turns) <= 22.5 and (not radius_m or min(one.distances_m(*origin)) <= radius_m - BOUND_M)


def centrally_there(one: Object, origin: tuple[float, float], center: float | None, radius_m: float) -> bool:
    """The centroid of what lies there at least in part."""
    azimuth, _, metres = GEOD.inv(*origin, one.shape.centroid.x, one.shape.centroid.y)
    inside = metres <= radius_m - BOUND_M and (center is None or turn(azimuth % 360, center) <= 22.5)
    return bool(inside) and partly_there(one, origin, center, radius_m)


def cases(questions: Any, *templates: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for template in templates:
        assert template in questions, f"no question of {template}"
        yield from questions[template]


def test_ranges(extract: Path, questions: Any) -> None:
    """What lies wholly in range is right, and what does so with its centroid; nothing named is missing."""
    for record, params in cases(questions, "T1", "T2", "T3", "T4", "T13", "T14", "T15", "T16"):
        origin, center = point(record, params["anchor"]), center_of(record, params)
        there = {
            one.osm
            for one in members(extract, params)
            if one.tags.get("name")
            and (
                wholly_there(one, origin, center, params["radius_m"])
                or centrally_there(one, origin, center, params["radius_m"])
            )
        }
        assert {answer["osm"] for answer in record["answers"]} == there, record["id"]


def test_nearest(extract: Path, questions: Any) -> None:
    """Nothing of the kind is nearer by any reading of distance or direction."""
    for record, params in cases(questions, "T5", "T6", "T9", "T10", "T17", "T18", "T19", "T20", "T22", "T26"):
        origin, center = point(record, params["anchor"]), center_of(record, params)
        (answer,) = record["answers"]
        every = members(extract, params)
        best = next(one for one in every if one.osm == answer["osm"])
        assert best.tags["name"].strip() == answer["name"]
        assert wholly_there(best, origin, center, 0)
        rivals = [one for one in every if one is not best and partly_there(one, origin, center, 0)]
        nearest = min((min(one.distances_m(*origin)) for one in rivals), default=float("inf"))
        assert max(best.distances_m(*origin)) < nearest + BOUND_M, record["id"]


def test_distances_and_directions(questions: Any) -> None:
    for record, params in cases(questions, "T21", "T22", "T25", "T26"):
        origin = point(record, params["anchor"])
        for answer in record["answers"]:
            azimuth, _, metres = GEOD.inv(*origin, answer["lon"], answer["lat"])
            if "angle" in answer:
                assert turn(answer["angle"], azimuth) < 0.3  # stored positions are rounded to 0.1 m
            else:
                assert answer["distance"] == pytest.approx(metres, abs=0.3)


def test_counts_in_circles(extract: Path, questions: Any) -> None:
    for record, params in cases(questions, "T23"):
        origin = point(record, params["anchor"])
        inside = [
            one for one in members(extract, params) if wholly_there(one, origin, None, params["radius_m"])
        ]
        assert record["answers"] == [{"count": len(inside)}], record["id"]


def test_regions(extract: Path, questions: Any) -> None:
    """Counts, sums and the largest, by intersection and by containment alike."""
    for record, params in cases(questions, "T11", "T24", "T27", "T28"):
        region = next(one for one in tagged_regions(extract) if one.osm == params["region"]).shape
        every = kept(extract, params["tag"])
        if record["template"] == "T24":
            assert record["answers"] == [{"count": sum(region.intersects(one.shape) for one in every)}]
            continue
        kind = "LineString" if record["template"] == "T28" else "MultiPolygon"
        inside = [one for one in every if one.shape.geom_type == kind and region.covers(one.shape)]
        if record["template"] == "T11":
            assert max(inside, key=Object.area_m2).osm == record["answers"][0]["osm"]
        elif record["template"] == "T27":
            assert record["answers"][0]["area"] == pytest.approx(sum(map(Object.area_m2, inside)), rel=1e-6)
        else:
            assert record["answers"][0]["length"] == pytest.approx(
                sum(map(Object.length_m, inside)), rel=1e-6
            )


def tagged_regions(extract: Path) -> list[Object]:
    tags = ("boundary=administrative", "place=suburb", "place=quarter", "place=neighbourhood", "place=city")
    return [one for tag in tags for one in tagged(extract, tag)]


def test_the_suite_reads_what_was_made(made: Path) -> None:
    items = Gsqa().load(made, "fair")
    assert {item.category for item in items} >= {f"T{number}" for number in range(1, 28)}
    assert not [item for item in items if item.defective]
    assert {item.apart for item in items} == {"", "needs an external source"}


def test_the_command_is_registered() -> None:
    from evals.generate.cli import KINDS

    assert KINDS["gsqa"] is GSQA
