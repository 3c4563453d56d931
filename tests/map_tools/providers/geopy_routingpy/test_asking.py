"""What the libraries ask through the wire, and what replies become; over a real server on this machine.

Replies are hand-written in the documented shapes of Photon (https://photon.komoot.io/) and openrouteservice
(https://openrouteservice.org/dev/#/api-docs).
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from routingpy.routers import MapboxOSRM
from shapely.geometry import box, mapping

from map_tools.compute.shapes import area_m2
from map_tools.errors import (
    ConfigError,
    LimitError,
    MapAgentError,
    NoRouteError,
    ProviderError,
    UnsupportedError,
)
from map_tools.providers.base import ProviderSetting
from map_tools.providers.geopy_routingpy.options import AdapterOptions
from map_tools.providers.geopy_routingpy.provider import AdapterProvider
from map_tools.types import NO_WAY, LatLng, Shape, TravelMode
from map_tools.validation import read_options
from map_tools.wire import Player, Recorder
from tests.support.loopback import Asked, Scripted, in_turn, json_reply, serving

HERE, THERE, VIA = LatLng(lat=-12.5, lng=45.25), LatLng(lat=-12.49, lng=45.27), LatLng(lat=-12.5, lng=45.26)
ON_FOOT = TravelMode.WALKING
KEY = "ors-5f1c9a7e2b"
OSRM = {"service": "osrm", "profile": "driving"}
TERMS = {
    "attribution": "© Atlas",
    "attribution_url": "https://atlas.invalid/terms",
    "base_map": "Atlas",
    "keep_days": 30,
}
MUSEUM = {
    "type": "Feature",
    "geometry": {"type": "Point", "coordinates": [45.25, -12.5]},
    "properties": {
        "osm_type": "W",
        "osm_id": 90394480,
        "osm_key": "tourism",
        "osm_value": "museum",
        "name": "Lighthouse Museum",
        "housenumber": "7",
        "street": "Pier Road",
        "postcode": "97600",
        "city": "Moroni",
        "country": "Comoros",
    },
}


def collection(*features: dict[str, Any]) -> Scripted:
    return json_reply({"type": "FeatureCollection", "features": list(features)})


def way(metres: float, seconds: float, *ends: LatLng) -> Scripted:
    """A reply of openrouteservice's directions as GeoJSON."""
    coordinates = [[at.lng, at.lat] for at in ends or (HERE, THERE)]
    return collection(
        {
            "type": "Feature",
            "geometry": {"type": "LineString", "coordinates": coordinates},
            "properties": {"summary": {"distance": metres, "duration": seconds}},
        }
    )


def options(base: str, **more: Any) -> dict[str, Any]:
    domain = base.removeprefix("http://")
    return {
        "geocoder": {"service": "photon", "options": {"domain": domain, "scheme": "http"}},
        "routers": {
            "walking": {
                "service": "ors",
                "options": {"base_url": base},
                "profile": "foot-walking",
                "key_variable": "ORS_KEY",
            }
        },
        "terms": TERMS,
        **more,
    }


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORS_KEY", KEY)


def answered[T](base: str, ask: Callable[[AdapterProvider], Awaitable[T]], **more: Any) -> T:
    """What the provider answers over a server; `more`: of its setting."""

    async def run() -> T:
        setting = ProviderSetting(**{"name": "geopy-routingpy", "options": options(base), **more})
        provider = AdapterProvider.from_setting(setting)
        try:
            return await ask(provider)
        finally:
            await provider.close()

    return asyncio.run(run())


def asked[T](
    script: Callable[[Asked], Scripted],
    ask: Callable[[AdapterProvider], Awaitable[T]],
    folder: Path | None = None,
) -> tuple[T, list[Asked]]:
    """What the provider answers over a server with this script, and what it was asked."""
    with serving(script) as server:
        return answered(server.url, ask, cache_folder=folder), server.asked


def walk(provider: AdapterProvider) -> Awaitable[Any]:
    return provider.directions(HERE, THERE, mode=ON_FOOT)


def error[E: MapAgentError](
    kind: type[E], reply: Scripted, ask: Callable[[AdapterProvider], Awaitable[object]] = walk
) -> E:
    with pytest.raises(kind) as caught:
        asked(lambda _: reply, ask)
    return caught.value


def area(north: float = 0.0) -> Scripted:
    """A reply of any service: 0.02° by 0.01°, about the start or so many degrees north of it."""
    geometry = mapping(box(45.24, -12.505 + north, 45.26, -12.495 + north))
    properties = {"value": 600.0, "center": [45.25, -12.5], "bucket": 0}
    return collection({"type": "Feature", "geometry": geometry, "properties": properties})


AREA_M2 = 2_174 * 1_106
"""There a degree is 108.7 km eastwards and 110.6 km northwards."""


def reachable(provider: AdapterProvider) -> Awaitable[Shape]:
    return provider.reach(HERE, within_s=600, mode=ON_FOOT)


def routed(base: str, **walking: Any) -> dict[str, Any]:
    """Options with another router for walking."""
    return options(base, routers={"walking": {"profile": "walking", **walking}})


def test_a_place_is_found_and_its_id_says_all() -> None:
    async def find(provider: AdapterProvider) -> tuple[Any, Any]:
        (found,) = await provider.find_place("Lighthouse Museum", near=THERE)
        return found, await provider.place_details(found.place.id)

    (found, details), (request,) = asked(lambda _: collection(MUSEUM), find)
    place = found.place
    assert (place.name, place.location) == ("Lighthouse Museum", HERE)
    assert place.categories[0] == "museum"
    assert place.address is not None
    assert "Pier Road" in place.address
    assert details == place
    assert found.distance_m == pytest.approx(2_438, rel=0.01)  # 1.106 km north and 2.173 km east
    assert request.path == "/api"
    assert request.params["q"] == ["Lighthouse Museum"]
    assert (request.params["lat"], request.params["lon"]) == (["-12.49"], ["45.27"])
    assert (request.params["lang"], request.params["limit"]) == (["en"], ["15"])
    assert request.headers["user-agent"] == "mapagent"


def test_replies_are_kept_as_long_as_the_terms_say(tmp_path: Path) -> None:
    async def twice(provider: AdapterProvider) -> None:
        assert await provider.find_place("Lighthouse") == await provider.find_place("Lighthouse")

    _, requests = asked(lambda _: collection(MUSEUM), twice, tmp_path)
    assert len(requests) == 1


def test_the_key_travels_in_its_header_and_is_kept_nowhere(tmp_path: Path) -> None:
    (route,), (request,) = asked(lambda _: way(2500, 1800), walk, tmp_path)
    assert (route.distance_m, route.duration_s) == (2500, 1800)
    assert request.headers["authorization"] == KEY
    assert request.path == "/v2/directions/foot-walking/geojson"
    assert json.loads(request.body)["coordinates"] == [[45.25, -12.5], [45.27, -12.49]]
    kept = [path.read_bytes() for path in tmp_path.iterdir() if path.is_file()]
    assert kept
    assert not [content for content in kept if KEY.encode() in content]


def test_each_leg_is_a_request_of_its_own() -> None:
    def script(request: Asked) -> Scripted:
        first = json.loads(request.body)["coordinates"][0] == [45.25, -12.5]
        return way(1100, 800, HERE, VIA) if first else way(1600, 1100, VIA, THERE)

    (route,), requests = asked(
        script, lambda provider: provider.directions(HERE, THERE, mode=ON_FOOT, waypoints=(VIA,))
    )
    assert [leg.distance_m for leg in route.legs] == [1100, 1600]
    assert (route.distance_m, route.duration_s, len(requests)) == (2700, 1900, 2)


def test_a_matrix_asks_for_both_measures() -> None:
    reply = json_reply({"durations": [[0, 1800], [1750, None]], "distances": [[0, 2500], [2450, None]]})
    matrix, (request,) = asked(
        lambda _: reply, lambda provider: provider.matrix((HERE, THERE), (HERE, THERE), mode=ON_FOOT)
    )
    body = json.loads(request.body)
    assert (body["sources"], body["destinations"]) == ([0, 1], [2, 3])
    assert body["metrics"] == ["distance", "duration"]
    assert [(cell.distance_m, cell.duration_s) for cell in matrix.rows[0]] == [(0, 0), (2500, 1800)]
    assert matrix.rows[1][1] == NO_WAY


def test_one_place_without_roads_does_not_spoil_a_table() -> None:
    def script(request: Asked) -> Scripted:
        places = json.loads(request.body)["locations"]
        if [3.3464, -54.4208] in places:
            return json_reply({"error": {"code": 6010, "message": "Routable point not found"}}, 404)
        return json_reply({"durations": [[700]], "distances": [[900]]})

    nowhere = LatLng(lat=-54.4208, lng=3.3464)
    matrix, _ = asked(script, lambda provider: provider.matrix((HERE,), (THERE, nowhere), mode=ON_FOOT))
    assert [cell.duration_s for cell in matrix.rows[0]] == [700, None]


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        (json_reply({"error": {"code": 2009, "message": "Route could not be found"}}, 404), NoRouteError, ""),
        (
            json_reply({"error": {"code": 2010, "message": "Could not find routable point"}}, 404),
            NoRouteError,
            "",
        ),
        (way(2500, 1800, HERE, LatLng(lat=-12.6, lng=45.3)), NoRouteError, ""),  # ends 12 km away
        (json_reply({"error": "Access to this API has been disallowed"}, 403), ProviderError, "status 403"),
        (json_reply({"features": []}), ProviderError, "cannot be read"),
        (way(2500, 180), ProviderError, "ways of another mode than walking"),
        (Scripted(429, b"quota"), ProviderError, "status 429"),
    ],
)
def test_refusals_of_routers(reply: Scripted, kind: type[MapAgentError], said: str) -> None:
    problem = error(kind, reply)
    assert said in problem.message
    assert KEY not in str(problem)


def test_ors_is_asked_what_is_reached_and_the_reply_is_kept(tmp_path: Path) -> None:
    async def twice(provider: AdapterProvider) -> Shape:
        first, second = await reachable(provider), await reachable(provider)
        assert first == second
        return first

    shape, (request,) = asked(lambda _: area(), twice, tmp_path)
    assert area_m2(shape) == pytest.approx(AREA_M2, rel=0.01)
    assert (request.method, request.path) == ("POST", "/v2/isochrones/foot-walking/geojson")
    body = json.loads(request.body)
    assert (body["locations"], body["range"], body["range_type"]) == ([[45.25, -12.5]], [600], "time")
    assert request.headers["authorization"] == KEY


def test_graphhopper_is_asked_what_is_reached() -> None:
    with serving(lambda _: area()) as server:
        router = {"service": "graphhopper", "profile": "foot", "options": {"base_url": server.url}}
        shape = answered(server.url, reachable, options=routed(server.url, **router, key_variable="ORS_KEY"))
    (request,) = server.asked
    assert area_m2(shape) == pytest.approx(AREA_M2, rel=0.01)
    assert (request.path, request.params["profile"], request.params["key"]) == ("/isochrone", ["foot"], [KEY])
    assert (request.params["time_limit"], request.params["point"]) == (["600"], ["-12.5,45.25"])
    assert request.params["type"] == ["geojson"]


def test_mapbox_is_asked_what_is_reached_in_whole_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(provider: AdapterProvider) -> Shape:
        with pytest.raises(UnsupportedError, match="whole minutes"):
            await provider.reach(HERE, within_s=450, mode=ON_FOOT)
        with pytest.raises(LimitError, match="60 min at most"):
            await provider.reach(HERE, within_s=3_660, mode=ON_FOOT)
        return await reachable(provider)

    with serving(lambda _: area()) as server:
        monkeypatch.setattr(MapboxOSRM, "_base_url", server.url)  # the library's own, which no option changes
        values = routed(server.url, service="mapbox", key_variable="ORS_KEY")
        shape = answered(server.url, ask, options=values, contact="maps@univ.edu")
    (request,) = server.asked
    assert area_m2(shape) == pytest.approx(AREA_M2, rel=0.01)
    assert request.path == "/isochrone/v1/mapbox/walking/45.25,-12.5"
    assert (request.params["contours_minutes"], request.params["polygons"]) == (["10"], ["true"])
    assert request.params["access_token"] == [KEY]


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        (collection(), NoRouteError, "no walking route from -12.5"),
        (area(north=0.1), NoRouteError, "no walking route from"),  # 11 km away
        (json_reply({"error": {"code": 3004, "message": "out of range"}}, 400), LimitError, "so long a time"),
        (json_reply({"error": {"code": 3099, "message": "Unknown"}}, 500), ProviderError, "status 500"),
        (json_reply({"error": "Access disallowed"}, 403), ProviderError, "status 403"),
        (Scripted(429, b"quota"), ProviderError, "status 429"),
        (
            collection({"type": "Feature", "properties": {"value": 600.0, "center": [45.25, -12.5]}}),
            ProviderError,
            "cannot be read",
        ),
        (json_reply({"routes": []}), ProviderError, "cannot be read"),
    ],
)
def test_refusals_of_areas(reply: Scripted, kind: type[MapAgentError], said: str) -> None:
    problem = error(kind, reply, reachable)
    assert said in problem.message
    assert KEY not in str(problem)


def test_a_service_without_areas_and_a_mode_without_service() -> None:
    async def ask(provider: AdapterProvider) -> None:
        with pytest.raises(UnsupportedError, match="'osrm' does not tell") as caught:
            await reachable(provider)
        assert "valhalla" in caught.value.remedy
        with pytest.raises(UnsupportedError, match="no router for driving"):
            await provider.reach(HERE, within_s=600, mode=TravelMode.DRIVING)

    nobody = "http://127.0.0.1:1"
    answered(nobody, ask, options=routed(nobody, service="osrm", options={"base_url": nobody}))


def test_an_area_is_replayed_from_a_recording(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with (
        serving(lambda _: area()) as server,
        Recorder(path, allow_payloads=True) as recorder,
    ):
        recorded = answered(server.url, reachable, recording=recorder)
    assert KEY not in path.read_text("utf-8")
    assert answered(server.url, reachable, recording=Player(path)) == recorded  # the server has gone


@pytest.mark.parametrize(
    ("reply", "said", "remedy"),
    [
        (Scripted(401, b"no"), "refused (status 401)", "Check its key."),
        (Scripted(402, b"no"), "refused (status 402)", "quota"),
        (Scripted(429, b"no"), "refused (status 429)", "later"),
        (json_reply({"unexpected": 1}), "cannot be read", "later"),
    ],
)
def test_refusals_of_geocoders(reply: Scripted, said: str, remedy: str) -> None:
    problem = error(ProviderError, reply, lambda provider: provider.find_place("Lighthouse"))
    assert said in problem.message
    assert remedy in problem.remedy


def test_what_no_library_can_do_is_refused() -> None:
    async def ask(provider: AdapterProvider) -> None:
        with pytest.raises(UnsupportedError, match="around a place"):
            await provider.nearby(HERE, radius_m=100)
        with pytest.raises(UnsupportedError, match="inside an area"):
            await provider.inside("x")
        with pytest.raises(UnsupportedError, match="no router for driving"):
            await provider.directions(HERE, THERE, mode=TravelMode.DRIVING)

    assert asked(in_turn(json_reply({})), ask)[1] == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"geocoder": {"service": "nowhere"}}, "geopy knows no geocoder 'nowhere'"),
        ({"geocoder": {"service": "googlev3"}}, "use the provider 'google'"),
        (
            {"geocoder": {"service": "photon", "options": {"domian": "x"}}},
            "'photon' cannot be made: .*domian",
        ),
        ({"geocoder": {"service": "opencage"}}, "'opencage' cannot be made: .*api_key"),
        ({"geocoder": {"service": "opencage", "key_variable": "UNSET"}}, "'opencage' needs a key"),
        ({"geocoder": {"service": "photon", "key_variable": "ORS_KEY"}}, "'photon' takes no key"),
        ({"geocoder": {"service": "opencage", "options": {"api_key": "k"}}}, "'api_key' is a key"),
        ({"routers": {"walking": {"service": "x", "profile": "y"}}}, "routingpy knows no router 'x'"),
        ({"routers": {"walking": {"service": "ors", "profile": "y"}}}, "'ors' cannot be made"),
        ({"routers": {"walking": {"service": "osrm"}}}, "routers.walking.profile"),
        ({"terms": {**TERMS, "attribution": ""}}, "terms.attribution"),
        ({"terms": {}}, "terms.attribution"),
        ({"requests_per_s": 0}, "requests_per_s"),
        ({"routers": {"walking": OSRM, "driving": OSRM}}, "name the same OSRM server"),
    ],
)
def test_wrong_options(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    values = {**options("http://127.0.0.1:1"), **change}
    setting = ProviderSetting(
        name="geopy-routingpy", options=values, contact="maps@univ.edu", cache_folder=tmp_path
    )
    with pytest.raises(ConfigError, match=said):
        AdapterProvider.from_setting(setting)


def test_services_of_others_are_not_asked_without_a_contact(tmp_path: Path) -> None:
    values = options("https://api.atlas.invalid")
    setting = ProviderSetting(name="geopy-routingpy", options=values, cache_folder=tmp_path)
    with pytest.raises(ConfigError, match="whom to write to"):
        AdapterProvider.from_setting(setting)


def test_without_the_libraries_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("geocoding", "places", "routing"):
        monkeypatch.setitem(__import__("sys").modules, f"map_tools.providers.geopy_routingpy.{module}", None)
    setting = ProviderSetting(name="geopy-routingpy", options=options("http://127.0.0.1:1"))
    with pytest.raises(ConfigError, match="needs the packages geopy and routingpy") as caught:
        AdapterProvider.from_setting(setting)
    assert "mapagent[adapters]" in caught.value.remedy


def test_the_terms_are_the_users() -> None:
    terms = read_options(AdapterOptions, options("http://127.0.0.1:1"), "geopy-routingpy").terms.terms()
    assert (terms.attribution, terms.base_map, terms.keep_payload_days) == ("© Atlas", "Atlas", 30)
