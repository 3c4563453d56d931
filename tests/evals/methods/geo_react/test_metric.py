"""CalculateMetric in words, over the small world in memory; truth from geographiclib."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from geographiclib.geodesic import Geodesic

from evals.methods.geo_react.metric import Grounding, MetricInWords, WordArguments
from map_tools.spatial_db.memory.build import build_memory
from map_tools.spatial_db.memory.engine import MemoryEngine
from modules.spatial_database.tools.base import Observation, Toolkit, tool_card
from modules.spatial_database.tools.calculate_metric import CalculateMetric
from modules.spatial_database.tools.grounding import (
    GetPoiFilter,
    GetRegionGeometry,
    LocationArguments,
    ResolveLocation,
)
from tests.map_tools.spatial_db.world import tables


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> MemoryEngine:
    folder: Path = tmp_path_factory.mktemp("memory") / "world"
    return MemoryEngine.open(build_memory(tables(), folder))


def call(engine: MemoryEngine, grounding: Grounding | None = None, **arguments: Any) -> Observation:
    own = Grounding(ResolveLocation(engine), GetRegionGeometry(engine), GetPoiFilter(engine))
    tool = MetricInWords(CalculateMetric(engine), grounding or own)
    return asyncio.run(Toolkit((tool,)).call("CalculateMetric", arguments))


def geodesic(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    """Distance in metres and azimuth in degrees between (latitude, longitude) pairs."""
    line = Geodesic.WGS84.Inverse(*a, *b)
    return line["s12"], line["azi1"] % 360


def test_the_nearest_with_distance_and_direction(engine: MemoryEngine) -> None:
    seen = call(engine, metric="nearest", feature="hotel", origin="North Cafe")
    distance_m, azimuth_deg = geodesic((50.1, 10.0), (49.9, 9.9))
    assert seen.result is not None
    (found,) = seen.result["features"]
    assert (found["name"], found["wind"]) == ("Southwest Inn", "S")
    assert found["distance_m"] == pytest.approx(distance_m, abs=0.01)
    assert found["azimuth_deg"] == pytest.approx(azimuth_deg, abs=0.001)
    assert f"{distance_m:.1f} m; {azimuth_deg:.1f}° (S)" in seen.text


def test_the_place_it_is_measured_from_does_not_count(engine: MemoryEngine) -> None:
    seen = call(engine, metric="nearest", feature="cafe", origin="North Cafe")
    assert seen.text.startswith("1. East Cafe; at 50.000000, 10.100000")


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({"radius": "20 km"}, ["East Cafe"]),
        ({"radius": "10000"}, []),
        ({"radius": "200 km"}, ["East Cafe", "Far Cafe"]),
        ({"direction": "northeast"}, ["Far Cafe"]),
        ({"toward": "Far Cafe", "direction": ""}, ["Far Cafe"]),
        ({"region": "Middle"}, ["East Cafe"]),
    ],
)
def test_ranges_directions_and_regions(
    engine: MemoryEngine, arguments: dict[str, str], names: list[str]
) -> None:
    seen = call(engine, metric="list", feature="cafe", origin="North Cafe", **arguments)
    assert seen.ok, seen.text
    told = [line.partition(". ")[2].partition(";")[0] for line in seen.text.splitlines() if ". " in line]
    assert [name for name in told if name != "Dateline Cafe"] == names


def test_counts_areas_and_distances(engine: MemoryEngine) -> None:
    assert call(engine, metric="count", feature="cafe", region="Middle").text == "2 count"
    distance = call(engine, metric="distance", origin="North Cafe", target="50.0, 10.1")
    metres, azimuth = geodesic((50.1, 10.0), (50.0, 10.1))
    assert distance.result is not None
    assert distance.result["value"] == pytest.approx(metres, abs=0.01)
    assert distance.result["azimuth_deg"] == pytest.approx(azimuth, abs=0.001)
    area = call(engine, metric="area", feature="park", region="Middle")
    assert area.result is not None
    # Three squares of 0.01 degrees near 50 north: 1.1123 km by 0.7168 km each.
    assert area.result["value"] == pytest.approx(3 * 1112.3 * 716.8, rel=0.005)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"metric": "nearest", "origin": "North Cafe"}, "needs the argument 'feature'"),
        ({"metric": "nearest", "feature": "cafe"}, "needs the argument 'origin'"),
        ({"metric": "nearest", "feature": "cafe", "origin": "Nowhere Hall"}, "Nowhere Hall"),
        ({"metric": "nearest", "feature": "zeppelin", "origin": "North Cafe"}, "zeppelin"),
        (
            {"metric": "list", "feature": "cafe", "origin": "North Cafe", "direction": "up"},
            "none of the eight winds",
        ),
        (
            {"metric": "list", "feature": "cafe", "origin": "North Cafe", "radius": "3 blocks"},
            "is no distance",
        ),
        ({"metric": "median", "feature": "cafe"}, "The arguments of CalculateMetric are wrong"),
    ],
)
def test_what_cannot_be_read_is_told(engine: MemoryEngine, arguments: dict[str, str], told: str) -> None:
    seen = call(engine, **arguments)
    assert not seen.ok
    assert told in seen.text


def test_a_tool_that_is_not_there_is_not_used(engine: MemoryEngine) -> None:
    seen = call(engine, Grounding(), metric="distance", origin="North Cafe", target="East Cafe")
    assert "no tool here that finds places by name" in seen.text
    assert call(engine, Grounding(), metric="distance", origin="50.1, 10.0", target="50.0, 10.1").ok


def test_cards_tell_what_arguments_mean() -> None:
    card = tool_card("CalculateMetric", "Measures.", WordArguments)
    assert "- CalculateMetric: Measures.\n    metric (count | area | length | distance" in card
    assert "    radius (string, optional): greatest distance with its unit, such as '25 km'" in card
    documented = tool_card("ResolveLocation", "Finds.", LocationArguments)
    assert "    location (string): A name, perhaps with city and state behind commas" in documented
    assert "    city (string, optional): What it must lie in." in documented
