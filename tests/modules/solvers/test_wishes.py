"""Beyond the nearest name: second wishes, counts, opening hours, places without a name."""

import pytest

from map_tools.errors import UnsupportedError
from mapagent.answer import Named, Quantity, Status, YesNo
from modules.offline.intents import Attribute, Compare, NearbyIntent, What, When
from modules.solvers import solve
from tests.support.evidence import failure_fact, nearby_fact, place, place_fact, view_of

HUB = place("Hub", 52.0, 5.0)
SHOP = What(text="supermarket", categories=("supermarket",))
SHOPS = (
    (place("Alfa", 52.001, 5.0, hours="Mo-Sa 08:00-20:00", phone="111 22"), 111.0),
    (place("Beta", 52.002, 5.0, hours="Mo-Su 09:00-22:00"), 222.0),
    (place("Gamma", 52.003, 5.0, hours="Mo-Fr 06:00-18:00"), 333.0),
    (place("Delta", 52.004, 5.0), 444.0),
)
SUNDAY, MONDAY = When(weekday=6), When(weekday=0)


def ask(items=SHOPS, what=SHOP, options=(), **slots):
    fact = nearby_fact("Hub", what.text, items, categories=what.categories, anchor_place=HUB, radius_m=20_000)
    return solve(
        NearbyIntent(what=what, anchors=("Hub",), **slots), view_of(fact, tool="Nearby", options=options)
    )


@pytest.mark.parametrize(
    ("slots", "first"),
    [
        ({"rank_by": "closes", "pick": Compare.MAX, "when": MONDAY}, "Beta"),
        ({"rank_by": "closes", "pick": Compare.MIN, "when": MONDAY}, "Gamma"),
        ({"rank_by": "opens", "pick": Compare.MIN, "when": MONDAY}, "Gamma"),
        ({"rank_by": "opens", "pick": Compare.MIN, "when": SUNDAY}, "Beta"),
        ({"rank_by": "open_for", "pick": Compare.MAX, "when": MONDAY}, "Beta"),
        ({"rank_by": "open_for", "pick": Compare.MAX, "when": MONDAY, "k": 3}, "Gamma"),
    ],
)
def test_who_opens_or_closes_first_or_last_or_is_open_longest(slots, first):
    """For 12, 13 and 12 hours on a Monday."""
    solution = ask(**slots)
    assert solution.value.name == first
    assert any(warning.startswith("Left out") for warning in solution.warnings)


def test_nobody_is_ranked_by_hours_that_nobody_states():
    assert ask(items=SHOPS[3:], rank_by="closes", pick=Compare.MAX).status is Status.UNANSWERABLE


def test_a_second_wish_stands_beside_the_name():
    assert ask(also=("distance",)).value.note == "111 m"
    assert ask(also=("phone", "distance")).value.note == "111 22, 111 m"


def test_a_second_wish_nobody_can_fulfil_leaves_the_name():
    solution = ask(also=("website",))
    assert (solution.value.name, solution.value.note) == ("Alfa", "")
    assert any("website" in warning for warning in solution.warnings)


@pytest.mark.parametrize(
    ("bounds", "holds"),
    [
        ({"min_count": 4}, True),
        ({"min_count": 5}, False),
        ({"max_count": 4}, True),
        ({"max_count": 3}, False),
    ],
)
def test_enough_places_or_few_enough(bounds, holds):
    assert ask(ask="exists", **bounds).value == YesNo(value=holds)


BENCH = What(text="bench", categories=("bench",))
BENCHES = (
    (place("", 52.001, 5.0, id="b1", categories=("bench",)), 111.0),
    (place("", 52.002, 5.0, id="b2", categories=("bench",)), 222.0),
    (place("Memorial Bench", 52.003, 5.0, categories=("bench",)), 333.0),
)


def test_a_kind_nobody_looks_for_by_name_is_answered_by_where_it_is():
    value = ask(items=BENCHES, what=BENCH).value
    assert isinstance(value, Named)
    assert value.name == "unnamed bench"
    assert value.note == "111 m away, at 52.00100, 5.00000; next with a name: Memorial Bench, 333 m"


def test_options_name_places_so_those_without_a_name_are_left_out():
    solution = ask(items=BENCHES, what=BENCH, options=("Memorial Bench", "Other Bench"))
    assert solution.value.name == "Memorial Bench"
    assert any("the nearest 111 m away" in warning for warning in solution.warnings)


def settlement(kind):
    town = place("Elm", 52.0, 5.0, categories=(kind,))
    gap = failure_fact("Elm", "'Elm' has no outline on this map.", code=UnsupportedError.code)
    around = nearby_fact(
        "Elm",
        SHOP.text,
        SHOPS[:2],
        categories=SHOP.categories,
        anchor_place=town,
        radius_m=2500,
        complete=True,
    )
    intent = NearbyIntent(what=SHOP, anchors=("Elm",), inside=True, ask="count")
    return solve(intent, view_of(place_fact(town), gap, around, tool="Nearby"))


def test_a_town_without_an_outline_reaches_a_little_way_around_its_centre():
    solution = settlement("town")
    assert solution.value == Quantity(value=2, unit="count")
    assert any("no outline of Elm" in warning for warning in solution.warnings)


def test_nothing_but_a_settlement_reaches_beyond_its_walls():
    assert settlement("museum").status is Status.UNANSWERABLE


def test_the_fact_of_the_one_place():
    assert ask(ask="fact", attribute=Attribute.PHONE).value.text == "111 22"
