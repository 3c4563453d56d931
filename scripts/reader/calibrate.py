"""Fits how sure a reading is to how often such readings were right on authors that nobody trained on.

    python -m scripts.reader.measure --threshold 1 --rows ROWS.jsonl
    python -m scripts.reader.calibrate ROWS.jsonl

It prints, for thresholds, what share of the questions would be right, wrong and refused, and the AUROC of the
certainty (the probability that a right answer is surer than a wrong one), by cross-validation over the authors.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from modules.planner.certainty import FILE, Figures, Outcome, Tally, pooled
from scripts.reader.examples import ROOT

OUT = ROOT / "modules" / "nlu" / "data" / FILE
RIDGE = 1.0
"""The weights are drawn to zero so much, for figures brought to one scale."""
STEPS = 50
CONSTANT = "constant"


@dataclass(frozen=True, slots=True)
class Row:
    """What became of a question.

    Attributes:
        scores: Those of its readings.
        tried: What each reading that was run came to, in order.
        right: The indices of the readings that are right.
        answered: The indices of the readings that have an answer.
    """

    author: str
    scores: tuple[float, ...]
    tried: tuple[Outcome, ...]
    right: frozenset[int]
    answered: frozenset[int]

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> "Row":
        """A row as `scripts.reader.measure` writes it."""
        tried = [(_outcome(one["outcome"]), one) for one in told["tried"]]
        return cls(
            author=told["author"],
            scores=tuple(told["scores"]),
            tried=tuple(one for one, _ in tried),
            right=frozenset(one.number for one, event in tried if event["right"]),
            answered=frozenset(one.number for one, event in tried if event["status"] == "answered"),
        )


def _outcome(told: Mapping[str, Any]) -> Outcome:
    return Outcome(told["number"], tuple(told["says"]), Figures(**told["figures"]))


def fitted(rows: Sequence[Row]) -> dict[str, float]:
    """The weights of a logistic model by Newton's method, from every answer that there was after each reading."""
    seen = [
        (one, row)
        for row in rows
        for count in range(1, len(row.tried) + 1)
        for one in pooled(row.tried[:count], row.scores)
        if one.settled
    ]
    names = [field.name for field in fields(Figures)]
    told = np.array([[getattr(one.figures, name) for name in names] for one, _ in seen], dtype=float)
    right = np.array([one.number in row.right for one, row in seen], dtype=float)
    middle, spread = told.mean(axis=0), np.maximum(told.std(axis=0), 1e-6)
    x = np.column_stack([np.ones(len(told)), (told - middle) / spread])
    drawn = np.diag([0.0, *[RIDGE] * len(names)])
    weights = np.zeros(x.shape[1])
    for _ in range(STEPS):
        sure = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (right - sure) - drawn @ weights
        weights += np.linalg.solve(x.T @ (x * (sure * (1 - sure))[:, None]) + drawn, slope)
    plain = weights[1:] / spread
    made = {CONSTANT: weights[0] - plain @ middle, **dict(zip(names, plain, strict=True))}
    return {name: round(float(value), 4) for name, value in made.items()}


def given(row: Row, weights: Mapping[str, float], threshold: float) -> tuple[float, str]:
    """How sure the planner would be of what it gives, and whether that is right, wrong or refused."""
    tally = Tally(row.scores, threshold, weights)
    for one in row.tried:
        if tally.add(one):
            break
    told = tally.given()
    if told is None:
        return tally.surest, "refused"
    sure, one = told
    if one.number in row.right:
        return sure, "right"
    return sure, "wrong" if one.number in row.answered else "refused"


def auroc(marks: Sequence[tuple[float, bool]]) -> float:
    """The probability that what is right is surer than what is wrong; ties count half."""
    right = [sure for sure, good in marks if good]
    wrong = [sure for sure, good in marks if not good]
    pairs = [(one > other) + (one == other) / 2 for one in right for other in wrong]
    return sum(pairs) / len(pairs) if pairs else float("nan")


def main(arguments: Sequence[str]) -> None:
    """Fits, prints the table, writes the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args(arguments)
    told = (json.loads(line) for path in options.rows for line in path.read_text("utf-8").splitlines())
    rows = [row for row in map(Row.of, told) if row.tried]
    authors = sorted({row.author for row in rows})
    weights_of = {one: fitted([row for row in rows if row.author != one]) for one in authors}
    for threshold in (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        became = [given(row, weights_of[row.author], threshold) for row in rows]
        shares = [
            sum(what == name for _, what in became) / len(became) for name in ("right", "wrong", "refused")
        ]
        answered = [(sure, what == "right") for sure, what in became if what != "refused"]
        line = " ".join(f"{share:6.1%}" for share in shares)
        sys.stdout.write(f"{threshold:.1f}: {line}  AUROC {auroc(answered):.3f}\n")
    options.out.write_text(json.dumps(fitted(rows), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
