"""The map of an answer in a real browser, in a frame of a small host that speaks the protocol (MCP Apps)."""

import asyncio
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from geographiclib.geodesic import Geodesic

from mapagent.interfaces.mcp.view import FEATURES_KEY, view_contents
from mapagent.runtime.config import Settings
from tests.mapagent.interfaces.mcp.conftest import calling
from tests.support.browser import browser, opened
from tests.support.maps import demo_map

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Frame, Page

POLICY = (
    "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'\">"
)
"""What a host allows a page that asks for nothing; no data URLs either, for the page has no pictures."""
HOST = """<!doctype html><html lang="en"><title>Host</title><body style="margin:0">
<iframe id="view" title="Map" sandbox="allow-scripts" style="width:600px;height:900px;border:0"></iframe>
<script>
const heard = [];
const tell = (message) => view.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
addEventListener("message", ({ data, source }) => {
  if (source !== view.contentWindow) return;
  heard.push(data);
  if (data.method === "ui/initialize") tell({ id: data.id, result: {
    protocolVersion: data.params.protocolVersion, hostInfo: { name: "test", version: "1" },
    hostCapabilities: {}, hostContext: { theme: window.theme, displayMode: "inline" } } });
});
</script>"""
HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
CREDIT = "© OpenStreetMap contributors"
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(22, 24, 26)"


def point(name: str, lng: float, lat: float, role: str = "answer", **more: Any) -> dict[str, Any]:
    geometry = {"type": "Point", "coordinates": [lng, lat]}
    return {"type": "Feature", "geometry": geometry, "properties": {"role": role, "name": name, **more}}


def line(role: str, *positions: list[float], **more: Any) -> dict[str, Any]:
    geometry = {"type": "LineString", "coordinates": list(positions)}
    return {"type": "Feature", "geometry": geometry, "properties": {"role": role, **more}}


SOUTHWEST, NORTHEAST = point("Quay", 24.94, 60.16, kind="cafe"), point("Mill", 24.95, 60.17)
ANCHOR = point("Square", 24.944, 60.166, "anchor")
WAY = {"from": "Quay", "to": "Mill", "mode": "walking", "duration_s": 3900.0, "distance_m": 1234.0}
COURSE = line("route", [24.94, 60.16], [24.94, 60.17], [24.95, 60.17], **WAY)
AREA = {
    "type": "Feature",
    "geometry": {
        "type": "Polygon",
        "coordinates": [[[24.941, 60.161], [24.948, 60.161], [24.948, 60.168], [24.941, 60.161]]],
    },
    "properties": {"role": "shape", "name": "Park"},
}


def result(*features: dict[str, Any], summary: str = "Two places.", **more: Any) -> dict[str, Any]:
    told = {"summary": summary, "warnings": ["Hours may have changed."], "attribution": CREDIT}
    return {
        "content": [{"type": "text", "text": summary}],
        "structuredContent": told,
        "_meta": {FEATURES_KEY: list(features)},
        **more,
    }


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the server tells a host of the cafes around a museum."""
    home: Path = tmp_path_factory.mktemp("data")
    (home / "maps").symlink_to(demo_map().parent)

    async def asked() -> dict[str, Any]:
        async with calling(Settings(data_home=home, map=demo_map().name), apps=True) as call:
            told = await call.client.call_tool(
                "find_nearby", {"query": "cafe", "near": "Ateneum", "radius": 150}
            )
        return told.model_dump(mode="json", by_alias=True, exclude_none=True)

    return asyncio.run(asked())


@pytest.fixture(scope="module")
def chromium(found: dict[str, Any]) -> Iterator["Browser"]:  # Playwright's loop lets no other run
    """A browser; skips without one."""
    with browser() as started:
        yield started


@contextmanager
def hosted(chromium: "Browser", theme: str = "light") -> Iterator[tuple["Page", "Frame"]]:
    """A host with the view in its frame, introduced to each other."""
    with opened(chromium, "about:blank") as page:
        page.set_content(HOST)
        html = view_contents().text.replace("<head>", f"<head>{POLICY}")
        page.evaluate("([html, theme]) => { window.theme = theme; view.srcdoc = html; }", [html, theme])
        heard(page, "ui/notifications/initialized")
        yield page, page.frames[1]


def heard(page: "Page", method: str) -> Any:
    """The last message of this name, once there is one."""
    page.wait_for_function("(method) => heard.some((one) => one.method === method)", arg=method)
    return page.evaluate("(method) => heard.findLast((one) => one.method === method)", method)


def tell(page: "Page", method: str, params: Any, **more: Any) -> None:
    page.evaluate("(message) => tell(message)", {"method": method, "params": params, **more})


def show(page: "Page", told: dict[str, Any]) -> None:
    tell(page, "ui/notifications/tool-input", {"arguments": {}})
    tell(page, "ui/notifications/tool-result", told)
    words = told["content"][0]["text"] if told.get("isError") else told["structuredContent"]["summary"]
    page.frames[1].get_by_role("status").get_by_text(words, exact=True).wait_for()


def spot(frame: "Frame", number: str) -> tuple[float, float]:
    """The middle of a marker's disc in pixels."""
    box = frame.locator(".marker", has_text=re.compile(f"^{number}")).locator("circle").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_host_and_view_meet_and_the_frame_becomes_as_high_as_the_page(chromium: "Browser") -> None:
    with hosted(chromium) as (page, frame):
        hello = heard(page, "ui/initialize")
        assert hello["jsonrpc"] == "2.0"
        assert hello["params"]["protocolVersion"] == "2026-01-26"
        assert set(hello["params"]) == {"protocolVersion", "appInfo", "appCapabilities"}
        tell(page, "ui/notifications/tool-input", {"arguments": {"query": "cafe"}})
        frame.get_by_text("Asking the map…").wait_for()
        show(page, result(SOUTHWEST, NORTHEAST))
        high = frame.evaluate("Math.ceil(document.documentElement.getBoundingClientRect().height)")
        page.wait_for_function("(high) => heard.at(-1).params?.height === high", arg=high)
        tell(page, "ping", {}, id=7)
        tell(page, "ui/resource-teardown", {}, id=8)
        tell(page, "tools/call", {}, id=9)
        page.wait_for_function("heard.at(-1).id === 9")
        replies = page.evaluate("heard.filter((one) => !one.method)")
    assert [reply.get("result") for reply in replies] == [{}, {}, None]
    assert replies[2]["error"]["code"] == -32601, "method not found (JSON-RPC 2.0, 5.1)"


def test_places_ways_and_areas_are_drawn_and_listed(chromium: "Browser") -> None:
    with hosted(chromium) as (page, frame):
        show(page, result(SOUTHWEST, NORTHEAST, COURSE, AREA, ANCHOR))
        first, second = spot(frame, "1"), spot(frame, "2")
        assert frame.get_by_role("img").get_attribute("aria-label") == (
            "Map, north up: 3 places, 1 way, 1 area"
        )
        assert frame.get_by_role("list", name="Places").get_by_role("listitem").all_inner_texts() == [
            "1\nQuay cafe",
            "2\nMill",
            "●\nSquare searched around",
        ]
        assert frame.get_by_role("list", name="Ways").all_inner_texts() == [
            "Quay → Mill · walking · 1 h 5 min · 1.23 km"
        ]
        assert frame.get_by_role("list", name="Notes").all_inner_texts() == ["Hours may have changed."]
        assert frame.get_by_text(CREDIT).is_visible()
        bar_px = frame.locator(".bar").evaluate("(bar) => bar.getBBox().width")
        words = frame.locator(".bar + text").text_content()
        corners = frame.locator(".line").evaluate("(path) => path.getTotalLength()")
    assert first[0] < second[0]
    assert first[1] > second[1]
    assert corners == pytest.approx(second[0] - first[0] + first[1] - second[1], rel=0.01)
    assert words is not None
    away_m = Geodesic.WGS84.Inverse(60.16, 24.94, 60.17, 24.95)["s12"]
    # The sphere of the projection is up to 0.5 % off the ellipsoid.
    shown_m = math.dist(first, second) * float(words.removesuffix(" m")) / bar_px
    assert shown_m == pytest.approx(away_m, rel=0.01)


def test_what_the_server_tells_is_shown(chromium: "Browser", found: dict[str, Any]) -> None:
    with hosted(chromium) as (page, frame):
        show(page, found)
        names = frame.locator(".place").all_inner_texts()
        assert frame.locator(".marker").count() == len(names)
        assert names[2].startswith("3\nRoasberg")
        assert frame.locator(".area").count() == 1
        assert frame.locator("#credit").inner_text() == CREDIT


def test_a_place_is_found_by_keyboard_and_by_pointer(chromium: "Browser") -> None:
    with hosted(chromium) as (page, frame):
        show(page, result(SOUTHWEST, NORTHEAST))
        frame.get_by_role("button", name="1 Quay").focus()
        page.keyboard.press("Tab")
        assert frame.locator("[aria-current]").all_inner_texts() == ["2\nMill"]
        assert frame.locator(".marker.chosen .halo").text_content() == "Mill"
        assert frame.locator(".halo:visible").all_text_contents()[1:] == ["Mill"], "after the scale's"
        frame.locator(".marker", has_text="Quay").click()
        assert frame.locator("[aria-current]").all_inner_texts() == ["1\nQuay cafe"]
        assert frame.evaluate("document.activeElement.innerText") == "1\nQuay cafe"


def test_no_text_of_the_data_becomes_markup(chromium: "Browser") -> None:
    hostile = point(HOSTILE, 24.94, 60.16, kind=HOSTILE, address=HOSTILE, part=HOSTILE, hours=HOSTILE)
    way = COURSE | {"properties": COURSE["properties"] | {"from": HOSTILE, "mode": HOSTILE, "name": HOSTILE}}
    told = result(hostile, ANCHOR | {"properties": {"role": "anchor", "name": HOSTILE}}, way, summary=HOSTILE)
    told["structuredContent"] |= {"warnings": [HOSTILE], "attribution": HOSTILE}
    with hosted(chromium) as (page, frame):
        show(page, told)
        frame.locator(".place").first.focus()
        assert frame.locator(".place").first.inner_text().count(HOSTILE) == 5
        assert frame.locator("img, main script, iframe, a").count() == 0
        assert (frame.title(), page.title()) == ("Map of the answer", "Host")


def test_the_hosts_theme_is_taken_and_followed(chromium: "Browser") -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    with hosted(chromium, "dark") as (page, frame):
        assert frame.evaluate(paper) == DARK, "while the browser prefers light colours"
        tell(page, "ui/notifications/host-context-changed", {"theme": "light"})
        frame.wait_for_function(f"{paper} === '{LIGHT}'")


def test_errors_and_replies_without_a_place_are_told(chromium: "Browser") -> None:
    with hosted(chromium) as (page, frame):
        refused = "No place called 'Atlantis' is on the map."
        show(page, {"content": [{"type": "text", "text": refused}], "isError": True})
        assert frame.get_by_role("img").count() == 0
        show(page, result(summary="42 cafes."))
        assert frame.get_by_text("There is nothing to draw on a map.").is_visible()
        tell(page, "ui/notifications/tool-cancelled", {"reason": "user action"})
        frame.get_by_text("The call was cancelled.").wait_for()


def test_both_sides_of_the_antimeridian_lie_side_by_side(chromium: "Browser") -> None:
    with hosted(chromium) as (page, frame):
        show(page, result(point("West", 179.99, -17.0), point("East", -179.99, -17.0)))
        west, east = spot(frame, "1"), spot(frame, "2")
        words = frame.locator(".bar + text").text_content()
    assert west[0] < east[0]
    # 0.02 degrees are 2.1 km at 17 degrees south, and the bar has a fifth of the map's width at most.
    assert words == "200 m"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(chromium: "Browser", theme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs the group 'browser'")
    with hosted(chromium, theme) as (page, frame):
        show(page, result(SOUTHWEST, NORTHEAST, COURSE, AREA, ANCHOR))
        frame.locator(".place").first.focus()
        violations = axe.Axe().run(frame).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations] == []
