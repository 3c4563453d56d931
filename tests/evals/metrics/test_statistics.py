"""Macro means, tested on the printed tables: the printed overall is recomputed from the printed rows."""

import math
from fractions import Fraction
from itertools import product

import pytest

from evals.metrics.statistics import (
    ENTITY_TEMPLATES,
    NUMERIC_TEMPLATES,
    compare,
    macro,
    mcnemar_exact,
    mean,
    quantile,
    wilson,
)
from evals.report.table import published_rows
from evals.runner.records import Record, summary_of
from tests.evals.support import run_record

GEO_REACT_TABLE_4 = {
    "CHESS": "20 05 12 32 07 06 08 09 08 14 09 07 12 10 12 35 05 07 08 07 09 05 07 06 08 08 04 05",
    "Text-to-SQL": "54 48 02 08 42 35 00 16 01 01 00 01 44 46 00 11 39 23 01 01 13 06 50 02 07 51 03 06",
    "RAISE": "68 86 57 49 66 58 32 43 24 07 06 01 73 79 55 60 72 55 32 11 69 47 59 17 10 55 03 01",
    "Geo-ReAct": "79 85 75 80 90 46 57 45 35 21 71 23 78 77 70 80 89 44 40 18 92 81 87 76 25 89 70 72",
}
"""Accuracy@τ in percent, T1 to T28 (Geo-ReAct, table 4)."""
GEO_REACT_TABLE_2 = {
    "CHESS": (11.2, 6.3),
    "Text-to-SQL": (17.8, 19.8),
    "RAISE": (47.7, 24.1),
    "Geo-ReAct": (62.5, 69.8),
}
"""Printed means over T1 to T22 and T23 to T28 (table 2)."""
MAPAGENT_TABLE_6 = {
    "MapAgent, GPT-3.5": (55.58, (56.05, 25.80, 22.48, 83.36, 25.68, 71.04, 54.18, 71.20, 90.40)),
    "MapAgent, Qwen": (55.93, (57.20, 29.60, 34.00, 81.20, 34.56, 73.60, 39.20, 68.00, 86.00)),
    "OctoTools, GPT-3.5": (44.74, (50.00, 20.40, 22.00, 90.67, 18.52, 43.78, 41.20, 48.24, 67.83)),
    "Chameleon, GPT-3.5": (38.11, (47.52, 17.59, 20.77, 73.14, 15.52, 40.12, 14.28, 43.68, 70.40)),
    "ReAct, GPT-3.5": (20.88, (34.02, 7.80, 5.44, 58.02, 6.02, 30.13, 12.14, 9.88, 24.44)),
    "Chameleon, Qwen": (40.00, (51.20, 27.60, 23.20, 68.80, 22.40, 38.40, 20.40, 38.80, 68.40)),
}
"""Printed overall and types 1 to 9 (MapAgent, table 6)."""
INCONSISTENT = {"Chameleon, Qwen"}
"""Its types have the mean 39.91."""


def accuracies(row: str) -> dict[str, float]:
    return {f"T{number}": int(cell) / 100 for number, cell in enumerate(row.split(), 1)}


@pytest.mark.parametrize("system", GEO_REACT_TABLE_4)
def test_geo_react_overalls_follow_from_its_rows(system: str) -> None:
    """The printed means are cut off behind one decimal, not rounded: 24.17 of RAISE is printed as 24.1."""
    rows = accuracies(GEO_REACT_TABLE_4[system])
    entity, numeric = macro(rows, ENTITY_TEMPLATES), macro(rows, NUMERIC_TEMPLATES)
    assert entity is not None
    assert numeric is not None
    cut = tuple(math.floor(1000 * mean + 1e-6) / 10 for mean in (entity, numeric))
    assert cut == GEO_REACT_TABLE_2[system]


@pytest.mark.parametrize("system", MAPAGENT_TABLE_6)
def test_mapagent_overall_is_the_macro_mean(system: str) -> None:
    overall, types = MAPAGENT_TABLE_6[system]
    recomputed = macro({str(number): share for number, share in enumerate(types, 1)})
    assert recomputed is not None
    assert (abs(recomputed - overall) < 0.015) != (system in INCONSISTENT)


def test_templates() -> None:
    assert len(ENTITY_TEMPLATES) == 22
    assert NUMERIC_TEMPLATES[0] == "T23"


def test_what_was_not_measured_is_left_out() -> None:
    assert macro({"T1": 1.0, "T23": 0.0}, ENTITY_TEMPLATES) == 1
    assert macro({}, ENTITY_TEMPLATES) is None


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3 (score without correction).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_interval_as_published(right: int, n: int, low: float, high: float) -> None:
    interval = wilson(right, n)
    assert interval == pytest.approx((low, high), abs=5e-5)


def test_wilson_ends_are_where_the_score_test_turns() -> None:
    """By definition: the ends are the shares p whose z statistic (share - p) / √(p (1 - p) / n) is ∓1.96."""
    low, high = wilson(30, 80) or (0, 0)
    for end in (low, high):
        assert abs(30 / 80 - end) / math.sqrt(end * (1 - end) / 80) == pytest.approx(1.959964, abs=1e-6)


def test_nothing_measured_gives_no_value() -> None:
    assert wilson(0, 0) is None
    assert quantile([], 0.5) is None
    assert mean([]) is None


def test_quantiles_by_linear_interpolation() -> None:
    values = [15.0, 20.0, 35.0, 40.0, 50.0]  # the usual textbook example
    assert quantile(values, 0.4) == pytest.approx(29.0)
    assert quantile(values, 0.5) == 35.0
    assert quantile([7.0], 0.95) == 7.0


@pytest.mark.parametrize(("a", "b"), [(0, 0), (5, 5), (1, 6), (8, 1), (0, 10)])
def test_mcnemar_against_all_outcomes_of_fair_coins(a: int, b: int) -> None:
    """Counts the outcomes of n tosses that are at least as far from the middle."""
    n = a + b
    far = sum(abs(2 * sum(toss) - n) >= abs(a - b) for toss in product((0, 1), repeat=n))
    assert mcnemar_exact(a, b) == pytest.approx(float(Fraction(far, 2**n)))


def test_mcnemar_with_very_many_pairs_does_not_overflow() -> None:
    # Normal approximation: z = 200 / √5000 = 2.83, p = 0.0047.
    assert mcnemar_exact(2600, 2400) == pytest.approx(0.0047, abs=3e-4)


def test_only_common_questions_are_compared() -> None:
    found = compare({"1": True, "2": True, "3": False}, {"2": False, "3": False, "4": True})
    assert (found.n, found.only_a, found.only_b, found.difference) == (2, 1, 0, 0.5)


def test_the_summary_has_the_fixed_fields() -> None:
    records = [
        Record(id="1", category="poi", correct=True, llm_calls=0, tool_calls=2, latency_s=1.0),
        Record(
            id="2", category="poi", correct=False, refused=True, llm_calls=2, prompt_tokens=10, latency_s=3.0
        ),
        Record(id="3", category="unanswerable", answerable=False, correct=True, refused=True, llm_calls=2),
        Record(id="4", category="trip", correct=False, invalid=True, error="model_reply", cost_usd=0.5),
    ]
    summary = summary_of(run_record(model="cascade:small"), records, {"own": 1})
    assert list(summary) == [
        *(
            "suite",
            "method",
            "model",
            "provider",
            "protocol",
            "n",
            "correct",
            "accuracy",
            "ci95",
            "by_category",
        ),
        *(
            "unanswerable",
            "cascade",
            "metrics",
            "llm_calls_mean",
            "tool_calls_mean",
            "tokens_mean",
            "cost_usd",
        ),
        *("latency_s", "errors", "seed", "version", "data_sha256"),
    ]
    assert (summary["n"], summary["correct"], summary["accuracy"]) == (4, 2, 0.5)
    assert summary["by_category"]["poi"]["accuracy"] == 0.5
    assert summary["unanswerable"] == {"n": 1, "recall": 1.0, "false_rate": pytest.approx(1 / 3)}
    assert summary["cascade"] == {"free_share": 0.5, "accuracy_free": 0.5, "accuracy_model": 0.5}
    assert summary["latency_s"]["p50"] == pytest.approx(0.5)
    assert (summary["errors"], summary["cost_usd"], summary["metrics"]["own"]) == (1, 0.5, 1)


def test_without_a_cascade_there_is_nothing_about_one() -> None:
    assert summary_of(run_record(), [], {})["cascade"] is None


def test_refusals_for_want_of_understanding_are_told_apart() -> None:
    records = [
        Record(id="1", category="x", answerable=False, correct=True, refused=True, status="not_understood"),
        Record(id="2", category="x", answerable=False, correct=True, refused=True, status="unanswerable"),
    ]
    metrics = summary_of(run_record(), records, {})["metrics"]
    assert metrics["not_understood"] == 1
    assert metrics["accuracy_if_not_understood_is_wrong"] == 0.5


@pytest.mark.parametrize(
    ("suite", "model", "printed", "recomputed"),
    [
        ("mapeval-textual", "GPT-3.5-Turbo", 72.94, 71.65),
        ("mapeval-textual", "Qwen-2.5-72B", 76.24, 74.55),
        ("mapeval-api", "GPT-3.5-Turbo", 66.31, 67.47),
        ("mapeval-api", "Qwen-2.5-72B", 70.94, 71.19),
    ],
)
def test_published_overalls_and_what_their_categories_give(
    suite: str, model: str, printed: float, recomputed: float
) -> None:
    (row,) = (row for row in published_rows(suite) if (row.method, row.model) == ("MapAgent", model))
    assert (row.overall, row.recomputed, row.consistent) == (printed, recomputed, False)


def test_a_published_row_that_adds_up() -> None:
    (row,) = (
        row for row in published_rows("mapeval-api") if row.method == "ReAct" and row.model.startswith("GPT")
    )
    assert (row.overall, row.recomputed, row.consistent) == (27.33, 27.33, True)
