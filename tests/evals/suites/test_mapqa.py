"""The suite mapqa: its file, what counts, and how answers are judged."""

import json
from pathlib import Path
from typing import Any

import pytest
from pyproj import Geod, Transformer

from evals.ports import Item
from evals.suites.mapqa import LEAK, Mapqa, MapqaLeak
from map_tools.errors import InputFileError
from mapagent.core.answer import Answer, Status
from tests.support.data import shared

A = {"name": "Pier", "role": "subject", "lat": 34.0, "lon": -118.0}
B = {"name": "Depot", "role": "subject", "lat": 34.1, "lon": -118.1}
TRUE_M = Geod(ellps="WGS84").inv(A["lon"], A["lat"], B["lon"], B["lat"])[2]


def planar_m() -> float:
    """Distance between the two in the plane of EPSG:3857, what MapQA's gold is."""
    project = Transformer.from_crs(4326, 3857, always_xy=True).transform
    (ax, ay), (bx, by) = project(A["lon"], A["lat"]), project(B["lon"], B["lat"])
    return float(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)


def record(number: str, kind: int, **changes: Any) -> dict[str, Any]:
    return {
        "id": number,
        "type": kind,
        "question": f"Question {number}?",
        "answers": ["Old Mill", "Quay"],
        "entities": [A],
        "world_ok": True,
    } | changes


def load(tmp_path: Path, *records: dict[str, Any]) -> tuple[Item, ...]:
    (tmp_path / "dev.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    return Mapqa().load(tmp_path, "fair")


def answered(text: str) -> Answer:
    return Answer(status=Status.ANSWERED, text=text)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (record("b", 7), "line 2 .*one figure"),
        (record("a", 1), "line 2: the id a was used before, in line 1"),
        (record("b", 1) | {"type": 10}, "type"),
    ],
)
def test_what_is_wrong_in_the_file_is_told_with_its_line(
    tmp_path: Path, bad: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputFileError, match=message):
        load(tmp_path, record("a", 1), bad)


def test_what_is_reported_apart_and_what_is_defective(tmp_path: Path) -> None:
    items = load(
        tmp_path,
        *(record(f"{kind}", kind) for kind in (1, 2, 3, 4, 5, 6, 8, 9)),
        record("1-no", 1, world_ok=False),
        record("6-none", 6, answers=[], world_ok=False),
        record("5-true", 5, true_gold=True),
        record("x", 3, question="The same?", answers=["cafe"]),
        record("y", 3, question="The same?", answers=["bar"]),
    )
    counted = {item.id for item in items if not item.apart}
    assert counted == {"1", "3", "4", "6", "5-true", "x", "y"}
    assert {item.id for item in items if item.defective} == {"5", "8", "9", "6-none", "x", "y"}


def test_sets_must_be_equal(tmp_path: Path) -> None:
    (item,) = load(tmp_path, record("a", 4))
    suite = Mapqa()
    assert suite.score(item, answered("Quay\nold mill")).correct
    part = suite.score(item, answered("Quay"))
    assert not part.correct
    assert part.values["f1"] == pytest.approx(2 / 3)
    assert not suite.score(item, answered("Quay; Old Mill; Tower")).correct


def test_one_name_must_be_that_name(tmp_path: Path) -> None:
    (item,) = load(tmp_path, record("a", 6, answers=["Hill, Dale and Sons"]))
    suite = Mapqa()
    assert suite.score(item, answered("Hill, Dale and Sons")).correct
    assert not suite.score(item, answered("Hill")).correct


def test_an_osm_value_may_be_written_with_spaces(tmp_path: Path) -> None:
    (item,) = load(tmp_path, record("a", 3, answers=["fast_food"]))
    assert Mapqa().score(item, answered("Fast food")).correct
    assert not Mapqa().score(item, answered("food")).correct


def test_distances_are_judged_on_the_ground(tmp_path: Path) -> None:
    planar = planar_m()
    assert planar / TRUE_M == pytest.approx(1 / 0.829, rel=0.01)  # 1 / cos(34°)
    (item,) = load(tmp_path, record("a", 7, answers=[f"{planar:.2f} meters"], entities=[A, B]))
    suite = Mapqa()
    true = suite.score(item, answered(f"{TRUE_M:.0f} meters"))
    assert true.correct
    assert true.values["planar_right"] == 0
    stored = suite.score(item, answered(f"{planar:.0f} meters"))
    assert not stored.correct
    assert stored.values["planar_right"] == 1
    figures = suite.metrics([(item, true)])["type7_planar"]
    assert figures["agreement"] == 0
    assert (figures["sensitivity_planar"]["0.1"], figures["sensitivity_planar"]["0.2"]) == (0, 1)


def test_headline_and_published_overall(tmp_path: Path) -> None:
    items = load(tmp_path, record("a", 1), record("b", 3, answers=["bar"]), record("c", 9, answers=["Quay"]))
    suite = Mapqa()
    judged = [
        (item, suite.score(item, answered(text)))
        for item, text in zip(items, ("Old Mill; Quay", "cafe", "Quay"), strict=True)
    ]
    figures = suite.metrics(judged)
    assert (figures["headline"]["n"], figures["headline"]["correct"]) == (2, 1)
    assert figures["macro"] == pytest.approx(2 / 3)
    assert figures["apart"]["9"]["accuracy"] == 1
    assert figures["as_published"]["by_type"]["1"] == 1
    assert json.dumps(figures)


def test_the_leaking_variant_says_so(tmp_path: Path) -> None:
    load(
        tmp_path, record("a", 6, entities=[A, {"name": "Quay", "role": "answer", "lat": 33.5, "lon": -117.5}])
    )
    suite = MapqaLeak()
    (item,) = suite.load(tmp_path, "fair")
    assert item.task.question.context == (
        "Information of Pier:\n- Latitude: 34.000000\n- Longitude: -118.000000\n"
        "Information of Quay:\n- Latitude: 33.500000\n- Longitude: -117.500000"
    )
    assert suite.notes() == {"variant": LEAK}
    assert LEAK in suite.warnings()[0]
    assert suite.name == "mapqa-leaks-the-answer"


def test_the_public_file() -> None:
    """Counts of the data's README: 162 + 245 + 201 + 240 + 250 questions of types 1, 3, 4, 6, 7 count."""
    items = Mapqa().load(shared("mapqa"), "fair")
    assert len(items) == 2195
    assert sum(not item.apart for item in items) == 1098
