"""The map of an answer for hosts that show user interfaces: who gets it, and what stands beside a reply."""

import math
from typing import Any

import pytest
import shapely
from mcp.shared.exceptions import MCPError

from mapagent.interfaces.mcp.view import FEATURES_KEY, VIEW_URI, result_meta
from mapagent.runtime.config import Settings
from tests.mapagent.interfaces.mcp.conftest import calling, text_of
from tests.mapagent.interfaces.mcp.test_own_places import OWN

pytestmark = pytest.mark.anyio

NOT_DRAWN = {"resolve_place", "query_map_data", "locate_map_image"}
CAFES: dict[str, Any] = {"query": "cafe", "near": "Ateneum", "radius": 150}
WALK = 'answer(travel("Ateneum", "Kiasma", "walk").duration)'
LARGEST_BYTES = 40_000


def feature(role: str, geometry: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "Feature", "geometry": geometry, "properties": {"evidence": "e1", "role": role, **more}}


def line(positions: list[tuple[float, float]], role: str = "route") -> dict[str, Any]:
    ends = {"from": "A", "to": "B", "mode": "walking"}
    return feature(role, {"type": "LineString", "coordinates": positions}, **ends)


def drawn(*features: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = result_meta(features)[FEATURES_KEY]
    return found


async def test_only_who_shows_interfaces_is_told_of_one(harbour: Settings) -> None:
    async with calling(harbour) as call:
        plain = (await call.client.list_tools()).tools
    async with calling(harbour, apps=True) as call:
        shown = (await call.client.list_tools()).tools
    assert [tool.meta for tool in plain] == [None] * 10
    expected = {"ui": {"resourceUri": "ui://mapagent/map.html"}}
    assert {tool.name for tool in shown if tool.meta == expected} == {tool.name for tool in plain} - NOT_DRAWN
    assert [tool.model_copy(update={"meta": None}) for tool in shown] == plain, "nothing else differs"


async def test_the_page_is_small_and_asks_for_nothing(harbour: Settings) -> None:
    async with calling(harbour, apps=True) as call:
        (page,) = (await call.client.read_resource("ui://mapagent/map.html")).contents
    assert page.mime_type == "text/html;profile=mcp-app"
    assert len(page.text.encode()) <= LARGEST_BYTES  # type: ignore[union-attr]
    assert page.meta is not None
    origins = page.meta["ui"]["csp"]
    assert set(origins) == {"connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"}
    assert not any(origins.values())
    assert "permissions" not in page.meta["ui"]


async def test_for_others_there_is_no_page(harbour: Settings) -> None:
    async with calling(harbour) as call:
        with pytest.raises(MCPError, match="There is no result"):
            await call.client.read_resource(VIEW_URI)


async def test_a_reply_is_the_same_with_a_map_beside_it(helsinki: Settings) -> None:
    async with calling(helsinki) as call:
        plain = await call.client.call_tool("find_nearby", CAFES)
    async with calling(helsinki, apps=True) as call:
        shown = await call.client.call_tool("find_nearby", CAFES)
    assert FEATURES_KEY not in (plain.meta or {})
    assert text_of(shown) == text_of(plain)
    told: list[dict[str, Any]] = [
        result.structured_content | {"handle": "of its own"} for result in (plain, shown)
    ]
    assert told[0] == told[1]
    features = (shown.meta or {})[FEATURES_KEY]
    answers = [one for one in features if one["properties"]["role"] == "answer"]
    listed = [(place["name"], place["lng"], place["lat"]) for place in told[0]["places"]]
    assert len(listed) == 6, "as many cafes of the demo extract lie within 150 m of Ateneum"
    positions = [[round(degrees, 5) for degrees in one["geometry"]["coordinates"]] for one in answers[:6]]
    assert [
        (one["properties"]["name"], *spot) for one, spot in zip(answers, positions, strict=False)
    ] == listed
    assert [one["properties"]["role"] for one in features].count("circle") == 1


async def test_a_way_whose_time_was_asked_has_its_course(helsinki: Settings) -> None:
    async with calling(helsinki, apps=True) as call:
        shown = await call.client.call_tool("run_query", {"program": WALK})
    features = (shown.meta or {})[FEATURES_KEY]
    (way,) = (one for one in features if one["geometry"]["type"] == "LineString")
    assert way["properties"]["role"] == "route"
    assert len(way["geometry"]["coordinates"]) > 2


async def test_where_the_users_own_places_are_is_not_sent(helsinki: Settings) -> None:
    async with calling(helsinki, own=OWN, apps=True) as call:
        shown = await call.client.call_tool("find_nearby", {"query": "cafe", "near": "home"})
    assert not shown.is_error
    assert FEATURES_KEY not in (shown.meta or {})


def test_a_way_is_drawn_once_and_by_its_course() -> None:
    course, straight = (
        line([(24.0, 60.0), (24.1, 60.1), (24.2, 60.0)]),
        line([(24.0, 60.0), (24.2, 60.0)], "travel"),
    )
    back = line([(24.2, 60.0), (24.0, 60.0)], "travel")
    back["properties"] |= {"from": "B", "to": "A"}
    roles = [(one["properties"]["role"], one["properties"]["from"]) for one in drawn(straight, course, back)]
    assert sorted(roles) == [("route", "A"), ("travel", "B")]


def test_candidates_of_a_name_are_drawn_alone() -> None:
    spots = {"choice": [24.0, 60.0], "candidate": [24.1, 60.0], "anchor": [24.2, 60.0]}
    given = [feature(role, {"type": "Point", "coordinates": spot}, name=role) for role, spot in spots.items()]
    assert [one["properties"]["role"] for one in drawn(*given)] == ["choice", "anchor"]


def test_bends_that_nobody_sees_are_left_out() -> None:
    turns = [2 * math.pi * step / 20_000 for step in range(20_000)]
    circle = [(24 + 0.1 * math.cos(turn), 60 + 0.1 * math.sin(turn)) for turn in turns]
    (simple,) = drawn(line(circle))
    left = simple["geometry"]["coordinates"]
    assert 20 < len(left) < 1_000
    off = shapely.hausdorff_distance(shapely.LineString(left), shapely.LineString(circle))
    assert off <= 0.2 / 2_000


def test_a_way_across_the_antimeridian_keeps_its_bends() -> None:
    bent = [(179.99, -17.0), (179.995, -17.005), (179.999, -17.0), (-179.999, -17.0), (-179.99, -17.005)]
    (simple,) = drawn(line(bent))
    assert simple["geometry"]["coordinates"] == [list(position) for position in bent]


def test_nothing_to_see_is_no_error() -> None:
    assert drawn() == []
