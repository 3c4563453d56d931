"""The suite geospark: its files, and how answers are judged."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals.ports import Item
from evals.suites.geospark import FILES, Geospark, GeosparkNatural
from map_tools.errors import InputFileError
from mapagent.core.answer import Answer, Named, Quantity, Status, Value
from tests.support.data import shared

POINT = '```json\n{"type": "Point", "coordinates": [9.5, 47.5]}\n```'


def record(number: str, kind: str, truth: Any, **changes: Any) -> dict[str, Any]:
    return {
        "id": number,
        "category": f"a {kind}",
        "prompt_natural": "Where?",
        "prompt_structured": f"Where is it?\n\nThe mill:\n{POINT}\n\nAnswer.",
        "answer_type": kind,
        "ground_truth": truth,
        "ground_truth_meta": {"tolerance_m": 10.0} if kind == "numeric" else {},
    } | changes


def load(tmp_path: Path, *records: dict[str, Any]) -> tuple[Item, ...]:
    (tmp_path / FILES[0]).write_text(json.dumps({"name": "made", "questions": records}))
    return Geospark().load(tmp_path, "fair")


def answered(text: str, value: Value | None = None) -> Answer:
    return Answer(status=Status.ANSWERED, text=text, value=value)


@pytest.mark.parametrize(
    ("kind", "truth", "answer", "right"),
    [
        ("numeric", 1000.0, answered("1.0 km", Quantity(value=1004.0, unit="m")), True),
        ("numeric", 1000.0, answered("It is 1011 m away."), False),
        ("numeric", 1000.0, answered("far"), False),
        ("boolean", True, answered("Yes, it does."), True),
        ("boolean", True, answered("False"), False),
        ("boolean", False, answered("Perhaps not"), False),
        ("category", "Old Mill", answered("It is the Old Mill.", Named(name="old mill")), True),
        ("category", "Old Mill", answered("New Mill"), False),
        ("category", "Old Mill", Answer(status=Status.UNANSWERABLE, text=""), False),
    ],
)
def test_answers_are_judged_by_their_type(
    tmp_path: Path, kind: str, truth: Any, answer: Answer, right: bool
) -> None:
    (item,) = load(tmp_path, record("a", kind, truth))
    score = Geospark().score(item, answer)
    assert score.correct is right
    assert score.refused is (answer.status is Status.UNANSWERABLE)


def test_geometries_become_the_text_of_a_question(tmp_path: Path) -> None:
    (item,) = load(tmp_path, record("a", "boolean", True))
    assert item.task.question.text == "Where is it?\n\nAnswer."
    assert item.task.question.context == f"The mill:\n{POINT}"
    (natural,) = GeosparkNatural().load(tmp_path, "fair")
    assert (natural.task.question.text, natural.task.question.context) == ("Where?", None)


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "no questions"),
        ([record("a", "boolean", True), record("a", "boolean", True)], "has the id a twice"),
        ([record("a", "boolean", 1)], "questions.*no boolean answer"),
        ([record("a", "numeric", 5.0, ground_truth_meta={})], "without a tolerance_m"),
        ([record("a", "other", True)], "answer_type"),
    ],
)
def test_what_is_wrong_in_a_file_is_told(tmp_path: Path, records: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(InputFileError, match=message):
        load(tmp_path, *records)


def test_a_folder_without_the_files_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="holds none of"):
        Geospark().load(tmp_path, "fair")


def test_the_published_files_can_be_read() -> None:
    items = Geospark().load(shared("geospark"), "fair")
    assert len(items) == 475
    assert len({item.category for item in items}) == 13
