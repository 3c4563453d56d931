"""Questions about one route on hand-written routes; expected values worked out by hand."""

from typing import Any

import pytest

from map_tools.compute.route_steps import read_step
from map_tools.facts import PlaceFact, RoutesFact
from map_tools.types import Route, RouteLeg, RouteStep, TravelMode
from mapagent.answer import Named, Quantity, Sequence, Solution, Text, YesNo
from mapagent.question import Question
from modules.offline.intents import HERE, RouteIntent
from modules.needs import RoutesNeed, TravelNeed
from modules.solvers.route import solve_route
from modules.view import CannotTellError, View
from tests.support.claims import objections
from tests.support.evidence import evidence, place, route, routes_fact, travel_fact, view_of

WALKING, CAR, BIKE = TravelMode.WALKING, TravelMode.DRIVING, TravelMode.BICYCLING


def steps(*texts: str) -> list[RouteStep]:
    """Steps read from instructions; "text | note" adds a note."""
    split = [text.split(" | ") for text in texts]
    return [read_step(parts[0], tuple(parts[1:])) for parts in split]


HARBOUR = route(
    "Harbour Rd",
    12,
    3900,
    steps(
        "Head west on Oak St toward Pine St",
        "Turn right onto Pine St",
        "At the roundabout, take the 2nd exit onto Elm Ave",
        "Turn left onto Harbour Rd | Pass by Green Gallery (on the right)",
        "Continue straight to stay on Harbour Rd",
        "Take exit 22 toward Port",
        "Turn right onto Quay Ln | Destination will be on the left",
    ),
)
RING = route(
    "Ring Rd",
    13,
    3500,
    steps(
        "Head west on Oak St toward Pine St",
        "At the roundabout, take the 1st exit onto Ring Rd | Go through 2 roundabouts",
        "At Place Royale, take the 3rd exit onto Canal St | Toll road",
        "Turn left onto Quay Ln",
    ),
)
HILL = route(
    "Hill St and Ring Rd", 18, 4900, steps("Head east on Oak St", "Take the stairs", "Turn left onto Hill St")
)

ROUTES = routes_fact("Lindenhof", "Seehof", (HARBOUR, RING, HILL))


def solved(view: View, **slots: Any) -> Solution:
    intent = RouteIntent(**{"origin": "Lindenhof", "destination": "Seehof", "mode": CAR, **slots})
    solution = solve_route(intent, view)
    assert solution is not None
    assert not view.waiting
    assert objections(view, solution) == []
    return solution


def context(*facts: Any, **question: Any) -> View:
    return view_of(*facts, tool="context", **question)


@pytest.mark.parametrize(
    ("select", "names"),
    [
        ("fastest", ["Harbour Rd", "Ring Rd", "Hill St and Ring Rd"]),
        ("slowest", ["Hill St and Ring Rd", "Ring Rd", "Harbour Rd"]),
        ("shortest", ["Ring Rd", "Harbour Rd", "Hill St and Ring Rd"]),
        ("longest", ["Hill St and Ring Rd", "Harbour Rd", "Ring Rd"]),
    ],
)
def test_via_ranks_all_routes(select: str, names: list[str]) -> None:
    solution = solved(context(ROUTES), ask="via", select=select)
    assert [solution.value, *solution.ranking] == [Text(text=name, topic="via") for name in names]


def test_equal_routes_keep_the_order_of_the_source_and_say_so() -> None:
    fact = routes_fact("Lindenhof", "Seehof", (route("A1", 20), route("B2", 20)))
    solution = solved(context(fact), ask="via")
    assert solution.value == Text(text="A1", topic="via")
    assert "equal" in solution.warnings[0]


def test_times_are_summed_from_the_steps_where_a_route_has_no_total() -> None:
    def timed(summary: str, *minutes: float) -> Route:
        parts = tuple(RouteStep(instruction=f"Step {m}", duration_s=m * 60) for m in minutes)
        return Route(
            summary=summary,
            distance_m=None,
            duration_s=None,
            legs=(RouteLeg(distance_m=None, duration_s=None, steps=parts),),
        )

    fact = RoutesFact(
        origin="Lindenhof",
        destination="Seehof",
        mode=WALKING,
        routes=(timed("A", 5, 1, 10, 1, 1), timed("B", 14, 1, 1)),
    )
    assert solved(context(fact), ask="via", mode=WALKING).value == Text(text="B", topic="via")
    assert solved(context(fact), ask="duration", mode=WALKING, select="along", along="A").value == Quantity(
        value=18 * 60, unit="s"
    )


def test_duration_and_distance_of_the_fastest_route() -> None:
    assert solved(context(ROUTES)).value == Quantity(value=720, unit="s")
    assert solved(context(ROUTES), ask="distance").value == Quantity(value=3900, unit="m")


def test_duration_from_a_measured_pair() -> None:
    solution = solved(context(travel_fact("Lindenhof", "Seehof", 14, 3800)))
    assert solution.value == Quantity(value=840, unit="s")
    assert "14 min" in solution.explanation


def test_limits_are_answered_by_yes_or_no() -> None:
    view = context(travel_fact("Lindenhof", "Seehof", 14, 3800))
    assert solved(view, at_most=15 * 60).value == YesNo(value=True)
    assert solved(view, at_most=13 * 60).value == YesNo(value=False)
    assert solved(view, ask="distance", at_least=4000).value == YesNo(value=False)


def test_stops_on_the_way_are_added_up() -> None:
    view = context(travel_fact("Lindenhof", "Mill", 9, 2000), travel_fact("Mill", "Seehof", 10, 2200))
    assert solved(view, via=("Mill",)).value == Quantity(value=19 * 60, unit="s")
    assert solved(view, via=("Mill",), ask="distance").value == Quantity(value=4200, unit="m")


def test_a_place_on_the_way_that_is_a_route_s_name_tells_the_route() -> None:
    fact = routes_fact("Lindenhof", "Seehof", (route("Broadway", 15), route("High Line", 20)))
    assert solved(context(fact), via=("High Line",)).value == Quantity(value=1200, unit="s")


def test_directions_differ_and_the_way_back_is_used_only_with_a_warning() -> None:
    back = travel_fact("Seehof", "Lindenhof", 16)
    both = context(back, travel_fact("Lindenhof", "Seehof", 14))
    assert solved(both).value == Quantity(value=840, unit="s")
    only_back = solved(context(back))
    assert only_back.value == Quantity(value=960, unit="s")
    assert "Seehof to Lindenhof" in " ".join(only_back.warnings)


def test_a_mode_is_never_answered_with_the_times_of_another() -> None:
    with pytest.raises(CannotTellError, match="walking"):
        solved(context(travel_fact("Lindenhof", "Seehof", 14)), mode=WALKING)


def test_without_a_mode_the_only_one_at_hand_is_taken_and_named() -> None:
    solution = solved(context(travel_fact("Lindenhof", "Seehof", 40, mode=WALKING)), mode=None)
    assert solution.value == Quantity(value=2400, unit="s")
    assert "walking" in " ".join(solution.warnings)


@pytest.mark.parametrize(
    ("slots", "text"),
    [
        ({"after": "Pine Street"}, "At the roundabout, take the 2nd exit onto Elm Ave"),
        ({"after": "Elm Avenue"}, "Turn left onto Harbour Rd"),
        ({"after": None}, "Head west on Oak St toward Pine St"),
        ({"after": "Oak St", "select": "along", "along": "Hill St and Ring Rd"}, "Take the stairs"),
    ],
)
def test_next_step(slots: dict[str, Any], text: str) -> None:
    solution = solved(context(ROUTES), ask="next_step", **slots)
    assert solution.value == Text(text=text, topic="instruction")


def test_the_step_that_leaves_a_street_follows_the_one_that_stays_on_it() -> None:
    solution = solved(context(ROUTES), ask="next_step", after="Harbour Rd")
    assert solution.value == Text(text="Continue straight to stay on Harbour Rd", topic="instruction")
    assert solution.ranking[0] == Text(text="Take exit 22 toward Port", topic="instruction")


@pytest.mark.parametrize(
    ("slots", "value"),
    [
        ({"ask": "next_street", "after": "Elm Ave"}, Named(name="Harbour Rd")),
        ({"ask": "previous_street", "after": "Elm Ave"}, Named(name="Pine St")),
        ({"ask": "exit", "after": "Elm Ave"}, Text(text="2nd exit", topic="instruction")),
        ({"ask": "landmark", "after": "Harbour Rd"}, Named(name="Green Gallery")),
        ({"ask": "count", "feature": "right_turn"}, Quantity(value=2, unit="count")),
        ({"ask": "count", "feature": "roundabout"}, Quantity(value=1, unit="count")),
        ({"ask": "has", "feature": "stairs"}, YesNo(value=False)),
        ({"ask": "has", "feature": "stairs", "select": "slowest"}, YesNo(value=True)),
        ({"ask": "alternatives"}, Quantity(value=3, unit="count")),
        ({"ask": "difference"}, Quantity(value=60, unit="s")),
        ({"ask": "difference", "select": "longest"}, Quantity(value=1000, unit="m")),
        ({"ask": "difference", "against": "slowest"}, Quantity(value=360, unit="s")),
        ({"ask": "difference", "along": "Ring Rd", "against": "Hill St"}, Quantity(value=300, unit="s")),
        ({"ask": "arrival_side"}, Text(text="left")),
        ({"ask": "exit", "after": "Harbour Rd"}, Text(text="exit 22")),
        (
            {"ask": "fewest", "feature": "roundabout", "more_features": ("toll", "stairs")},
            Text(text="Harbour Rd", topic="via"),
        ),
        ({"ask": "first_step"}, Text(text="Head west on Oak St toward Pine St", topic="instruction")),
        ({"ask": "last_step"}, Text(text="Turn right onto Quay Ln", topic="instruction")),
    ],
)
def test_asks_about_one_route(slots: dict[str, Any], value: Any) -> None:
    assert solved(context(ROUTES), **slots).value == value


def test_steps() -> None:
    solution = solved(context(ROUTES), ask="steps")
    assert isinstance(solution.value, Sequence)
    assert len(solution.value.names) == 7


def test_roundabouts_passed_and_those_called_by_name_count() -> None:
    """The 1st exit, two gone through and Place Royale make four; without the remark there are two."""
    solution = solved(context(ROUTES), ask="count", feature="roundabout", select="along", along="Ring Rd")
    assert solution.value == Quantity(value=4, unit="count")
    assert solution.ranking == (Quantity(value=2, unit="count"),)


def test_a_count_on_one_street_leaves_the_others_out() -> None:
    solution = solved(
        context(ROUTES), ask="count", feature="roundabout", select="along", along="Ring Rd", after="Ring Rd"
    )
    assert solution.value == Quantity(value=3, unit="count")


@pytest.mark.parametrize(
    ("slots", "name"),
    [
        ({"ask": "most", "feature": "roundabout"}, "Ring Rd"),
        ({"ask": "fewest", "feature": "roundabout"}, "Hill St and Ring Rd"),
        ({"ask": "fewest", "feature": "toll"}, "Harbour Rd"),
        ({"ask": "most", "feature": "stairs"}, "Hill St and Ring Rd"),
        ({"ask": "most", "feature": "canal st"}, "Ring Rd"),
    ],
)
def test_routes_compared_by_a_feature(slots: dict[str, Any], name: str) -> None:
    assert solved(context(ROUTES), **slots).value == Text(text=name, topic="via")


def test_a_feature_no_route_has_is_not_found() -> None:
    with pytest.raises(CannotTellError, match="ferry"):
        solved(context(ROUTES), ask="most", feature="ferry")


def test_best_mode() -> None:
    view = context(
        travel_fact("Lindenhof", "Seehof", 25, mode=WALKING),
        travel_fact("Lindenhof", "Seehof", 11, mode=BIKE),
    )
    solution = solved(view, mode=None, ask="best_mode", modes=(WALKING, BIKE))
    assert solution.value == Text(text="bicycling", topic="mode")
    assert solution.ranking == (Text(text="walking", topic="mode"),)


def test_a_street_no_route_runs_along_is_named() -> None:
    with pytest.raises(CannotTellError, match="Harbour Rd, Ring Rd"):
        solved(context(ROUTES), ask="next_step", select="along", along="Moon Blvd", after="Oak St")


def test_an_unstated_start_is_that_of_the_only_routes() -> None:
    solution = solved(context(ROUTES), origin=HERE, ask="via")
    assert solution.value == Text(text="Harbour Rd", topic="via")


def test_the_start_may_be_stated_by_the_text() -> None:
    other = routes_fact("Mill", "Seehof", (route("B9", 5),))
    here = PlaceFact(query=HERE, place=place("Mill"))
    assert solved(context(ROUTES, other, here), origin=HERE, ask="via").value == Text(text="B9", topic="via")


def test_names_of_the_text_are_recognised_in_other_wording() -> None:
    fact = travel_fact("Lindenhof Castle", "Seehof (Old Lake House)", 14)
    assert solved(context(fact)).value == Quantity(value=840, unit="s")


def test_facts_that_are_missing_become_needs_all_at_once() -> None:
    view = View((), Question(text="?"), closed=False)
    assert solve_route(RouteIntent(origin="A", destination="D", via=("B", "C"), mode=CAR), view) is None
    assert view.needs == [
        TravelNeed(origin=a, destination=b, mode=CAR) for a, b in (("A", "B"), ("B", "C"), ("C", "D"))
    ]
    view = View((), Question(text="?"), closed=False)
    assert solve_route(RouteIntent(origin="A", destination="B", ask="via"), view) is None
    assert view.needs == [RoutesNeed(origin="A", destination="B", mode=CAR, alternatives=True)]


def test_all_modes_are_asked_for_at_once() -> None:
    view = View((), Question(text="?"), closed=False)
    assert solve_route(RouteIntent(origin="A", destination="B", ask="best_mode"), view) is None
    assert [need.mode for need in view.needs] == [CAR, BIKE, WALKING]


def test_evidence_is_cited() -> None:
    view = View(evidence(ROUTES), Question(text="?"), closed=True)
    assert solved(view, ask="via").evidence_ids == ("e1",)
