"""Finding ways: requests, limits, departures, replies."""

from datetime import UTC, datetime
from typing import Any

import pytest

from map_tools.errors import NoRouteError, ProviderError, UnsupportedError
from map_tools.types import LatLng, MatrixCell, Place, TravelMode
from tests.map_tools.providers.google.replies import DRIVE_LEGACY, RIDE_STEP, WALK
from tests.map_tools.providers.google.support import (
    MILL_PLACE,
    PIER,
    PIER_PLACE,
    ask,
    body_of,
    google,
    legacy,
    mask_of,
)
from tests.support.loopback import Asked, Scripted, in_turn, json_reply, serving

DECODED = (LatLng(lat=38.5, lng=-120.2), LatLng(lat=40.7, lng=-120.95), LatLng(lat=43.252, lng=-126.453))
"""Of the polyline in https://developers.google.com/maps/documentation/utilities/polylinealgorithm."""
OK_DRIVE = {"status": "OK", "routes": [DRIVE_LEGACY]}


def test_a_walk() -> None:
    with serving(in_turn(json_reply({"routes": [WALK, WALK]}))) as server:
        provider = google(server.url)
        routes, meter = ask(provider, provider.directions(PIER_PLACE, PIER, mode=TravelMode.WALKING))
    (route,) = routes
    assert (route.summary, route.distance_m, route.duration_s) == ("Quay Ln", 950, 760)
    assert route.warnings == ("Mind the tide.",)
    assert route.geometry == DECODED
    turn, nameless = route.steps
    assert turn.instruction == "Turn left onto Quay Ln"
    assert turn.notes == ("Destination will be on the right",)
    assert turn.streets == ("Quay Ln",)
    assert turn.maneuver == "turn-left"
    assert turn.location == PIER
    assert (nameless.distance_m, nameless.duration_s) == (0, 0)  # a length of 0 is left out
    sent = body_of(server.asked[0])
    assert sent["origin"] == {"placeId": "ChIJpier0000000000"}
    assert sent["destination"]["location"]["latLng"] == {"latitude": -12.4634, "longitude": 130.8456}
    assert sent["travelMode"] == "WALK"
    assert "routingPreference" not in sent
    assert "routes.legs.steps.transitDetails" not in mask_of(server.asked[0])
    assert meter.cost_usd == pytest.approx(0.005)


def test_a_place_of_our_own_goes_by_its_position() -> None:
    here = Place(id="here", name="your position", location=PIER)
    with serving(in_turn(json_reply({"routes": [WALK]}))) as server:
        provider = google(server.url)
        ask(provider, provider.directions(here, PIER_PLACE, mode=TravelMode.DRIVING))
    assert "location" in body_of(server.asked[0])["origin"]
    assert body_of(server.asked[0])["routingPreference"] == "TRAFFIC_UNAWARE"


def test_alternatives_and_stops() -> None:
    with serving(in_turn(json_reply({"routes": [WALK, WALK]}))) as server:
        provider = google(server.url)
        both, _ = ask(
            provider, provider.directions(PIER, MILL_PLACE, mode=TravelMode.DRIVING, alternatives=True)
        )
        provider = google(server.url)
        _, meter = ask(
            provider,
            provider.directions(
                PIER, PIER, mode=TravelMode.DRIVING, waypoints=(MILL_PLACE,) * 11, alternatives=True
            ),
        )
    assert len(both) == 2
    plain, stopping = map(body_of, server.asked)
    assert plain["computeAlternativeRoutes"] is True
    assert "computeAlternativeRoutes" not in stopping
    assert len(stopping["intermediates"]) == 11
    assert dict(meter.skus) == {"Routes: Compute Routes Pro": 1}


@pytest.mark.parametrize("opened", [google, legacy])
@pytest.mark.parametrize(
    ("mode", "stops"), [(TravelMode.TRANSIT, 1), (TravelMode.DRIVING, 26)], ids=["transit", "too many"]
)
def test_stops_google_does_not_take(opened: Any, mode: TravelMode, stops: int) -> None:
    provider = opened("http://127.0.0.1:9")
    with pytest.raises(UnsupportedError):
        ask(provider, provider.directions(PIER, MILL_PLACE, mode=mode, waypoints=(PIER_PLACE,) * stops))


def test_a_departure_counts_the_traffic() -> None:
    leave = datetime(2026, 11, 23, 8, 0)  # noqa: DTZ001 (local time of the origin: Darwin is at UTC+9:30)
    with serving(in_turn(json_reply({"routes": [WALK]}))) as server:
        provider = google(server.url)
        _, meter = ask(
            provider, provider.directions(PIER, MILL_PLACE, mode=TravelMode.DRIVING, depart_at=leave)
        )
    sent = body_of(server.asked[0])
    assert sent["departureTime"] == "2026-11-22T22:30:00Z"
    assert sent["routingPreference"] == "TRAFFIC_AWARE"
    assert dict(meter.skus) == {"Routes: Compute Routes Pro": 1}


def test_a_departure_in_the_past_is_dropped_and_said() -> None:
    gone = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)
    with serving(in_turn(json_reply({"routes": [WALK]}))) as server:
        for mode in (TravelMode.DRIVING, TravelMode.TRANSIT):  # timetables reach back a week
            provider = google(server.url)
            routes, _ = ask(provider, provider.directions(PIER, MILL_PLACE, mode=mode, depart_at=gone))
            said = any("2026-11-20 08:00 lies in the past" in warning for warning in routes[0].warnings)
            assert said is (mode is TravelMode.DRIVING)
    driving, transit = map(body_of, server.asked)
    assert "departureTime" not in driving
    assert transit["departureTime"] == "2026-11-20T08:00:00Z"


def test_a_ride_by_bus() -> None:
    leg = {"distanceMeters": 4200, "duration": "600s", "steps": [RIDE_STEP]}
    reply = {"routes": [{"distanceMeters": 4200, "duration": "600s", "legs": [leg]}]}
    with serving(in_turn(json_reply(reply))) as server:
        provider = google(server.url)
        (route,), _ = ask(provider, provider.directions(PIER, MILL_PLACE, mode=TravelMode.TRANSIT))
    (step,) = route.steps
    assert step.instruction == "Bus 4 towards Lighthouse"
    assert step.notes == ("Board at Market", "Get off at Old Pier", "1 stop")
    assert "routes.legs.steps.transitDetails" in mask_of(server.asked[0])


@pytest.mark.parametrize("mode", list(TravelMode))
def test_no_way(mode: TravelMode) -> None:
    with serving(in_turn(json_reply({}))) as server:
        provider = google(server.url)
        with pytest.raises(NoRouteError, match=r"Old Pier to Wind Mill") as caught:
            ask(provider, provider.directions(PIER_PLACE, MILL_PLACE, mode=mode))
    assert ("timetables" in str(caught.value)) is (mode is TravelMode.TRANSIT)


def matrix_reply(asked: Asked) -> Scripted:
    """Elements in reverse order: 100·(row+column) metres, zeros left out; from 1 to 2 there is no way."""
    sent = body_of(asked)
    elements = [
        {
            "originIndex": r,
            "destinationIndex": c,
            "status": {},
            "condition": "ROUTE_EXISTS",
            "duration": f"{r + c}s",
        }
        | ({"distanceMeters": 100 * (r + c)} if r + c else {})
        for r in range(len(sent["origins"]))
        for c in range(len(sent["destinations"]))
    ]
    for element in elements:
        if (element["originIndex"], element["destinationIndex"]) == (1, 2):
            element |= {"condition": "ROUTE_NOT_FOUND"}
    return json_reply(elements[::-1])


def test_a_matrix_in_any_order() -> None:
    with serving(matrix_reply) as server:
        provider = google(server.url)
        found, meter = ask(provider, provider.matrix((PIER,) * 2, (MILL_PLACE,) * 3, mode=TravelMode.DRIVING))
    assert found.rows[0] == (
        MatrixCell(distance_m=0, duration_s=0),
        MatrixCell(distance_m=100, duration_s=1),
        MatrixCell(distance_m=200, duration_s=2),
    )
    assert found.rows[1][2] == MatrixCell(distance_m=None, duration_s=None)
    assert "status" in mask_of(server.asked[0])
    assert dict(meter.skus) == {"Routes: Compute Route Matrix Essentials": 6}


@pytest.mark.parametrize(
    ("mode", "most", "requests"), [(TravelMode.WALKING, 625, 4), (TravelMode.TRANSIT, 100, 9)]
)
def test_a_large_matrix_is_cut_into_blocks(mode: TravelMode, most: int, requests: int) -> None:
    with serving(matrix_reply) as server:
        provider = google(server.url)
        found, meter = ask(provider, provider.matrix((PIER_PLACE,) * 30, (MILL_PLACE,) * 30, mode=mode))
    assert len(server.asked) == requests
    for asked in server.asked:
        sent = body_of(asked)
        assert len(sent["origins"]) * len(sent["destinations"]) <= most
        assert len(sent["origins"]) + len(sent["destinations"]) <= 50
    assert [len(row) for row in found.rows] == [30] * 30
    assert found.rows[29][29].duration_s == 2 * (29 % {625: 25, 100: 10}[most])
    assert sum(meter.skus.values()) == 900


def test_an_empty_matrix_asks_nothing() -> None:
    provider = google("http://127.0.0.1:9")
    found, _ = ask(provider, provider.matrix((), (PIER,), mode=TravelMode.DRIVING))
    assert found.rows == ()


def test_a_drive_by_the_older_service() -> None:
    with serving(in_turn(json_reply(OK_DRIVE))) as server:
        provider = legacy(server.url)
        routes, meter = ask(
            provider,
            provider.directions(
                PIER_PLACE,
                PIER,
                mode=TravelMode.DRIVING,
                waypoints=(MILL_PLACE, PIER),
                depart_at=datetime(2026, 11, 23, 8, 0, tzinfo=UTC),
            ),
        )
    (route,) = routes
    assert (route.summary, route.distance_m) == ("Quay Ln", 950)
    assert route.duration_s == 900  # in traffic
    assert route.warnings == ("This route has tolls.",)
    assert route.geometry == DECODED
    (step,) = route.steps
    assert step.instruction == "Turn left onto Quay Ln"
    assert step.notes == ("Destination will be on the right",)
    assert (step.maneuver, step.streets) == ("turn-left", ("Quay Ln",))
    params = server.asked[0].params
    assert params["origin"] == ["place_id:ChIJpier0000000000"]
    assert params["waypoints"] == ["place_id:ChIJmill0000000000|-12.4634,130.8456"]
    assert params["departure_time"] == ["1795420800"]  # date -u -d 2026-11-23T08:00 +%s
    assert dict(meter.skus) == {"Directions Advanced": 1}


def test_no_way_in_the_older_service() -> None:
    with serving(in_turn(json_reply({"status": "ZERO_RESULTS", "routes": []}))) as server:
        provider = legacy(server.url)
        with pytest.raises(NoRouteError):
            ask(provider, provider.directions(PIER, MILL_PLACE, mode=TravelMode.WALKING))


def test_a_matrix_of_the_older_service() -> None:
    def reply(asked: Asked) -> Scripted:
        rows, columns = (len(asked.params[side][0].split("|")) for side in ("origins", "destinations"))
        fine = {"status": "OK", "distance": {"value": 70}, "duration": {"value": 60}}
        cells = [[fine] * columns for _ in range(rows)]
        cells[0][0] = {"status": "ZERO_RESULTS"}
        return json_reply({"status": "OK", "rows": [{"elements": row} for row in cells]})

    with serving(reply) as server:
        provider = legacy(server.url)
        found, meter = ask(
            provider, provider.matrix((PIER,) * 12, (MILL_PLACE,) * 3, mode=TravelMode.DRIVING)
        )
    assert len(server.asked) == 2
    assert [len(row) for row in found.rows] == [3] * 12
    assert found.rows[0][0].duration_s is None
    assert found.rows[10][0].duration_s is None  # the first cell of the second block
    assert found.rows[11][2] == MatrixCell(distance_m=70, duration_s=60)
    assert dict(meter.skus) == {"Distance Matrix": 36}


STALE = json_reply(
    {"error": {"code": 404, "status": "NOT_FOUND", "message": "Place ID is no longer valid."}}, 404
)


def test_a_way_between_places_whose_ids_are_stale_begins_at_their_positions() -> None:
    with serving(in_turn(STALE, json_reply({"routes": [WALK]}))) as server:
        provider = google(server.url)
        ask(provider, provider.directions(PIER_PLACE, MILL_PLACE, mode=TravelMode.WALKING))
    first, again = map(body_of, server.asked)
    assert (first["origin"], first["destination"]) == ({"placeId": PIER_PLACE.id}, {"placeId": MILL_PLACE.id})
    assert again["origin"] == {"location": {"latLng": {"latitude": -12.4634, "longitude": 130.8456}}}
    assert again["destination"] == {"location": {"latLng": {"latitude": -12.45, "longitude": 130.84}}}


def test_a_matrix_of_places_whose_ids_are_stale_begins_at_their_positions() -> None:
    def script(asked: Asked) -> Scripted:
        return STALE if b"placeId" in asked.body else matrix_reply(asked)

    with serving(script) as server:
        provider = google(server.url)
        found, _ = ask(
            provider, provider.matrix((PIER_PLACE,), (PIER_PLACE, MILL_PLACE), mode=TravelMode.WALKING)
        )
    assert found.rows == ((MatrixCell(distance_m=0, duration_s=0), MatrixCell(distance_m=100, duration_s=1)),)
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "spoilt",
    [
        {"status": {}, "duration": "1s"},  # both indices left out: the first pair, a second time
        {"originIndex": 7, "destinationIndex": 1, "status": {}, "duration": "1s"},
        None,
    ],
)
def test_a_matrix_in_which_pairs_are_missing_is_not_read(spoilt: dict[str, Any] | None) -> None:
    whole = [{"destinationIndex": column, "status": {}, "duration": "1s"} for column in range(2)]
    told = [whole[0], *([spoilt] if spoilt else [])]
    with serving(in_turn(json_reply(told))) as server:
        provider = google(server.url)
        with pytest.raises(ProviderError, match=r"not each of the 2 once"):
            ask(provider, provider.matrix((PIER,), (PIER, MILL_PLACE), mode=TravelMode.WALKING))


def test_what_a_reply_does_not_tell_is_not_nothing() -> None:
    """A length of 0 is left out, a duration never (https://protobuf.dev/programming-guides/json/)."""
    replies = [{"duration": "60s"}, {"distanceMeters": 70}, {}, {"duration": "0s"}]
    with serving(in_turn(json_reply({"routes": replies}))) as server:
        provider = google(server.url)
        routes, _ = ask(
            provider, provider.directions(PIER, MILL_PLACE, mode=TravelMode.WALKING, alternatives=True)
        )
    told = [(route.distance_m, route.duration_s) for route in routes]
    assert told == [(None, 60), (70, None), (None, None), (0, 0)]
