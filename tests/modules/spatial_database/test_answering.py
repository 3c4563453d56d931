"""Questions over an invented town, asked in words and answered without a model.

Distances and azimuths are pyproj's; what lies where can be read off the town's coordinates.
"""

import asyncio
from typing import Any

import pytest
from modules.spatial_database.answering import Answerer
from modules.spatial_database.findings import Findings
from pyproj import Geod

from map_tools.spatial_db.features import Features
from map_tools.spatial_db.grounding.kinds import KindReader
from map_tools.spatial_db.memory.engine import MemoryEngine
from mapagent.answer import Solution, Status
from mapagent.plan import Step
from modules.offline.spatial_grammar import read_spatial
from modules.offline.spatial_intent import SpatialIntent
from tests.modules.spatial_database.engines import Names, town
from tests.modules.spatial_database.runs import run_over

WGS84 = Geod(ellps="WGS84")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> MemoryEngine:
    """The invented town."""
    return town(tmp_path_factory.mktemp("town"))


def read(engine: MemoryEngine, text: str) -> SpatialIntent:
    """What the grammar makes of a question."""
    reading = read_spatial(text, Names(engine), KindReader(engine))
    assert reading is not None
    return reading.intent


def answer(engine: MemoryEngine, text: str) -> Solution:
    """The solution of a question in words."""
    step = Step(id="database", subgoal="", module="spatial_database")
    findings = Findings(step, run_over(text), Features(engine))
    return asyncio.run(Answerer(engine, findings).solution(read(engine, text)))


def said(solution: Solution) -> Any:
    """The name, the names or the number of an answer."""
    value = solution.value
    assert value is not None, solution.reason
    return getattr(value, "names", None) or getattr(value, "name", None) or getattr(value, "value", None)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("What is the nearest hotel to Old Mill, Westport, QX?", "Star Inn"),
        ("Which Korean restaurant is closest to Sea View Hotel?", "Hill Kitchen"),
        ("Is there any restaurant with outdoor seating at most 3 km from Old Mill?", "Harbour Grill"),
        ("Going north from Old Mill, which restaurant comes first?", "Noodle Bar"),
        ("Heading from Old Mill towards Sea View Hotel, what is the nearest restaurant?", "Harbour Grill"),
        ("Which park in Westport is the biggest?", "Wide Park"),
        ("Name the longest stream in Westport.", "Long Brook"),
        ("How many restaurants are there in Westport?", 2),
        ("Within 30 km of Old Mill, how many hotels can be found?", 2),
        ("Which banks are within 5 km of Old Mill?", "Twin Bank"),
        ("What is the second nearest restaurant from Old Mill?", "Noodle Bar"),
    ],
)
def test_names_and_counts(engine: MemoryEngine, text: str, wanted: Any) -> None:
    assert said(answer(engine, text)) == wanted


@pytest.mark.parametrize(
    ("text", "metres"),
    [
        ("How far is the closest hotel from Old Mill?", WGS84.inv(10.0, 50.0, 10.0, 49.98)[2]),
        ("How far is Star Inn from Noodle Bar?", WGS84.inv(10.0, 49.98, 10.0, 50.05)[2]),
        (
            "What is the total length of all streams in Westport?",
            WGS84.line_length([10.0, 10.02], [50.02, 50.02])
            + WGS84.line_length([10.0, 10.04], [50.03, 50.03]),
        ),
    ],
)
def test_metres(engine: MemoryEngine, text: str, metres: float) -> None:
    assert said(answer(engine, text)) == pytest.approx(metres, rel=1e-5)


def test_an_area(engine: MemoryEngine) -> None:
    from shapely import box

    boxes = (box(10.0, 50.0, 10.01, 50.01), box(10.02, 50.0, 10.04, 50.02))
    wanted = sum(abs(WGS84.geometry_area_perimeter(one)[0]) for one in boxes)
    found = answer(engine, "What area do all parks in Westport cover altogether?")
    assert said(found) == pytest.approx(wanted, rel=1e-5)


def test_a_direction(engine: MemoryEngine) -> None:
    found = answer(engine, "In which direction from Old Mill is the nearest hotel?")
    assert said(found) == pytest.approx(180.0, abs=1e-6)


def test_a_place_with_its_address_answers_where(engine: MemoryEngine) -> None:
    value = answer(engine, "Where is the closest Korean restaurant from Old Mill?").value
    assert value is not None
    assert value.model_dump()["note"] == "Westport, QX"


def test_names_that_fit_several_places_are_said_to(engine: MemoryEngine) -> None:
    found = answer(engine, "What is the nearest hotel to Twin Bank?")
    assert found.status is Status.AMBIGUOUS
    assert "Westport" in found.reason
    assert "Easton" in found.reason


def test_the_one_of_several_that_has_any_is_meant_and_said(engine: MemoryEngine) -> None:
    found = answer(engine, "Which atms are within 50m of Twin Bank?")
    assert said(found) == "Cash Point"
    assert found.warnings


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("When was the nearest museum from Star Inn built?", "Old Mill"),
        ("What is the nearest hotel from the museum that was built in 1830 in Westport?", "external source"),
        ("Is there a hotel within 100 m of Old Mill?", "no hotel"),
        ("How many restaurants are there in Nowhere Town?", "Nowhere Town"),
    ],
)
def test_what_the_data_does_not_tell(engine: MemoryEngine, text: str, words: str) -> None:
    found = answer(engine, text)
    assert found.status is Status.UNANSWERABLE
    assert words in found.reason


def test_solutions_cite_evidence(engine: MemoryEngine) -> None:
    found = answer(engine, "How far is the closest hotel from Old Mill?")
    assert found.evidence_ids
    (claim,) = found.claims
    assert claim.arguments == {"a": "Old Mill", "b": "Star Inn"}
