"""Trips over "the nearest" of a kind, and the way to it."""

from map_tools.facts import TravelFact
from map_tools.types import TravelMode
from mapagent.answer import Quantity, Status
from modules.offline.intents import NearbyIntent, TripIntent, Visit, What
from modules.solvers import solve
from tests.support.evidence import nearby_fact, place, view_of

WALK = TravelMode.WALKING
HUB, NEAR = place("Hub", 52.0, 5.0), place("Alfa", 52.001, 5.0)
CAFE = What(text="cafe", categories=("cafe",))
LIST = nearby_fact(
    "Hub",
    "cafe",
    [(NEAR, 111.0), (place("Beta", 52.01, 5.0), 1110.0)],
    categories=("cafe",),
    anchor_place=HUB,
    radius_m=20_000,
)
ALFA = f"id:{NEAR.id}"
TRIP = TripIntent(
    start="Hub",
    visits=(Visit(place="nearest cafe", what=CAFE, dwell_s=600), Visit(place="Goal")),
    mode=WALK,
    ask="total_time",
)


def way(origin, destination, minutes):
    return TravelFact(
        origin=origin, destination=destination, mode=WALK, duration_s=minutes * 60, distance_m=90
    )


def test_the_nearest_is_a_stop_of_the_trip():
    view = view_of(LIST, way("Hub", ALFA, 2), way(ALFA, "Goal", 5), tool="Nearby")
    solution = solve(TRIP, view)
    assert solution.value == Quantity(value=2 * 60 + 600 + 5 * 60, unit="s")
    assert "Hub → Alfa → Goal" in solution.explanation


def test_an_open_order_has_no_nearest():
    trip = TRIP.model_copy(update={"ask": "best_order", "ordered": False})
    solution = solve(trip, view_of(LIST, tool="Nearby"))
    assert (solution.status, "order" in solution.reason) == (Status.UNANSWERABLE, True)


def test_the_way_to_the_nearest_is_measured_as_a_way():
    intent = NearbyIntent(what=CAFE, anchors=("Hub",), mode=WALK, ask="duration")
    view = view_of(LIST, way("Hub", ALFA, 2), tool="Nearby")
    assert solve(intent, view).value == Quantity(value=120, unit="s")
    length = solve(intent.model_copy(update={"ask": "way"}), view)
    assert length.value == Quantity(value=90, unit="m")
