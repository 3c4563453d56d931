"""What a view takes for the same place."""

import pytest

from map_tools.types import TravelMode
from modules.names import SAME_SCORE, mention_score
from modules.view import CannotTellError, likeness
from tests.support.evidence import place, place_fact, travel_fact, view_of


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Old Mill, Norwich", "The Old Mill"),
        ("Royal Castle, Hillford", "Royal Hill Castle"),
        ("Holy Heart Basilica", "Basilique du Holy Heart"),
        ("Saint Ann ruins", "Saint Ann"),
    ],
)
def test_a_supplied_texts_place_is_found_by_a_questions_wording(words, name):
    assert mention_score(words, name) >= SAME_SCORE
    assert view_of(place_fact(place(name)), tool="context").place(words).place.name == name


@pytest.mark.parametrize(
    ("words", "name"), [("North Gate", "South Gate"), ("City Hall", "City Museum"), ("Mill", "Windmill Park")]
)
def test_other_places_stay_other_places(words, name):
    assert mention_score(words, name) < SAME_SCORE


def test_the_exact_name_wins_over_a_laxer_one():
    names = ("Palace Museum of Arts", "Museum of Arts")
    view = view_of(*(place_fact(place(name)) for name in names), tool="context")
    assert view.place("Museum of Arts").place.name == "Museum of Arts"


def test_a_map_is_never_read_laxly():
    asking = view_of(place_fact(place("The Old Mill")), closed=False)
    assert asking.place("Old Mill, Norwich") is None
    assert [need.text for need in asking.needs] == ["Old Mill, Norwich"]


def test_ids_are_equal_or_different_and_never_alike():
    assert likeness("id:osm:n1234", "id:osm:n1234") == 1
    assert likeness("id:osm:n1234", "id:osm:n1235") == 0
    view = view_of(travel_fact("Hub", "id:osm:n1234", 5))
    assert view.travel("Hub", "id:osm:n1234", TravelMode.DRIVING).duration_s == 300
    with pytest.raises(CannotTellError):
        view.travel("Hub", "id:osm:n1235", TravelMode.DRIVING)
