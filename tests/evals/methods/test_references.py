"""References into what calls brought, on hand-written facts."""

import pytest

from evals.methods.llm_compiler import references, resolve
from map_tools.errors import PlanError
from map_tools.facts import Fact
from tests.support.evidence import (
    failure_fact,
    nearby_fact,
    place,
    place_fact,
    route,
    routes_fact,
    travel_fact,
)

MILL = place("Alder Mill", -12.5, 130.75, address="1 Pier Road", rating=4.5, id="m1")
RESULTS: dict[int, tuple[Fact, ...]] = {
    1: (place_fact(MILL),),
    2: (place_fact(MILL), nearby_fact("Alder Mill", "cafe", [(place("Tide"), 120.0), (place("Ebb"), 340.0)])),
    3: (routes_fact("Alder Mill", "Quay", [route("Pier Road", 12, 3800)]),),
    4: (failure_fact("Nowhere", "No place called 'Nowhere' is on the map."),),
    5: (travel_fact("Alder Mill", "Quay", 7, 2100),),
}


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("$1.name", "Alder Mill"),
        ("$1.id", "id:m1"),
        ("$1.location", "-12.500000,130.750000"),
        ("$2.items[1].name", "Ebb"),
        ("$2.items.0.name", "Tide"),
        ("${2.items[0].name}", "Tide"),
        ("$2.items[1].distance_m", 340.0),
        ("$3.routes[0].duration_s", 720.0),
        ("$5.legs[0].distance_m", 2100.0),
        ("cafe near $2.items[0].name, Quay", "cafe near Tide, Quay"),
        (["$1.name", "Quay"], ["Alder Mill", "Quay"]),
        ({"a": ["$2.items[0].name"], "n": 3}, {"a": ["Tide"], "n": 3}),
        ("costs 5 $", "costs 5 $"),
    ],
)
def test_replaces_references(argument: object, value: object) -> None:
    assert resolve(argument, RESULTS) == value


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("$9.name", "names no call"),
        ("$1.phone", "leads nowhere"),
        ("$2.items[7].name", "leads nowhere"),
        ("$4.items[0].name", "No place called 'Nowhere' is on the map."),
        ("$2", "not a single value"),
        ("$2.items", r"\$2.items\[0\]"),
        ("a café near $2.items[7].name", "leads nowhere"),
    ],
)
def test_what_leads_nowhere_is_an_error_and_never_a_text(argument: str, told: str) -> None:
    with pytest.raises(PlanError, match=told):
        resolve(argument, RESULTS)


def test_finds_the_calls_referred_to() -> None:
    assert references({"a": ["$1.name", {"b": "x $12.items[0].name"}], "c": 4}) == {1, 12}
