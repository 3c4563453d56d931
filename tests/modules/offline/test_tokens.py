"""Tidying, words, contractions, spelling, the phrase lexicon."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from modules.offline.lexicon import Lexicon
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
@example("I'D like a cafe")
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
        ("wich hospitl", "which hospital"),
        ("Wich cafe is the closets to Vist", "Which cafe is the closest to Vist"),
        ("how long dose it take, and what dose", "how long does it take, and what dose"),
        ("Kamppi hotell", "Kamppi hotell"),
        ("Restarant Savoy", "Restarant Savoy"),
    ],
)
def test_key_words_are_corrected_and_names_left_alone(written: str, meant: str) -> None:
    assert corrected(written) == meant


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("how long is it", 4),
        ("how long is", 3),
        ("how far is it", 4),
        ("how far is", 3),
        ("how long it", None),
        ("how is it", None),
    ],
)
def test_a_phrase_with_alternatives_and_optional_words(text: str, end: int | None) -> None:
    found = Lexicon([("ask", ["how long|far is it?"])]).find(tokenise(text))
    assert [(cue.first, cue.last) for cue in found] == ([] if end is None else [(0, end)])


def test_a_phrase_whose_first_word_is_optional_begins_with_either() -> None:
    lexicon = Lexicon([("place", ["the? town hall?"])])
    assert [(cue.first, cue.last) for cue in lexicon.find(tokenise("the town"))] == [(0, 2)]
    assert [(cue.first, cue.last) for cue in lexicon.find(tokenise("a town hall"))] == [(1, 3)]


def test_the_longest_phrase_of_a_group_wins() -> None:
    lexicon = Lexicon([("near", ["close", "close to"]), ("other", ["to"])])
    found = lexicon.find(tokenise("close to"))
    assert [(cue.group, cue.first, cue.last) for cue in found] == [("near", 0, 2), ("other", 1, 2)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Which bank is nearest to Pr. da Liberdade?", 1),
        ("a cafe near R. Augusta please", 1),
        ("the house of J. R. Smith in Sto. Tirso", 1),
        ("I live on Baker St. Where is the bank?", 2),
        ("I am at St. Paul's. Is it open?", 2),
    ],
)
def test_a_full_stop_after_a_short_form_ends_no_sentence(text: str, sentences: int) -> None:
    assert len(set(sentence_of(tokenise(tidy(text))))) == sentences


@pytest.mark.parametrize(("text", "capital"), [("d'Armes", True), ("o'clock", False), ("dell'Arte", True)])
def test_the_capital_after_an_elided_article_counts(text: str, *, capital: bool) -> None:
    assert tokenise(text)[0].capital is capital


def test_an_ordinal_is_split_from_its_superlative() -> None:
    assert norms("the third-nearest shop")[:3] == ["the", "third", "nearest"]
    assert "second-hand" in norms("a second-hand shop")
