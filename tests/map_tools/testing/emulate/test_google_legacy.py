"""The legacy services by Google's own client, against the raw extract."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import googlemaps
import pytest
from googlemaps.convert import decode_polyline
from googlemaps.exceptions import ApiError

from map_tools.testing.emulate.search import PageToken
from tests.e2e.truth import RawMap
from tests.map_tools.testing.emulate.conftest import Asker, FixedClock

CREDIT = ['<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>']


@pytest.fixture
def client(helsinki: Asker) -> Iterator[googlemaps.Client]:
    with helsinki.client() as client:
        yield client


def place_id(client: googlemaps.Client, name: str) -> str:
    found = client.find_place(name, "textquery", fields=["place_id"])
    return str(found["candidates"][0]["place_id"])


def test_find_place_gives_the_fields_asked_for(client: googlemaps.Client, raw: RawMap) -> None:
    fields = ["place_id", "name", "geometry/location", "formatted_address"]
    found = client.find_place("Kinopalatsi", "textquery", fields=fields)
    thing = raw.one("Kinopalatsi")
    assert found["status"] == "OK"
    (candidate,) = found["candidates"]
    assert candidate.pop("place_id")
    assert candidate == {
        "name": "Kinopalatsi",
        "formatted_address": "Kaisaniemenkatu 2, 00100 Helsinki",
        "geometry": {"location": {"lat": round(thing.lat, 7), "lng": round(thing.lng, 7)}},
    }


def test_find_place_without_fields_gives_the_id_alone(client: googlemaps.Client) -> None:
    found = client.find_place("Kinopalatsi", "textquery", location_bias="circle:500@60.17,24.94")
    assert [sorted(candidate) for candidate in found["candidates"]] == [["place_id"]]


def test_find_place_by_phone(client: googlemaps.Client, raw: RawMap) -> None:
    phone = raw.tag("Hotel Arthur", "phone")
    found = client.find_place(f"Hotel Arthur {phone}", "phonenumber", fields=["name"])
    assert found == {"candidates": [], "status": "ZERO_RESULTS"}


def test_nothing_found_is_zero_results(client: googlemaps.Client) -> None:
    assert client.find_place("Zzyzx Qwrtpsdf", "textquery") == {"candidates": [], "status": "ZERO_RESULTS"}
    reply = client.places("Zzyzx Qwrtpsdf")
    assert (reply["results"], reply["status"]) == ([], "ZERO_RESULTS")


def test_details_tell_what_the_map_holds(client: googlemaps.Client, raw: RawMap) -> None:
    tags = raw.one("Erottajan Apteekki").tags
    result = client.place(place_id(client, "Erottajan Apteekki"))["result"]
    assert result["name"] == tags["name"]
    assert result["international_phone_number"] == tags["phone"]
    assert result["website"] == tags["website"]
    assert result["formatted_address"] == "Mannerheimintie 1, 00100 Helsinki"
    assert {part["types"][0]: part["long_name"] for part in result["address_components"]} == {
        "street_number": "1",
        "route": "Mannerheimintie",
        "locality": "Helsinki",
        "postal_code": "00100",
    }
    assert result["types"][0] == "pharmacy"
    assert result["utc_offset"] == 180  # summer time
    assert result["opening_hours"]["open_now"] is True
    assert result["opening_hours"]["periods"][0] == {
        "open": {"day": 0, "time": "1100"},
        "close": {"day": 0, "time": "1800"},
    }
    assert result["current_opening_hours"]["periods"][0]["open"]["date"] == "2026-05-06"
    assert "rating" not in result
    assert "reviews" not in result


def test_details_obey_fields(client: googlemaps.Client) -> None:
    reply = client.place(place_id(client, "Kinopalatsi"), fields=["name", "type", "geometry/location/lat"])
    assert sorted(reply["result"]) == ["geometry", "name", "types"]
    assert list(reply["result"]["geometry"]) == ["location"]
    assert list(reply["result"]["geometry"]["location"]) == ["lat"]
    assert reply["html_attributions"] == CREDIT


def test_details_of_an_unknown_id(client: googlemaps.Client) -> None:
    with pytest.raises(ApiError, match="NOT_FOUND"):
        client.place("ChIJN1t_tDeuEmsRUsoyG83frY4")


def test_an_unknown_field_is_refused(helsinki: Asker) -> None:
    reply = helsinki.legacy("place/details", place_id="ChIJ", fields="name,colour")
    assert reply.status == 200
    assert reply.json["status"] == "NOT_FOUND"  # there is no such place either
    reply = helsinki.legacy("place/findplacefromtext", input="Zetor", inputtype="textquery", fields="colour")
    assert reply.json["status"] == "INVALID_REQUEST"
    assert "'colour'" in reply.json["error_message"]


def test_nearby_by_type_is_what_the_extract_holds(client: googlemaps.Client, raw: RawMap) -> None:
    anchor = raw.one("Kinopalatsi")
    reply = client.places_nearby(location=(anchor.lat, anchor.lng), radius=500, type="pharmacy")
    expected = [thing.name for thing in raw.within(anchor, raw.all(amenity="pharmacy"), 500)]
    assert [result["name"] for result in reply["results"]] == expected
    assert "next_page_token" not in reply
    assert reply["html_attributions"] == CREDIT
    assert set(reply["results"][0]) >= {"place_id", "geometry", "types", "vicinity", "business_status"}
    with_hours = next(r for r in reply["results"] if r["name"] == "Erottajan Apteekki")
    assert with_hours["opening_hours"] == {"open_now": True}


def test_nearby_pages(client: googlemaps.Client, raw: RawMap, clock: FixedClock) -> None:
    anchor = raw.one("Kinopalatsi")
    pages = [client.places_nearby(location=(anchor.lat, anchor.lng), radius=450, type="cafe")]
    with pytest.raises(ApiError, match="INVALID_REQUEST"):  # the token is not good yet
        client.places_nearby(page_token=pages[-1]["next_page_token"])
    while "next_page_token" in pages[-1]:
        clock.move(timedelta(seconds=2))
        pages.append(client.places_nearby(page_token=pages[-1]["next_page_token"]))
    places = [result["place_id"] for page in pages for result in page["results"]]
    cafes = [*raw.all(amenity="cafe"), *raw.all(amenity="fast_food", cuisine="coffee_shop")]
    cafes += raw.all(shop=("bakery", "pastry", "coffee"), cafe="yes")
    near = [thing for _, far, thing in raw.ranked(anchor, cafes) if far < 450]
    assert 40 < len(near) < 60
    assert [len(page["results"]) for page in pages] == [20, 20, len(near) - 40]
    assert len(set(places)) == len(near)


def test_nearby_stops_at_sixty(client: googlemaps.Client, raw: RawMap, clock: FixedClock) -> None:
    anchor = raw.one("Kinopalatsi")
    reply = client.places_nearby(location=(anchor.lat, anchor.lng), radius=1000, type="restaurant")
    number = len(reply["results"])
    while "next_page_token" in reply:
        clock.move(timedelta(seconds=2))
        reply = client.places_nearby(page_token=reply["next_page_token"])
        number += len(reply["results"])
    assert number == 60


def test_open_now_drops_what_is_closed(client: googlemaps.Client, raw: RawMap) -> None:
    anchor = raw.one("Kinopalatsi")
    reply = client.places_nearby(
        location=(anchor.lat, anchor.lng), rank_by="distance", type="night_club", open_now=True
    )
    noon = datetime(2026, 5, 6, 12, 0)  # noqa: DTZ001 (local time)
    clubs = raw.all(amenity="nightclub", opening_hours=True)
    open_clubs = {thing.name for thing in clubs if thing.open_at(noon)}
    assert {result["name"] for result in reply["results"]} == open_clubs
    assert 0 < len(open_clubs) < len(clubs)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"location": "60.17,24.94"},
        {"location": "60.17,24.94", "radius": "50001"},
        {"location": "60.17,24.94", "radius": "wide"},
        {"location": "160.17,24.94", "radius": "100"},
        {"location": "somewhere", "radius": "100"},
        {"location": "60.17,24.94", "rankby": "distance"},
        {"location": "60.17,24.94", "rankby": "distance", "radius": "100", "type": "cafe"},
        {"location": "60.17,24.94", "radius": "nan"},
        {"location": "60.17,24.94", "radius": "100", "minprice": "inf"},
        {"pagetoken": "nonsense"},
        {"pagetoken": PageToken({}, -5, datetime(2026, 1, 1, tzinfo=UTC)).text()},
        {"pagetoken": PageToken({}, 0, datetime(2026, 1, 1)).text()},  # noqa: DTZ001
    ],
)
def test_wrong_nearby_requests(helsinki: Asker, parameters: dict[str, str]) -> None:
    reply = helsinki.legacy("place/nearbysearch", **parameters)
    assert reply.status == 200
    assert reply.json["status"] == "INVALID_REQUEST"
    assert reply.json["results"] == []


def test_text_search_knows_names_and_kinds(client: googlemaps.Client, raw: RawMap) -> None:
    named = client.places("Hotel Arthur")["results"]
    assert named[0]["name"] == "Hotel Arthur"
    assert named[0]["formatted_address"] == "Vuorikatu 19, 00100 Helsinki"
    of_a_kind = client.places("cinemas near Kinopalatsi")["results"]
    nearest = raw.ranked("Kinopalatsi", raw.all(amenity="cinema"))
    assert [result["name"] for result in of_a_kind[:2]] == [thing.name for _, _, thing in nearest[:2]]
    served = client.places("italian restaurant", location=(60.17, 24.94), radius=800)["results"]
    italian = {thing.name for thing in raw.all(amenity="restaurant", cuisine="italian") if thing.name}
    assert italian <= {result["name"] for result in served}
    assert {r["name"] for r in served if "italian_restaurant" in r["types"]} >= italian


def test_directions_have_the_geometry_of_the_router(client: googlemaps.Client, raw: RawMap) -> None:
    routes = client.directions("Kinopalatsi", "Hotel Arthur", mode="walking")
    trip = raw.route("pedestrian", "Kinopalatsi", "Hotel Arthur")["trip"]
    (route,), (leg,) = routes, routes[0]["legs"]
    assert leg["duration"]["value"] == round(trip["summary"]["time"])
    assert leg["distance"]["value"] == round(trip["summary"]["length"] * 1000)
    assert leg["distance"]["text"] == "0.3 km"
    assert leg["start_address"] == "Kaisaniemenkatu 2, 00100 Helsinki"
    assert [step["html_instructions"].partition("<div")[0] for step in leg["steps"]] == [
        step["instruction"].replace("Kaisaniemenkatu", "<b>Kaisaniemenkatu</b>")
        for step in trip["legs"][0]["maneuvers"]
    ]
    assert all(step["travel_mode"] == "WALKING" for step in leg["steps"])
    overview = decode_polyline(route["overview_polyline"]["points"])
    parts = [point for step in leg["steps"] for point in decode_polyline(step["polyline"]["points"])]
    assert parts[0] == overview[0]
    assert parts[-1] == overview[-1]
    assert {(p["lat"], p["lng"]) for p in parts} == {(p["lat"], p["lng"]) for p in overview}
    assert leg["steps"][1]["start_location"] == leg["steps"][0]["end_location"]
    assert any("beta" in warning for warning in route["warnings"])
    assert route["copyrights"] == "© OpenStreetMap contributors"


def test_directions_over_waypoints(client: googlemaps.Client, raw: RawMap) -> None:
    stops = ["Bio Rex", "Zetor"]
    (route,) = client.directions("Kinopalatsi", "Hotel Arthur", mode="walking", waypoints=stops)
    legs = [
        round(raw.route("pedestrian", a, b)["trip"]["summary"]["time"])
        for a, b in (("Kinopalatsi", "Bio Rex"), ("Bio Rex", "Zetor"), ("Zetor", "Hotel Arthur"))
    ]
    assert [leg["duration"]["value"] for leg in route["legs"]] == legs
    assert route["waypoint_order"] == [0, 1]
    (passing,) = client.directions(
        "Kinopalatsi", "Hotel Arthur", mode="walking", waypoints=["via:Bio Rex", "via:Zetor"]
    )
    assert len(passing["legs"]) == 1
    assert passing["legs"][0]["duration"]["value"] == pytest.approx(sum(legs), abs=2)


def test_waypoints_are_put_in_the_best_order(client: googlemaps.Client, raw: RawMap) -> None:
    given = ["Hotel Arthur", "Bio Rex", "Zetor"]
    (route,) = client.directions(
        "Kinopalatsi", "Amos Rex", mode="walking", waypoints=given, optimize_waypoints=True
    )
    from itertools import pairwise, permutations

    def length(order: tuple[int, ...]) -> float:
        stops = ["Kinopalatsi", *(given[index] for index in order), "Amos Rex"]
        return sum(raw.minutes("pedestrian", a, b) for a, b in pairwise(stops))

    best = min(permutations(range(3)), key=length)
    assert tuple(route["waypoint_order"]) == best
    assert len(route["legs"]) == 4


def test_alternatives_are_several_routes(client: googlemaps.Client) -> None:
    routes = client.directions("Kinopalatsi", "Bio Rex", mode="driving", alternatives=True)
    assert len(routes) > 1
    assert len({route["summary"] for route in routes}) == len(routes)
    assert "duration_in_traffic" not in routes[0]["legs"][0]


def test_a_departure_brings_traffic_and_must_not_be_past(
    client: googlemaps.Client, clock: FixedClock
) -> None:
    later = clock.now() + timedelta(hours=1)
    (route,) = client.directions("Kinopalatsi", "Bio Rex", departure_time=later)
    leg = route["legs"][0]
    assert leg["duration_in_traffic"]["value"] == leg["duration"]["value"]
    with pytest.raises(ApiError, match="INVALID_REQUEST"):
        client.directions("Kinopalatsi", "Bio Rex", departure_time=clock.now() - timedelta(hours=1))


def test_directions_without_a_place_or_a_way(helsinki: Asker) -> None:
    reply = helsinki.legacy("directions", origin="Zzyzx Qwrtpsdf", destination="Zetor").json
    assert (reply["status"], reply["routes"]) == ("NOT_FOUND", [])
    reply = helsinki.legacy("directions", origin="60.17,24.94", destination="-33,151").json
    assert (reply["status"], reply["routes"]) == ("ZERO_RESULTS", [])
    reply = helsinki.legacy("directions", origin="Kinopalatsi", destination="Zetor", mode="transit").json
    assert reply["status"] == "ZERO_RESULTS"
    stops = "|".join(["60.17,24.94"] * 26)
    reply = helsinki.legacy("directions", origin="Kinopalatsi", destination="Zetor", waypoints=stops).json
    assert reply["status"] == "MAX_WAYPOINTS_EXCEEDED"
    assert helsinki.legacy("directions", origin="Kinopalatsi").json["status"] == "INVALID_REQUEST"


def test_distance_matrix(client: googlemaps.Client, raw: RawMap) -> None:
    origins, destinations = ["Kinopalatsi", "Zzyzx Qwrtpsdf"], ["Bio Rex", (60.169261, 24.9408153)]
    reply = client.distance_matrix(origins, destinations, mode="walking", units="imperial")
    first, second = (row["elements"] for row in reply["rows"])
    expected = [
        raw.route("pedestrian", "Kinopalatsi", end)["trip"]["summary"] for end in ("Bio Rex", "Zetor")
    ]
    assert [cell["duration"]["value"] for cell in first] == pytest.approx(
        [e["time"] for e in expected], abs=2
    )
    assert first[0]["distance"]["text"].endswith(" mi")
    assert [cell["status"] for cell in second] == ["NOT_FOUND", "NOT_FOUND"]
    assert reply["origin_addresses"] == ["Kaisaniemenkatu 2, 00100 Helsinki", ""]


def test_no_timetable_is_zero_results(client: googlemaps.Client) -> None:
    reply = client.distance_matrix(["Kinopalatsi"], ["Bio Rex", "Zetor"], mode="transit")
    assert [cell["status"] for cell in reply["rows"][0]["elements"]] == ["ZERO_RESULTS"] * 2


def test_distance_matrix_limits(client: googlemaps.Client) -> None:
    point = (60.17, 24.94)
    with pytest.raises(ApiError, match="MAX_DIMENSIONS_EXCEEDED"):
        client.distance_matrix([point] * 26, [point])
    with pytest.raises(ApiError, match="MAX_ELEMENTS_EXCEEDED"):
        client.distance_matrix([point] * 11, [point] * 10)


def test_geocoding_both_ways(client: googlemaps.Client, raw: RawMap) -> None:
    thing = raw.one("Kinopalatsi")
    results = client.geocode("Kaisaniemenkatu 2")
    assert results[0]["formatted_address"] == "Kaisaniemenkatu 2, 00100 Helsinki"
    assert results[0]["geometry"]["location_type"] == "ROOFTOP"
    backwards = client.reverse_geocode((thing.lat, thing.lng))
    assert backwards[0]["formatted_address"] == "Kaisaniemenkatu 2, 00100 Helsinki"
    assert client.reverse_geocode((0.0, 0.0)) == []


def test_time_zone_in_summer_and_winter(client: googlemaps.Client) -> None:
    winter = client.timezone((60.17, 24.94), 1_700_000_000)
    assert (winter["timeZoneId"], winter["rawOffset"], winter["dstOffset"]) == ("Europe/Helsinki", 7200, 0)
    summer = client.timezone((60.17, 24.94), 1_750_000_000)
    assert (summer["rawOffset"], summer["dstOffset"], summer["status"]) == (7200, 3600, "OK")


@pytest.mark.parametrize("timestamp", ["", "soon", "nan", "1e400", "253402300799", "-62135596800"])
def test_moments_off_the_calendar_are_refused(helsinki: Asker, timestamp: str) -> None:
    reply = helsinki.legacy("timezone", location="34,-118", timestamp=timestamp)
    assert reply.json["status"] == "INVALID_REQUEST"


def test_empty_stops_are_not_found(helsinki: Asker, harbour: Asker) -> None:
    for asker in (helsinki, harbour):
        reply = asker.legacy("distancematrix", origins="60.17,24.94|", destinations="via:").json
        assert [row["elements"][0]["status"] for row in reply["rows"]] == ["NOT_FOUND"] * 2


def test_a_key_is_needed(helsinki: Asker) -> None:
    reply = helsinki.legacy("place/textsearch", key="", query="Zetor")
    assert reply.status == 200
    assert reply.json["status"] == "REQUEST_DENIED"
    assert reply.json["results"] == []
    assert "key" in reply.json["error_message"]
    zone = helsinki.legacy("timezone", key="", location="60,24", timestamp="0").json
    assert sorted(zone) == ["errorMessage", "status"]


def test_replies_name_their_source(helsinki: Asker) -> None:
    headers = helsinki.legacy("place/textsearch", query="Zetor").headers
    assert headers["X-Map-Attribution"] == "(c) OpenStreetMap contributors"
    assert headers["Link"] == '<https://www.openstreetmap.org/copyright>; rel="license"'
