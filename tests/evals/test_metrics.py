"""Statistics against published values and against formulas worked out another way."""

import math
from fractions import Fraction
from itertools import product

import pytest

from evals.metrics.statistics import compare, mcnemar_exact, mean, quantile, wilson
from evals.report.table import published_rows
from evals.runner.records import Record, summary_of
from tests.evals.support import run_record


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
