"""The new services, against the raw extract and the documented rules."""

from typing import Any

import pytest
from googlemaps.convert import decode_polyline

from tests.e2e.truth import RawMap
from tests.map_tools.testing.emulate.conftest import Answered, Asker, circle

KINO = (60.1711318, 24.9462642)
NEARBY, TEXT = "/v1/places:searchNearby", "/v1/places:searchText"
ROUTES, MATRIX = "/directions/v2:computeRoutes", "/distanceMatrix/v2:computeRouteMatrix"


def nearby(asker: Asker, mask: str = "places.displayName", **body: Any) -> Answered:
    restricted = {"locationRestriction": circle(*KINO, 500)} | body
    return asker.post(NEARBY, restricted, mask)


def names(reply: Answered) -> list[str]:
    return [place["displayName"]["text"] for place in reply.json.get("places", [])]


def refused(reply: Answered, code: int = 400, status: str = "INVALID_ARGUMENT") -> str:
    error = reply.json["error"]
    assert (reply.status, error["code"], error["status"]) == (code, code, status)
    return str(error["message"])


def identifier(asker: Asker, name: str) -> str:
    return str(asker.post(TEXT, {"textQuery": name}, "places.id").json["places"][0]["id"])


def test_nearby_is_what_the_extract_holds(helsinki: Asker, raw: RawMap) -> None:
    reply = nearby(helsinki, includedTypes=["pharmacy"], rankPreference="DISTANCE")
    assert names(reply) == [t.name for t in raw.within("Kinopalatsi", raw.all(amenity="pharmacy"), 500)]


def test_nearby_gives_at_most_twenty(helsinki: Asker) -> None:
    assert len(names(nearby(helsinki, includedTypes=["restaurant"]))) == 20
    assert len(names(nearby(helsinki, includedTypes=["restaurant"], maxResultCount=3))) == 3
    assert "max" in refused(nearby(helsinki, includedTypes=["restaurant"], maxResultCount=21)).lower()


def test_nearby_filters_by_type(helsinki: Asker, raw: RawMap) -> None:
    served = nearby(
        helsinki,
        includedTypes=["italian_restaurant"],
        rankPreference="DISTANCE",
        locationRestriction=circle(*KINO, 480),
    )
    expected = raw.within("Kinopalatsi", raw.all(amenity="restaurant", cuisine="italian"), 480)
    assert names(served) == [thing.name for thing in expected]
    plain = nearby(
        helsinki, "places.types", includedTypes=["restaurant"], excludedTypes=["italian_restaurant"]
    )
    assert not any("italian_restaurant" in place["types"] for place in plain.json["places"])


def test_no_results_is_no_list(helsinki: Asker) -> None:
    reply = helsinki.post(
        NEARBY,
        {"includedTypes": ["airport"], "locationRestriction": circle(0.0, 0.0, 100)},
        "places.id",
    )
    assert (reply.status, reply.json) == (200, {})
    assert helsinki.post(TEXT, {"textQuery": "Zzyzx Qwrtpsdf"}, "places.id").json == {}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"locationRestriction": {}}, "circle"),
        ({"locationRestriction": circle(60.0, 24.0, 50_001)}, "radius"),
        ({"locationRestriction": circle(60.0, 24.0, 0)}, "radius"),
        ({"locationRestriction": circle(160.0, 24.0, 10)}, "latitude"),
        ({"includedTypes": ["bakery", "volcano_shop"]}, "volcano_shop"),
        ({"includedTypes": ["bakery"] * 51}, "includedTypes"),
        ({"keyword": "vegan"}, "keyword"),
        ({"rankPreference": "NICEST"}, "rankPreference"),
    ],
)
def test_wrong_nearby_requests(helsinki: Asker, body: dict[str, Any], words: str) -> None:
    assert words in refused(nearby(helsinki, **body))


@pytest.mark.parametrize("path", [NEARBY, TEXT, ROUTES, MATRIX])
def test_a_field_mask_is_compulsory(helsinki: Asker, path: str) -> None:
    assert "FieldMask" in refused(helsinki.post(path, {"textQuery": "Zetor"}, ""))


def test_a_field_mask_may_stand_in_the_address(helsinki: Asker) -> None:
    place = identifier(helsinki, "Zetor")
    for parameter in ("fields", "$fields"):
        reply = helsinki.get(f"/v1/places/{place}?{parameter}=id", "")
        assert reply.json == {"id": place}


@pytest.mark.parametrize("mask", ["places.colour", "displayName", "places.id,place.id"])
def test_unknown_fields_are_refused(helsinki: Asker, mask: str) -> None:
    assert "Cannot find matching fields" in refused(nearby(helsinki, mask))


def test_a_key_is_needed(helsinki: Asker) -> None:
    reply = helsinki.post(TEXT, {"textQuery": "Zetor"}, "places.id", key="")
    refused(reply, 403, "PERMISSION_DENIED")


def test_broken_bodies_are_refused(helsinki: Asker) -> None:
    half = b'{"textQuery": "\\ud800"}'
    for body in (b"{", b"[]", b"\xff", b"[" * 50_000, half):
        refused(helsinki.post(TEXT, body, "places.id"))


def test_details_tell_what_the_map_holds(helsinki: Asker, raw: RawMap) -> None:
    thing = raw.one("Erottajan Apteekki")
    place = identifier(helsinki, "Erottajan Apteekki")
    whole = helsinki.get(f"/v1/places/{place}", "*").json
    assert whole["name"] == f"places/{place}"
    assert whole["displayName"] == {"text": thing.name, "languageCode": "en"}
    assert whole["location"] == {"latitude": round(thing.lat, 7), "longitude": round(thing.lng, 7)}
    assert whole["internationalPhoneNumber"] == thing.tags["phone"]
    assert whole["websiteUri"] == thing.tags["website"]
    assert whole["formattedAddress"] == "Mannerheimintie 1, 00100 Helsinki"
    assert whole["shortFormattedAddress"] == "Mannerheimintie 1"
    assert (whole["primaryType"], whole["utcOffsetMinutes"]) == ("pharmacy", 180)
    assert whole["timeZone"] == {"id": "Europe/Helsinki"}
    assert whole["regularOpeningHours"]["openNow"] is True
    assert whole["regularOpeningHours"]["periods"][0] == {
        "open": {"day": 0, "hour": 11, "minute": 0},
        "close": {"day": 0, "hour": 18, "minute": 0},
    }
    assert whole["attributions"] == [
        {
            "provider": "© OpenStreetMap contributors",
            "providerUri": "https://www.openstreetmap.org/copyright",
        }
    ]
    assert not {"rating", "reviews", "priceLevel"} & set(whole)


def test_services_keep_their_no(helsinki: Asker, raw: RawMap) -> None:
    assert raw.one("Frans & Amélie").tags["delivery"] == "no"
    place = identifier(helsinki, "Frans & Amélie")
    assert helsinki.get(f"/v1/places/{place}", "delivery,takeout").json == {"delivery": False}


def test_details_of_an_unknown_id(helsinki: Asker) -> None:
    refused(helsinki.get("/v1/places/ChIJN1t_tDeuEmsRUsoyG83frY4", "id"), 404, "NOT_FOUND")


def test_text_search_pages(helsinki: Asker) -> None:
    body: dict[str, Any] = {"textQuery": "cafe", "locationBias": circle(*KINO, 500), "pageSize": 7}
    seen: list[str] = []
    sizes: list[int] = []
    token = None
    while token != "":
        page = helsinki.post(TEXT, body | ({"pageToken": token} if token else {}), "places.id,nextPageToken")
        ids = [place["id"] for place in page.json["places"]]
        seen += ids
        sizes.append(len(ids))
        token = page.json.get("nextPageToken", "")
    assert len(set(seen)) == len(seen) == 60
    assert sizes == [7] * 8 + [4]


def test_a_token_belongs_to_its_search(helsinki: Asker) -> None:
    body = {"textQuery": "cafe", "locationBias": circle(*KINO, 500)}
    token = helsinki.post(TEXT, body, "nextPageToken").json["nextPageToken"]
    other = body | {"textQuery": "bar", "pageToken": token}
    assert "page_token" in refused(helsinki.post(TEXT, other, "places.id"))
    assert "page_token" in refused(helsinki.post(TEXT, body | {"pageToken": "zzz"}, "places.id"))


def test_text_search_within_a_rectangle(helsinki: Asker, raw: RawMap) -> None:
    low, high = {"latitude": 60.169, "longitude": 24.945}, {"latitude": 60.173, "longitude": 24.951}
    body = {"textQuery": "hotel", "locationRestriction": {"rectangle": {"low": low, "high": high}}}
    inside = {
        thing.name
        for thing in raw.all(tourism="hotel")
        if 60.169 <= thing.lat <= 60.173 and 24.945 <= thing.lng <= 24.951
    }
    assert set(names(helsinki.post(TEXT, body, "places.displayName"))) == inside
    both = body | {"locationBias": circle(*KINO, 5)}
    assert "not both" in refused(helsinki.post(TEXT, both, "places.id"))


def test_strict_type_filtering(helsinki: Asker) -> None:
    body = {"textQuery": "Kinopalatsi", "includedType": "bank"}
    assert names(helsinki.post(TEXT, body, "places.displayName"))[:1] == ["Kinopalatsi"]
    assert helsinki.post(TEXT, body | {"strictTypeFiltering": True}, "places.displayName").json == {}


def routes_body(asker: Asker, **more: Any) -> dict[str, Any]:
    return {
        "origin": {"placeId": identifier(asker, "Kinopalatsi")},
        "destination": {"address": "Hotel Arthur"},
        "travelMode": "WALK",
    } | more


def test_routes_are_those_of_the_router(helsinki: Asker, raw: RawMap) -> None:
    trip = raw.route("pedestrian", "Kinopalatsi", "Hotel Arthur")["trip"]
    reply = helsinki.post(ROUTES, routes_body(helsinki), "*").json
    (route,), (leg,) = reply["routes"], reply["routes"][0]["legs"]
    assert route["duration"] == route["staticDuration"] == f"{round(trip['summary']['time'])}s"
    assert route["distanceMeters"] == leg["distanceMeters"] == round(trip["summary"]["length"] * 1000)
    assert route["localizedValues"]["duration"]["text"] == "4 mins"
    assert route["routeLabels"] == ["DEFAULT_ROUTE"]
    instructions = [s["navigationInstruction"]["instructions"].partition("\n")[0] for s in leg["steps"]]
    assert instructions == [step["instruction"] for step in trip["legs"][0]["maneuvers"]]
    assert leg["steps"][0]["navigationInstruction"]["maneuver"] == "DEPART"
    assert leg["steps"][2]["navigationInstruction"]["maneuver"] == "TURN_LEFT"
    assert all("duration" not in step and "staticDuration" in step for step in leg["steps"])
    assert "distanceMeters" not in leg["steps"][-1]  # arriving is 0 m long, and 0 is not sent
    assert "address" not in str(leg).lower()
    assert "© OpenStreetMap contributors" in route["warnings"]
    results = reply["geocodingResults"]
    assert set(results) == {"destination"}
    assert results["destination"]["placeId"] == identifier(helsinki, "Hotel Arthur")


def test_routes_obey_the_mask(helsinki: Asker) -> None:
    reply = helsinki.post(
        ROUTES, routes_body(helsinki), "routes.duration,routes.legs.steps.navigationInstruction.maneuver"
    )
    (route,) = reply.json["routes"]
    assert set(route) == {"duration", "legs"}
    assert route["legs"][0]["steps"][0] == {"navigationInstruction": {"maneuver": "DEPART"}}


def test_route_geometry_in_both_encodings(helsinki: Asker) -> None:
    mask = "routes.polyline"
    encoded = helsinki.post(ROUTES, routes_body(helsinki), mask).json["routes"][0]["polyline"]
    plain = helsinki.post(ROUTES, routes_body(helsinki, polylineEncoding="GEO_JSON_LINESTRING"), mask)
    line = plain.json["routes"][0]["polyline"]["geoJsonLinestring"]
    decoded = [(p["lng"], p["lat"]) for p in decode_polyline(encoded["encodedPolyline"])]
    assert line["type"] == "LineString"
    assert decoded == [pytest.approx(pair, abs=6e-6) for pair in line["coordinates"]]


def test_routes_over_intermediates(helsinki: Asker, raw: RawMap) -> None:
    stops = [{"address": "Zetor"}, {"address": "Bio Rex", "via": True}]
    reply = helsinki.post(ROUTES, routes_body(helsinki, intermediates=stops), "routes.legs.duration")
    durations = [int(leg["duration"].removesuffix("s")) for leg in reply.json["routes"][0]["legs"]]
    first = raw.minutes("pedestrian", "Kinopalatsi", "Zetor") * 60
    rest = raw.minutes("pedestrian", "Zetor", "Bio Rex", "Hotel Arthur") * 60
    assert durations == pytest.approx([first, rest], abs=2)


def test_intermediates_are_put_in_the_best_order(helsinki: Asker) -> None:
    stops = [{"address": "Amos Rex"}, {"address": "Zetor"}]
    body = routes_body(helsinki, intermediates=stops, optimizeWaypointOrder=True)
    reply = helsinki.post(ROUTES, body, "routes.optimizedIntermediateWaypointIndex,routes.legs.duration")
    assert sorted(reply.json["routes"][0]["optimizedIntermediateWaypointIndex"]) == [0, 1]
    assert len(reply.json["routes"][0]["legs"]) == 3


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"travelMode": "FLY"}, "travelMode"),
        ({"origin": {}}, "waypoint"),
        ({"intermediates": [{"address": "Zetor"}], "travelMode": "TRANSIT"}, "TRANSIT"),
        ({"intermediates": [{"address": "Zetor"}] * 26}, "intermediates"),
        ({"routingPreference": "TRAFFIC_AWARE"}, "preference"),
        (
            {
                "travelMode": "DRIVE",
                "routingPreference": "TRAFFIC_AWARE",
                "departureTime": "2026-05-01T08:00:00Z",
            },
            "future",
        ),
        ({"departureTime": "2026-05-07T08:00:00"}, "departureTime"),
        ({"arrivalTime": "2026-05-07T08:00:00Z"}, "arrival"),
        ({"avoidHills": True}, "avoidHills"),
    ],
)
def test_wrong_route_requests(helsinki: Asker, more: dict[str, Any], words: str) -> None:
    assert words in refused(helsinki.post(ROUTES, routes_body(helsinki, **more), "routes.duration"))


def test_no_way_and_no_place(helsinki: Asker) -> None:
    away = {"destination": {"location": {"latLng": {"latitude": -33.0, "longitude": 151.0}}}}
    assert helsinki.post(ROUTES, routes_body(helsinki, **away), "routes.duration").json == {}
    transit = routes_body(helsinki, travelMode="TRANSIT")
    assert helsinki.post(ROUTES, transit, "routes.duration").json == {}
    nowhere = routes_body(helsinki, destination={"address": "Zzyzx Qwrtpsdf"})
    refused(helsinki.post(ROUTES, nowhere, "routes.duration"), 404, "NOT_FOUND")


def end(address: str) -> dict[str, Any]:
    return {"waypoint": {"address": address}}


def test_matrix_is_flat_and_out_of_order(helsinki: Asker, raw: RawMap) -> None:
    stops = ["Kinopalatsi", "Bio Rex", "Zetor"]
    body = {"origins": [end(s) for s in stops], "destinations": [end(s) for s in stops], "travelMode": "WALK"}
    elements = helsinki.post(MATRIX, body, "originIndex,destinationIndex,duration,condition,status").json
    places = [(element["originIndex"], element["destinationIndex"]) for element in elements]
    assert places != sorted(places)
    assert sorted(places) == [(i, j) for i in range(3) for j in range(3)]
    for element in elements:
        assert (element["status"], element["condition"]) == ({}, "ROUTE_EXISTS")
        start, finish = stops[element["originIndex"]], stops[element["destinationIndex"]]
        expected = 0.0 if start == finish else raw.minutes("pedestrian", start, finish) * 60
        assert int(element["duration"].removesuffix("s")) == pytest.approx(expected, abs=2)
    assert (
        helsinki.post(MATRIX, body, "originIndex,destinationIndex,duration,condition,status").json == elements
    )


def test_matrix_without_status_in_the_mask_hides_failures(helsinki: Asker) -> None:
    body = {"origins": [end("Zzyzx Qwrtpsdf")], "destinations": [end("Zetor")]}
    (hidden,) = helsinki.post(MATRIX, body, "originIndex,destinationIndex,duration").json
    assert hidden == {"originIndex": 0, "destinationIndex": 0}
    (shown,) = helsinki.post(MATRIX, body, "status").json
    assert shown["status"]["code"] == 5


def test_matrix_limits(helsinki: Asker) -> None:
    point = {"waypoint": {"location": {"latLng": {"latitude": 60.17, "longitude": 24.94}}}}
    body = {"origins": [point] * 26, "destinations": [point] * 25}
    assert "625" in refused(helsinki.post(MATRIX, body, "duration"))
    transit = {"origins": [point] * 11, "destinations": [point] * 10, "travelMode": "TRANSIT"}
    assert "100" in refused(helsinki.post(MATRIX, transit, "duration"))
    too_many = {"origins": [end("Zetor")] * 51, "destinations": [point]}
    assert "50" in refused(helsinki.post(MATRIX, too_many, "duration"))
