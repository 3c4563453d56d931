"""Fits how sure a reading is to how often such readings were right on authors that nobody trained on.

    python -m scripts.reader.measure --threshold 0 --rows ROWS.jsonl
    python -m scripts.reader.calibrate ROWS.jsonl

It prints, for thresholds, what share of the questions would be right, wrong and refused, and the AUROC of the
certainty (the probability that a right answer is surer than a wrong one), by cross-validation over the authors.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from modules.nlu.reader import refuses
from modules.planner.embedded import FILE, STANDS
from scripts.reader.examples import ROOT

OUT = ROOT / "modules" / "nlu" / "data" / FILE
RIDGE = 1.0
"""The weights are drawn to zero so much, for figures brought to one scale."""
STEPS = 50
CONSTANT = "constant"


def fitted(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The weights of a logistic model by Newton's method, one row a reading that was tried."""
    tried = [one for row in rows for one in row["tried"] if _is_told(one)]
    names = list(tried[0]["figures"])
    told = np.array([[one["figures"][name] for name in names] for one in tried], dtype=float)
    right = np.array([one["right"] for one in tried], dtype=float)
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


def _is_told(one: Mapping[str, Any]) -> bool:
    """Whether a reading came to an answer, or refuses as such; what is not on a map says nothing of a reading."""
    return bool(one["status"] == "answered" or refuses(one["program"]))


def certainty_of(figures: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """As `modules.planner.embedded.certainty`, for figures from a file."""
    total = weights[CONSTANT] + sum(weights[name] * value for name, value in figures.items())
    return float(1 / (1 + np.exp(-total)))


def given(row: Mapping[str, Any], weights: Mapping[str, float], threshold: float) -> tuple[float, str]:
    """How sure the planner would be of what it gives, and whether that is right, wrong or refused."""
    told = [(certainty_of(one["figures"], weights), one) for one in row["tried"]]
    for number, (sure, one) in enumerate(told):
        stands = number == 0 and sure >= STANDS
        if sure >= threshold and (_is_told(one) or stands):
            missed = "wrong" if one["status"] == "answered" else "refused"
            return sure, "right" if one["right"] else missed
    for sure, one in told:
        if one["status"] != "answered" and sure >= threshold:
            return sure, "right" if one["right"] else "refused"
    return max((sure for sure, _ in told), default=0.0), "refused"


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
    rows = [json.loads(line) for path in options.rows for line in path.read_text("utf-8").splitlines()]
    rows = [row for row in rows if row["tried"]]
    authors = sorted({row["author"] for row in rows})
    weights_of = {one: fitted([row for row in rows if row["author"] != one]) for one in authors}
    for threshold in (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        told = [given(row, weights_of[row["author"]], threshold) for row in rows]
        shares = [
            sum(outcome == name for _, outcome in told) / len(told) for name in ("right", "wrong", "refused")
        ]
        answered = [(sure, outcome == "right") for sure, outcome in told if outcome != "refused"]
        line = " ".join(f"{share:6.1%}" for share in shares)
        sys.stdout.write(f"{threshold:.1f}: {line}  AUROC {auroc(answered):.3f}\n")
    options.out.write_text(json.dumps(fitted(rows), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
