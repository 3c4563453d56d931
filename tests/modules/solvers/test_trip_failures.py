"""A trip whose ways a source fails to tell says what the source said."""

from map_tools.facts import FailureFact, PlaceFact
from map_tools.types import LatLng, Place
from mapagent.answer import Status
from mapagent.evidence import Evidence, Source
from mapagent.question import Question
from modules.intents import TripIntent, Visit
from modules.solvers import solve
from modules.view import View

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
