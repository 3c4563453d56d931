"""Which places lie within a limit of another: at 200, 400, 900 and 1,500 m by PROJ."""

import pytest
from pyproj import Geod

from map_tools.types import TravelMode
from mapagent.answer import NameSet, OptionPick, Quantity, Status
from modules.offline.intents import WithinIntent
from modules.solvers import solve
from tests.support.claims import objections
from tests.support.evidence import place, place_fact, travel_fact, view_of

GEOD = Geod(ellps="WGS84")
HUB = place("Hub", 52.0, 5.0)
METRES = {"Southgate": (235, 200), "Elm": (90, 400), "Willow": (275, 900), "Nutwood": (2, 1500)}
NAMES = tuple(METRES)


def around(name: str):
    azimuth, metres = METRES[name]
    lng, lat, _ = GEOD.fwd(5.0, 52.0, azimuth, metres)
    return place(name, lat, lng)


FACTS = tuple(map(place_fact, (HUB, *map(around, NAMES))))


def view(options=(), more=(), tool="context", **fields):
    return view_of(*FACTS, *more, options=options, tool=tool, **fields)


@pytest.mark.parametrize(
    ("limit", "names"),
    [
        ({"limit_m": 500.0}, ("Southgate", "Elm")),
        ({"limit_m": 901.0}, ("Southgate", "Elm", "Willow")),
        ({"limit_m": 500.0, "beyond": True}, ("Willow", "Nutwood")),
    ],
)
def test_those_within_a_distance_or_beyond_it(limit, names):
    solution = solve(WithinIntent(anchor="Hub", candidates=NAMES, **limit), view())
    assert solution.value == NameSet(names=names)
    assert objections(view(), solution) == []
    counted = solve(WithinIntent(anchor="Hub", candidates=NAMES, ask="count", **limit), view())
    assert counted.value == Quantity(value=len(names), unit="count")


def test_the_option_that_keeps_to_the_limit():
    solution = solve(WithinIntent(anchor="Hub", limit_m=300), view(options=("Elm", "Southgate", "Willow")))
    assert solution.value == OptionPick(index=1, text="Southgate")


def test_by_the_time_of_the_way():
    """Elm is 400 m away, but 14 minutes on foot."""
    intent = WithinIntent(anchor="Hub", candidates=("Elm", "Willow"), limit_s=720, mode=TravelMode.WALKING)
    asking = view(tool="PlaceInfo", closed=False)
    assert solve(intent, asking) is None
    assert [need.destination for need in asking.needs] == ["id:test:elm", "id:test:willow"]
    ways = (
        travel_fact("Hub", "id:test:elm", 14, mode=TravelMode.WALKING),
        travel_fact("Hub", "id:test:willow", 11.5, mode=TravelMode.WALKING),
    )
    assert solve(intent, view(more=ways, tool="PlaceInfo")).value.name == "Willow"


def test_none_is_within_the_limit():
    intent = WithinIntent(anchor="Hub", candidates=NAMES, limit_m=100)
    refused = solve(intent, view())
    assert refused.status is Status.UNANSWERABLE
    assert "None of the places keeps to the limit" in refused.reason
    assert solve(intent.model_copy(update={"ask": "count"}), view()).value == Quantity(value=0, unit="count")


def test_a_place_whose_distance_nobody_tells_may_be_the_one():
    lost = view_of(*FACTS, place_fact(place("Nowhere", None)), tool="context")
    intent = WithinIntent(anchor="Hub", candidates=("Elm", "Nowhere"), limit_m=500)
    refused = solve(intent, lost)
    assert refused.status is Status.UNANSWERABLE
    assert "Nowhere" in refused.reason
