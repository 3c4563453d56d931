"""Tool calls against gold ones, with traces and scores worked out by hand."""

from typing import Any

import pytest

from evals.metrics.calls import Call, Spellings, at_most, calls_of, comparable, compare, parameters_right
from mapagent.runtime.trace import Trace

MILL, INN = "Old Mill", "Crown Inn"
SPELLINGS = Spellings({MILL: ("osm:n1", "47.000100,8.000200"), INN: ("osm:n2",), "here": (MILL, "osm:n1")})


def route(origin: str, destination: str, mode: str = "walking", **more: Any) -> Call:
    return Call(tool="Route", parameters={"origin": origin, "destination": destination, "mode": mode, **more})


def ends(call: Call) -> list[tuple[str, str]]:
    return [(part.parameters["origin"], part.parameters["destination"]) for part in comparable(call)]


SEARCH = Call(tool="Nearby", parameters={"query": "pharmacy", "location": MILL})
THERE = route(MILL, INN).model_copy(update={"round": 2})


def test_calls_of_a_trace_are_its_tool_spans() -> None:
    trace = Trace()
    trace.event("plan", planner="x")
    trace.event("tool", tool="PlaceInfo", arguments={"location_address": MILL})
    trace.event("tool", tool="Nearby", arguments={"query": "cafe", "location": MILL})
    assert [(call.tool, call.parameters["location_address"]) for call in calls_of(trace.spans)[:1]] == [
        ("PlaceInfo", MILL)
    ]
    assert [call.tool for call in calls_of(trace.spans)] == ["PlaceInfo", "Nearby"]


def test_ways_are_taken_apart_into_legs() -> None:
    assert ends(route("A", "C", waypoints=["B"])) == [("A", "B"), ("B", "C")]
    trip = {"current_location": "A", "visiting_places": ["B", "C"]}
    every = {("A", "B"), ("A", "C"), ("B", "A"), ("B", "C"), ("C", "A"), ("C", "B")}
    assert set(ends(Call(tool="Trip", parameters=trip))) == every
    assert ends(Call(tool="Trip", parameters={**trip, "origins": ["A"]})) == [("A", "B"), ("A", "C")]


def test_tools_of_a_database_count_as_map_tools() -> None:
    parameters = {"query": "pharmacy", "location": "id:osm:n1", "limit": 3}
    searched = Call(tool="SearchFeatures", parameters=parameters)
    assert compare([searched], [SEARCH], SPELLINGS.same).tool_use == 1


@pytest.mark.parametrize(
    ("made", "gold", "same"),
    [
        ("id:osm:n1", MILL, True),
        ("osm:n1", "old mill", True),
        ("47.00012,8.00021", MILL, True),
        ("47.01,8.0", MILL, False),
        ("my location", "here", True),
        ("id:osm:n1", "here", True),
        ("id:osm:n2", "here", False),
        ("chemists", "pharmacy", True),
        ("bakery", "pharmacy", False),
        (["id:osm:n2", MILL], [INN, MILL], True),
        ([MILL], [INN, MILL], False),
        (500, 500.0, True),
        (None, MILL, False),
    ],
)
def test_values_that_mean_the_same(made: object, gold: object, same: bool) -> None:
    assert SPELLINGS.same(made, gold) == same


def test_parameters_count_as_far_as_either_call_states_them() -> None:
    gold = {"origin": "A", "destination": "B", "avoid": [], "depart_at": ""}
    same = Spellings({}).same
    assert parameters_right({"origin": "A", "destination": "B", "limit": 3}, gold, same) == 1
    assert parameters_right({"origin": "A", "destination": "C"}, gold, same) == 1 / 2
    assert parameters_right({"origin": "A", "destination": "B", "avoid": ["tolls"]}, gold, same) == 2 / 3
    assert parameters_right({}, {"avoid": []}, same) == 1


@pytest.mark.parametrize(
    ("made", "planning", "tool_use"),
    [
        ([SEARCH, THERE], 1.0, 1.0),
        ([THERE, SEARCH], 0.0, 1.0),
        ([SEARCH], 1 / 2, 1 / 2),
        ([SEARCH, route(MILL, INN, "driving")], 1.0, (1 + 2 / 3) / 2),
        ([SEARCH, route(MILL, INN, "car"), route("id:osm:n1", "id:osm:n2", "on foot")], 1.0, 1.0),
        ([SEARCH, route(MILL, "", "walking")], 1.0, (1 + 1 / 3) / 2),
        ([], 0.0, 0.0),
    ],
)
def test_runs_against_a_search_and_the_way_to_what_it_finds(
    made: list[Call], planning: float, tool_use: float
) -> None:
    """A call that the tool refuses (without a destination) is judged by what it states: the origin is right."""
    found = compare(made, [SEARCH, THERE], SPELLINGS.same)
    assert found.planning == pytest.approx(planning)
    assert found.tool_use == pytest.approx(tool_use)


def test_one_call_serves_one_gold_call() -> None:
    gold = [route("A", "B"), route("A", "B", "driving")]
    assert compare([gold[0]], gold, SPELLINGS.same).complete == 1 / 2


def test_a_table_serves_the_ways_of_a_round() -> None:
    table = {"current_location": "A", "visiting_places": ["B"], "travel_mode": "walking"}
    gold = [route("A", "B"), route("B", "A")]
    assert compare([Call(tool="Trip", parameters=table)], gold, SPELLINGS.same).tool_use == 1


def test_without_gold_there_is_nothing_to_compare() -> None:
    with pytest.raises(ValueError, match="gold"):
        compare([SEARCH], [], SPELLINGS.same)


@pytest.mark.parametrize(
    ("gold", "made", "share"), [(2, 1, 1), (2, 2, 1), (1, 4, 1 / 4), (1, 0, 0), (0, 0, 1)]
)
def test_economy(gold: float, made: float, share: float) -> None:
    assert at_most(gold, made) == share
