"""Certainty is fitted to how often readings were right."""

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from scripts.reader.calibrate import Row, auroc, fitted, given, main

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
        score, margin = -3 * chance.random(), 5 * chance.random()
        figures = {
            "score": score, "weakest": -chance.random(), "margin": margin, "length": 4 * chance.random(),
            **{name: float(chance.random() < 0.3) for name in ("unused", "unread", "unasked", "assumed", "chosen")},
        }  # fmt: skip
        sure = 1 / (
            1 + math.exp(-TRUE["constant"] - sum(TRUE[name] * value for name, value in figures.items()))
        )
        tried = {
            "outcome": {"number": 0, "says": ["answer", "1"], "figures": figures},
            "right": chance.random() < sure,
            "status": "answered",
        }
        made.append({"author": "ab"[number % 2], "scores": [score, score - margin], "tried": [tried]})
    return made


def test_the_true_weights_are_found() -> None:
    found = fitted([Row.of(one) for one in rows(20_000)])
    assert found == pytest.approx(TRUE, abs=0.25)


def test_auroc_is_the_share_of_pairs_in_order() -> None:
    assert auroc([(0.9, True), (0.8, True), (0.1, False)]) == 1.0
    assert auroc([(0.9, False), (0.1, True)]) == 0.0
    assert auroc([(0.5, False), (0.5, True), (0.7, True), (0.9, False)]) == pytest.approx(
        (0.5 + 0 + 1 + 0) / 4
    )


@pytest.mark.parametrize(
    ("threshold", "became"), [(0.0, "right"), (0.5, "right"), (0.95, "refused")], ids=["all", "half", "sure"]
)
def test_what_would_be_given(threshold: float, became: str) -> None:
    plain = dict.fromkeys(TRUE, 0.0) | {"constant": 2.0, "score": 1.0}
    figures = dict.fromkeys((name for name in TRUE if name != "constant"), 0.0)

    def one(number: int, says: str, score: float) -> dict[str, Any]:
        told = {"number": number, "says": [says], "figures": figures | {"score": score}}
        return {"outcome": told, "right": says == "b", "status": "answered"}

    scores = [-1.6, -1.7, -1.8]
    told = {
        "author": "a",
        "scores": scores,
        "tried": [one(0, "a", -1.6), one(1, "b", -1.7), one(2, "b", -1.8)],
    }
    assert given(Row.of(told), plain, threshold)[1] == became
    wrong = told | {"tried": told["tried"][:1]}  # type: ignore[index]
    assert given(Row.of(wrong), plain, 0.5)[1] == "wrong"


def test_it_writes_weights_and_tells_what_thresholds_give(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = tmp_path / "rows.jsonl"
    told.write_text("\n".join(map(json.dumps, rows(600))), encoding="utf-8")
    main([str(told), "--out", str(tmp_path / "out.json")])
    assert set(json.loads((tmp_path / "out.json").read_text())) == set(TRUE)
    assert "AUROC 0." in capsys.readouterr().out
