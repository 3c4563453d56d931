"""Stands in for the service where there is no network and no key: replies in its documented shape."""

import asyncio
from itertools import pairwise
from typing import Any

from map_tools.compute.geodesy import distance_m
from map_tools.types import LatLng

HITS: tuple[dict[str, Any], ...] = (
    {"id": "a1", "title": "Lighthouse Museum", "lonlat": [130.75, -12.5], "kind": "gallery", "stars": 4.6},
    {"id": "a2", "title": "Old Station", "lonlat": [130.77, -12.49], "kind": "railway"},
    {"id": "a3", "title": "Quay Coffee", "lonlat": [130.753, -12.502], "kind": "coffee"},
    {"id": "a4", "title": "Tide Cafe", "lonlat": [130.751, -12.501], "kind": "coffee", "stars": 4.1},
    {"id": "a5", "title": "Harbour View", "lonlat": [130.746, -12.497], "kind": "coffee"},
    {"id": "a6", "title": "Fish Market", "lonlat": [130.762, -12.496], "kind": "market"},
)
METRES_A_MINUTE = {"foot": 80.0, "car": 500.0}
DETOUR = 1.3
FARTHEST_KM = 50.0


class StandIn:
    """Answers as the service's documentation says."""

    async def get(self, path: str, **params: str) -> Any:
        """The reply to a request; None for what there is not."""
        await asyncio.sleep(0)
        if path.startswith("places/"):
            return next((hit for hit in HITS if path == f"places/{hit['id']}"), None)
        if path == "search":
            return {"hits": _search(params["q"].lower())}
        if path == "around":
            return {"hits": _around(params)}
        return {"ways": _ways(params)}

    async def close(self) -> None:
        """Nothing is held."""


def _search(words: str) -> list[dict[str, Any]]:
    found = [hit for hit in HITS if words and words in hit["title"].lower()]
    return [{**hit, "match": round(100 * len(words) / len(hit["title"]))} for hit in found]


def _around(params: dict[str, str]) -> list[dict[str, Any]]:
    center, reach_km = _point(params["at"]), float(params["km"])
    return [
        hit
        for hit in HITS
        if _km(center, hit["lonlat"]) <= reach_km
        and hit["kind"] in params.get("kind", hit["kind"])
        and params.get("text", "").lower() in hit["title"].lower()
    ]


def _ways(params: dict[str, str]) -> list[dict[str, Any]]:
    stops = [_point(text) for text in params["stops"].split(";")]
    lengths = [DETOUR * _km(a, b) for a, b in pairwise(stops)]
    if max(lengths) > FARTHEST_KM:
        return []
    pace = METRES_A_MINUTE[params["profile"]]
    parts = [{"km": km, "minutes": 1000 * km / pace} for km in lengths]
    return [{"road": "Pier Road", "parts": parts}]


def _point(text: str) -> list[float]:
    lon, lat = text.split(",")
    return [float(lon), float(lat)]


def _km(a: list[float], b: list[float]) -> float:
    return distance_m(LatLng(lat=a[1], lng=a[0]), LatLng(lat=b[1], lng=b[0])) / 1000
