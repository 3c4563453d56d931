"""Places that a text describes one by one: near by the ways it tells, or by their addresses."""

import pytest

from map_tools.types import TravelMode
from mapagent.answer import Solution, Status
from modules.offline.intents import HERE, Compare, Filters, NearbyIntent, What
from modules.solvers import solve
from tests.support.evidence import nearby_fact, place, place_fact, travel_fact, view_of

GYM = What(text="gym", categories=("fitness_centre",))
WALK, CAR = TravelMode.WALKING, TravelMode.DRIVING
IRON = place("Iron Gym", categories=GYM.categories, address="9 Mill Lane, Oldtown", id="context:iron")
STEEL = place("Steel Gym", categories=GYM.categories, address="22 Quay, Oldtown", id="context:steel")
HOME = place("Old Flat", address="40 Mill Lane, Oldtown", id="context:flat")
PLACES = tuple(place_fact(one) for one in (IRON, STEEL, HOME))
AFOOT = (
    travel_fact("Old Flat", "Iron Gym", 9, 650, mode=WALK),
    travel_fact("Old Flat", "Steel Gym", 12, 900, mode=WALK),
)
BY_CAR = (
    travel_fact("Old Flat", "Iron Gym", 5, 2100, mode=CAR),
    travel_fact("Old Flat", "Steel Gym", 3, 950, mode=CAR),
)


def solved(*facts, options=("Steel Gym", "Iron Gym"), **slots) -> Solution:
    intent = NearbyIntent(what=GYM, anchors=slots.pop("anchors", ("Old Flat",)), **slots)
    return solve(intent, view_of(*PLACES, *facts, options=options, tool="context"))


@pytest.mark.parametrize(
    ("slots", "name"),
    [({}, "Steel Gym"), ({"mode": WALK}, "Iron Gym"), ({"pick": Compare.MAX, "mode": WALK}, "Steel Gym")],
)
def test_the_nearest_is_that_of_the_shortest_way(slots, name):
    """By car the ways are 2.1 and 0.95 km, on foot 0.65 and 0.9 km; a mode not said is the car."""
    solution = solved(*AFOOT, *BY_CAR, **slots)
    assert (solution.value.name, len(solution.warnings)) == (name, 2)


def test_any_mode_that_tells_all_the_ways_serves():
    assert solved(*AFOOT, BY_CAR[0]).value.name == "Iron Gym"


def test_one_way_alone_decides_nothing():
    assert solved(AFOOT[0]).status is Status.UNANSWERABLE


def test_a_radius_is_measured_along_the_ways():
    assert solved(*AFOOT, radius_m=700, rank_by="any").value.name == "Iron Gym"


def test_the_words_of_an_anchor_may_be_part_of_one_address():
    assert solved(anchors=("Mill Lane, Oldtown",)).value.name == "Iron Gym"
    assert solved(anchors=("Oldtown",)).status is Status.UNANSWERABLE


def test_the_same_street_is_that_of_the_named_place():
    solution = solved(filters=Filters(same_street_as="Old Flat"), rank_by="any")
    assert solution.value.name == "Iron Gym"


def test_the_street_of_a_place_without_an_address_is_not_known():
    solution = solved(filters=Filters(same_street_as="Nowhere"), rank_by="any")
    assert (solution.status, "Nowhere" in solution.reason) == (Status.UNANSWERABLE, True)


def test_a_list_of_a_smaller_radius_counts_nothing():
    listed = nearby_fact("Old Flat", "gym", [(IRON, None)], categories=GYM.categories, radius_m=500)
    assert solved(listed, radius_m=500, ask="count", options=()).value.value == 1
    assert solved(listed, radius_m=900, ask="count", options=()).status is Status.UNANSWERABLE


def test_here_is_where_the_text_says_the_user_is():
    here = place_fact(HOME, HERE)
    assert solved(here, *AFOOT, anchors=(HERE,)).value.name == "Iron Gym"
    assert solved(here, *BY_CAR, anchors=(HERE,), rank_by="duration", mode=CAR).value.name == "Steel Gym"
