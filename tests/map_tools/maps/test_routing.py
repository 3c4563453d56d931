"""Routing in process over the demo map's tiles."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from map_tools.errors import LimitError, MapStoreError, NoRouteError, UnsupportedError
from map_tools.maps.routing import MAX_MATRIX_SIDE, MAX_STOPS, Router
from map_tools.types import LatLng, TravelMode
from tests.map_tools.providers.contract import geodesic_m, run
from tests.support.maps import demo_map

NORTH = LatLng(lat=60.1775, lng=24.9480)
SOUTH = LatLng(lat=60.1655, lng=24.9420)
MIDDLE = LatLng(lat=60.1700, lng=24.9380)
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
    with pytest.raises(LimitError, match="51"):
        run(router.matrix((NORTH,) * (MAX_MATRIX_SIDE + 1), (SOUTH,), TravelMode.DRIVING))


def test_empty_matrix(router: Router) -> None:
    assert run(router.matrix((), (SOUTH,), TravelMode.DRIVING)) == ()
    assert run(router.matrix((NORTH,), (), TravelMode.DRIVING)) == ((),)


def test_many_calls_at_once(router: Router) -> None:
    async def burst() -> set[float | None]:
        results = await asyncio.gather(*(router.routes(NORTH, SOUTH, TravelMode.WALKING) for _ in range(60)))
        return {result[0].duration_s for result in results}

    assert len(run(burst())) == 1


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
