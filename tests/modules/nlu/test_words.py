"""Questions as words and pieces."""

from hypothesis import given
from hypothesis import strategies as st

from modules.nlu.words import MARKED, QUESTION, Vocabulary, words_of

PIECES = ["[UNK]", "[CLS]", "[SEP]", "cafe", "near", "##s", "kia", "##sma", "kiasma", "?", "a", "##b"]
VOCABULARY = Vocabulary(PIECES)


@given(st.text(max_size=80), st.lists(st.text(max_size=20), max_size=5))
def test_every_word_is_found_where_it_stands(question: str, options: list[str]) -> None:
    words = words_of(question, options)
    assert words.text.startswith(question)
    assert len(words.spans) == len(words.segments)
    assert words.segments.count(MARKED) == len(options)
    said = [words.said(number, number) for number in range(len(words.spans))]
    assert all(word and not word.isspace() for word in said)
    left = "".join(question.split())
    assert "".join(word for word, of in zip(said, words.segments, strict=True) if of == QUESTION) == left


@given(st.text(max_size=200), st.integers(4, 30))
def test_no_more_is_read_than_the_network_takes(question: str, longest: int) -> None:
    pieces = VOCABULARY.pieces(words_of(question), 0, longest=longest)
    assert len(pieces.ids) == len(pieces.segments) <= longest
    assert len(pieces.first) == len(pieces.last) == len(pieces.usable)
    assert all(first <= last < len(pieces.ids) for first, last in zip(pieces.first, pieces.last, strict=True))


def test_the_longest_pieces_are_taken_and_accents_are_none() -> None:
    pieces = VOCABULARY.pieces(words_of("Cafés near KIASMA?"), 7, longest=20)
    assert [PIECES[number] for number in pieces.ids] == [
        "[CLS]",
        "cafe",
        "##s",
        "near",
        "kiasma",
        "?",
        "[SEP]",
    ]
    assert pieces.segments == [7, 0, 0, 0, 0, 0, 0]
    assert (pieces.first, pieces.last) == ([1, 3, 4, 5], [2, 3, 4, 5])


def test_a_word_with_an_unknown_part_is_unknown() -> None:
    pieces = VOCABULARY.pieces(words_of("cafez"), 0, longest=20)
    assert [PIECES[number] for number in pieces.ids] == ["[CLS]", "[UNK]", "[SEP]"]


def test_options_stand_apart_and_marks_cannot_be_pointed_at() -> None:
    words = words_of("a", ["near", "kia"])
    assert words.text == "a | near | kia"
    assert words.segments == (0, 1, 2, 1, 3)
    assert VOCABULARY.pieces(words, 0, longest=20).usable == [True, False, True, False, True]
