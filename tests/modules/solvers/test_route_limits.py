"""Routes within a limit, by the side they end on, by what one passes; there against back (values by hand)."""

from typing import Any

import pytest

from map_tools.types import TravelMode
from mapagent.answer import OptionPick, Quantity, Text
from modules.offline.intents import BACK
from modules.view import CannotTellError
from tests.modules.solvers.test_route import context, solved, steps
from tests.support.evidence import route, routes_fact, travel_fact

ELM = route(
    "Elm St",
    20,
    1500,
    steps("Turn left onto Elm St | Pass by Old Chapel (on the right in 1 km)")
    + steps("Turn right onto Quay Rd | Destination will be on the left"),
)
OAK = route("Oak St", 30, 1200, steps("Turn left onto Oak St | Destination will be on the right"))
BOTH = routes_fact("Lindenhof", "Seehof", (ELM, OAK))


@pytest.mark.parametrize(
    ("limit", "unit", "names"),
    [
        ({"at_most": 1200}, "s", ["Elm St"]),
        ({"at_least": 1500}, "s", ["Oak St"]),
        ({"at_most": 1300}, "m", ["Oak St"]),
        ({"at_most": 3600}, "s", ["Elm St", "Oak St"]),
    ],
)
def test_routes_within_a_limit(limit: dict[str, float], unit: str, names: list[str]) -> None:
    slots: dict[str, Any] = {**limit, "limit_unit": unit}
    found = solved(context(BOTH), ask="via", **slots)
    assert [found.value, *found.ranking] == [Text(text=name, topic="via") for name in names]
    number = solved(context(BOTH), ask="alternatives", **slots).value
    assert number == Quantity(value=len(names), unit="count")


TOLL = route("A1", 10, 2500, steps("Turn left onto A1 | Toll road | Continue onto Quay Rd"))


def test_the_route_without_a_feature() -> None:
    """The toll road takes 10 minutes; without it, 20 on Elm St, and Oak St is the shortest."""
    fact = context(routes_fact("Lindenhof", "Seehof", (TOLL, ELM, OAK)))
    assert solved(fact, ask="duration").value == Quantity(value=600, unit="s")
    assert solved(fact, ask="duration", without=("toll",)).value == Quantity(value=1200, unit="s")
    assert solved(fact, ask="distance", without=("toll",), select="shortest").value == Quantity(
        value=1200, unit="m"
    )
    only = context(routes_fact("Lindenhof", "Seehof", (TOLL,)))
    with pytest.raises(CannotTellError, match="without toll"):
        solved(only, ask="duration", without=("toll",))


def test_no_route_within_a_limit() -> None:
    with pytest.raises(CannotTellError, match="within that limit"):
        solved(context(BOTH), ask="via", at_most=60)


@pytest.mark.parametrize(("side", "name"), [("left", "Elm St"), ("right", "Oak St")])
def test_the_route_that_ends_on_a_side(side: str, name: str) -> None:
    assert solved(context(BOTH), ask="most", feature=f"arrive_{side}").value == Text(text=name, topic="via")


@pytest.mark.parametrize(
    ("feature", "side"),
    [("Old Chapel", "right"), (None, "left"), ("Seehof", "left"), ("the old chapel", "right")],
)
def test_the_side_of_what_one_passes(feature: str | None, side: str) -> None:
    view = context(BOTH, options=("Left", "Right"))
    solution = solved(view, ask="arrival_side", along="Elm St", feature=feature)
    index = ("left", "right").index(side)
    assert solution.value == OptionPick(index=index, text=side.title())


def test_the_side_of_what_the_steps_do_not_name() -> None:
    with pytest.raises(CannotTellError, match="New Chapel lies"):
        solved(context(BOTH), ask="arrival_side", along="Elm St", feature="New Chapel")


def test_there_against_back() -> None:
    """48 − 30 min; 9000 − 8800 m."""
    ways = (
        travel_fact("Lindenhof", "Seehof", 48, 9000, mode=TravelMode.BICYCLING),
        travel_fact("Seehof", "Lindenhof", 30, 8800, mode=TravelMode.BICYCLING),
    )
    slots: dict[str, Any] = {"ask": "difference", "against": BACK, "mode": TravelMode.BICYCLING}
    assert solved(context(*ways), **slots).value == Quantity(value=18 * 60, unit="s")
    assert solved(context(*ways), select="shortest", **slots).value == Quantity(value=200, unit="m")
    with pytest.raises(CannotTellError, match="Only one direction"):
        solved(context(ways[0]), **slots)


def test_an_exit_is_the_option_that_names_it_to_the_letter() -> None:
    ramp = route("M4", 9, 8000, steps("Merge onto M4", "Take exit 12B for Quay Rd"))
    view = context(routes_fact("Lindenhof", "Seehof", (ramp,)), options=("12", "Exit 12b", "21"))
    assert solved(view, ask="exit").value == OptionPick(index=1, text="Exit 12b")
