"""An emulator over a recorded world: ratings, prices, reviews, small pages, places without a position."""

from typing import Any

from tests.map_tools.testing.emulate.conftest import Asker, circle

TEXT, NEARBY = "/v1/places:searchText", "/v1/places:searchNearby"


def found(asker: Asker, name: str, mask: str) -> dict[str, Any]:
    fields = ",".join(f"places.{field}" for field in mask.split(","))
    place: dict[str, Any] = asker.post(TEXT, {"textQuery": name}, fields).json["places"][0]
    return place


def test_ratings_prices_and_reviews(harbour: Asker) -> None:
    museum = found(harbour, "Lighthouse Museum", "rating,userRatingCount,reviews,regularOpeningHours")
    assert (museum["rating"], museum["userRatingCount"]) == (4.6, 812)
    assert museum["reviews"][0]["text"]["text"] == "A long climb and a fine view."
    assert museum["regularOpeningHours"]["weekdayDescriptions"][0] == "Monday: Closed"
    assert found(harbour, "Salt & Smoke", "priceLevel") == {"priceLevel": "PRICE_LEVEL_EXPENSIVE"}
    legacy = harbour.legacy("place/textsearch", query="Salt & Smoke").json["results"][0]
    assert (legacy["price_level"], legacy["rating"], legacy["user_ratings_total"]) == (3, 4.2, 95)


def test_filters_by_price_and_rating(harbour: Asker) -> None:
    body = {"textQuery": "restaurant", "locationBias": circle(-12.5, 130.75, 5000)}
    cheap = harbour.post(TEXT, body | {"priceLevels": ["PRICE_LEVEL_INEXPENSIVE"]}, "places.displayName.text")
    assert cheap.json == {"places": [{"displayName": {"text": "Green Bowl"}}]}
    good = harbour.post(TEXT, body | {"minRating": 4.0}, "places.displayName.text")
    assert good.json == {"places": [{"displayName": {"text": "Salt & Smoke"}}]}
    wrong = harbour.post(TEXT, body | {"priceLevels": ["CHEAP"]}, "places.id")
    assert wrong.status == 400
    parameters = {"query": "restaurant", "location": "-12.5,130.75", "radius": "5000", "maxprice": "1"}
    legacy = harbour.legacy("place/textsearch", **parameters).json["results"]
    assert [place["name"] for place in legacy] == ["Green Bowl"]


def test_small_pages(harbour: Asker) -> None:
    first = harbour.legacy("place/nearbysearch", location="-12.5,130.75", radius="9000").json
    assert len(first["results"]) == 2
    second = harbour.legacy("place/nearbysearch", pagetoken=first["next_page_token"]).json
    names = [place["name"] for page in (first, second) for place in page["results"]]
    assert len(set(names)) == 4


def test_a_place_without_a_position_has_none(harbour: Asker) -> None:
    assert found(harbour, "Customs House", "displayName.text,location") == {
        "displayName": {"text": "Customs House"}
    }
    result = harbour.legacy("place/textsearch", query="Customs House").json["results"][0]
    assert "geometry" not in result


def test_recorded_routes_have_their_steps_and_no_invented_geometry(harbour: Asker) -> None:
    reply = harbour.legacy(
        "directions", origin="Customs House", destination="Lighthouse Museum", alternatives="true"
    ).json
    first, second = reply["routes"]
    assert (first["summary"], second["summary"]) == ("Pier Road", "Coast Highway")
    assert first["legs"][0]["duration"] == {"text": "12 mins", "value": 720}
    assert second["warnings"] == ["Toll road"]
    assert len(first["legs"][0]["steps"]) == 3
    assert "duration" not in first["legs"][0]["steps"][0]
    assert "start_location" not in first["legs"][0]["steps"][0]


def test_travel_in_one_direction_is_not_the_other(harbour: Asker) -> None:
    reply = harbour.legacy(
        "distancematrix", origins="Salt & Smoke", destinations="Customs House", mode="walking"
    ).json
    assert reply["rows"][0]["elements"][0] == {"status": "ZERO_RESULTS"}
    assert harbour.legacy("directions", origin="Salt & Smoke", destination="Customs House").json[
        "status"
    ] == ("ZERO_RESULTS")


def test_the_credit_is_the_world_s_own(harbour: Asker) -> None:
    reply = harbour.legacy("place/textsearch", query="Green Bowl")
    assert reply.json["html_attributions"] == [
        '<a href="https://example.org/terms">© The harbour town\'s mapmakers</a>'
    ]
