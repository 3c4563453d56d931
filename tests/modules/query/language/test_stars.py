"""Stars, ratings and capacities are numbers, whatever stands behind them."""

import pytest

from map_tools.types import LatLng, Place
from tests.modules.query.language.running import run
from tests.modules.query.language.telling import parts, told

TEXT = """Nearby Hotels of Station are:
1. Hotel Lindner (4S, 10 min walk)
2. Hotel Ritz (5-star hotel, 3 min walk)

Information of <b>Hotel Sun</b>:
- Stars: 4S
- Rating: 4.1.
Information of <b>Hotel Moon</b>:
- Stars: 3 stars
- Rating: 4.6 stars
Information of <b>Hotel Inn</b>:
- Hotel class: 2-star
- Stars: 4.7
"""


@pytest.mark.parametrize(
    ("written", "number"),
    [("4", "4"), ("4S", "4"), ("4 stars", "4"), ("3*", "3"), ("2.5", "2.5"), ("4 of 5", "4"), ("3,5 stars", "3.5")],
)  # fmt: skip
def test_stars_of_a_map(written: str, number: str) -> None:
    inn = Place(
        id="sun",
        name="Hotel Sun",
        categories=("hotel",),
        location=LatLng(lat=48.2, lng=16.3),
        attributes={"stars": written},
    )
    done = run('answer(place("Hotel Sun").stars, good=place("Hotel Sun").stars >= 3)', inn)
    answer = done.answer()
    assert not done.objections()
    assert (answer.text, parts(answer)["good"]) == (number, "Yes" if float(number) >= 3 else "No")


def test_what_is_no_number_stays_words() -> None:
    inn = Place(
        id="sun",
        name="Hotel Sun",
        categories=("hotel",),
        location=LatLng(lat=48.2, lng=16.3),
        attributes={"stars": "4-5"},
    )
    done = run('answer(place("Hotel Sun").stars)', inn)
    assert (done.answer().text, done.objections()) == ("4-5", ())


def test_stars_and_ratings_of_a_text() -> None:
    answer = told(
        'a = ["Hotel Sun", "Hotel Moon", "Hotel Inn"]\n'
        "answer([place(h).stars for h in a], ratings=[place(h).rating for h in a],"
        ' listed=[h.stars for h in places("hotel", near="Station")])',
        TEXT,
    )
    assert answer.text == "4, 3, 2"
    assert parts(answer) == {"ratings": "4.1, 4.6, 4.7", "listed": "5, 4"}


def test_stars_choose() -> None:
    answer = told('answer(nearest("hotel", to="Station", where=lambda h: h.stars == 4))', TEXT)
    assert answer.text == "Hotel Lindner"


@pytest.mark.parametrize("words", ["moderate", "moderately", "moderately priced", "$$"])
def test_words_for_a_price_level(words: str) -> None:
    inn = Place(
        id="sun",
        name="Hotel Sun",
        categories=("hotel",),
        location=LatLng(lat=48.2, lng=16.3),
        price_level=2,
    )
    done = run(
        f'answer(place("Hotel Sun").price == "{words}", less=place("Hotel Sun").price < "{words}")', inn
    )
    assert not done.objections()
    assert (done.answer().text, parts(done.answer())["less"]) == ("Yes", "No")
