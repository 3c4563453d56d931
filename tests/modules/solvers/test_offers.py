"""What places serve and offer, under the keys of different sources."""

import pytest

from mapagent.answer import Status
from modules.offline.intents import Filters, NearbyIntent, What
from modules.solvers import solve
from modules.solvers.offers import offers, serves
from tests.support.evidence import nearby_fact, place, view_of

STATED = place("Plain", 52.0, 5.0, attributes={"cuisine": "italian;pizza"})
TAGGED = place("Tagged", 52.0, 5.0, attributes={"cuisine": "indian", "diet:vegetarian": "yes"})
REFUSING = place("Meaty", 52.0, 5.0, services={"vegetarian": False})
GOOGLE = place("Listed", 52.0, 5.0, services={"serves_vegetarian": True})
SILENT = place("Silent", 52.0, 5.0)


@pytest.mark.parametrize(
    ("found", "cuisine", "verdict"),
    [
        (STATED, "pizza", True),
        (STATED, "thai", False),
        (SILENT, "thai", None),
        (TAGGED, "vegetarian", True),
        (STATED, "vegetarian", None),
        (REFUSING, "vegetarian", False),
        (GOOGLE, "vegetarian", True),
        (place("Vegan Corner", 52.0, 5.0), "vegan", True),
        (place("Kebab", 52.0, 5.0, attributes={"cuisine": "halal"}), "halal", True),
    ],
)
def test_a_cuisine_says_nothing_of_diets_and_a_diet_may_stand_under_its_own_key(found, cuisine, verdict):
    assert serves(found, cuisine) is verdict


@pytest.mark.parametrize(
    ("found", "service", "verdict"),
    [
        (GOOGLE, "vegetarian", True),
        (TAGGED, "serves_vegetarian", True),
        (REFUSING, "serves_vegetarian", False),
        (place("Bar", 52.0, 5.0, services={"dogs": True}), "allows_dogs", True),
        (SILENT, "wifi", None),
    ],
)
def test_services_are_found_under_the_keys_of_either_source(found, service, verdict):
    assert offers(found, service) is verdict


def ask(**filters):
    items = [(TAGGED, 100.0), (STATED, 200.0), (SILENT, 300.0)]
    fact = nearby_fact(
        "Hub", "restaurant", items, categories=("restaurant",), anchor_place=place("Hub", 52.0, 5.0)
    )
    what = What(text="restaurant", categories=("restaurant",))
    intent = NearbyIntent(what=what, anchors=("Hub",), rank_by="any", ask="names", filters=Filters(**filters))
    return solve(intent, view_of(fact, tool="Nearby"))


def test_a_cuisine_that_is_not_wanted_leaves_out_what_states_none():
    solution = ask(without_cuisine="italian")
    assert solution.value.names == ("Tagged",)
    assert "Left out, because nobody states their cuisine: 1." in solution.warnings


def test_nothing_of_a_diet_is_told_where_no_place_states_it():
    assert ask(cuisine="halal").status is Status.UNANSWERABLE
