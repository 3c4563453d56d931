"""Twins of whole benchmarks, from the questions to the figures of a run."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from evals.suites.mapeval import MapEvalRecord, MapEvalTextual, read_mapeval
from evals.twins.maker import Twin, make_twins
from map_tools.text import normalise
from tests.evals.support import write
from tests.evals.twins.texts import NORHAVEN, without
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
