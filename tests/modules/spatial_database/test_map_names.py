"""Places that the tables leave out, found in the demo map; positions are read from the extract itself."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import osmium
import pytest
from modules.spatial_database.map_names import TABLE, MapNames

from map_tools.errors import PlaceNotFoundError
from map_tools.maps.feature import ADDRESS
from map_tools.providers.base import HasKinds
from map_tools.providers.osm import OsmProvider
from map_tools.spatial_db.memory.opening import kept_engine
from mapagent.question import Question
from modules.offline.parser import parse_all
from modules.offline.spatial_choice import SpatialChoice
from modules.spatial_database.tools.resolve_location import LocationArguments, ResolveLocation
from tests.support.data import demo_extract
from tests.support.maps import demo_map

OFFICE = "Kielikeskus"
"""A node whose only main tag is office=*."""


@pytest.fixture
def provider() -> Iterator[OsmProvider]:
    opened = OsmProvider.open(demo_map())
    yield opened
    asyncio.run(opened.close())


def nodes() -> Iterator[osmium.osm.Node]:
    """The nodes of the extract; each is only valid until the next."""
    for one in osmium.FileProcessor(str(demo_extract()), osmium.osm.NODE):
        assert isinstance(one, osmium.osm.Node)
        yield one


def position(name: str) -> tuple[float, float]:
    """Where the extract has the node of this name."""
    (found,) = ((node.lat, node.lon) for node in nodes() if node.tags.get("name") == name)
    return found


def test_an_office_is_found_by_its_name_to_the_letter(provider: OsmProvider) -> None:
    (found,) = asyncio.run(MapNames(provider).called(OFFICE.upper()))
    assert (found.table, found.name) == (TABLE, OFFICE)
    assert (found.lat, found.lng) == pytest.approx(position(OFFICE), abs=1e-6)


def test_a_likeness_is_no_name(provider: OsmProvider) -> None:
    assert asyncio.run(MapNames(provider).called(OFFICE[:-2])) == ()


def test_nobody_is_asked_without_a_map() -> None:
    assert asyncio.run(MapNames().called(OFFICE)) == ()


def test_the_tables_come_first_and_the_map_before_a_likeness(provider: OsmProvider, tmp_path: Path) -> None:
    engine = kept_engine(provider.build, tmp_path)
    tool = ResolveLocation(engine, MapNames(provider))
    (museum,) = asyncio.run(tool.run(LocationArguments(location="Ateneum"))).places
    assert museum.table == "pois"
    (office,) = asyncio.run(tool.run(LocationArguments(location=OFFICE))).places
    assert office.table == TABLE
    with pytest.raises(PlaceNotFoundError):
        asyncio.run(ResolveLocation(engine).run(LocationArguments(location=OFFICE)))


def test_a_map_tells_its_own_kinds(provider: OsmProvider) -> None:
    offices = {"lawyer", "political_party"}
    assert offices <= {node.tags.get("office") for node in nodes()}
    assert isinstance(provider, HasKinds)
    assert offices <= provider.kinds
    assert not {"", ADDRESS} & provider.kinds


@pytest.mark.parametrize(
    ("text", "module"),
    [
        ("Which political parties are within 2 km of Ateneum?", "spatial_database"),  # office=political_party
        ("Which public buildings are within 300 m of Ateneum?", "spatial_database"),  # not all buildings
        ("Which cafes are within 300 m of Ateneum?", None),
        ("What is the address of Ateneum?", None),
        (
            "Which restaurants within 300 m of Ateneum have outdoor seating?",
            None,
        ),  # not leisure=outdoor_seating
    ],
)
def test_kinds_that_only_the_map_has_words_for_are_looked_up_in_its_tables(
    provider: OsmProvider, text: str, module: str | None
) -> None:
    question = Question(text=text)
    best = parse_all(question, provider).best
    found = SpatialChoice().understanding(question, provider, best.intent if best else None)
    assert (found.plan.steps[0].module if found is not None and found.plan is not None else None) == module
