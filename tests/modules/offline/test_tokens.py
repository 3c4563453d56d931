"""Tidying, words, contractions, spelling, the phrase lexicon."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modules.offline.lexicon import Lexicon, expand
from modules.offline.spelling import corrected
from modules.offline.tokens import sentence_of, tidy, tokenise


def norms(text: str) -> list[str]:
    return [token.norm for token in tokenise(tidy(text))]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What's open?", ["what", "is", "open", "?"]),
        ("It isn’t far", ["it", "is", "not", "far"]),
        ("Can't I?", ["can", "not", "i", "?"]),
        ("Ekberg's address", ["ekberg", "'s", "address"]),
        ("I'm at 5th Ave", ["i", "am", "at", "5th", "ave"]),
        ("$$ or 24/7", ["$$", "or", "24/7"]),
        ("9 a.m.", ["9", "a.m."]),
        ("a 5-minute walk", ["a", "5-minute", "walk"]),
        ("gas_station", ["gas", "_", "station"]),
    ],
)
def test_words_of_a_text(text: str, words: list[str]) -> None:
    assert norms(text) == words


def test_sentences_begin_after_full_stops_but_not_after_abbreviations() -> None:
    tokens = tokenise("I am at St. Mark's. Where is D. B. Patil Street? Thanks")
    firsts = [token.text for token in tokens if token.initial]
    assert firsts == ["I", "Where", "Thanks"]
    assert sentence_of(tokens)[-1] == 2


@given(st.text(max_size=60))
def test_tokens_stand_where_they_say(text: str) -> None:
    plain = tidy(text)
    for token in tokenise(plain):
        assert plain[token.start : token.end] == token.text


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("neerest restarant", "nearest restaurant"),
        ("oppening hours", "opening hours"),
        ("adress", "address"),
        ("wich hospitl", "wich hospital"),
        ("Kamppi hotell", "Kamppi hotell"),
        ("Restarant Savoy", "Restarant Savoy"),
    ],
)
def test_only_lower_case_key_words_are_corrected(written: str, meant: str) -> None:
    assert corrected(written) == meant


def test_a_phrase_with_alternatives_and_optional_words() -> None:
    assert set(expand("how long|far is it?")) == {
        ("how", "long", "is", "it"),
        ("how", "long", "is"),
        ("how", "far", "is", "it"),
        ("how", "far", "is"),
    }


def test_the_longest_phrase_of_a_group_wins() -> None:
    lexicon = Lexicon([("near", ["close", "close to"]), ("other", ["to"])])
    found = lexicon.find(tokenise("close to"))
    assert [(cue.group, cue.first, cue.last) for cue in found] == [("near", 0, 2), ("other", 1, 2)]
