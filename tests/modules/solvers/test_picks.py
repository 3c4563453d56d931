"""Choosing by position: closest, pair, in a direction, between."""

import pytest
from pyproj import Geod

from map_tools.types import TravelMode
from mapagent.answer import Named, NameSet, OptionPick, Status, YesNo
from modules.offline.intents import BetweenIntent, CloserIntent, Compare, DirectionPickIntent, PairIntent, What
from modules.solvers import solve
from modules.solvers.pairs import splits
from tests.support.evidence import nearby_fact, place, place_fact, travel_fact, view_of

GEOD = Geod(ellps="WGS84")
HUB = place("Hub", 52.0, 5.0)


def around(name, azimuth, metres, **fields):
    """A place at an azimuth and distance from the hub, by PROJ."""
    lng, lat, _ = GEOD.fwd(5.0, 52.0, azimuth, metres)
    return place(name, lat, lng, **fields)


EAST, WEST, NORTH, SLANT = (
    around("Elm", 90, 400),
    around("Willow", 275, 900),
    around("Nutwood", 2, 1500),
    around("Southgate", 235, 200),
)
ALL = (HUB, EAST, WEST, NORTH, SLANT)
NAMES = ("Elm", "Willow", "Nutwood", "Southgate")


def view(options=(), facts=(), tool="context", places=ALL, **more):
    return view_of(*map(place_fact, places), *facts, options=options, tool=tool, **more)


@pytest.mark.parametrize(
    ("pick", "order"),
    [
        (Compare.MIN, ["Southgate", "Elm", "Willow", "Nutwood"]),
        (Compare.MAX, ["Nutwood", "Willow", "Elm", "Southgate"]),
    ],
)
def test_closest_and_farthest(pick, order):
    solution = solve(CloserIntent(anchor="Hub", candidates=NAMES, pick=pick), view())
    assert isinstance(solution.value, Named)
    assert [solution.value.name, *(value.name for value in solution.ranking)] == order


def test_the_options_are_the_candidates():
    solution = solve(CloserIntent(anchor="Hub"), view(options=("Willow", "Elm, Park Road 3")))
    assert solution.value == OptionPick(index=1, text="Elm, Park Road 3")


def test_nothing_wins_unopposed():
    named = solve(CloserIntent(anchor="Hub", candidates=("Elm", "Unheard Of")), view())
    assert named.status is Status.UNANSWERABLE
    assert "Unheard Of" in named.reason
    assert solve(CloserIntent(anchor="Hub"), view(options=("Elm", "Unheard Of"))).value is None
    three = solve(CloserIntent(anchor="Hub"), view(options=("Elm", "Unheard Of", "Willow")))
    assert three.value == OptionPick(index=0, text="Elm")
    assert "Unheard Of" in three.warnings[0]


def test_closer_by_travel_asks_for_all_legs_at_once():
    intent = CloserIntent(
        anchor="Hub", candidates=("Elm", "Willow"), measure="duration", mode=TravelMode.WALKING
    )
    asking = view(tool="PlaceInfo", closed=False)
    assert solve(intent, asking) is None
    assert [need.destination for need in asking.needs] == ["id:test:elm", "id:test:willow"]
    legs = (
        travel_fact("Hub", "id:test:elm", 20, mode=TravelMode.WALKING),
        travel_fact("Hub", "id:test:willow", 15, mode=TravelMode.WALKING),
    )
    assert solve(intent, view(facts=legs, tool="PlaceInfo")).value.name == "Willow"


def test_stated_travel_distances_stand_in_for_missing_positions():
    bare = tuple(place(name, id=f"context:{name}") for name in ("Hub", "Elm", "Willow"))
    legs = (travel_fact("Hub", "Elm", 9, 3000), travel_fact("Willow", "Hub", 4, 1200))
    intent = CloserIntent(anchor="Hub", candidates=("Elm", "Willow"))
    solution = solve(intent, view(places=bare, facts=legs))
    assert solution.value.name == "Willow"
    assert "travel" in solution.warnings[0]
    assert solve(intent, view(places=bare)).status is Status.UNANSWERABLE


def test_a_pair_of_named_places():
    solution = solve(PairIntent(places=NAMES), view())
    # Elm-Southgate: 400 m east and 200 m at 235°: about 576 m; every other pair is farther apart.
    assert solution.value == NameSet(names=("Elm", "Southgate"))
    assert len(solution.ranking) == 5


@pytest.mark.parametrize(("pick", "index"), [(Compare.MIN, 1), (Compare.MAX, 2)])
def test_pairs_in_options(pick, index):
    options = ("Elm and Willow", "Elm & Southgate", "Nutwood - Southgate", "")
    solution = solve(PairIntent(pick=pick), view(options=options))
    assert solution.value == OptionPick(index=index, text=options[index])


def test_names_that_hold_a_joining_word_are_split_where_both_halves_are_places():
    assert ("Fish and Chips", "Elm") in list(splits("Fish and Chips and Elm"))
    shop = place("Fish and Chips", 52.001, 5.0)
    options = ("Fish and Chips and Elm", "Elm and Willow")
    solution = solve(PairIntent(), view(options=options, places=(*ALL, shop)))
    assert solution.value == OptionPick(index=0, text=options[0])


@pytest.mark.parametrize(("direction", "name"), [("west", "Willow"), ("N", "Nutwood"), ("E", "Elm")])
def test_the_smallest_deviation_from_a_direction(direction, name):
    intent = DirectionPickIntent(anchor="Hub", direction=direction, candidates=NAMES)
    assert solve(intent, view()).value.name == name


def test_nothing_within_45_degrees_of_the_direction():
    intent = DirectionPickIntent(anchor="Hub", direction="SE", candidates=("Willow", "Nutwood"))
    assert solve(intent, view()).status is Status.UNANSWERABLE


def test_the_nearest_of_a_kind_in_a_direction():
    near, far = around("Near Inn", 100, 300), around("Far Inn", 90, 3000)
    listed = nearby_fact("Hub", "inn", [near, far, WEST], anchor_place=HUB)
    intent = DirectionPickIntent(anchor="Hub", direction="east", what=What(text="inn"))
    assert solve(intent, view(facts=(listed,), tool="Nearby")).value.name == "Near Inn"


def test_between_is_the_smallest_detour_inside_the_segment():
    # Between Elm (400 m east) and Willow (900 m west): Southgate is off the line but inside, Nutwood far off,
    # Beech on the line but beyond Elm.
    beech = around("Beech", 90, 450)
    intent = BetweenIntent(a="Elm", b="Willow", candidates=("Nutwood", "Southgate", "Beech"))
    solution = solve(intent, view(places=(*ALL, beech)))
    assert solution.value.name == "Southgate"
    assert solution.ranking == ()


def test_nothing_lies_between():
    intent = BetweenIntent(a="Elm", b="Willow", candidates=("Nutwood",))
    assert solve(intent, view()).status is Status.UNANSWERABLE


@pytest.mark.parametrize(("claim", "holds"), [("Elm", True), ("Willow", False)])
def test_a_claim_of_being_closer_is_a_yes_or_a_no(claim, holds):
    intent = CloserIntent(anchor="Hub", candidates=("Elm", "Willow"), claim=claim)
    assert solve(intent, view()).value == YesNo(value=holds)
