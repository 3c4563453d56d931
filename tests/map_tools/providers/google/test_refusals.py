"""Every way Google says no ends in a sentence that names the service and the remedy."""

import traceback
from typing import Any

import pytest

from map_tools.errors import (
    ConfigError,
    LimitError,
    PlaceNotFoundError,
    ProviderError,
    ToolError,
    UnsupportedError,
)
from map_tools.providers.base import ProviderSetting
from map_tools.providers.google.provider import GoogleProvider
from map_tools.providers.google_common.terms import PLACES, reading
from map_tools.providers.google_legacy.provider import GoogleLegacyProvider
from map_tools.types import LatLng, TravelMode
from map_tools.wire import metered
from tests.map_tools.providers.contract import run
from tests.map_tools.providers.google.replies import CAFE, WALK, error, place_legacy
from tests.map_tools.providers.google.support import KEY, MILL_PLACE, PIER, ask, google, legacy
from tests.support.loopback import Scripted, in_turn, json_reply, serving

PLACE_ID = "ChIJcafe0000000000"


def refusal(opened: Any, reply: Scripted, call: str) -> ToolError:
    """The error that a provider makes of a reply."""
    with serving(in_turn(reply)) as server:
        provider = opened(server.url)
        calls = {
            "find": lambda: provider.find_place("Old Pier"),
            "details": lambda: provider.place_details(PLACE_ID),
            "nearby": lambda: provider.nearby(PIER, radius_m=500, categories=("cafe",)),
            "route": lambda: provider.directions(PIER, MILL_PLACE, mode=TravelMode.DRIVING),
            "matrix": lambda: provider.matrix((PIER,), (MILL_PLACE,), mode=TravelMode.DRIVING),
        }
        with pytest.raises(ToolError) as caught:
            ask(provider, calls[call]())
    assert KEY not in "".join(traceback.format_exception(caught.value))
    return caught.value


NEW = [
    (403, "PERMISSION_DENIED", "SERVICE_DISABLED", "…", ("Places API (New)", "places.googleapis.com")),
    (
        403,
        "PERMISSION_DENIED",
        "",
        "Places API (New) has not been used in project 1 before.",
        ("not enabled", "Enable"),
    ),
    (403, "PERMISSION_DENIED", "API_KEY_SERVICE_BLOCKED", "…", ("may not be used", "Allow")),
    (
        403,
        "PERMISSION_DENIED",
        "",
        "This API method requires billing to be enabled.",
        ("billing", "Enable billing"),
    ),
    (403, "PERMISSION_DENIED", "", "No.", ("denied", "'No.'")),
    (
        400,
        "INVALID_ARGUMENT",
        "API_KEY_INVALID",
        "API key not valid.",
        ("does not accept the key", "MAPAGENT_GOOGLE_KEY"),
    ),
    (
        400,
        "INVALID_ARGUMENT",
        "",
        "Invalid field mask.",
        ("did not accept the request", "Invalid field mask"),
    ),
    (429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED", "…", ("quota", "Places API (New)", "raise the quota")),
    (500, "INTERNAL", "", "…", ("failed", "Try again later")),
]


@pytest.mark.parametrize(("status", "word", "reason", "message", "parts"), NEW)
def test_the_new_services(status: int, word: str, reason: str, message: str, parts: tuple[str, ...]) -> None:
    found = refusal(google, json_reply(error(status, word, message, reason), status), "find")
    assert type(found) is ProviderError
    assert [part for part in parts if part not in str(found)] == []


OLD = [
    (
        "REQUEST_DENIED",
        "This API project is not authorized to use this API.",
        ("Places API", "--provider google"),
    ),
    (
        "REQUEST_DENIED",
        "You're calling a legacy API, which is not enabled for your project.",
        ("not enabled", "places-backend.googleapis.com", "--provider google"),
    ),
    (
        "REQUEST_DENIED",
        "The provided API key is invalid.",
        ("does not accept the key", "MAPAGENT_GOOGLE_KEY"),
    ),
    (
        "REQUEST_DENIED",
        "You must enable Billing on the Google Cloud Project",
        ("billing enabled", "Enable billing"),
    ),
    ("OVER_QUERY_LIMIT", "You have exceeded your rate-limit.", ("quota", "raise the quota")),
    ("OVER_DAILY_LIMIT", "", ("billing",)),
    ("INVALID_REQUEST", "Missing parameter.", ("did not accept the request", "Missing parameter")),
    ("UNKNOWN_ERROR", "", ("failed", "Try again later")),
]


@pytest.mark.parametrize(("status", "message", "parts"), OLD)
def test_the_older_services(status: str, message: str, parts: tuple[str, ...]) -> None:
    found = refusal(legacy, json_reply({"status": status, "error_message": message, "results": []}), "find")
    assert type(found) is ProviderError
    assert [part for part in parts if part not in str(found)] == []


@pytest.mark.parametrize(
    ("call", "title"), [("nearby", "Places API (New)"), ("route", "Routes API"), ("matrix", "Routes API")]
)
def test_the_service_to_enable_is_named(call: str, title: str) -> None:
    body = error(403, "PERMISSION_DENIED", "…", "SERVICE_DISABLED")
    reply = json_reply([body] if call == "matrix" else body, 403)  # a matrix answers with a list
    assert f"Enable '{title}'" in refusal(google, reply, call).remedy


@pytest.mark.parametrize(
    ("call", "title"),
    [("details", "Places API"), ("route", "Directions API"), ("matrix", "Distance Matrix API")],
)
def test_the_older_service_to_enable_is_named(call: str, title: str) -> None:
    reply = json_reply(
        {"status": "REQUEST_DENIED", "error_message": "The API is not activated on your project."}
    )
    assert f"Enable '{title}'" in refusal(legacy, reply, call).remedy


def test_unknown_places() -> None:
    gone = refusal(google, json_reply(error(404, "NOT_FOUND", "Not found."), 404), "details")
    assert isinstance(gone, PlaceNotFoundError)
    assert PLACE_ID in gone.message
    assert isinstance(refusal(legacy, json_reply({"status": "NOT_FOUND"}), "details"), PlaceNotFoundError)


def test_limits_of_routes() -> None:
    long = refusal(legacy, json_reply({"status": "MAX_ROUTE_LENGTH_EXCEEDED", "routes": []}), "route")
    assert isinstance(long, UnsupportedError)
    many = refusal(legacy, json_reply({"status": "MAX_WAYPOINTS_EXCEEDED", "routes": []}), "route")
    assert "25 stops" in many.message


@pytest.mark.parametrize(
    "reply",
    [
        Scripted(body=b'{"places": [{"id": "ChIJ'),
        Scripted(body=b"<html>busy</html>"),
        Scripted(status=502, body=b"<html>bad gateway</html>"),
        Scripted(drop=True),
        json_reply(["no", "object"]),
        json_reply(
            {"places": [{"displayName": {"text": "no id"}}], "status": "OK", "results": [{"name": "no id"}]}
        ),
        json_reply({"places": 7, "status": "OK", "results": 7}),
        json_reply({"places": None, "status": "OK"}),
    ],
    ids=["half", "html", "502", "dropped", "list", "no id", "number", "missing"],
)
@pytest.mark.parametrize("opened", [google, legacy])
def test_broken_replies(opened: Any, reply: Scripted) -> None:
    found = refusal(opened, reply, "find")
    assert isinstance(found, ProviderError)
    assert found.remedy


def test_a_busy_service_is_asked_again() -> None:
    later = json_reply(error(503, "UNAVAILABLE", "later"), 503)
    with serving(in_turn(later, json_reply(CAFE))) as server:
        provider = google(server.url)
        place, meter = ask(provider, provider.place_details(PLACE_ID))
    assert place.name == "Salt & Steam"
    assert meter.retries == 1
    results = {"status": "OK", "results": [place_legacy(1, PIER.lat)]}
    with serving(in_turn(json_reply({"status": "UNKNOWN_ERROR"}), json_reply(results))) as server:
        older = legacy(server.url)
        found, meter = ask(older, older.find_place("Cafe 1"))
    assert len(found) == 1
    assert meter.retries == 1
    assert meter.cost_usd == pytest.approx(0.040)


@pytest.mark.parametrize("opened", [google, legacy])
def test_a_spent_budget_sends_nothing(opened: Any) -> None:
    class Empty:
        def spend(self, cost_usd: float) -> None:
            raise LimitError("The budget is spent.")

        def refund(self, cost_usd: float) -> None:
            """Nothing was taken."""

    async def broke(url: str) -> None:
        provider = opened(url)
        try:
            with metered(Empty()):
                await provider.find_place("Old Pier")
        finally:
            await provider.close()

    with serving(in_turn(json_reply({}))) as server:
        with pytest.raises(LimitError):
            run(broke(server.url))
        assert server.asked == []


@pytest.mark.parametrize("factory", [GoogleProvider, GoogleLegacyProvider])
def test_no_key(factory: Any) -> None:
    with pytest.raises(ConfigError, match="MAPAGENT_GOOGLE_KEY"):
        factory.from_setting(ProviderSetting(name="google"))
    with pytest.raises(ConfigError, match="MAPAGENT_GOOGLE_KEY"):
        factory.from_setting(ProviderSetting(name="google", key=" "))


def test_the_key_travels_where_nothing_keeps_it() -> None:
    with serving(in_turn(json_reply({"routes": [WALK]}))) as server:
        provider = google(server.url)
        ask(provider, provider.directions(PIER, MILL_PLACE, mode=TravelMode.WALKING))
    assert server.asked[0].headers["x-goog-api-key"] == KEY
    assert KEY not in str(server.asked[0].params) + server.asked[0].path
    with serving(in_turn(json_reply({"status": "OK", "results": []}))) as server:
        older = legacy(server.url)
        ask(older, older.find_place("Old Pier"))
    assert server.asked[0].params["key"] == [KEY]


@pytest.mark.parametrize("factory", [GoogleProvider, GoogleLegacyProvider])
def test_opened_by_a_setting(factory: Any, tmp_path: Any) -> None:
    reply = {"places": [CAFE], "status": "OK", "results": [place_legacy(1, PIER.lat, name="Salt & Steam")]}
    with serving(in_turn(json_reply(reply))) as server:
        setting = ProviderSetting(
            name="google",
            key=KEY,
            base_url=f"{server.url}/",
            cache_folder=tmp_path,
            language="de",
            region="AT",
        )
        for _ in range(2):  # Google's terms let no payload be kept: the second call asks again
            provider = factory.from_setting(setting)
            found, _ = ask(provider, provider.find_place("Salt & Steam"))
            assert found[0].place.location == PIER
    assert len(server.asked) == 2
    assert KEY not in repr(setting)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert KEY.encode() not in kept
    assert b"Quay Ln" not in kept


def test_what_cannot_be_read_is_told_on_one_line() -> None:
    with pytest.raises(ProviderError, match=r"cannot be read: ValidationError") as caught, reading(PLACES):
        LatLng(lat=200.0, lng=0.0)
    assert "\n" not in str(caught.value)
