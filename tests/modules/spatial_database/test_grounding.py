"""Kinds, places, roads and regions from words, and the tools that give them to agents."""

import asyncio
from pathlib import Path

import pytest

from map_tools.errors import PlaceNotFoundError
from map_tools.spatial_db.grounding.kinds import KindReader
from map_tools.spatial_db.grounding.places import PlaceFinder, name_cuts, road_spellings
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.spatial_db.memory.table import Condition
from modules.spatial_database.tools.base import Toolkit
from modules.spatial_database.tools.calculate_metric import CalculateMetric
from modules.spatial_database.tools.grounding import (
    GetPoiFilter,
    GetRegionGeometry,
    InspectSchema,
    RegionArguments,
    ResolveLocation,
)
from tests.modules.spatial_database.engines import town
from tests.modules.spatial_database.territory import territory


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> MemoryEngine:
    """The invented town."""
    return town(tmp_path_factory.mktemp("town"))


@pytest.fixture(scope="module")
def toolkit(engine: MemoryEngine) -> Toolkit:
    """The tools over the town."""
    made = (ResolveLocation, GetRegionGeometry, GetPoiFilter, CalculateMetric, InspectSchema)
    return Toolkit(tool(engine) for tool in made)


@pytest.mark.parametrize(
    ("words", "sql"),
    [
        ("museums", "tourism = 'museum'"),
        ("a Korean restaurant", "amenity = 'restaurant' AND cuisine ILIKE '%korean%'"),
        (
            "Korean restaurants with outdoor seating",
            "amenity = 'restaurant' AND outdoor_seating ILIKE '%yes%' AND cuisine ILIKE '%korean%'",
        ),
        ("a thai place", "amenity = 'restaurant' AND cuisine ILIKE '%thai%'"),
        ("atm", "amenity = 'atm'"),
    ],
)
def test_kinds_of_places(engine: MemoryEngine, words: str, sql: str) -> None:
    kind = KindReader(engine).read(words)
    assert kind is not None
    assert (kind.table, kind.sql()) == ("pois", sql)


@pytest.mark.parametrize(
    ("words", "operation", "table"),
    [
        ("park", "area", "parks"),
        ("park", "point", "parks"),
        ("streams", "line", "lakes"),
        ("hotel", "point", "pois"),
    ],
)
def test_the_table_depends_on_the_operation(
    engine: MemoryEngine, words: str, operation: str, table: str
) -> None:
    kind = KindReader(engine).read(words, operation)  # type: ignore[arg-type]
    assert kind is not None
    assert kind.table == table


@pytest.mark.parametrize("words", ["casual restaurant", "xylophone", "Mexican restaurant"])
def test_words_that_nothing_explains_are_no_kind(engine: MemoryEngine, words: str) -> None:
    assert KindReader(engine).read(words) is None


def test_a_road_is_any_road_where_none_is_called_so(engine: MemoryEngine) -> None:
    kind = KindReader(engine).read("roads", "line")
    assert kind is not None
    assert (Condition(column="highway", value="residential"),) in kind.alternatives


def test_city_and_state_tell_places_of_one_name_apart(engine: MemoryEngine) -> None:
    finder = PlaceFinder(engine)
    assert finder.find("Twin Bank").ambiguous
    (only,) = finder.find("Twin Bank, Easton, QX").refs
    assert engine.table(only).text(only.row, "addr_city") == "Easton"
    with pytest.raises(PlaceNotFoundError, match="Nowhere Hall"):
        finder.find("Nowhere Hall, Easton")


def test_a_region_comes_before_what_lies_in_it(engine: MemoryEngine) -> None:
    assert PlaceFinder(engine).find("the city of Westport", "region").refs[0].table == "regions"


def test_a_slip_is_told(engine: MemoryEngine) -> None:
    found = PlaceFinder(engine).find("Harbor Gril")
    assert not found.exact
    assert "Harbour Grill" in found.note


def test_tools_answer_an_agent(toolkit: Toolkit) -> None:
    async def calls() -> None:
        place = await toolkit.call("resolvelocation", {"location": "Old Mill", "city": "Westport"})
        assert place.ok
        assert place.result is not None
        assert place.result["places"][0]["lat"] == 50.0
        region = await toolkit.call("GetRegionGeometry", {"region": "Westport"})
        assert region.result is not None
        assert "regions WHERE id = 1" in region.result["predicate"]
        kind = await toolkit.call("GetPOIFilter", {"poi_type": "restaurant"})
        assert kind.result is not None
        count = await toolkit.call(
            "CalculateMetric",
            {
                "metric": "count",
                "table": kind.result["table"],
                "alternatives": kind.result["alternatives"],
                "region": {"table": "regions", "id": "1"},
            },
        )
        assert count.result is not None
        assert count.result["value"] == 2
        schema = await toolkit.call("InspectSchema", {"table": "pois", "columns": ["cuisine"]})
        assert schema.result is not None
        (cuisine,) = schema.result["columns"]
        assert (cuisine["distinct"], cuisine["null_share"]) == (3, 0.6667)

    asyncio.run(calls())


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("NoSuchTool", {}, "unknown_name"),
        ("ResolveLocation", {"place": "Old Mill"}, "arguments"),
        ("ResolveLocation", {"location": "Nowhere Hall"}, "place_not_found"),
        ("GetPOIFilter", {"poi_type": "xylophone"}, "unsupported"),
        ("CalculateMetric", {"metric": "nearest", "table": "pois"}, "unsupported"),
        ("InspectSchema", {"table": "pois", "columns": ["colour"]}, "unsupported"),
    ],
)
def test_what_goes_wrong_is_an_observation(
    toolkit: Toolkit, tool: str, arguments: dict[str, str], code: str
) -> None:
    seen = asyncio.run(toolkit.call(tool, arguments))
    assert (seen.ok, seen.code) == (False, code)
    assert seen.text


def test_streets_that_cross_have_a_corner(toolkit: Toolkit) -> None:
    seen = asyncio.run(toolkit.call("GetRegionGeometry", {"streets": ["First Street", "Second Street"]}))
    assert seen.result is not None
    assert seen.result["mode"] == "intersection"
    assert seen.result["center"]["lat"] == pytest.approx(50.0, abs=1e-4)
    assert seen.result["center"]["lng"] == pytest.approx(10.01, abs=1e-6)


def test_streets_that_meet_in_two_places_have_no_one_corner(toolkit: Toolkit) -> None:
    seen = asyncio.run(toolkit.call("GetRegionGeometry", {"streets": ["First Street", "Crescent"]}))
    assert not seen.ok
    assert "meet in places up to" in seen.text


def test_every_tool_declares_its_concepts(toolkit: Toolkit) -> None:
    for tool in toolkit.tools.values():
        assert tool.description
        assert tool.concepts


@pytest.mark.parametrize(
    "words", ["gambling", "gamblings", "public building", "public buildings", "rectories"]
)
def test_a_map_names_its_own_kinds(words: str) -> None:
    ids = ("gambling", "public_building", "rectory", "it")
    assert KindReader(ids=ids).knows(words)
    assert not KindReader().knows(words)


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


@pytest.mark.parametrize(
    ("words", "cuts"),
    [
        ("Old Mill", [("Old Mill", ())]),
        (
            "Old Mill, Westport, OH",
            [
                ("Old Mill, Westport, OH", ()),
                ("Old Mill, Westport", ("OH",)),
                ("Old Mill", ("Westport", "OH")),
            ],
        ),
        ("Old Mill in Westport", [("Old Mill in Westport", ()), ("Old Mill", ("Westport",))]),
        (
            "Museum in the Park, Stroud",
            [
                ("Museum in the Park, Stroud", ()),
                ("Museum in the Park", ("Stroud",)),
                ("Museum", ("the Park", "Stroud")),
            ],
        ),
        ("Old Mill, ", [("Old Mill,", ()), ("Old Mill", ())]),
    ],
)
def test_cuts(words: str, cuts: list[tuple[str, tuple[str, ...]]]) -> None:
    assert list(name_cuts(words)) == cuts
