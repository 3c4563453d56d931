"""Routing in process over the demo map's tiles, and Valhalla's replies, written by hand in their documented shape."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from map_tools.compute.shapes import area_m2, clip, contains
from map_tools.errors import LimitError, MapStoreError, NoRouteError, UnsupportedError
from map_tools.maps.routing import LONGEST_REACH_S, MATRIX_SIDE, MAX_STOPS, Router
from map_tools.maps.valhalla_reply import decode_polyline, read_matrix, read_routes
from map_tools.types import Avoid, LatLng, MatrixCell, Route, TravelMode
from tests.map_tools.providers.contract import geodesic_m, run
from tests.support.maps import demo_map, extract_map

NORTH = LatLng(lat=60.1775, lng=24.9480)
SOUTH = LatLng(lat=60.1655, lng=24.9420)
MIDDLE = LatLng(lat=60.1700, lng=24.9380)
KIASMA = LatLng(lat=60.1719, lng=24.9366)
BELOW, ABOVE = LatLng(lat=60.168755, lng=24.938909), LatLng(lat=60.168525, lng=24.938277)
"""The ends of a flight of steps (OpenStreetMap's way 23653225)."""
ELSEWHERE = LatLng(lat=61.5, lng=23.8)
MODES = (TravelMode.DRIVING, TravelMode.WALKING, TravelMode.BICYCLING)


@pytest.fixture
def router() -> Iterator[Router]:
    opened = Router(demo_map() / "tiles")
    yield opened
    run(opened.close())


@pytest.mark.parametrize("mode", MODES)
def test_no_route_is_shorter_than_the_straight_line(router: Router, mode: TravelMode) -> None:
    routes = run(router.routes(NORTH, SOUTH, mode, alternatives=True))
    straight_m = geodesic_m(NORTH, SOUTH)
    for route in routes:
        assert route.distance_m is not None
        # Both ends snap to the nearest road, here less than 100 m away.
        assert straight_m - 200 <= route.distance_m <= 3 * straight_m
    # The best route first; the others are told apart by their names.
    assert len({route.summary for route in routes}) == len(routes)


def climbs(route: Route) -> bool:
    return any(step.maneuver == "stairs" for leg in route.legs for step in leg.steps)


def test_a_way_without_stairs_may_begin_beside_them(router: Router) -> None:
    (round_, *_) = run(router.routes(BELOW, ABOVE, TravelMode.WALKING, avoid=(Avoid.STAIRS,)))
    assert not climbs(round_)
    assert round_.distance_m / round_.duration_s == pytest.approx(5.1 / 3.6, rel=0.05)  # type: ignore[operator]


def test_wheels_go_round_the_steps(router: Router) -> None:
    (straight, *_) = run(router.routes(BELOW, ABOVE, TravelMode.WALKING))
    (round_, *_) = run(router.routes(BELOW, ABOVE, TravelMode.WALKING, avoid=(Avoid.BARRIERS,)))
    assert climbs(straight)
    assert not climbs(round_)
    assert round_.distance_m > 2 * straight.distance_m  # type: ignore[operator]
    assert round_.distance_m / round_.duration_s == pytest.approx(4 / 3.6, rel=0.05)  # type: ignore[operator]


def test_only_ways_on_foot_are_without_barriers(router: Router) -> None:
    with pytest.raises(UnsupportedError, match="wheelchairs"):
        run(router.routes(NORTH, SOUTH, TravelMode.DRIVING, avoid=(Avoid.BARRIERS,)))


def test_a_bicycle_leaves_a_busy_road_aside(router: Router) -> None:
    """Pohjoisesplanadi is `highway=primary`, with a park beside it."""

    def streets(*avoid: Avoid) -> set[str]:
        (route, *_) = run(router.routes(NORTH, SOUTH, TravelMode.BICYCLING, avoid=avoid))
        return {name for step in route.steps for name in step.streets}

    assert streets() - streets(Avoid.BUSY_ROADS) == {"Pohjoisesplanadi"}
    with pytest.raises(UnsupportedError, match="without busy roads is one for bicycles"):
        run(router.routes(NORTH, SOUTH, TravelMode.WALKING, avoid=(Avoid.BUSY_ROADS,)))


def test_a_bicycle_is_pushed_to_the_other_carriageway() -> None:
    """Both metro stations lie between the carriageways of one straight avenue."""
    gaia, morro = LatLng(lat=41.129663, lng=-8.606172), LatLng(lat=41.137615, lng=-8.608707)
    router = Router(extract_map("porto-2020-07-20") / "tiles")
    (there, *_) = run(router.routes(gaia, morro, TravelMode.BICYCLING))
    ((cell,),) = run(router.matrix((gaia,), (morro,), TravelMode.BICYCLING))
    run(router.close())
    assert there.distance_m == pytest.approx(geodesic_m(gaia, morro), rel=0.05)
    assert cell.distance_m == pytest.approx(there.distance_m, abs=10)


JUCLAR, SISCARO = LatLng(lat=42.607388, lng=1.715631), LatLng(lat=42.594863, lng=1.705998)
"""Two huts of Andorra with a pass between them; along the valleys it is more than 8 km."""


def test_over_a_pass_one_walks_on_mountain_paths_and_is_told_their_grade() -> None:
    """The last path to the hut, OpenStreetMap's way 381185053, is `sac_scale=alpine_hiking`."""
    router = Router(extract_map("andorra-2021-10-28") / "tiles")
    (route, *_) = run(router.routes(JUCLAR, SISCARO, TravelMode.WALKING))
    ((cell,),) = run(router.matrix((JUCLAR,), (SISCARO,), TravelMode.WALKING))
    run(router.close())
    assert route.distance_m < 5_000  # type: ignore[operator]
    assert route.path_grade == cell.path_grade == 4
    assert route.warnings[-1] == "It uses a mountain path of grade T4 (alpine hiking)."


@pytest.mark.parametrize(("pairs", "grades"), [(16, {4}), (17, {0})])
def test_grades_of_many_ways_are_not_told(pairs: int, grades: set[int]) -> None:
    router = Router(extract_map("andorra-2021-10-28") / "tiles")
    (row,) = run(router.matrix((JUCLAR,), (SISCARO,) * pairs, TravelMode.WALKING))
    run(router.close())
    assert {cell.path_grade for cell in row} == grades


def test_walking_is_slower_than_driving(router: Router) -> None:
    times = {mode: run(router.routes(NORTH, SOUTH, mode))[0].duration_s for mode in MODES}
    assert times[TravelMode.WALKING] > times[TravelMode.BICYCLING]  # type: ignore[operator]
    assert times[TravelMode.WALKING] > times[TravelMode.DRIVING]  # type: ignore[operator]


def test_steps_add_up_to_the_leg(router: Router) -> None:
    (route,) = run(router.routes(NORTH, SOUTH, TravelMode.DRIVING))
    (leg,) = route.legs
    assert sum(step.distance_m or 0 for step in leg.steps) == pytest.approx(
        leg.distance_m, abs=len(leg.steps)
    )
    assert sum(step.duration_s or 0 for step in leg.steps) == pytest.approx(leg.duration_s, abs=1)


def test_waypoints_make_legs(router: Router) -> None:
    (route,) = run(router.routes(NORTH, SOUTH, TravelMode.WALKING, [MIDDLE], alternatives=True))
    assert len(route.legs) == 2
    assert sum(leg.distance_m or 0 for leg in route.legs) == pytest.approx(route.distance_m, abs=2)
    assert min(geodesic_m(point, MIDDLE) for point in route.geometry) < 100


def test_matrix_agrees_with_routes(router: Router) -> None:
    stops = (NORTH, SOUTH, MIDDLE)
    cells = run(router.matrix(stops, stops, TravelMode.WALKING))
    for row, origin in zip(cells, stops, strict=True):
        for cell, destination in zip(row, stops, strict=True):
            if origin == destination:
                assert cell.duration_s == 0
                continue
            (route,) = run(router.routes(origin, destination, TravelMode.WALKING))
            assert cell.duration_s == pytest.approx(route.duration_s, rel=0.1, abs=10)


def test_one_unreachable_place_spoils_nothing_else(router: Router) -> None:
    cells = run(router.matrix((NORTH, ELSEWHERE, SOUTH), (SOUTH, ELSEWHERE), TravelMode.DRIVING))
    assert [[cell.duration_s is None for cell in row] for row in cells] == [
        [False, True],
        [True, True],
        [False, True],
    ]


def test_no_route_is_a_sentence(router: Router) -> None:
    with pytest.raises(NoRouteError, match="no driving route from"):
        run(router.routes(NORTH, ELSEWHERE, TravelMode.DRIVING))


def test_transit_is_refused(router: Router) -> None:
    with pytest.raises(UnsupportedError, match="transit"):
        run(router.routes(NORTH, SOUTH, TravelMode.TRANSIT))
    with pytest.raises(UnsupportedError, match="transit"):
        run(router.matrix((NORTH,), (SOUTH,), TravelMode.TRANSIT))


def test_work_is_bounded(router: Router) -> None:
    with pytest.raises(LimitError, match="waypoints"):
        run(router.routes(NORTH, SOUTH, TravelMode.DRIVING, [MIDDLE] * (MAX_STOPS - 1)))
    with pytest.raises(LimitError, match=r"51 by 50 .* 2500 pairs"):
        run(router.matrix((NORTH,) * 51, (SOUTH,) * 50, TravelMode.DRIVING))


def test_a_long_matrix_is_asked_for_in_blocks(router: Router) -> None:
    """Each cell of a row or column longer than a request is that of its own two places."""
    stops = (NORTH, SOUTH, MIDDLE)
    many = [stops[number % 3] for number in range(MATRIX_SIDE + 7)]
    whole = run(router.matrix(stops, stops, TravelMode.WALKING))
    row = run(router.matrix((NORTH,), many, TravelMode.WALKING))
    column = run(router.matrix(many, (NORTH,), TravelMode.WALKING))
    assert row == (tuple(whole[0][number % 3] for number in range(len(many))),)
    assert column == tuple((whole[number % 3][0],) for number in range(len(many)))


def test_empty_matrix(router: Router) -> None:
    assert run(router.matrix((), (SOUTH,), TravelMode.DRIVING)) == ()
    assert run(router.matrix((NORTH,), (), TravelMode.DRIVING)) == ((),)


def test_many_calls_at_once(router: Router) -> None:
    async def burst() -> set[float | None]:
        results = await asyncio.gather(*(router.routes(NORTH, SOUTH, TravelMode.WALKING) for _ in range(60)))
        return {result[0].duration_s for result in results}

    assert len(run(burst())) == 1


@pytest.mark.parametrize("mode", MODES)
def test_what_is_reached_grows_with_the_time(router: Router, mode: TravelMode) -> None:
    smaller, larger = (run(router.reach(MIDDLE, seconds, mode)) for seconds in (120.0, 240.0))
    assert contains(smaller, MIDDLE)
    common = clip(smaller, larger)
    assert common is not None
    assert area_m2(common) > 0.95 * area_m2(smaller)
    assert area_m2(larger) > 1.5 * area_m2(smaller)
    # Nobody is faster than 15 m/s in this town's centre, on foot than 2 m/s.
    fastest_m_s = 2 if mode is TravelMode.WALKING else 15
    assert area_m2(smaller) < 3.2 * (120 * fastest_m_s) ** 2


def test_a_road_that_leads_nowhere_is_no_start(router: Router) -> None:
    """The nearest roads to Kiasma for cars are those of a garage: on them alone five minutes reach a quarter of it."""
    assert area_m2(run(router.reach(KIASMA, 300.0, TravelMode.DRIVING))) > 1e6


def test_reach_is_refused_in_a_sentence(router: Router) -> None:
    with pytest.raises(UnsupportedError, match="transit"):
        run(router.reach(MIDDLE, 600.0, TravelMode.TRANSIT))
    with pytest.raises(LimitError, match="at most 120 min"):
        run(router.reach(MIDDLE, LONGEST_REACH_S + 1, TravelMode.WALKING))
    with pytest.raises(NoRouteError, match="walking"):
        run(router.reach(ELSEWHERE, 600.0, TravelMode.WALKING))


def test_missing_tiles(tmp_path: Path) -> None:
    router = Router(tmp_path / "tiles")
    with pytest.raises(MapStoreError, match="no routing tiles"):
        run(router.routes(NORTH, SOUTH, TravelMode.DRIVING))
    run(router.close())


def test_nothing_is_left_in_the_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    router = Router(demo_map() / "tiles", workers=1)
    run(router.routes(NORTH, SOUTH, TravelMode.DRIVING))
    run(router.close())
    assert list(tmp_path.iterdir()) == []


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
