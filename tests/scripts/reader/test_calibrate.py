"""Certainty is fitted to how often readings were right."""

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from modules.planner.embedded import Figures, certainty
from scripts.reader.calibrate import auroc, certainty_of, fitted, given, main

TRUE = {
    "constant": 0.5,
    "score": 1.2,
    "weakest": 0.6,
    "margin": 0.4,
    "length": -0.3,
    "unused": -0.9,
    "unread": -0.5,
    "unasked": -0.7,
    "assumed": -0.2,
    "chosen": 1.1,
}


def rows(count: int) -> list[dict[str, Any]]:
    """Readings that are right as often as `TRUE` says."""
    chance = random.Random(5)
    made = []
    for number in range(count):
        figures = {
            "score": -3 * chance.random(), "weakest": -chance.random(),
            "margin": 5 * chance.random(), "length": 4 * chance.random(),
            **{name: float(chance.random() < 0.3) for name in ("unused", "unread", "unasked", "assumed", "chosen")},
        }  # fmt: skip
        sure = 1 / (
            1 + math.exp(-TRUE["constant"] - sum(TRUE[name] * value for name, value in figures.items()))
        )
        tried = {
            "figures": figures,
            "right": chance.random() < sure,
            "status": "answered",
            "program": "answer(1)",
        }
        made.append({"author": "ab"[number % 2], "tried": [tried]})
    return made


def test_the_true_weights_are_found() -> None:
    found = fitted(rows(20_000))
    assert found == pytest.approx(TRUE, abs=0.25)


def test_it_is_what_the_planner_computes() -> None:
    one = rows(1)[0]["tried"][0]["figures"]
    assert certainty_of(one, TRUE) == pytest.approx(certainty(Figures(**one), TRUE))


def test_auroc_is_the_share_of_pairs_in_order() -> None:
    assert auroc([(0.9, True), (0.8, True), (0.1, False)]) == 1.0
    assert auroc([(0.9, False), (0.1, True)]) == 0.0
    assert auroc([(0.5, False), (0.5, True), (0.7, True), (0.9, False)]) == pytest.approx(
        (0.5 + 0 + 1 + 0) / 4
    )


def test_what_would_be_given() -> None:
    def reading(score: float, status: str, *, right: bool, program: str = "answer(1)") -> dict[str, Any]:
        return {"figures": {"score": score}, "status": status, "right": right, "program": program}

    weights = {"constant": 0.0, "score": 1.0}
    row = {"tried": [reading(-5.0, "answered", right=True), reading(2.0, "answered", right=False)]}
    assert given(row, weights, 0.0)[1] == "right", "the first that is sure enough"
    assert given(row, weights, 0.5)[1] == "wrong"
    assert given(row, weights, 0.95)[1] == "refused"
    refuses = reading(2.0, "unanswerable", right=True, program='unanswerable("deed")')
    assert given({"tried": [refuses]}, weights, 0.5)[1] == "right"
    lost, other = reading(1.0, "unanswerable", right=False), reading(0.9, "answered", right=True)
    assert given({"tried": [lost, other]}, weights, 0.5)[1] == "right"
    assert given({"tried": [reading(3.0, "unanswerable", right=False), other]}, weights, 0.5)[1] == "refused"


def test_it_writes_weights_and_tells_what_thresholds_give(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = tmp_path / "rows.jsonl"
    told.write_text("\n".join(map(json.dumps, rows(600))), encoding="utf-8")
    main([str(told), "--out", str(tmp_path / "out.json")])
    assert set(json.loads((tmp_path / "out.json").read_text())) == set(TRUE)
    assert "AUROC 0." in capsys.readouterr().out
