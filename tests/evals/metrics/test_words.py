"""Words as GS-QA counts them, and numbers in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.metrics.text import content_words, from_words, in_words, plain_words


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
