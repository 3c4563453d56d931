"""Claims about modes, paces, several destinations in order, and two measures at once (worked out by hand)."""

from typing import Any

import pytest

from map_tools.types import TravelMode
from mapagent.answer import Sequence, Solution, Text, YesNo
from mapagent.question import Question
from modules.offline.intents import RouteIntent
from modules.needs import TravelNeed
from modules.solvers.route import solve_route
from modules.view import CannotTellError, View
from tests.support.claims import objections
from tests.support.evidence import route, routes_fact, travel_fact, view_of

WALKING, CAR, BIKE = TravelMode.WALKING, TravelMode.DRIVING, TravelMode.BICYCLING


def solved(view: View, **slots: Any) -> Solution:
    intent = RouteIntent(**{"origin": "Lindenhof", "destination": "Seehof", **slots})
    solution = solve_route(intent, view)
    assert solution is not None
    assert objections(view, solution) == []
    return solution


@pytest.mark.parametrize(
    ("modes", "select", "value"),
    [
        ((CAR, WALKING), "fastest", True),
        ((WALKING, CAR), "fastest", False),
        ((WALKING, CAR), "slowest", True),
        ((CAR, WALKING), "slowest", False),
    ],
)
def test_a_claim_about_modes(modes: tuple[TravelMode, ...], select: str, value: bool) -> None:
    view = view_of(
        travel_fact("Lindenhof", "Seehof", 25, mode=WALKING),
        travel_fact("Lindenhof", "Seehof", 11, mode=CAR),
        tool="context",
    )
    solution = solved(view, modes=modes, claim=modes[0], ask="best_mode", select=select)
    assert solution.value == YesNo(value=value)


def test_equal_modes_surpass_each_other_in_nothing() -> None:
    facts = [travel_fact("Lindenhof", "Seehof", 9, mode=mode) for mode in (CAR, BIKE)]
    view = view_of(*facts, tool="context")
    assert solved(view, modes=(CAR, BIKE), claim=CAR, ask="best_mode").value == YesNo(value=False)


def test_a_claim_needs_both_modes() -> None:
    view = view_of(travel_fact("Lindenhof", "Seehof", 25, mode=WALKING), tool="context")
    with pytest.raises(CannotTellError, match="nothing to compare"):
        solved(view, modes=(WALKING, CAR), claim=WALKING, ask="best_mode")


def test_a_pace_no_source_knows_is_told() -> None:
    view = view_of(travel_fact("Lindenhof", "Seehof", 25, mode=WALKING), tool="context")
    (warning,) = solved(view, mode=WALKING, pace="jog").warnings
    assert "'jog'" in warning
    assert "on foot" in warning


def test_time_and_length_together() -> None:
    view = view_of(routes_fact("Lindenhof", "Seehof", (route("Ring Rd", 13, 3500),)), tool="context")
    assert solved(view, mode=CAR, also=True).value == Text(text="13 min, 3.5 km")
    assert solved(view, mode=CAR, ask="distance", also=True).value == Text(text="3.5 km, 13 min")


@pytest.mark.parametrize(
    ("select", "names"),
    [("fastest", ("Bergheim", "Seehof", "Old Mill")), ("slowest", ("Old Mill", "Seehof", "Bergheim"))],
)
def test_destinations_in_order(select: str, names: tuple[str, ...]) -> None:
    minutes = {"Seehof": 9, "Old Mill": 14, "Bergheim": 4}
    facts = [travel_fact("Lindenhof", end, minutes[end], mode=WALKING) for end in minutes]
    view = view_of(*facts, tool="context")
    others = ("Old Mill", "Bergheim")
    assert solved(view, mode=WALKING, ask="order", others=others, select=select).value == Sequence(
        names=names
    )


def test_the_ways_of_an_order_are_asked_for_at_once() -> None:
    view = View((), Question(text="?"), closed=False)
    intent = RouteIntent(origin="A", destination="B", others=("C",), mode=CAR, ask="order")
    assert solve_route(intent, view) is None
    assert view.needs == [TravelNeed(origin="A", destination=end, mode=CAR) for end in ("B", "C")]
