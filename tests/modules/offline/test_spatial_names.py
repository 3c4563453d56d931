"""Names in a question over a spatial database, where its sentences are cut through them."""

from pathlib import Path

import pytest
from shapely import Point

from map_tools.spatial_db.grounding.kinds import KindReader
from map_tools.spatial_db.memory.build import build_memory
from map_tools.spatial_db.memory.engine import MemoryEngine
from modules.offline.spatial_grammar import read_spatial
from tests.modules.spatial_database.engines import Names, table

PLACES = (("Ahoy! Bar", "bar", Point(10.0, 50.0)), ("Fir Cash", "bank", Point(10.1, 50.0)))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> MemoryEngine:
    """A bar whose name holds the end of a sentence, and a bank."""
    folder: Path = tmp_path_factory.mktemp("bars") / "tables"
    return MemoryEngine.open(build_memory((table("pois", ("poi_name", "amenity"), PLACES),), folder))


@pytest.mark.parametrize(
    "text",
    [
        "Which bank is nearest to Ahoy! Bar?",
        "Ahoy! Bar: nearest bank?",
        "Ahoy! Bar has which bank closest to it?",
    ],
)
def test_a_name_that_the_map_knows_goes_on_behind_a_sign(engine: MemoryEngine, text: str) -> None:
    reading = read_spatial(text, Names(engine), KindReader(engine))
    assert reading is not None
    assert (reading.intent.what, reading.intent.anchor) == ("bank", "Ahoy! Bar")
