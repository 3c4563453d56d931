"""Parts of a route, ways told by a street alone, detours: hand-written routes, values worked out by hand."""

from typing import Any

import pytest

from map_tools.compute.route_steps import read_step
from map_tools.types import RouteStep, TravelMode
from mapagent.answer import OptionPick, Quantity, Text
from modules.offline.intents import UNSAID, RouteIntent
from modules.solvers.route import solve_route
from modules.view import CannotTellError
from tests.modules.solvers.test_route import CAR, ROUTES, WALKING, context, solved, steps
from tests.support.evidence import route, routes_fact, travel_fact


def timed(instruction: str, minutes: float, metres: float) -> RouteStep:
    return read_step(instruction).model_copy(update={"duration_s": minutes * 60, "distance_m": metres})


A7 = route(
    "A7",
    14,
    9000,
    [
        timed("Head west on Oak St", 1, 300),
        timed("Merge onto A7", 6, 6000),
        timed("Keep left to stay on A7", 2, 1500),
        timed("At the roundabout, take the 1st exit onto Quay Rd", 3, 900),
        timed("At the roundabout, take the 3rd exit and stay on Quay Rd", 2, 300),
    ],
)
A7_ROUTES = routes_fact("Lindenhof", "Seehof", (A7,))


def test_a_stretch_is_the_sum_of_its_steps() -> None:
    """6 + 2 min, 6000 + 1500 m; the single steps come next."""
    solution = solved(context(A7_ROUTES), stretch="A7", ask="duration")
    assert [solution.value, *solution.ranking] == [Quantity(value=m * 60, unit="s") for m in (8, 6, 2)]
    assert solved(context(A7_ROUTES), stretch="A7", ask="distance").value == Quantity(value=7500, unit="m")


@pytest.mark.parametrize("street", ["Pine St", "Harbour Rd"])
def test_no_stretch_without_a_length(street: str) -> None:
    view = context(ROUTES if street == "Harbour Rd" else A7_ROUTES)
    with pytest.raises(CannotTellError):
        solved(view, stretch=street, ask="distance")


@pytest.mark.parametrize(("nth", "after", "exit_"), [(1, None, 1), (2, None, 3), (2, "Quay Rd", 3)])
def test_which_of_several_roundabouts(nth: int, after: str | None, exit_: int) -> None:
    solution = solved(context(A7_ROUTES), ask="exit", nth=nth, after=after)
    assert Quantity(value=exit_, unit="count") in solution.ranking


def test_there_is_no_third_roundabout() -> None:
    with pytest.raises(CannotTellError, match="names no exit"):
        solved(context(A7_ROUTES), ask="exit", nth=3)


def test_a_street_tells_the_way_if_only_one_runs_along_it() -> None:
    solution = solved(
        context(ROUTES), origin="here", destination=UNSAID, mode=None, along="Ring Rd", ask="first_step"
    )
    assert solution.value == Text(text="Head west on Oak St toward Pine St", topic="instruction")


def test_a_street_of_several_ways_tells_none() -> None:
    other = routes_fact("Bergdorf", "Seehof", ROUTES.routes)
    intent = RouteIntent(origin="here", destination=UNSAID, along="Ring Rd", ask="first_step")
    with pytest.raises(CannotTellError, match="where the way begins"):
        solve_route(intent, context(ROUTES, other))


@pytest.mark.parametrize(("select", "first"), [("fastest", "A"), ("shortest", "B")])
def test_of_routes_without_a_toll_the_best_comes_first(select: str, first: str) -> None:
    fact = routes_fact(
        "Lindenhof",
        "Seehof",
        (
            route("C", 5, 1000, steps("Turn left onto C St | Toll road")),
            route("B", 20, 2000, steps("Turn left onto B St")),
            route("A", 10, 3000, steps("Turn left onto A St")),
        ),
    )
    solution = solved(context(fact), ask="fewest", feature="toll", select=select)
    assert solution.value == Text(text=first, topic="via")
    assert solution.ranking[-1] == Text(text="C", topic="via")


def test_words_of_a_deed_find_its_instruction() -> None:
    solution = solved(context(ROUTES), ask="most", feature="heading east")
    assert solution.value == Text(text="Hill St and Ring Rd", topic="via")


@pytest.mark.parametrize(
    ("select", "value"),
    [("fastest", Quantity(value=10 * 60, unit="s")), ("shortest", Quantity(value=700, unit="m"))],
)
def test_a_detour(select: str, value: Quantity) -> None:
    """10 + 15 − 15 min; 900 + 1100 − 1300 m."""
    ways: tuple[Any, ...] = (
        travel_fact("Lindenhof", "Seehof", 15, 1300, TravelMode.WALKING),
        travel_fact("Lindenhof", "Old Mill", 10, 900, TravelMode.WALKING),
        travel_fact("Old Mill", "Seehof", 15, 1100, TravelMode.WALKING),
    )
    assert (
        solved(context(*ways), ask="difference", via=("Old Mill",), mode=WALKING, select=select).value
        == value
    )


def test_no_detour_without_all_ways() -> None:
    with pytest.raises(CannotTellError):
        solved(
            context(travel_fact("Lindenhof", "Seehof", 15, 1300, CAR)), ask="difference", via=("Old Mill",)
        )


def test_the_direction_one_sets_out_in_is_an_option() -> None:
    view = context(ROUTES, options=("North", "West"))
    assert solved(view, ask="first_step").value == OptionPick(index=1, text="West")
