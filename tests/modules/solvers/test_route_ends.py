"""Turning onto a street, the first and the last street of a route; expected values read by hand."""

from typing import Any

import pytest

from map_tools.compute.route_steps import read_step
from map_tools.types import RouteStep, TravelMode
from mapagent.answer import Named, OptionPick, Solution, Text
from modules.offline.intents import RouteIntent
from modules.solvers.route import solve_route
from modules.view import CannotTellError, View
from tests.support.claims import objections
from tests.support.evidence import route, routes_fact, view_of

STEPS = (
    "Head west on Oak St",
    "Turn right onto Pine St",
    "At the roundabout, take the 2nd exit onto Elm Ave",
    "Turn left onto Harbour Rd",
)


def by_car(**question: Any) -> View:
    way = route("Harbour Rd", 12, 3900, [read_step(text) for text in STEPS])
    return view_of(routes_fact("Lindenhof", "Seehof", (way,)), tool="context", **question)


def solved(view: View, **slots: Any) -> Solution:
    intent = RouteIntent(origin="Lindenhof", destination="Seehof", mode=TravelMode.DRIVING, **slots)
    solution = solve_route(intent, view)
    assert solution is not None
    assert objections(view, solution) == []
    return solution


def test_the_instruction_tells_the_turn() -> None:
    solution = solved(by_car(), ask="turn_onto", after="Pine St")
    assert solution.value == Text(text="Turn right onto Pine St", topic="instruction")


@pytest.mark.parametrize(
    "options", [("Left", "Right"), ("Turn left", "Turn right"), ("to the left", "to the right")]
)
def test_options_that_are_sides(options: tuple[str, ...]) -> None:
    solution = solved(by_car(options=options), ask="turn_onto", after="Harbour Rd")
    assert solution.value == OptionPick(index=0, text=options[0])


@pytest.mark.parametrize("street", ["Elm Ave", "Nowhere Ln"])
def test_no_turn_onto_a_street(street: str) -> None:
    with pytest.raises(CannotTellError):
        solved(by_car(), ask="turn_onto", after=street)


@pytest.mark.parametrize(("ask", "street"), [("next_street", "Oak St"), ("previous_street", "Harbour Rd")])
def test_first_and_last_street(ask: str, street: str) -> None:
    assert solved(by_car(), ask=ask).value == Named(name=street)


def test_the_number_of_a_road_is_no_street_of_its_own() -> None:
    steps = [
        RouteStep(instruction=f"Turn left onto {'/'.join(names)}", streets=names, maneuver="turn-left")
        for names in (("Bahnhofstrasse", "16"), ("Poststrasse",))
    ]
    view = view_of(routes_fact("Lindenhof", "Seehof", (route("x", 5, 900, steps),)), tool="context")
    solution = solved(view, ask="next_street", after="Bahnhofstrasse")
    assert solution.value == Named(name="Poststrasse")
