"""Names of several places: what can be said of all of them at once, and what cannot."""

import asyncio
from pathlib import Path

import pytest
from modules.spatial_database.answering import Answerer
from modules.spatial_database.findings import Findings
from pyproj import Geod
from shapely import Point

from map_tools.spatial_db.features import Features
from map_tools.spatial_db.grounding.kinds import KindReader
from map_tools.spatial_db.memory.build import build_memory
from map_tools.spatial_db.memory.engine import MemoryEngine
from mapagent.answer import NameSet, Solution, Status
from mapagent.plan import Step
from modules.offline.spatial_grammar import read_spatial
from tests.modules.spatial_database.engines import Names, table
from tests.modules.spatial_database.runs import run_over

WGS84 = Geod(ellps="WGS84")


def beside(lng: float, lat: float, metres: float) -> tuple[float, float]:
    """The point so many metres east of a point."""
    east, north, _ = WGS84.fwd(lng, lat, 90.0, metres)
    return east, north


BRANCHES = ((10.0, 50.0), (10.1, 50.0), (10.2, 50.0), (10.3, 50.0))
PLACES = (
    *(("Oak Bank", "bank", *branch) for branch in BRANCHES),
    ("Elm Cash", "atm", *beside(*BRANCHES[0], 40.0)),
    ("Fir Cash", "atm", *beside(*BRANCHES[0], 30.0)),
    ("Elm Cash", "atm", *beside(*BRANCHES[1], 45.0)),
    ("Ash Cash", "atm", *beside(*BRANCHES[2], 20.0)),
    ("Far Cash", "atm", *beside(*BRANCHES[3], 60.0)),
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> MemoryEngine:
    """Four branches of a bank; three have something within 50 m, and no two have the same."""
    rows = [(name, amenity, Point(lng, lat)) for name, amenity, lng, lat in PLACES]
    folder: Path = tmp_path_factory.mktemp("branches") / "tables"
    return MemoryEngine.open(build_memory((table("pois", ("poi_name", "amenity"), rows),), folder))


def answer(engine: MemoryEngine, text: str) -> Solution:
    """The solution of a question in words."""
    reading = read_spatial(text, Names(engine), KindReader(engine))
    assert reading is not None
    findings = Findings(
        Step(id="database", subgoal="", module="spatial_database"), run_over(text), Features(engine)
    )
    return asyncio.run(Answerer(engine, findings).solution(reading.intent))


def test_a_list_is_of_all_branches_the_commonest_first_then_the_nearest(engine: MemoryEngine) -> None:
    found = answer(engine, "Which atms are within 50m of Oak Bank?")
    assert found.value == NameSet(names=("Elm Cash", "Ash Cash", "Fir Cash"))


def test_it_is_told_which_is_where_and_every_list_is_cited(engine: MemoryEngine) -> None:
    found = answer(engine, "Which atms are next to Oak Bank?")
    (warning,) = found.warnings
    assert "3 places called 'Oak Bank'" in warning
    assert "(50.0000, 10.2000): Ash Cash" in warning
    assert len(found.evidence_ids) == 3


@pytest.mark.parametrize(
    "text", ["What is the nearest atm to Oak Bank?", "How many atms are within 50 m of Oak Bank?"]
)
def test_one_answer_for_several_branches_is_not_chosen(engine: MemoryEngine, text: str) -> None:
    found = answer(engine, text)
    assert found.status is Status.AMBIGUOUS
    assert "Oak Bank" in found.reason


@pytest.mark.parametrize("text", ["How far is Oak Bank from Far Cash?", "How far is Far Cash from Oak Bank?"])
def test_the_name_of_several_places_is_told_on_whichever_side_it_stands(
    engine: MemoryEngine, text: str
) -> None:
    found = answer(engine, text)
    assert found.status is Status.AMBIGUOUS
    assert found.reason.startswith("4 places are called 'Oak Bank', and the answer is not the same for all")
    assert "10.0000" in found.reason
    assert "Far Cash" not in found.reason
