"""Reading Valhalla's replies, written by hand in their documented shape."""

from typing import Any

import pytest

from map_tools.maps.valhalla_reply import decode_polyline, read_matrix, read_routes
from map_tools.types import LatLng, MatrixCell

# The example of https://developers.google.com/maps/documentation/utilities/polylinealgorithm, of precision 5.
SHAPE = "_p~iF~ps|U_ulLnnqC_mqNvxq`@"
POINTS = [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]
# Read with precision 6 the same shape is a tenth of it.
START, END = LatLng(lat=3.85, lng=-12.02), LatLng(lat=4.3252, lng=-12.6453)


def maneuver(kind: int, instruction: str, km: float = 0.1, *streets: str, **more: Any) -> dict[str, Any]:
    names = {"street_names": list(streets)} if streets else {}
    return {
        "type": kind,
        "instruction": instruction,
        "length": km,
        "time": 10.0,
        "begin_shape_index": 0,
        **names,
        **more,
    }


def trip(*maneuvers: dict[str, Any]) -> dict[str, Any]:
    summary = {"length": sum(each["length"] for each in maneuvers), "time": 10.0 * len(maneuvers)}
    return {"summary": summary, "legs": [{"summary": summary, "shape": SHAPE, "maneuvers": list(maneuvers)}]}


def test_polyline_of_the_documentation() -> None:
    assert list(decode_polyline(SHAPE, 5)) == POINTS


def test_steps() -> None:
    reply = {
        "trip": trip(
            maneuver(1, "Drive north.", 0.2, "Elm Street"),
            maneuver(15, "Turn left onto Oak Road.", 1.5, "Oak Road", toll=True),
            maneuver(
                26, "Enter the roundabout and take the 2nd exit onto Ash Lane.", 0.05, roundabout_exit_count=2
            ),
            maneuver(27, "Exit the roundabout onto Ash Lane.", 0.3, "Ash Lane"),
            maneuver(4, "You have arrived at your destination.", 0),
        )
    }
    (route,) = read_routes(reply, (START, END))
    assert [step.maneuver for step in route.steps] == ["depart", "turn-left", "roundabout", "arrive"]
    roundabout = route.steps[2]
    assert (roundabout.roundabout_exit, roundabout.streets) == (2, ("Ash Lane",))
    assert roundabout.distance_m == pytest.approx(350)
    assert roundabout.duration_s == 20
    assert route.steps[1].notes == ("Toll road",)
    assert route.summary == "Oak Road"
    assert route.distance_m == pytest.approx(2_050)
    assert route.duration_s == 50
    assert route.geometry[0] == START
    assert route.warnings == ()


def test_summaries_tell_routes_apart() -> None:
    first = trip(maneuver(1, "", 2.0, "Main"), maneuver(10, "", 0.9, "Side"), maneuver(10, "", 0.5, "North"))
    second = trip(maneuver(1, "", 2.0, "Main"), maneuver(10, "", 0.9, "Side"), maneuver(10, "", 0.5, "South"))
    third = trip(maneuver(1, "", 3.0, "Ring"))
    reply = {"trip": first, "alternates": [{"trip": second}, {"trip": third}]}
    assert [route.summary for route in read_routes(reply, (START, END))] == [
        "Main and North",
        "Main and South",
        "Ring",
    ]


def test_names_come_before_road_numbers() -> None:
    reply = {"trip": trip(maneuver(1, "Go.", 1.0, "16", "Elm Street"), maneuver(15, "Left.", 0.2, "A40"))}
    (route,) = read_routes(reply, (START, END))
    assert [step.streets for step in route.steps] == [("Elm Street", "16"), ("A40",)]
    assert route.summary == "Elm Street"


def test_nameless_ways_have_no_summary() -> None:
    (route,) = read_routes({"trip": trip(maneuver(1, "Walk east."))}, (START, END))
    assert route.summary == ""


def test_a_far_snap_is_a_warning() -> None:
    off = LatLng(lat=START.lat + 0.01, lng=START.lng)  # about 1.1 km
    (route,) = read_routes({"trip": trip(maneuver(1, "Walk east."))}, (off, END))
    assert len(route.warnings) == 1
    assert "begins" in route.warnings[0]


def test_matrix() -> None:
    row = [{"time": 90, "distance": 1.25}, {"time": None, "distance": None}]
    assert read_matrix({"sources_to_targets": [row]}) == (
        (MatrixCell(distance_m=1250, duration_s=90), MatrixCell(distance_m=None, duration_s=None)),
    )
