"""Measures of words, numbers, directions, places and ranked lists against values worked out by hand or by others."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod

from evals.metrics.measures import (
    angle_error,
    any_equal,
    azimuth_of,
    best_angle_error,
    best_containment,
    best_distance_error,
    best_prf,
    best_relative_error,
    by_error,
    by_similarity,
    capped,
    containment,
    content_words,
    distance_error,
    equal,
    f1,
    from_words,
    in_words,
    ndcg_at,
    ndcg_of_retrieved,
    plain_words,
    precision_at,
    prf,
    recall_at,
    relative_error,
    wind_of,
)
from evals.metrics.statistics import mean_interval
from map_tools.types import LatLng

GRADES = {"a": 2, "b": 2, "c": 1}
RELEVANT = frozenset({"a", "b"})


@pytest.mark.parametrize(
    ("digits", "words"),
    [
        ("0", "zero"),
        ("14", "fourteen"),
        ("40", "forty"),
        ("85", "eighty five"),
        ("700", "seven hundred"),
        ("1050", "one thousand fifty"),
        ("2000003", "two million three"),
        ("3.14", "three point one four"),
    ],
)
def test_numbers_in_words(digits: str, words: str) -> None:
    assert in_words(digits) == words
    assert from_words(words) == float(digits)


@given(st.integers(0, 10**15 - 1))
def test_every_whole_number_survives(number: int) -> None:
    assert from_words(in_words(str(number))) == number


@pytest.mark.parametrize("text", ["", "hundred", "and", "fifty metres", "museum"])
def test_what_is_no_number(text: str) -> None:
    assert from_words(text) is None


@pytest.mark.parametrize("text", ["-3", "1e9", "", "1" * 16])
def test_what_is_no_plain_number(text: str) -> None:
    with pytest.raises(ValueError, match="no plain number"):
        in_words(text)


def test_stop_words_and_punctuation_do_not_count() -> None:
    assert content_words("It is the Old Mill, near the river!") == ("old", "mill", "near", "river")


def test_numbers_count_as_words() -> None:
    assert (
        content_words("1,250 m")
        == content_words("one thousand two hundred fifty m")
        == (*("one", "thousand", "two", "hundred", "fifty"),)
    )


def test_plain_words_keep_all() -> None:
    assert plain_words("The Café, No. 7") == ("the", "café", "no", "7")


def test_prf_by_hand() -> None:
    """Two of three words of the reply are right, two of four words of the gold are found."""
    score = prf("Harbour Hill Inn", "Harbour Hill Guest House")
    assert score.precision == pytest.approx(2 / 3)
    assert score.recall == pytest.approx(2 / 4)
    assert score.f1 == pytest.approx(4 / 7)


def test_prf_counts_repeated_words() -> None:
    assert prf("walla", "walla walla").recall == pytest.approx(0.5)


def test_prf_of_nothing_in_common_is_zero() -> None:
    assert prf("north", "south").f1 == 0
    assert prf("", "south").f1 == 0
    assert best_prf((), ("south",)).f1 == 0


def test_the_best_pair_counts() -> None:
    assert best_prf(("Mill", "Old Tower"), ("Town Hall", "Old Tower")).f1 == 1


@pytest.mark.parametrize(
    ("reply", "gold", "similarity"),
    [
        ("Granite Park", "Granite National Park", 1.0),  # the paper's kind of variation
        ("Granite National Park", "granite park!", 1.0),
        ("Granite Creek", "Granite National Park", 0.5),
        ("Granite Park", "Basalt Peak", 0.0),
        ("", "Basalt Peak", 0.0),
    ],
)
def test_containment(reply: str, gold: str, similarity: float) -> None:
    assert containment(reply, gold) == pytest.approx(similarity)


def test_containment_forgives_what_equality_does_not() -> None:
    assert best_containment(("Park",), ("Granite Park", "Hill")) == 1
    assert not any_equal(("Park",), ("Granite Park", "Hill"))
    assert equal("Café  D'Été", "cafe d'ete")
    assert not equal("", "")


def test_distance_error_is_geodesic_and_capped() -> None:
    a, b = LatLng(lat=47.0, lng=9.0), LatLng(lat=47.2, lng=9.5)
    metres = Geod(ellps="WGS84").inv(a.lng, a.lat, b.lng, b.lat)[2]
    assert distance_error(a, b) == pytest.approx(metres / 500_000, rel=1e-9)
    assert distance_error(a, LatLng(lat=-47.0, lng=9.0)) == 1
    assert best_distance_error((), (a,)) is None
    assert best_distance_error((a, b), (b,)) == 0


@pytest.mark.parametrize(
    ("one", "other", "error"),
    [(0, 0, 0.0), (0, 180, 1.0), (350, 10, 20 / 180), (10, 350, 20 / 180), (90, 45, 0.25), (359.5, -0.5, 0)],
)
def test_angle_error(one: float, other: float, error: float) -> None:
    assert angle_error(one, other) == pytest.approx(error)
    assert best_angle_error((one,), (other,)) == pytest.approx(error)


@pytest.mark.parametrize(
    ("azimuth", "wind"),
    [
        (0, "north"),
        (22.4, "north"),
        (22.6, "northeast"),
        (337.4, "northwest"),
        (337.6, "north"),
        (180, "south"),
    ],
)
def test_winds(azimuth: float, wind: str) -> None:
    assert wind_of(azimuth) == wind
    assert wind_of(azimuth_of(wind)) == wind


def test_relative_error() -> None:
    assert relative_error(110, 100) == pytest.approx(0.1)
    assert relative_error(0, 0) == 0
    assert math.isinf(relative_error(1, 0))
    assert capped(relative_error(1, 0)) == 1
    assert best_relative_error((50, 95), (100, 300)) == pytest.approx(0.05)
    assert best_relative_error((), (100,)) is None


def test_sensitivity_by_hand() -> None:
    assert by_error([0.0, 0.04, 0.15, math.inf]) == {
        "0.01": 0.25,
        "0.05": 0.5,
        "0.1": 0.5,
        "0.2": 0.75,
        "0.3": 0.75,
        "0.5": 0.75,
    }
    assert by_similarity([1.0, 0.5])["1"] == 0.5
    assert by_similarity([1.0, 0.5])["0.5"] == 1
    assert by_error([]) == {}


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
