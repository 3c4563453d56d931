"""Twins of whole benchmarks, from the questions to the figures of a run."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from evals.ports import Item, Score, Task
from evals.suites.mapeval import MapEvalRecord, MapEvalTextual, read_mapeval, twin_metrics
from evals.unanswerable.aims import Aim, EveryWay, FieldOf, ListAround, Subject, Ways, statements
from evals.unanswerable.maker import Cutter, Twin, make_twins
from map_tools.text import normalise
from mapagent.core.question import Question
from tests.evals.support import write
from tests.evals.unanswerable.texts import NORHAVEN, without
from tests.support.cli import CommandLine, snapshot
from tests.support.data import shared

SAMPLE = 20


def record(number: int, question: str, options: list[str], correct: int, **changes: Any) -> dict[str, Any]:
    answer = {"type": "mcq", "options": options, "correct": correct}
    plain = {
        "id": number,
        "question": question,
        "answer": answer,
        "context": NORHAVEN,
        "classification": "poi",
    }
    return plain | changes


DRIVE = record(
    1,
    "How long does it take to drive from Tidal Museum to Glass Garden and then on to Salt Tower?",
    ["12 mins", "20 mins", "32 mins", "58 mins"],
    2,
    classification="trip",
)
RATING = record(2, "What is the rating of Glass Garden?", ["3.9", "4.1", "4.5", "4.9"], 1)
NEAREST = record(
    3,
    "Which restaurant is nearest to Tidal Museum?",
    ["Blue Plaice", "Rusty Anchor"],
    1,
    classification="nearby",
)
NO_ANSWER = record(4, "What is the rating of Salt Tower?", ["3.9", "4.1"], -1, classification=None)
NEITHER = record(5, "Which has the rating 4.1?", ["Glass Garden", "None of the above"], 0)


@pytest.fixture
def mapagent(capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(home))
    return CommandLine(capsys)


def twins_of(*records: dict[str, Any], seed: int = 0, per_question: int = 4) -> tuple[Twin, ...]:
    read = [MapEvalRecord.model_validate(one) for one in records]
    return asyncio.run(make_twins(read, seed=seed, per_question=per_question))


def test_each_deciding_statement_makes_a_twin() -> None:
    made = {(twin.id, twin.kind, twin.cut.lines) for twin in twins_of(DRIVE, RATING, NEAREST)}
    assert made == {
        ("1-twin-1", "way", (10, 11)),
        ("1-twin-2", "way", (13, 14)),
        ("2-twin-1", "field", (8,)),
        ("3-twin-1", "list", (16, 17, 18)),
    }


def test_what_is_unanswerable_or_a_matter_of_opinion_has_no_twin() -> None:
    assert twins_of(NO_ANSWER, NEITHER, RATING | {"context": ""}) == ()


def test_a_question_the_agent_gets_wrong_has_no_twin() -> None:
    mislabelled = RATING | {"answer": RATING["answer"] | {"correct": 0}}
    assert twins_of(mislabelled) == ()


def test_at_most_so_many_of_one_question_drawn_by_the_seed() -> None:
    drawn = {twins_of(DRIVE, seed=seed, per_question=1)[0].cut.lines for seed in range(8)}
    assert drawn == {(10, 11), (13, 14)}
    assert twins_of(DRIVE, seed=5, per_question=1) == twins_of(DRIVE, seed=5, per_question=1)


def test_from_the_command_line_to_the_figures(mapagent: CommandLine, tmp_path: Path) -> None:
    data = write(tmp_path / "data.json", [DRIVE, RATING, NEAREST, NO_ANSWER])
    ran = mapagent("generate", "twins", "--data", data, "--out", tmp_path / "twins")
    assert ran.code == 0, ran.err
    assert "4 unanswerable twins of 3 questions" in ran.out
    items = MapEvalTextual().load(tmp_path / "twins", "fair")
    assert [item.group for item in items] == ["1", "1", "1", "2", "2", "3", "3", "4"]
    assert [item.answerable for item in items] == [True, False, False, True, False, True, False, False]
    ran = mapagent("eval", "mapeval-textual", "--data", tmp_path / "twins", "--out", tmp_path / "run")
    assert ran.code == 0, ran.err
    summary = json.loads((tmp_path / "run" / "summary.json").read_text("utf-8"))
    assert summary["metrics"]["twins"]["n"] == 4
    assert summary["metrics"]["twins"]["originals"] == 3
    again = mapagent("generate", "twins", "--data", data, "--out", tmp_path / "twins")
    assert again.code == 2
    assert mapagent("generate", "twins", "--data", data, "--out", tmp_path / "more").code == 0
    assert snapshot(tmp_path / "more") == snapshot(tmp_path / "twins")


def test_the_account_of_the_twins_holds_no_texts(mapagent: CommandLine, tmp_path: Path) -> None:
    data = write(tmp_path / "data.json", [DRIVE, RATING])
    mapagent("generate", "twins", "--data", data, "--out", tmp_path / "twins")
    account = (tmp_path / "twins" / "truth.jsonl").read_text("utf-8")
    account += (tmp_path / "twins" / "manifest.json").read_text("utf-8")
    assert not [word for word in ("Tidal", "Glass", "Salt", "mins") if word in account]


def test_a_benchmark_without_contexts_is_refused(mapagent: CommandLine, tmp_path: Path) -> None:
    data = write(tmp_path / "data.json", [RATING | {"context": ""}])
    ran = mapagent("generate", "twins", "--data", data, "--out", tmp_path / "twins")
    assert ran.code != 0
    assert "can be made unanswerable" in ran.err
    assert not (tmp_path / "twins").exists()


def test_twins_of_the_public_questions() -> None:
    """Reader-free: only whole lines are gone, what is asked is not, and no single leg is still printed."""
    records = [one for one in read_mapeval(shared("mapeval_textual/dev.json")) if one.answerable][:SAMPLE]
    made = asyncio.run(make_twins(records, seed=0, per_question=4))
    assert len({twin.original.id for twin in made}) > 0.7 * SAMPLE
    for twin in made:
        original = twin.original
        assert twin.cut.text == without(original.context, *twin.cut.lines)
        assert 0 < len(twin.cut.lines) < len(original.context.splitlines())
        question = twin.record()
        assert (question["question"], question["answer"]["correct"]) == (original.question, -1)
        right = original.answer.options[original.answer.correct]
        if twin.kind == "list" and not any(char.isdigit() for char in right):
            assert normalise(right) not in normalise(twin.cut.text), twin.id


def way(start: str, end: str, mode: str = "driving") -> Ways:
    return Ways(frozenset({(start, end, mode)}))


@pytest.mark.parametrize(
    ("aim", "lines"),
    [
        (way("Tidal Museum", "Glass Garden"), (10, 11)),
        (way("Glass Garden", "Tidal Museum"), (10, 11)),
        (way("Tidal Museum", "Glass Garden", "walking"), (12,)),
        (way("Salt Tower", "Glass Garden"), (13, 14)),
        (EveryWay(frozenset({"driving"})), (10, 11, 13, 14)),
        (EveryWay(frozenset({"driving", "walking"})), (10, 11, 12, 13, 14)),
        (ListAround("Tidal Museum", "restaurant", frozenset({"Rusty Anchor", "Blue Plaice"})), (16, 17, 18)),
        (FieldOf("Tidal Museum", "hours"), (3,)),
        (FieldOf("Glass Garden", "rating", asked=True), (8,)),
    ],
)
def test_the_deciding_lines_go_and_no_others(aim: Aim, lines: tuple[int, ...]) -> None:
    cut = Cutter(NORHAVEN).cut(aim, right="4.1")
    assert cut is not None
    assert cut.lines == lines
    assert cut.text == without(NORHAVEN, *lines)


@pytest.mark.parametrize(
    "aim",
    [
        way("Tidal Museum", "Salt Tower"),
        way("Tidal Museum", "Glass Garden", "transit"),
        ListAround("Glass Garden", "restaurant"),
        ListAround("Tidal Museum", "hotel"),
        FieldOf("Glass Garden", "hours"),
        FieldOf("Salt Tower", "rating"),
    ],
)
def test_what_the_text_does_not_say_cannot_be_cut(aim: Aim) -> None:
    assert Cutter(NORHAVEN).cut(aim, right="") is None


def test_a_position_is_not_cut_while_distances_hint_at_it() -> None:
    position = FieldOf("Glass Garden", "location")
    assert Cutter(NORHAVEN).cut(position, right="") is None
    no_ways = without(NORHAVEN, 10, 11, 12, 13, 14)
    cut = Cutter(no_ways).cut(position, right="")
    assert cut is not None
    assert cut.lines == (7,)


def test_a_way_that_is_printed_twice_goes_twice() -> None:
    cut = Cutter(f"{NORHAVEN}\n{NORHAVEN.splitlines()[9]}\n").cut(
        way("Tidal Museum", "Glass Garden"), right=""
    )
    assert cut is not None
    assert cut.lines == (10, 11, 20)


def test_a_way_that_is_told_in_prose_too_goes_with_it() -> None:
    text = f"{NORHAVEN}\nGlass Garden, then Tidal Museum: 12 min.\n"
    cut = Cutter(text).cut(way("Tidal Museum", "Glass Garden"), right="")
    assert cut is not None
    assert cut.lines == (10, 11, 20)
    assert "12 min." not in cut.text


def test_a_field_that_is_printed_twice_is_left_alone() -> None:
    doubled = NORHAVEN + "\nInformation of <b>Glass Garden</b>:\n- Rating: 4.1. (80 ratings).\n"
    assert Cutter(doubled).cut(FieldOf("Glass Garden", "rating"), right="") is None


@pytest.mark.parametrize(
    "remark",
    [
        "Glass Garden, Tidal Museum, 12: so it stands on the postcard.",
        "Tidal Museum | Glass Garden | 12 min",
        "min 12 – Tidal Museum – Glass Garden",
    ],
)
def test_what_other_words_still_say_spoils_a_twin(remark: str) -> None:
    assert Cutter(f"{NORHAVEN}\n{remark}\n").cut(way("Tidal Museum", "Glass Garden"), right="") is None


def test_a_line_about_another_mode_does_not() -> None:
    remark = "On foot it is 58 min between Glass Garden and Tidal Museum, if you walk fast."
    assert Cutter(f"{NORHAVEN}\n{remark}\n").cut(way("Tidal Museum", "Glass Garden"), right="") is not None


def test_coordinates_that_stand_elsewhere_spoil_a_twin() -> None:
    text = without(NORHAVEN, 10, 11, 12, 13, 14) + "\n\nThe new bus stop is at 54.1434, 8.5878.\n"
    assert Cutter(text).cut(FieldOf("Glass Garden", "location"), right="") is None


def test_options_with_blocks_of_their_own_go_with_the_list() -> None:
    text = NORHAVEN + "\nInformation of <b>Blue Plaice</b>:\n- Rating: 4.8. (33 ratings).\n"
    cut = Cutter(text).cut(ListAround("Tidal Museum", "restaurant", frozenset({"Blue Plaice"})), right="")
    assert cut is not None
    assert cut.lines == (16, 17, 18, 20, 21)


def test_a_text_is_not_emptied() -> None:
    assert Cutter(NORHAVEN.splitlines()[9]).cut(way("Tidal Museum", "Glass Garden"), right="") is None


def test_a_line_that_says_something_else_too_is_left_alone() -> None:
    text = without(NORHAVEN, 10, 11, 12) + "\nTidal Museum to Glass Garden: 12 min by car, 58 min on foot.\n"
    assert Cutter(text).cut(way("Tidal Museum", "Glass Garden"), right="") is None


def test_statements_tell_what_each_line_says() -> None:
    said = statements(NORHAVEN)
    assert said[Subject("place", ("Tidal Museum",), "rating")] == ("4.5",)
    assert said[Subject("way", ("Tidal Museum", "Glass Garden"), "walking")] == ("3480.0 s, 4600.0 m",)
    assert Subject("list", ("Tidal Museum",), "restaurant") in said
    assert Subject("place", ("Glass Garden",), "hours") not in said


def judged(
    group: str, *, answerable: bool, correct: bool = False, refused: bool = False
) -> tuple[Item, Score]:
    item = Item(
        id=f"{group}-{answerable}",
        category="poi",
        task=Task(question=Question(text="Which?", options=("a", "b"))),
        answerable=answerable,
        group=group,
    )
    return item, Score(correct=correct, refused=refused)


def test_recall_and_false_refusals() -> None:
    figures = twin_metrics(
        [
            judged("1", answerable=True, correct=True),
            judged("1", answerable=False, correct=True, refused=True),
            judged("1", answerable=False),
            judged("2", answerable=True, refused=True),
            judged("2", answerable=False, correct=True, refused=True),
            judged("3", answerable=True, correct=True),
            judged("3", answerable=False, correct=True, refused=True),
            judged("4", answerable=True, correct=True),
            judged("5", answerable=False, correct=True, refused=True),
        ]
    )["twins"]
    assert (figures["n"], figures["originals"]) == (4, 3)
    assert figures["recall"] == pytest.approx(3 / 4)
    assert figures["false_rate"] == pytest.approx(1 / 3)
    assert figures["solved_together"] == pytest.approx(1 / 3)
    low, high = figures["recall_ci95"]
    assert low < 3 / 4 < high


def test_a_benchmark_without_twins_has_no_such_figures() -> None:
    assert twin_metrics([judged("1", answerable=True), judged("2", answerable=False, refused=True)]) == {}


def test_refusing_everything_is_no_art() -> None:
    figures = twin_metrics([judged("1", answerable=flag, refused=True) for flag in (True, False)])["twins"]
    assert (figures["recall"], figures["false_rate"], figures["solved_together"]) == (1.0, 1.0, 0.0)
