"""Numbered roads in several spellings."""

import asyncio
from pathlib import Path

import pytest

from map_tools.spatial_db.grounding.roads import road_spellings
from modules.spatial_database.tools.get_region_geometry import GetRegionGeometry, RegionArguments
from tests.modules.spatial_database.territory import territory


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("I-95", "interstate 95"),
        ("US-17", "us highway 17"),
        ("U.S. Route 17", "us highway 17"),
        ("SR 400", "state route 400"),
        ("State Hwy 12", "state route 12"),
        ("CR 5", "county road 5"),
        ("FM 1431", "farm to market road 1431"),
    ],
)
def test_a_number_is_told_in_many_ways(said: str, written: str) -> None:
    assert written in road_spellings(said)


@pytest.mark.parametrize("name", ["West 4th Street", "Cedar Grove Rd", "5th Avenue"])
def test_other_names_stay_as_they_are(name: str) -> None:
    assert list(road_spellings(name)) == [name]


def test_a_corner_of_numbered_roads_is_found(tmp_path: Path) -> None:
    """The two lines are drawn through 43.02 N and 88.9 W; a long one bends away from its parallel."""
    tool = GetRegionGeometry(territory(tmp_path))
    found = asyncio.run(tool.run(RegionArguments(streets=("US-17", "SR 400"))))
    assert found.center is not None
    assert found.center.lat == pytest.approx(43.02, abs=1e-3)
    assert found.center.lng == pytest.approx(-88.9, abs=1e-6)
