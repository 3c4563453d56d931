"""What the services are asked, and what their refusals become; over a real server on this machine."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

import pytest

from map_tools.compute.shapes import area_m2
from map_tools.errors import (
    LimitError,
    MapAgentError,
    NoRouteError,
    PlaceNotFoundError,
    ProviderError,
    UnsupportedError,
)
from map_tools.providers.base import CutList, ProviderSetting
from map_tools.providers.osm_web import overpass
from map_tools.providers.osm_web.provider import OsmWebProvider
from map_tools.types import LatLng, Shape, TravelMode
from tests.map_tools.providers.osm_web.replies import (
    LAT,
    LIGHTHOUSE,
    LNG,
    block,
    elements,
    isochrone,
    node,
    osrm_route,
    osrm_step,
    way,
)
from tests.support.loopback import Asked, Scripted, in_turn, json_reply, serving

HERE, THERE = LatLng(lat=LAT, lng=LNG), LatLng(lat=-12.49, lng=45.27)
ON_FOOT = TravelMode.WALKING
BUSY_PAGE = (
    b"<html><body><p><strong>Error</strong>: runtime error: open64: 0 Success /osm3s_osm_base </p></body>"
)


def asked[T](
    script: Callable[[Asked], Scripted],
    ask: Callable[[OsmWebProvider], Awaitable[T]],
    engine: str = "osrm",
) -> tuple[T, list[Asked]]:
    """What the provider answers over a server with this script, and what it was asked."""

    async def run(base: str) -> T:
        options = {
            "nominatim": base,
            "overpass": f"{base}/api/interpreter",
            "routers": {"walking": {"engine": engine, "url": base}},
        }
        provider = OsmWebProvider.from_setting(ProviderSetting(name="osm-web", options=options))
        try:
            return await ask(provider)
        finally:
            await provider.close()

    with serving(script) as server:
        result = asyncio.run(run(server.url))
        return result, server.asked


def error[E: MapAgentError](
    kind: type[E],
    reply: Scripted,
    ask: Callable[[OsmWebProvider], Awaitable[object]],
    engine: str = "osrm",
) -> E:
    """The error that a reply becomes."""
    with pytest.raises(kind) as caught:
        asked(lambda _: reply, ask, engine)
    return caught.value


def walk(provider: OsmWebProvider) -> Awaitable[Any]:
    return provider.directions(HERE, THERE, mode=ON_FOOT)


def table(provider: OsmWebProvider) -> Awaitable[Any]:
    return provider.matrix((HERE,), (HERE, THERE), mode=ON_FOOT)


def cafes(provider: OsmWebProvider) -> Awaitable[Any]:
    return provider.nearby(HERE, radius_m=500, categories=("cafe",))


def query_of(request: Asked) -> str:
    """The text of a query of Overpass."""
    return parse_qs(request.body.decode())["data"][0]


def test_nominatim_is_asked_for_all_that_is_read() -> None:
    found, (request,) = asked(
        lambda _: json_reply([LIGHTHOUSE]), lambda provider: provider.find_place(" lighthouse  museum ")
    )
    assert [item.place.id for item in found] == ["osm:w90394480"]
    assert request.path == "/search"
    assert request.params == {
        "q": ["lighthouse museum"],
        "format": ["jsonv2"],
        "addressdetails": ["1"],
        "extratags": ["1"],
        "namedetails": ["1"],
        "accept-language": ["en"],
        "limit": ["15"],
    }


def test_a_context_draws_results_to_it() -> None:
    near = LatLng(lat=-12.5, lng=179.9)
    found, (request,) = asked(
        lambda _: json_reply([LIGHTHOUSE]),
        lambda provider: provider.find_place("Lighthouse Museum", near=near),
    )
    assert request.params["viewbox"] == ["179.6500,-12.7500,180.0000,-12.2500"]
    assert found[0].distance_m == pytest.approx(14_293_000, rel=0.01)  # 128.54° on the sphere


def test_an_empty_name_asks_nobody() -> None:
    assert asked(lambda _: json_reply([]), lambda provider: provider.find_place("  ")) == ((), [])


def test_details_come_from_nominatim_and_else_from_overpass() -> None:
    place, (lookup,) = asked(
        lambda _: json_reply([LIGHTHOUSE]), lambda provider: provider.place_details("osm:w90394480")
    )
    assert (place.name, lookup.path, lookup.params["osm_ids"]) == (
        "Lighthouse Museum",
        "/lookup",
        ["W90394480"],
    )
    bench, (_, second) = asked(
        in_turn(json_reply([]), json_reply(elements(node(9, LAT, LNG, amenity="bench")))),
        lambda provider: provider.place_details("osm:n9"),
    )
    assert bench.categories[0] == "bench"
    assert query_of(second) == "[out:json][timeout:25];node(9);out tags center;"


def test_an_object_that_is_nowhere_is_not_found() -> None:
    replies = in_turn(json_reply([]), json_reply(elements()))
    with pytest.raises(PlaceNotFoundError, match="osm:n9"):
        asked(replies, lambda provider: provider.place_details("osm:n9"))


def test_overpass_is_asked_for_a_kind_and_the_rest_is_left_out() -> None:
    reply = elements(
        node(1, LAT + 0.002, LNG, amenity="cafe", name="Second"),
        node(2, LAT + 0.001, LNG, amenity="cafe;bar", name="First"),
        node(3, LAT, LNG, amenity="cafeteria", name="Something else"),
        way(4, LAT + 0.01, LNG, amenity="cafe", name="Its edge is near, its middle is not"),
    )
    found, (request,) = asked(lambda _: json_reply(reply), cafes)
    assert [item.place.name for item in found] == ["First", "Second"]
    assert [item.distance_m for item in found] == pytest.approx([110.6, 221.2], abs=0.1)
    assert not isinstance(found, CutList)
    assert query_of(request) == (
        "[out:json][timeout:25];(nwr(around:500,-12.500000,45.250000)"
        '["amenity"~"(^|; *)(cafe|coffee_shop)( *;|$)"];'
        "nwr(around:500,-12.500000,45.250000)"
        '["amenity"~"(^|; *)(fast_food)( *;|$)"]["cuisine"~"(^|; *)(coffee_shop)( *;|$)"];'
        "nwr(around:500,-12.500000,45.250000)"
        '["shop"~"(^|; *)(bakery|coffee|pastry)( *;|$)"]["cafe"~"(^|; *)(yes)( *;|$)"];'
        ");out tags center 5000;"
    )


def test_a_keyword_is_looked_for_in_its_two_spellings() -> None:
    reply = elements(
        node(1, LAT, LNG, amenity="cafe", name="Café Quay"),
        node(2, LAT, LNG, amenity="cafe", name="Cafés of the World"),
        node(3, LAT, LNG, shop="bakery", name="Quay Bakery"),
    )
    found, (request,) = asked(
        lambda _: json_reply(reply),
        lambda provider: provider.nearby(HERE, radius_m=500, keyword="Quay cafés"),
    )
    assert [item.place.name for item in found] == ["Café Quay"]
    assert '"cafe|cafés",i]' in query_of(request)


def test_quotes_do_not_end_the_query() -> None:
    found, requests = asked(
        lambda _: json_reply(elements()),
        lambda provider: provider.nearby(HERE, radius_m=500, categories=('x"];out;',)),
    )
    assert (found, requests) == ((), [])


def test_a_small_circle_comes_first_where_few_are_wanted() -> None:
    far = node(1, LAT + 0.05, LNG, amenity="cafe", name="Far")
    found, requests = asked(
        in_turn(json_reply(elements()), json_reply(elements()), json_reply(elements(far))),
        lambda provider: provider.nearby(HERE, radius_m=20_000, categories=("cafe",), limit=1),
    )
    assert [item.place.name for item in found] == ["Far"]
    assert [query_of(request).partition(",")[0].rpartition(":")[2] for request in requests] == [
        "1000",
        "5000",
        "20000",
    ]


def test_more_than_is_fetched_is_a_cut_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overpass, "MOST_ELEMENTS", 2)
    many = [node(number, LAT, LNG, amenity="cafe", name=f"Cafe {number}") for number in (1, 2)]
    found, requests = asked(
        in_turn(json_reply(elements(*many)), json_reply(elements(many[0]))),
        lambda provider: provider.nearby(HERE, radius_m=900, categories=("cafe",), limit=None),
    )
    assert isinstance(found, CutList)
    assert [item.place.name for item in found] == ["Cafe 1"]
    assert ["around:900" in query_of(requests[0]), "around:300" in query_of(requests[1])] == [True, True]


def test_inside_an_area() -> None:
    reply = elements(
        {"type": "area", "id": 3_600_000_017},
        {
            "type": "relation",
            "id": 17,
            "center": {"lat": LAT, "lon": LNG},
            "tags": {"place": "town", "name": "M"},
        },
        node(1, LAT, LNG, amenity="cafe", name="In it"),
    )
    found, (request,) = asked(lambda _: json_reply(reply), lambda provider: provider.inside("osm:r17"))
    assert [place.name for place in found] == ["In it"]
    assert query_of(request) == (
        "[out:json][timeout:25];rel(17);map_to_area->.a;.a out ids;"
        '(nwr(area.a)["name"];);out tags center 5000;'
    )


@pytest.mark.parametrize("place_id", ["osm:n1", "elsewhere"])
def test_a_point_has_no_inside(place_id: str) -> None:
    with pytest.raises(UnsupportedError, match="no outline"):
        asked(lambda _: json_reply(elements()), lambda provider: provider.inside(place_id))


def test_an_object_without_outline_has_no_inside() -> None:
    problem = error(UnsupportedError, json_reply(elements()), lambda provider: provider.inside("osm:w5"))
    assert "way 5 has no outline" in problem.message


def test_a_query_that_ran_out_of_time_is_an_error_and_not_kept() -> None:
    remark = 'runtime error: Query timed out in "query" at line 1 after 26 seconds.'
    replies = in_turn(json_reply(elements(remark=remark)), json_reply(elements()))

    async def twice(provider: OsmWebProvider) -> object:
        with pytest.raises(ProviderError, match="gave up: runtime error: Query timed out"):
            await cafes(provider)
        return await cafes(provider)

    found, requests = asked(replies, twice)
    assert (found, len(requests)) == ((), 2)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Scripted(429, b"rate_limited"), "too many requests"),
        (Scripted(406, b"Not Acceptable"), "refuses us"),
        (Scripted(403, b"Access blocked"), "refuses us"),
        (Scripted(400, BUSY_PAGE), "status 400: Error : runtime error: open64: 0 Success"),
        (Scripted(504, BUSY_PAGE), "status 504"),
    ],
)
def test_refusals_of_overpass(reply: Scripted, said: str) -> None:
    assert said in error(ProviderError, reply, cafes).message


def test_a_refusal_of_nominatim_tells_its_words() -> None:
    reply = json_reply({"error": {"code": 400, "message": "Parameter 'q' missing."}}, 400)
    problem = error(ProviderError, reply, lambda provider: provider.find_place("x"))
    assert problem.message.endswith("(status 400: Parameter 'q' missing).")


def test_osrm_is_asked_with_longitude_first() -> None:
    step = osrm_step("depart", "Pier Road", 700, 500, mode="walking")
    (route,), (request,) = asked(lambda _: json_reply(osrm_route(step)), walk)
    assert route.summary == "Pier Road"
    assert request.path == "/route/v1/driving/45.250000,-12.500000;45.270000,-12.490000"
    assert request.params == {
        "overview": ["full"],
        "geometries": ["polyline6"],
        "steps": ["true"],
        "alternatives": ["false"],
    }


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (json_reply({"code": "NoRoute", "message": "Impossible route between points"}, 400), NoRouteError),
        (
            json_reply({"code": "NoSegment", "message": "Could not find a matching segment"}, 400),
            NoRouteError,
        ),
        (json_reply(osrm_route(osrm_step("depart", "", 9, 9, mode="walking"), snapped_m=9e4)), NoRouteError),
        (json_reply({"code": "TooBig", "message": "Number of entries 200 is higher"}, 400), LimitError),
        (json_reply({"code": "InvalidQuery", "message": "Query string malformed"}, 400), ProviderError),
        (json_reply(osrm_route(osrm_step("depart", "Pier Road", 700, 60, mode="driving"))), ProviderError),
        (Scripted(502, b"<html>Bad gateway</html>"), ProviderError),
    ],
)
def test_refusals_of_osrm(reply: Scripted, kind: type[MapAgentError]) -> None:
    error(kind, reply, walk)


@pytest.mark.parametrize(
    ("ask", "reply"),
    [
        (lambda provider: provider.find_place("x"), json_reply({"unexpected": 1})),
        (lambda provider: provider.find_place("x"), json_reply([{"osm_type": "node", "osm_id": 1}])),
        (cafes, json_reply([])),
        (cafes, json_reply({"version": 0.6})),
        (walk, json_reply({"code": "Ok", "routes": [{}], "waypoints": []})),
        (table, json_reply({"code": "Ok", "durations": [[1]]})),
    ],
)
def test_replies_that_are_not_as_documented(
    ask: Callable[[OsmWebProvider], Awaitable[object]], reply: Scripted
) -> None:
    assert "sent a reply that cannot be read" in error(ProviderError, reply, ask).message


def test_walking_at_the_pace_of_a_car_is_refused() -> None:
    point = {"distance": 1.0, "location": [LNG, LAT]}
    reply = {
        "code": "Ok",
        "durations": [[0, 180]],
        "distances": [[0, 2500]],
        "sources": [point],
        "destinations": [point, point],
    }
    assert "ways of another mode than walking" in error(ProviderError, json_reply(reply), table).message


def test_valhalla_looks_farther_where_it_finds_no_way() -> None:
    nothing = json_reply({"error_code": 442, "error": "No path could be found for input"}, 400)
    with pytest.raises(NoRouteError, match="No path could be found"):
        asked(lambda _: nothing, walk, "valhalla")
    gap = json_reply(
        {"sources_to_targets": [[{"time": None, "distance": None}, {"time": 60, "distance": 0.08}]]}
    )
    way_out = json_reply(
        {"sources_to_targets": [[{"time": 9, "distance": 0.01}, {"time": 99, "distance": 9}]]}
    )
    matrix, requests = asked(in_turn(gap, way_out), table, "valhalla")
    assert [(cell.distance_m, cell.duration_s) for cell in matrix.rows[0]] == [(10, 9), (80, 60)]
    narrow, wide = (json.loads(request.body) for request in requests)
    assert (narrow["costing"], "radius" in narrow["targets"][0]) == ("pedestrian", False)
    assert wide["targets"][0]["radius"] == 200


def reachable(provider: OsmWebProvider) -> Awaitable[Shape]:
    return provider.reach(HERE, within_s=450, mode=ON_FOOT)


def test_valhalla_is_asked_what_is_reached() -> None:
    reply = json_reply(isochrone(block(0.01, 0.005)))
    area, (request,) = asked(lambda _: reply, reachable, "valhalla")
    assert area.kind == "area"
    # There a degree is 108.7 km eastwards and 110.6 km northwards.
    assert area_m2(area) == pytest.approx(2_174 * 1_106, rel=0.01)
    assert (request.method, request.path) == ("POST", "/isochrone")
    body = json.loads(request.body)
    assert (body["costing"], body["contours"], body["polygons"]) == ("pedestrian", [{"time": 7.5}], True)
    assert (body["locations"][0]["lat"], body["locations"][0]["lon"]) == (LAT, LNG)


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        (isochrone(block(8e-4, 8e-4), snapped=False), NoRouteError, "no walking route from -12.500000,45.25"),
        (isochrone(), NoRouteError, "no walking route from"),
        (isochrone([[LNG, LAT], [LNG, "x"]]), ProviderError, "cannot be read"),
        ({"type": "FeatureCollection"}, ProviderError, "cannot be read"),
        ([], ProviderError, "cannot be read"),
    ],
)
def test_areas_of_valhalla_that_are_none(reply: Any, kind: type[MapAgentError], said: str) -> None:
    assert said in error(kind, json_reply(reply), reachable, "valhalla").message


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        (
            json_reply({"error_code": 151, "error": "Exceeded max time: 120"}, 400),
            LimitError,
            "max time: 120",
        ),
        (
            json_reply({"error_code": 171, "error": "No suitable edges"}, 400),
            NoRouteError,
            "No suitable edges",
        ),
        (json_reply({"error_code": 107, "error": "Not Implemented"}, 501), ProviderError, "status 501"),
        (Scripted(429, b"slow down"), ProviderError, "too many requests"),
    ],
)
def test_refusals_of_areas_by_valhalla(reply: Scripted, kind: type[MapAgentError], said: str) -> None:
    assert said in error(kind, reply, reachable, "valhalla").message


def test_osrm_knows_no_areas_and_no_mode_lends_its_own() -> None:
    async def ask(provider: OsmWebProvider) -> None:
        with pytest.raises(UnsupportedError, match="runs OSRM") as caught:
            await reachable(provider)
        assert "Valhalla for walking" in caught.value.remedy
        with pytest.raises(UnsupportedError, match="no server for driving"):
            await provider.reach(HERE, within_s=600, mode=TravelMode.DRIVING)

    assert asked(in_turn(json_reply({})), ask)[1] == []


def test_valhalla_refuses_what_is_too_large() -> None:
    reply = json_reply({"error_code": 150, "error": "Exceeded max locations: 50"}, 400)
    assert "Exceeded max locations: 50" in error(LimitError, reply, walk, "valhalla").message
