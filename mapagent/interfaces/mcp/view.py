"""The map of an answer in the conversation: what a host that shows user interfaces gets (MCP Apps, SEP-1865).

A tool names a page (`view.html`), which the host reads as a resource, shows in a frame of its own and tells the tool's
result (https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx). What the page
draws stands in the result's `_meta`, which no model reads: a conversation that is opened again has its maps, when
nothing is kept behind handles any more.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from mcp.server.apps import APP_MIME_TYPE, ResourceCsp
from mcp_types import TextResourceContents

from mapagent.interfaces.takeaway.features import Feature
from mapagent.interfaces.takeaway.findings import Findings

VIEW_URI = "ui://mapagent/map.html"
FEATURES_KEY = "mapagent/features"
"""Where the page finds what it draws."""
TOOL_META: Mapping[str, Any] = {"ui": {"resourceUri": VIEW_URI}}
MOST_FEATURES = 400
"""More of them make no map."""
FINEST = 2_000
"""Into so many parts the longer side of the map is divided: half a pixel of the widest map that is drawn."""


@cache
def view_contents() -> TextResourceContents:
    """The page as a resource; it loads nothing and connects to nothing, so it asks for no origins."""
    nothing = ResourceCsp(connect_domains=[], resource_domains=[], frame_domains=[], base_uri_domains=[])
    return TextResourceContents(
        uri=VIEW_URI,
        mime_type=APP_MIME_TYPE,
        text=files("mapagent.interfaces.mcp").joinpath("view.html").read_text("utf-8"),
        meta={"ui": {"csp": nothing.model_dump(by_alias=True), "prefersBorder": True}},
    )


def result_meta(features: Sequence[Feature]) -> dict[str, Any]:
    """What stands beside a reply for the page: those of an answer's features that matter, as GeoJSON."""
    findings = Findings(title="", text="", attribution="", map=None, features=tuple(features))
    seen = [*_seen(findings)][:MOST_FEATURES]
    return {FEATURES_KEY: _simplified(seen) if seen else []}


def _seen(findings: Findings) -> Iterator[Feature]:
    """What matters, each once: places in the order of the answer, ways, areas, what was searched around."""
    points = tuple(findings.of_role("choice")) or findings.points()
    yield from points
    ways = findings.ways()
    known = [_ends(way) for way in ways if way["properties"]["role"] != "travel"]
    yield from (way for way in ways if way["properties"]["role"] != "travel" or _ends(way) not in known)
    areas = findings.of_role("shape", "circle", "frame")
    yield from {json.dumps(area["geometry"]): area for area in areas}.values()
    spots = {_spot(point) for point in points}
    anchors = {_spot(anchor): anchor for anchor in findings.of_role("anchor")}
    yield from (anchor for spot, anchor in anchors.items() if spot not in spots)


def _spot(point: Feature) -> tuple[float, ...]:
    return tuple(point["geometry"]["coordinates"])


def _ends(way: Feature) -> tuple[Any, ...]:
    return tuple(way["properties"].get(name) for name in ("from", "to", "mode"))


def _simplified(features: Sequence[Feature]) -> list[Feature]:
    """Lines and areas without the bends that cannot be seen on a map that holds all of the features."""
    import numpy as np
    import shapely

    shapes = [shapely.from_geojson(json.dumps(feature["geometry"])) for feature in features]
    longitudes, latitudes = shapely.get_coordinates(shapes).T
    # Around the antimeridian longitudes lie close together when they are counted from 0 to 360.
    wide = min(np.ptp(longitudes), np.ptp(longitudes % 360))
    simple = shapely.simplify(shapes, max(wide, np.ptp(latitudes)) / FINEST)
    return [
        feature | {"geometry": json.loads(text)}
        for feature, text in zip(features, shapely.to_geojson(simple), strict=True)
    ]
