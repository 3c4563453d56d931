"""Measures of ranking, by hand and against printed tables."""

import math

import pytest

from evals.metrics.ranking import f1, ndcg_at, ndcg_of_retrieved, precision_at, recall_at
from evals.metrics.statistics import mean_interval

GRADES = {"a": 2, "b": 2, "c": 1}
RELEVANT = frozenset({"a", "b"})


def test_precision_divides_by_k_however_few_are_named() -> None:
    assert precision_at(["a"], RELEVANT, 5) == pytest.approx(1 / 5)
    assert precision_at(["x", "a", "b"], RELEVANT, 2) == pytest.approx(1 / 2)


def test_what_is_named_again_counts_once() -> None:
    assert precision_at(["a", "a", "a"], RELEVANT, 3) == pytest.approx(1 / 3)
    assert recall_at(["a", "a", "b"], RELEVANT, 2) == pytest.approx(1 / 2)
    assert ndcg_at(["a", "a"], GRADES) == ndcg_at(["a", "x"], GRADES)


def test_the_printed_rows_of_a_single_named_place_follow() -> None:
    """Spatial-RAG, table 2, TourismQA-Miami, SD: one of 9.5 questions has a hit, and it is the only place."""
    share = 0.1053
    for k, printed in ((1, 0.1053), (3, 0.0351), (5, 0.0211), (10, 0.0105)):
        assert share * precision_at(["a"], RELEVANT, k) == pytest.approx(printed, abs=0.0001)
        assert share * ndcg_of_retrieved(["a"], GRADES, k) == pytest.approx(0.1053)
    assert share * ndcg_at(["a"], GRADES, 10) < 0.08


def test_ndcg_by_hand() -> None:
    gained = 1 / math.log2(2) + 3 / math.log2(4)  # c first, a third
    best = 3 / math.log2(2) + 3 / math.log2(3) + 1 / math.log2(4)
    assert ndcg_at(["c", "x", "a"], GRADES) == pytest.approx(gained / best)
    assert ndcg_at(["a", "b", "c"], GRADES) == pytest.approx(1)
    assert ndcg_at(["b", "x"], GRADES, 1) == pytest.approx(1)
    assert ndcg_at([], GRADES, 10) == 0
    assert ndcg_of_retrieved(["c", "x", "a"], GRADES) == pytest.approx(gained / (3 + 1 / math.log2(3)))


def test_nothing_relevant_is_no_measure() -> None:
    with pytest.raises(ValueError, match="nothing is relevant"):
        ndcg_at(["a"], {})
    with pytest.raises(ValueError, match="nothing is relevant"):
        recall_at(["a"], frozenset(), 1)


def test_f1_is_the_harmonic_mean() -> None:
    assert f1(0.5, 1.0) == pytest.approx(2 / 3)
    assert f1(0.0, 0.0) == 0.0


def test_the_interval_is_that_of_the_normal_distribution_for_many_values() -> None:
    values = [float(number % 2) for number in range(400)]
    interval = mean_interval(values)
    assert interval is not None
    half = 1.96 * 0.5 / math.sqrt(400)
    assert interval.mean == pytest.approx(0.5)
    assert (interval.low, interval.high) == (
        pytest.approx(0.5 - half, abs=0.01),
        pytest.approx(0.5 + half, abs=0.01),
    )
    assert interval == mean_interval(values)


def test_beyond_noise_means_that_nought_is_left_out() -> None:
    clear, unclear = mean_interval([0.2, 0.3, 0.1, 0.25] * 5), mean_interval([0.5, -0.5] * 10)
    assert clear is not None
    assert unclear is not None
    assert clear.beyond_noise
    assert not unclear.beyond_noise
    assert mean_interval([]) is None
