"""When two wordings are the same name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.text import normalise, same_name, same_words, similarity, slug


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Café d'Été", "cafe d ete"),
        ("Kestrel Park", "Kestrel Park, Millport"),
        ("Bridges Millport", "Bridgs Millport"),
        ("Museum of Art", "Art Museum of"),
    ],
)
def test_same(a: str, b: str) -> None:
    assert same_name(a, b)


@pytest.mark.parametrize(
    ("a", "b"), [("North Street", "South Avenue"), ("Inn", "Inner Harbour Hotel"), ("", "X")]
)
def test_different(a: str, b: str) -> None:
    assert not same_name(a, b)


def test_an_exact_name_beats_a_containing_one() -> None:
    assert similarity("Kestrel Park", "kestrel PARK") == 1
    assert 0.86 < similarity("Kestrel Park", "Kestrel Park Café") < 1


@given(st.text(max_size=30), st.text(max_size=30))
def test_similarity_is_symmetric_and_bounded(a: str, b: str) -> None:
    assert similarity(a, b) == pytest.approx(similarity(b, a))
    assert 0 <= similarity(a, b) <= 1


@given(st.text(max_size=30))
def test_normalise_is_stable(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def test_slug() -> None:
    assert slug("Café d'Été!") == "cafe-d-ete"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("Sacred Heart Basilica", "Basilique du Sacre Heart", True),
        ("Angel of Independence", "El Ángel de la Independencia", True),
        ("Old Mill", "The Old Mill Museum", True),
        ("Old Mill", "New Mill", False),
        ("Mill", "Old Mill", False),
        ("Central Park", "Central Station", False),
    ],
)
def test_the_same_words_in_another_language(a: str, b: str, same: bool) -> None:
    assert same_words(a, b) is same
    assert same_words(b, a) is same
