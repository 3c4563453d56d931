"""A trip whose ways a source fails to tell says what the source said."""

from itertools import permutations

from map_tools.facts import FailureFact, PlaceFact
from map_tools.types import LatLng, Place, TravelMode
from mapagent.answer import Status
from mapagent.evidence import Evidence, Source
from mapagent.question import Question
from modules.offline.intents import TripIntent, Visit
from modules.solvers import solve
from modules.view import View
from tests.support.evidence import failure_fact, place, place_fact, travel_fact, view_of

QUOTA = "Google Maps has refused: the quota of the Distance Matrix API is used up."
STOPS = ("Inn", "Mill", "Tower")


def evidence() -> tuple[Evidence, ...]:
    places = [
        PlaceFact(query=name, place=Place(id=name, name=name, location=LatLng(lat=1, lng=number)))
        for number, name in enumerate(STOPS)
    ]
    failures = [
        FailureFact(code="provider", message=QUOTA, subject=f"{a} → {b}")
        for a in STOPS
        for b in STOPS
        if a != b
    ]
    source = Source(tool="Trip", provider="google")
    return tuple(
        Evidence(id=f"map.{number}", step_id="map", value=fact, source=source)
        for number, fact in enumerate((*places, *failures), 1)
    )


def test_the_reason_of_the_source_is_given() -> None:
    intent = TripIntent(
        start="Inn", visits=(Visit(place="Mill"), Visit(place="Tower")), ordered=False, ask="best_order"
    )
    view = View(evidence(), Question(text="In which order?"), closed=True, now=None)
    solution = solve(intent, view)
    assert solution is not None
    assert solution.status is Status.UNANSWERABLE
    assert QUOTA in solution.reason


def test_a_start_that_is_not_found_is_not_taken_for_a_trip_that_cannot_be_made() -> None:
    missing = "No place called 'Inn' is on the map."
    spots = [place_fact(place(name, 1.0, float(number))) for number, name in enumerate(STOPS[1:])]
    ways = [travel_fact(a, b, 5.0, mode=TravelMode.WALKING) for a, b in permutations(STOPS[1:], 2)]
    failures = [failure_fact("Inn", missing)]
    failures += [failure_fact(f"{a} → {b}", missing) for a, b in permutations(STOPS, 2) if "Inn" in {a, b}]
    intent = TripIntent(
        start="Inn",
        visits=(Visit(place="Mill"), Visit(place="Tower")),
        ordered=False,
        ask="best_order",
        mode=TravelMode.WALKING,
    )
    solution = solve(intent, view_of(*spots, *ways, *failures))
    assert solution is not None
    assert solution.status is Status.UNANSWERABLE
    assert missing in solution.reason
