"""Distance and direction, checked against PROJ's geodesics."""

import pytest
from pyproj import Geod

from mapagent.answer import Quantity, Status, Text, YesNo
from modules.offline.intents import BearingIntent, DistanceIntent
from modules.solvers import solve
from tests.support.evidence import place, place_fact, view_of

GEOD = Geod(ellps="WGS84")
TOWER = place("Tower", 48.8584, 2.2945)
TEMPLE = place("Temple", 48.9244, 2.3601)
NOWHERE = place("Nowhere")


def distance(a="Tower", b="Temple", facts=(TOWER, TEMPLE), **slots):
    return solve(DistanceIntent(a=a, b=b, **slots), view_of(*map(place_fact, facts), tool="context"))


def expected_m(a, b):
    return GEOD.inv(a.location.lng, a.location.lat, b.location.lng, b.location.lat)[2]


def test_the_distance_is_geodesic():
    solution = distance()
    assert isinstance(solution.value, Quantity)
    assert solution.value.value == pytest.approx(expected_m(TOWER, TEMPLE), abs=0.01)
    assert solution.claims[0].arguments == {"a": "Tower", "b": "Temple"}
    assert solution.claims[0].inputs == ("e1", "e2")


@pytest.mark.parametrize(("limit", "holds"), [(8000, False), (9000, True)])
def test_within_a_limit(limit, holds):
    assert 8000 < expected_m(TOWER, TEMPLE) < 9000
    assert distance(at_most_m=limit).value == YesNo(value=holds)


def test_a_missing_position_is_never_guessed():
    solution = distance(b="Nowhere", facts=(TOWER, NOWHERE))
    assert solution.status is Status.UNANSWERABLE
    assert "Nowhere" in solution.reason


def test_ambiguous_ends_far_from_the_other_agree_on_the_distance():
    near = place("Kiosk", 48.85, 2.29, id="a:1", address="Left Bank 1")
    twin = place("Kiosk", 48.86, 2.30, id="a:2", address="Right Bank 2")
    far = place("Harbour", 43.2965, 5.3698)
    view = view_of(place_fact(near, rivals=(twin,)), place_fact(far))
    assert solve(DistanceIntent(a="Kiosk", b="Harbour"), view).status is Status.ANSWERED
    close = view_of(place_fact(near, rivals=(twin,)), place_fact(TOWER))
    assert solve(DistanceIntent(a="Kiosk", b="Tower"), close).status is Status.AMBIGUOUS


@pytest.mark.parametrize(
    ("lat", "lng", "word"),
    [
        (1.0, 0.0, "north"),
        (1.0, 1.0, "north-east"),
        (0.0, 1.0, "east"),
        (-1.0, 1.0, "south-east"),
        (-1.0, 0.0, "south"),
        (-1.0, -1.0, "south-west"),
        (0.0, -1.0, "west"),
        (1.0, -1.0, "north-west"),
    ],
)
def test_the_eight_directions_from_the_equator(lat, lng, word):
    view = view_of(place_fact(place("Centre", 0, 0)), place_fact(place("Target", lat, lng)))
    solution = solve(BearingIntent(origin="Centre", target="Target"), view)
    assert solution.value == Text(text=word, topic="direction")
    assert len(solution.ranking) == 2


def test_the_direction_is_seen_from_the_origin():
    view = view_of(place_fact(TOWER), place_fact(TEMPLE))
    there = solve(BearingIntent(origin="Tower", target="Temple"), view).value
    back = solve(BearingIntent(origin="Temple", target="Tower"), view).value
    assert (there.text, back.text) == ("north-east", "south-west")


@pytest.mark.parametrize(
    ("words", "holds"), [("north", True), ("north-east", True), ("E", False), ("south of", False)]
)
def test_whether_it_lies_in_a_direction(words, holds):
    azimuth = GEOD.inv(2.2945, 48.8584, 2.3601, 48.9244)[0]
    assert 22.5 < azimuth < 45
    view = view_of(place_fact(TOWER), place_fact(TEMPLE))
    intent = BearingIntent(origin="Tower", target="Temple", is_direction=words)
    assert solve(intent, view).value == YesNo(value=holds)


def test_both_places_are_asked_for_in_one_round():
    view = view_of(closed=False)
    assert solve(DistanceIntent(a="Tower", b="Temple"), view) is None
    assert [need.text for need in view.needs] == ["Tower", "Temple"]


@pytest.mark.parametrize(
    ("lat", "lng", "among", "word", "slightly"),
    [
        (1.0, 0.2, ("N", "S"), "north", False),
        (-1.0, 1.0, ("N", "S"), "south", False),
        (0.1, 1.0, ("N", "S"), "north", True),
        (0.1, -1.0, ("E", "W"), "west", False),
    ],
)
def test_one_of_the_directions_offered(lat, lng, among, word, slightly):
    view = view_of(place_fact(place("Origin", 0.0, 0.0)), place_fact(place("Target", lat, lng)))
    solution = solve(BearingIntent(origin="Origin", target="Target", among=among), view)
    assert isinstance(solution.value, Text)
    assert solution.value.text == word
    assert bool(solution.warnings) is slightly
