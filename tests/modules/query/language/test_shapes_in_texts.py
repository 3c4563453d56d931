"""Shapes and positions that a supplied text brings, named by their headings: how they stand to each other."""

import json

import pyproj
import pytest
import shapely

from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from tests.modules.query.language.telling import told

GEOD = pyproj.Geod(ellps="WGS84")
BASIN = shapely.box(9.40, 47.40, 9.60, 47.60)
YARD = shapely.box(9.45, 47.45, 9.50, 47.50)
HOLLOW = shapely.Polygon(BASIN.exterior, [shapely.box(9.52, 47.52, 9.58, 47.58).exterior])
MAST, BUOY, TOWER = shapely.Point(9.55, 47.55), shapely.Point(9.70, 47.45), shapely.Point(9.47, 47.46)


def block(heading: str, geometry: shapely.Geometry) -> str:
    return f"{heading}:\n```json\n{json.dumps(json.loads(shapely.to_geojson(geometry)))}\n```\n"


TEXT = "\n".join(
    [
        block("Geometry A (the harbour basin)", BASIN),
        block("Shipyard boundary", YARD),
        block("Zone C (reserve (with a hole))", HOLLOW),
        block("Mast", MAST),
        block("Option: Red Buoy", BUOY),
        f"Old Tower: {TOWER.wkt}\n",
        f"Ferry line\n{shapely.LineString([(9.3, 47.5), (9.7, 47.5)]).wkt}\n",
        "Answer with True or False.",
    ]
)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ('"Mast" in "harbour basin"', BASIN.covers(MAST)),
        ('"Red Buoy" in "harbour basin"', BASIN.covers(BUOY)),
        ('"Mast" in "reserve"', HOLLOW.covers(MAST)),
        ('"Shipyard boundary" in "Geometry A"', BASIN.covers(YARD)),
        ('"harbour basin" in "the yard boundary"', YARD.covers(BASIN)),
        ('"47.46N, 9.47E" not in "Shipyard boundary"', not YARD.covers(TOWER)),
        ('intersects("harbour basin", "47.55, 9.55")', BASIN.intersects(MAST)),
        ('intersects("Mast", "Zone C")', HOLLOW.intersects(MAST)),
        ('touches("47.5, 9.6", "harbour basin")', BASIN.touches(shapely.Point(9.6, 47.5))),
        ('disjoint("Red Buoy", "Shipyard boundary")', YARD.disjoint(BUOY)),
        ('crosses("Ferry line", "harbour basin")', True),
        ('disjoint("basin", "Shipyard")', BASIN.disjoint(YARD)),
    ],
)
def test_what_lies_in_and_meets_what(program: str, expected: bool) -> None:
    answer = told(f"answer({program})", TEXT)
    assert (answer.status, answer.text) == (Status.ANSWERED, "Yes" if expected else "No")


def test_distances_are_from_the_edge_of_a_shape() -> None:
    edge = GEOD.inv(BUOY.x, BUOY.y, 9.60, 47.45)[2]
    assert metres(told('answer(distance("Red Buoy", "harbour basin"))', TEXT)) == pytest.approx(
        edge, rel=0.01
    )
    apart = GEOD.inv(BUOY.x, BUOY.y, TOWER.x, TOWER.y)[2]
    assert metres(told('answer(distance("Red Buoy", "Old Tower"))', TEXT)) == pytest.approx(apart, rel=0.01)


def test_any_word_for_a_thing_finds_what_has_no_kind() -> None:
    text = "\n".join(
        block(name, point)
        for name, point in (("Old Tower", TOWER), ("Mast", MAST), ("Option: Red Buoy", BUOY))
    )
    assert told('answer(nearest("landmark", to="Old Tower"))', text).text == "Mast"
    for kind in ("pharmacy", "museum"):
        assert told(f'answer(nearest("{kind}", to="Old Tower"))', text).text != "Mast"


def test_two_positions_stand_in_no_relation_of_shapes() -> None:
    answer = told('answer(touches("Mast", "Red Buoy"))', TEXT)
    assert answer.status is Status.UNANSWERABLE
    assert "neither has an outline" in " ".join([*answer.warnings, answer.reason or ""])


def test_data_pasted_into_a_question_is_its_text() -> None:
    question = Question(text=f"Is the mast in the basin?\n\n{TEXT}\n\nYes or no?").with_data_apart()
    assert question.text == "Is the mast in the basin?\n\nAnswer with True or False.\n\nYes or no?"
    assert question.context is not None
    assert question.context.startswith("Geometry A (the harbour basin):\n```json")


@pytest.mark.parametrize("text", ["Is the mast in POINT (1 2)?", "Two paragraphs\n\nwithout data", BASIN.wkt])
def test_other_questions_stay_as_they_are(text: str) -> None:
    assert Question(text=text).with_data_apart() == Question(text=text)


def metres(answer: Answer) -> float:
    number, unit = answer.text.split()
    return float(number) * (1000 if unit == "km" else 1)
