"""Instructions in the wording of Google's Directions API and of Valhalla, with made-up streets; what readers of
replies share: summaries, and warnings about ends far from the places asked for.
"""

import json
import re

import pytest
from pyproj import Geod

from map_tools.compute.route_replies import SNAP_WARNING_M, read_step, snap_warnings, told_apart, uses
from map_tools.compute.route_steps import (
    along_streets,
    arrival_side,
    count,
    feature_count,
    find_steps,
    has,
    landmarks,
    likeness,
    numbered_exit,
    on_street,
    step_text,
    steps_onto,
    streets,
    uses_ferry,
    without_notes,
)
from map_tools.errors import UnknownNameError
from map_tools.text import same_street
from map_tools.types import LatLng, Route, RouteLeg, RouteStep
from tests.support.data import shared


@pytest.mark.parametrize(
    ("text", "maneuver", "names", "number"),
    [
        ("Head north on Oak St toward Elm St", "depart", ("Oak St",), None),
        (
            "Turn <b>left</b> onto <b>US-1 S</b>/<wbr/><b>E River St</b>",
            "turn-left",
            ("US-1 S", "E River St"),
            None,
        ),
        ("Turn right at the 2nd cross street onto Quai d'Or", "turn-right", ("Quai d'Or",), None),
        (
            "Slight right to stay on Ring Rd, follow signs for Airport",
            "turn-slight-right",
            ("Ring Rd",),
            None,
        ),
        ("Slight left to merge onto A4", "merge", ("A4",), None),
        ("Sharp left onto Hill Ln", "turn-sharp-left", ("Hill Ln",), None),
        ("At the roundabout, take the 2nd exit onto Park Rd", "roundabout", ("Park Rd",), 2),
        ("At the roundabout, take the 1st exit and stay on N9", "roundabout", ("N9",), 1),
        ("Enter the roundabout and take the third exit onto Kauppakatu.", "roundabout", ("Kauppakatu",), 3),
        ("At the roundabout, continue straight onto B84", "roundabout", ("B84",), None),
        ("Take exit 22A toward Main St/Harbour", "exit", (), None),
        ("Take the exit on the left", "exit", (), None),
        ("Turn left onto the ramp to East Rd", "turn-left", (), None),
        ("Take the ramp onto Coast Rd/E311", "ramp", ("Coast Rd", "E311"), None),
        ("Keep left at the fork to continue on Jl. Merdeka", "keep-left", ("Jl. Merdeka",), None),
        ("Make a U-turn at Gate 2", "uturn", (), None),
        ("Continue straight past the church", "straight", (), None),
        ("Oak Street becomes Elm Street.", "straight", ("Elm Street",), None),
        ("Walk south on Mannerheimintie.", "depart", ("Mannerheimintie",), None),
        ("Turn left onto Av. Foch. Continue on Rue Lys.", "turn-left", ("Rue Lys",), None),
        ("Take the stairs", "stairs", (), None),
        ("You have arrived at your destination.", "arrive", (), None),
        ("Turn left at Corner Bakery", "turn-left", (), None),
        ("Left onto Bridge St", "turn-left", ("Bridge St",), None),
        ("Right onto Mill Rd", "turn-right", ("Mill Rd",), None),
        ("Continue onto The Mall", "straight", ("The Mall",), None),
    ],
)
def test_reading(text: str, maneuver: str, names: tuple[str, ...], number: int | None) -> None:
    step = read_step(text)
    assert (step.maneuver, step.streets, step.roundabout_exit) == (maneuver, names, number)
    assert "<" not in step.instruction


def test_notes_can_name_the_street() -> None:
    step = read_step("Turn right onto A9/High St", ("Continue to follow Mill St", "Toll road"))
    assert step.streets == ("A9", "High St", "Mill St")
    assert step_text(step) == "Turn right onto A9/High St (Continue to follow Mill St; Toll road)"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("Main Street", "E Main St", True),
        ("US-9 E/E Linden Ave", "East Linden Avenue", True),
        ("Saint Mary's Rd.", "St Mary’s Road", True),
        ("Hauptstr.", "Hauptstraße", True),
        ("Čechův most", "Cechuv Most", True),
        ("Jln Sudirman", "Jalan Sudirman", True),
        ("Fifth Avenue", "5th Ave", True),
        ("9th Ave", "19th Ave", False),
        ("9th Ave", "7th Ave", False),
        ("N High St", "S High St", False),
        ("Oak St", "Elm St", False),
    ],
)
def test_street_names(a: str, b: str, same: bool) -> None:
    assert same_street(a, b) is same
    assert same_street(b, a) is same


TEXTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Head east on Oak St", ()),
    ("Turn left onto Elm Ave", ("Pass by City Library (on the right)",)),
    ("At the roundabout, take the 3rd exit onto Ring Rd", ("Toll road",)),
    ("Slight right to stay on Ring Rd", ("Go through 2 roundabouts",)),
    ("At the roundabout, take the 1st exit", ()),
    ("Keep right to merge onto Coast Expressway", ()),
    ("Turn right after Blue Bank (on the left)", ("Destination will be on the left",)),
    ("Arrive at your destination", ()),
)


@pytest.fixture
def route() -> Route:
    steps = tuple(read_step(text, notes) for text, notes in TEXTS)
    return Route(
        summary="Ring Rd",
        distance_m=None,
        duration_s=None,
        legs=(RouteLeg(distance_m=1, duration_s=1, steps=steps),),
    )


@pytest.mark.parametrize(
    ("feature", "number"),
    [
        ("step", 7),
        ("turn", 3),
        ("left_turn", 1),
        ("right_turn", 2),
        ("uturn", 0),
        ("roundabout", 4),
        ("toll", 1),
        ("highway", 1),
        ("stairs", 0),
        ("ferry", 0),
    ],
)
def test_counting(route: Route, feature: str, number: int) -> None:
    assert count(route, feature) == number
    assert has(route, feature) is (number > 0)


def test_an_unknown_feature_is_named(route: Route) -> None:
    with pytest.raises(UnknownNameError, match="roundabout"):
        count(route, "tunnel of love")


def test_steps_of_a_street(route: Route) -> None:
    assert find_steps(route, "Ring Rd") == (2, 3)
    assert on_street(route.steps[2], "Ring Road")


def test_streets_in_order(route: Route) -> None:
    assert streets(route) == ("Oak St", "Elm Ave", "Ring Rd", "Coast Expressway")


def test_a_road_with_a_number_is_one_street() -> None:
    named = (("Elm Street", "16"), ("16",), ("16", "Oak Lane"), ("Oak Lane",), ("US-33 E", "Bay Avenue"))
    steps = tuple(RouteStep(instruction="On.", streets=streets) for streets in named)
    route = Route(
        summary="", distance_m=1, duration_s=1, legs=(RouteLeg(distance_m=1, duration_s=1, steps=steps),)
    )
    assert streets(route) == ("Elm Street", "16", "Oak Lane", "Bay Avenue")


def test_landmarks(route: Route) -> None:
    assert [landmarks(step) for step in route.steps[:3]] == [(), ("City Library",), ()]
    assert landmarks(route.steps[6]) == ("Blue Bank",)
    assert landmarks(read_step("Turn left at Corner Bakery onto Oak St")) == ("Corner Bakery",)
    assert landmarks(read_step("Turn left at the 1st cross street onto Oak St")) == ()


def test_instructions_of_contexts_are_understood() -> None:
    records = json.loads(shared("mapeval_textual/dev.json").read_text(encoding="utf-8"))
    verbs = r"(?:Turn|Head|Continue|Slight|Sharp|Keep|Merge|At the roundabout|Take)\b"
    pattern = re.compile(rf"^\s*- (?:\([^)]*\) )?({verbs}.*?)(?:<div|$)", re.MULTILINE)
    lines = {match[1] for record in records for match in pattern.finditer(record["context"])}
    assert len(lines) > 100
    for line in lines:
        step = read_step(line)
        assert step.maneuver, line
        onto = re.search(r" onto (?:<b>)+(?P<name>[^<]+)</b>", line)
        if onto:
            assert step.streets[0].rstrip(".") == onto["name"].split("/")[0].strip(" ."), line


GEOD = Geod(ellps="WGS84")
FIJI = LatLng(lat=-16.8, lng=-179.999)
"""East of the antimeridian, on Taveuni."""


def test_ends_at_the_places_need_no_warning() -> None:
    near = LatLng(lat=60.1701, lng=24.9402)
    here, there = LatLng(lat=60.17, lng=24.94), LatLng(lat=60.2, lng=25.0)
    assert list(snap_warnings((near, there), (here, there))) == []
    assert list(snap_warnings((), (here, there))) == []


@pytest.mark.parametrize("place", [LatLng(lat=60.17, lng=24.94), FIJI])
def test_a_far_end_is_told_with_its_distance(place: LatLng) -> None:
    lng, lat, _ = GEOD.fwd(place.lng, place.lat, 270, 2 * SNAP_WARNING_M)
    (said,) = snap_warnings((LatLng(lat=lat, lng=lng), place), (place, place))
    assert said.startswith("The route begins at the nearest road, ")
    told_m = float(said.split(", ")[1].split(" ")[0])
    assert told_m == pytest.approx(2 * SNAP_WARNING_M, rel=0.01)


def test_the_antimeridian_is_no_distance() -> None:
    lng, lat, _ = GEOD.fwd(FIJI.lng, FIJI.lat, 270, SNAP_WARNING_M / 2)
    across = LatLng(lat=lat, lng=lng)
    assert across.lng > 179
    assert list(snap_warnings((across, across), (FIJI, FIJI))) == []


def named(*parts: tuple[str, float]) -> Route:
    steps = tuple(
        RouteStep(instruction="", streets=(street,), distance_m=metres, duration_s=1.0)
        for street, metres in parts
    )
    leg = RouteLeg(distance_m=None, duration_s=None, steps=steps)
    return Route(summary="", distance_m=None, duration_s=None, legs=(leg,))


@pytest.mark.parametrize(
    ("routes", "summaries"),
    [
        # A number stands alone only where no street has a name: of these the longest is told.
        ([[("CG-3", 900), ("A1", 300), ("Short Lane", 50), ("High Street", 200)]], ["CG-3 and High Street"]),
        ([[("CG-3", 900), ("A1", 300)]], ["CG-3"]),
        ([[("High Street", 900), ("A1", 300)]], ["High Street"]),
        ([[]], [""]),
        ([[("High Street", 0)]], [""]),
        # Two that would be called the same are told apart, by names before numbers.
        (
            [[("A1", 900), ("B2", 300), ("High Street", 200)], [("A1", 900), ("Low Street", 200)]],
            ["A1 and High Street", "A1 and Low Street"],
        ),
        (
            [[("High Street", 900), ("B2", 300)], [("High Street", 900), ("Low Street", 200)]],
            ["High Street and B2", "High Street and Low Street"],
        ),
    ],
)
def test_summaries(routes: list[list[tuple[str, float]]], summaries: list[str]) -> None:
    told = told_apart([named(*parts) for parts in routes])
    assert [route.summary for route in told] == summaries


@pytest.mark.parametrize(
    ("feature", "street", "number"),
    [
        ("street", None, 4),
        ("arrive_left", None, 1),
        ("arrive_right", None, 0),
        ("roundabout", None, 4),
        ("roundabout", "Ring Rd", 3),
        ("turn", "Elm Ave", 1),
        ("turn", "Ring Rd", 1),
        ("library", None, 1),
        ("Ring Rd", None, 2),
        ("Ring Road", None, 2),
        ("heading east", None, 1),
        ("tunnel of love", None, 0),
    ],
)
def test_counting_on_a_street_and_by_words(
    route: Route, feature: str, street: str | None, number: int
) -> None:
    assert feature_count(route, feature, street) == number


def test_a_roundabout_that_is_only_named_counts() -> None:
    said = read_step("At Place Royale, take the 2nd exit onto Rue Lys")
    exit_22 = read_step("Take exit 22 toward Main St")
    leg = RouteLeg(distance_m=1, duration_s=1, steps=(said, exit_22))
    assert feature_count(Route(summary="", distance_m=1, duration_s=1, legs=(leg,)), "roundabout") == 1


def test_remarks_can_be_left_out(route: Route) -> None:
    assert count(without_notes(route), "roundabout") == 2


def test_exits_and_sides(route: Route) -> None:
    assert numbered_exit(read_step("Take exit 22a toward Main St")) == "22A"
    assert numbered_exit(read_step("At the roundabout, take the 2nd exit")) is None
    assert arrival_side(route.steps[6]) == ("left", "Destination will be on the left")
    assert arrival_side(route.steps[0]) is None
    assert arrival_side(read_step("Turn right. Your destination is on the Right")) == (
        "right",
        "Turn right. Your destination is on the Right",
    )


def test_a_ferry_is_in_a_step_or_a_warning(route: Route) -> None:
    assert not uses_ferry(route)
    assert uses_ferry(route.model_copy(update={"warnings": ("This route includes a Ferry.",)}))
    aboard = RouteLeg(distance_m=1, duration_s=1, steps=(read_step("Take the ferry to Suomenlinna"),))
    assert uses_ferry(route.model_copy(update={"legs": (aboard,)}))


def test_what_a_route_is_called(route: Route) -> None:
    assert likeness(route, "via Ring Rd") == 1
    assert 0 < likeness(route, "Ring Rd and Coast Expressway") < 1
    assert likeness(route.model_copy(update={"summary": ""}), "Ring Rd") == 0


@pytest.mark.parametrize(
    ("wanted", "along"),
    [
        ("Ring Rd", True),
        ("Oak St and Elm Ave", True),
        ("Oak St and Pine St", False),
        ("Oak St, Elm Ave & Pine St", True),
        ("Oak St then Elm Ave", True),
        ("Pine St", False),
        ("", False),
    ],
)
def test_along_most_of_the_streets(route: Route, wanted: str, along: bool) -> None:
    """More than half of them."""
    assert along_streets(route, wanted) is along


def test_steps_by_what_they_mention(route: Route) -> None:
    assert find_steps(route, "City Library") == (1,)
    assert find_steps(route, "Pine St") == ()
    assert find_steps(route, "") == ()


def test_of_two_names_those_that_bear_both() -> None:
    one, both = (RouteStep(instruction="On.", streets=names) for names in (("A9",), ("A9", "High Street")))
    leg = RouteLeg(distance_m=1, duration_s=1, steps=(one, both))
    route = Route(summary="", distance_m=1, duration_s=1, legs=(leg,))
    assert steps_onto(route, "A9/High Street") == (1,)
    assert steps_onto(route, "A9") == (0, 1)


def test_what_is_rare_on_a_way_is_said() -> None:
    """The grade's name is that of https://wiki.openstreetmap.org/wiki/Key:sac_scale."""
    assert uses(ferry=True, path_grade=2) == (
        "It uses a ferry.",
        "It uses a mountain path of grade T2 (mountain hiking).",
    )
    assert uses() == ()
