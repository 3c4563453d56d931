"""Which lines go, and when a text is left alone."""

import pytest

from evals.twins.aims import Aim, EveryWay, FieldOf, ListAround, Subject, Ways, statements
from evals.twins.maker import Cutter
from tests.evals.twins.texts import NORHAVEN, without


def way(start: str, end: str, mode: str = "driving") -> Ways:
    return Ways(frozenset({(start, end, mode)}))


@pytest.mark.parametrize(
    ("aim", "lines"),
    [
        (way("Tidal Museum", "Glass Garden"), (10, 11)),
        (way("Glass Garden", "Tidal Museum"), (10, 11)),
        (way("Tidal Museum", "Glass Garden", "walking"), (12,)),
        (way("Salt Tower", "Glass Garden"), (13, 14)),
        (EveryWay(frozenset({"driving"})), (10, 11, 13, 14)),
        (EveryWay(frozenset({"driving", "walking"})), (10, 11, 12, 13, 14)),
        (ListAround("Tidal Museum", "restaurant", frozenset({"Rusty Anchor", "Blue Plaice"})), (16, 17, 18)),
        (FieldOf("Tidal Museum", "hours"), (3,)),
        (FieldOf("Glass Garden", "rating", asked=True), (8,)),
    ],
)
def test_the_deciding_lines_go_and_no_others(aim: Aim, lines: tuple[int, ...]) -> None:
    cut = Cutter(NORHAVEN).cut(aim, right="4.1")
    assert cut is not None
    assert cut.lines == lines
    assert cut.text == without(NORHAVEN, *lines)


@pytest.mark.parametrize(
    "aim",
    [
        way("Tidal Museum", "Salt Tower"),
        way("Tidal Museum", "Glass Garden", "transit"),
        ListAround("Glass Garden", "restaurant"),
        ListAround("Tidal Museum", "hotel"),
        FieldOf("Glass Garden", "hours"),
        FieldOf("Salt Tower", "rating"),
    ],
)
def test_what_the_text_does_not_say_cannot_be_cut(aim: Aim) -> None:
    assert Cutter(NORHAVEN).cut(aim, right="") is None


def test_a_position_is_not_cut_while_distances_hint_at_it() -> None:
    position = FieldOf("Glass Garden", "location")
    assert Cutter(NORHAVEN).cut(position, right="") is None
    no_ways = without(NORHAVEN, 10, 11, 12, 13, 14)
    cut = Cutter(no_ways).cut(position, right="")
    assert cut is not None
    assert cut.lines == (7,)


def test_a_way_that_is_printed_twice_goes_twice() -> None:
    cut = Cutter(f"{NORHAVEN}\n{NORHAVEN.splitlines()[9]}\n").cut(
        way("Tidal Museum", "Glass Garden"), right=""
    )
    assert cut is not None
    assert cut.lines == (10, 11, 20)


def test_a_field_that_is_printed_twice_is_left_alone() -> None:
    doubled = NORHAVEN + "\nInformation of <b>Glass Garden</b>:\n- Rating: 4.1. (80 ratings).\n"
    assert Cutter(doubled).cut(FieldOf("Glass Garden", "rating"), right="") is None


@pytest.mark.parametrize(
    "remark",
    [
        "A drive between Glass Garden and Tidal Museum: 12 or 13 min, say the locals.",
        "Glass Garden, then Tidal Museum: 12 min.",
    ],
)
def test_what_other_words_still_say_spoils_a_twin(remark: str) -> None:
    assert Cutter(f"{NORHAVEN}\n{remark}\n").cut(way("Tidal Museum", "Glass Garden"), right="") is None


def test_a_line_about_another_mode_does_not() -> None:
    remark = "On foot it is 58 min between Glass Garden and Tidal Museum, if you walk fast."
    assert Cutter(f"{NORHAVEN}\n{remark}\n").cut(way("Tidal Museum", "Glass Garden"), right="") is not None


def test_coordinates_that_stand_elsewhere_spoil_a_twin() -> None:
    text = without(NORHAVEN, 10, 11, 12, 13, 14) + "\n\nThe new bus stop is at 54.1434, 8.5878.\n"
    assert Cutter(text).cut(FieldOf("Glass Garden", "location"), right="") is None


def test_options_with_blocks_of_their_own_go_with_the_list() -> None:
    text = NORHAVEN + "\nInformation of <b>Blue Plaice</b>:\n- Rating: 4.8. (33 ratings).\n"
    cut = Cutter(text).cut(ListAround("Tidal Museum", "restaurant", frozenset({"Blue Plaice"})), right="")
    assert cut is not None
    assert cut.lines == (16, 17, 18, 20, 21)


def test_a_text_is_not_emptied() -> None:
    assert Cutter(NORHAVEN.splitlines()[9]).cut(way("Tidal Museum", "Glass Garden"), right="") is None


def test_a_line_that_says_something_else_too_is_left_alone() -> None:
    text = without(NORHAVEN, 10, 11, 12) + "\nTidal Museum to Glass Garden: 12 min by car, 58 min on foot.\n"
    assert Cutter(text).cut(way("Tidal Museum", "Glass Garden"), right="") is None


def test_statements_tell_what_each_line_says() -> None:
    said = statements(NORHAVEN)
    assert said[Subject("place", ("Tidal Museum",), "rating")] == ("4.5",)
    assert said[Subject("way", ("Tidal Museum", "Glass Garden"), "walking")] == ("3480.0 s, 4600.0 m",)
    assert Subject("list", ("Tidal Museum",), "restaurant") in said
    assert Subject("place", ("Glass Garden",), "hours") not in said
