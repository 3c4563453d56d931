"""The suite of words for tags: what its file may say, how results and conditions are judged."""

import json
from pathlib import Path

import pytest

from evals.suites.tags import Condition, Tags, TagsRecord, condition, means
from map_tools.errors import InputFileError
from map_tools.types import LatLng, Place
from mapagent.core.answer import Answer, Status

RECORD = {
    "id": "one-001",
    "question": "Which vegan restaurants with outdoor seating are there?",
    "kind": {"key": "amenity", "values": ["restaurant"]},
    "qualities": [
        {"key": "diet:vegan", "values": ["yes", "only"]},
        {"key": "outdoor_seating", "values": ["yes"]},
    ],
    "right": {"n1": "Green Fork", "n2": "Bean", "w3": "", "n4": "Old Mill"},
}
GOLD = TagsRecord.model_validate(RECORD)


def write(folder: Path, **changes: object) -> Path:
    """A folder with the question, changed."""
    (folder / "dataset.json").write_text(json.dumps([RECORD | changes]), "utf-8")
    return folder


def found(*ids: str, program: str = "") -> Answer:
    """An answer that gives places."""
    at = LatLng(lat=60, lng=25)
    places = tuple(Place(id=f"osm:{one}", name=one, location=at) for one in ids)
    return Answer(status=Status.ANSWERED, text="; ".join(ids), places=places, program=program)


@pytest.mark.parametrize(
    ("ids", "precision", "recall", "f1", "exact"),
    [
        (("n1", "n2", "w3", "n4"), 1, 1, 1, True),
        (("n4", "w3", "n2", "n1"), 1, 1, 1, True),
        (("n1", "n2"), 1, 0.5, 2 / 3, False),
        (("n1", "n9"), 0.5, 0.25, 1 / 3, False),
        (("n1", "n2", "w3", "n4", "n9"), 0.8, 1, 8 / 9, False),
        (("n9",), 0, 0, 0, False),
    ],
)
def test_overlap(
    tmp_path: Path, ids: tuple[str, ...], precision: float, recall: float, f1: float, exact: bool
) -> None:
    suite = Tags()
    (item,) = suite.load(write(tmp_path), "fair")
    score = suite.score(item, found(*ids))
    assert score.correct == exact
    assert score.values == pytest.approx({"precision": precision, "recall": recall, "f1": f1})


def test_an_entry_that_stands_for_two_features(tmp_path: Path) -> None:
    suite = Tags()
    (item,) = suite.load(write(tmp_path), "fair")
    answer = found("n1", "n2", "w3")
    merged = answer.places[0].model_copy(update={"merged_from": ("osm:n4",)})
    assert suite.score(item, answer.model_copy(update={"places": (merged, *answer.places[1:])})).correct


def test_a_method_that_gives_names_only(tmp_path: Path) -> None:
    suite = Tags()
    (item,) = suite.load(write(tmp_path), "fair")
    score = suite.score(item, Answer(status=Status.ANSWERED, text="- green fork\n- Bean\n- Elsewhere"))
    assert score.values == pytest.approx({"precision": 2 / 3, "recall": 0.5, "f1": 4 / 7})


def test_a_program_that_finds_nothing_is_judged_by_that(tmp_path: Path) -> None:
    suite = Tags()
    (item,) = suite.load(write(tmp_path), "fair")
    program = 'answer(places("green fork", near=here))'
    score = suite.score(item, Answer(status=Status.ANSWERED, text="Green Fork", program=program))
    assert (score.correct, score.values["recall"]) == (False, 0)


def test_conditions_of_programs() -> None:
    text = 'answer(places("cafe", where=lambda p: p.wifi and not p.fee and fact(p, "lit") == "yes"))'
    assert condition(text) == Condition(kind="cafe", tests=(("wifi", True), ("fee", False), ("lit", "yes")))
    assert condition('answer(places("cafe", where=lambda p: p.wifi or p.fee))') == Condition(
        kind="cafe", tests=(("", False),)
    )
    assert condition('answer(nearest("cafe", to="Mill"))') is None
    assert condition("answer(") is None


@pytest.mark.parametrize(
    ("program", "same"),
    [
        ('places("vegan restaurant", where=lambda p: p.outdoor_seating)', True),
        ('places("restaurant", where=lambda p: p.vegan and p.outdoor_seating)', True),
        ('places("amenity=restaurant", where=lambda p: p.vegan and fact(p, "outdoor_seating"))', True),
        ('places("vegan restaurant")', False),
        ('places("vegan cafe", where=lambda p: p.outdoor_seating)', False),
        ('places("vegan restaurant", where=lambda p: not p.outdoor_seating)', False),
        ('places("restaurant", where=lambda p: p.vegan or p.outdoor_seating)', False),
        ('places("restaurant", where=lambda p: p.vegan and p.outdoor_seating and p.wifi)', False),
    ],
)
def test_whether_a_condition_is_the_one_asked_for(program: str, same: bool) -> None:
    read = condition(f'answer({program[:-1]}, near="Mill", within="300 m"))')
    assert read is not None
    assert means(read, GOLD) == same


def test_figures(tmp_path: Path) -> None:
    suite = Tags()
    (item,) = suite.load(write(tmp_path), "fair")
    shown = found("n1", "n2", program='answer(places("vegan restaurant"))')
    judged = [(item, suite.score(item, answer)) for answer in (shown, found("n1", "n2", "w3", "n4"))]
    assert suite.metrics(judged) == pytest.approx(
        {"precision": 1, "recall": 0.75, "f1": 5 / 6, "conditions_shown": 1, "condition": 0}
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"right": {}}, "right"),
        ({"kind": {"key": "amenity", "values": ["bar", "pub"]}}, "one value"),
        ({"qualities": [{"key": "lit", "values": []}]}, "values"),
        ({"question": ""}, "question"),
    ],
)
def test_files_that_are_none(tmp_path: Path, changes: dict[str, object], words: str) -> None:
    with pytest.raises(InputFileError, match=words):
        Tags().load(write(tmp_path, **changes), "fair")
