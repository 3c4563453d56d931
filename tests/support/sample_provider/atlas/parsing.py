"""Reads the service's replies. Its longitudes come first, its lengths are kilometres, its times minutes."""

from typing import Any

from map_tools.types import Candidate, LatLng, Place, Route, RouteLeg

KINDS = {"coffee": "cafe", "gallery": "museum", "railway": "station", "market": "marketplace"}
"""The service's kinds (https://atlas.example/docs#kinds) as category ids of `map_tools.kinds.concepts`."""


def read_place(hit: dict[str, Any]) -> Place:
    """A place of any of the replies."""
    lon, lat = hit["lonlat"]
    kind = hit["kind"]
    return Place(
        id=hit["id"],
        name=hit["title"],
        location=LatLng(lat=lat, lng=lon),
        categories=(KINDS.get(kind, kind),),
        rating=hit.get("stars"),
    )


def read_candidate(hit: dict[str, Any], away_m: float | None) -> Candidate:
    """A hit of a search; `match` is its score in percent."""
    return Candidate(place=read_place(hit), score=min(hit["match"], 100) / 100, distance_m=away_m)


def read_route(way: dict[str, Any]) -> Route:
    """A way with a leg for each of its parts."""
    legs = tuple(
        RouteLeg(distance_m=1000 * part["km"], duration_s=60 * part["minutes"]) for part in way["parts"]
    )
    return Route(
        summary=way["road"],
        distance_m=sum(leg.distance_m or 0 for leg in legs),
        duration_s=sum(leg.duration_s or 0 for leg in legs),
        legs=legs,
    )
