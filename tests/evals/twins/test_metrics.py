"""Twins and originals counted together."""

import pytest

from evals.ports import Item, Score, Task
from evals.suites.mapeval import twin_metrics
from mapagent.question import Question


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
