"""The nearest of places whose positions a text does not tell: by its lengths or times, never by its order."""

import pytest

from tests.modules.query.language.telling import parts, told

WALKS = """Nearby Cafes of Harbour are:
1. Cafe Alba (10 min walk)
2. Cafe Birke (4 min walk, rating: 4.1)
3. Cafe Corso - about 6 minutes on foot
"""
LINES = """Driving from Harbour to Kiosk One takes 20 minutes.
Driving from Harbour to Kiosk Two takes 12 minutes.
Distance from Harbour to The Old Museum by car is 2 km.
Distance from Harbour to The New Museum by car is 500 m.
Distance from St. Anna Church to Cafe Anna by car is 2 km.
"""
UNTOLD = """Nearby Hotels of Harbour are:
- Hotel Uno (rating: 4.1)
- Hotel Due (rating: 4.4)
"""


def test_times_beside_names_count() -> None:
    answer = told('answer(nearest("cafe", to="Harbour"), all=places("cafe", near="Harbour"))', WALKS)
    assert (answer.text, parts(answer)) == ("Cafe Birke", {"all": "Cafe Birke, Cafe Corso, Cafe Alba"})
    assert any("walk" in warning for warning in answer.warnings)


def test_times_of_lines_count() -> None:
    assert told('answer(nearest(["Kiosk One", "Kiosk Two"], to="Harbour"))', LINES).text == "Kiosk Two"


@pytest.mark.parametrize(
    "program",
    [
        'answer(nearest("museum", to="Harbour"))',
        'answer(min(places("museum"), key=lambda m: distance("Harbour", m)))',
        'answer(min(["The Old Museum", "The New Museum"], key=lambda m: distance(m, "Harbour")))',
    ],
)
def test_lengths_count(program: str) -> None:
    assert told(program, LINES).text.removeprefix("The ") == "New Museum"


def test_what_is_told_stands_before_what_is_not() -> None:
    text = f"{WALKS}4. Cafe Dohle\n"
    answer = told('answer(nearest("cafe", to="Harbour"), all=places("cafe", near="Harbour"))', text)
    assert answer.text == "Cafe Birke"
    assert parts(answer)["all"] == "Cafe Birke, Cafe Corso, Cafe Alba, Cafe Dohle"
    assert any("Cafe Dohle" in warning for warning in answer.warnings)


@pytest.mark.parametrize(
    "program",
    [
        'answer(nearest("hotel", to="Harbour"))',
        'answer(nearest(["Hotel Uno", "Hotel Due"], to="Harbour"))',
        'answer(min(places("hotel"), key=lambda h: distance("Harbour", h)))',
    ],
)
def test_where_nothing_is_told_that_is_said(program: str) -> None:
    answer = told(program, UNTOLD)
    assert answer.unanswerable
    assert "not stated" in answer.reason
    assert "Harbour" in answer.reason


def test_the_only_one_is_the_nearest() -> None:
    answer = told('answer(nearest("hotel", to="Harbour", where=lambda h: h.rating > 4.3))', UNTOLD)
    assert answer.text == "Hotel Due"


def test_a_distance_of_which_only_the_time_is_told_points_to_that() -> None:
    answer = told('answer(distance("Harbour", "Cafe Alba"))', WALKS)
    assert answer.unanswerable
    assert 'travel(…, "walk").duration' in answer.reason


def test_the_only_option_among_what_comes_into_question() -> None:
    asked = 'answer(nearest("hotel", to="Harbour", where=lambda h: h.rating > 4))'
    assert told(asked, UNTOLD, options=("Hotel Tre", "Hotel Due")).option == "B"
    strange = told(asked, UNTOLD, options=("Hotel Tre", "None of these"))
    assert strange.unanswerable, (
        "which one is the nearest is not known, so none of these is not known, either"
    )
    both = told(asked, UNTOLD, options=("Hotel Uno", "Hotel Due"))
    assert both.option is None
    assert "is not stated" in both.reason
