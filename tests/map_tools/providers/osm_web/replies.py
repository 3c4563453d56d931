"""Replies in the documented shapes, of an invented island; longitude and latitude cannot be mistaken.

Nominatim: https://nominatim.org/release-docs/latest/api/Output/; Overpass:
https://wiki.openstreetmap.org/wiki/OSM_JSON; OSRM: https://project-osrm.org/docs/v5.24.0/api/; Valhalla:
https://valhalla.github.io/valhalla/api/isochrone/api-reference/#outputs-of-the-isochrone-service.
"""

from collections.abc import Sequence
from typing import Any

LAT, LNG = -12.5, 45.25

LIGHTHOUSE: dict[str, Any] = {
    "place_id": 100149,
    "licence": "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright",
    "osm_type": "way",
    "osm_id": 90394480,
    "boundingbox": ["-12.5001", "-12.4999", "45.2499", "45.2501"],
    "lat": "-12.5",
    "lon": "45.25",
    "display_name": "Lighthouse Museum, 7, Pier Road, Old Town, Moroni, 97600, Comoros",
    "place_rank": 30,
    "category": "tourism",
    "type": "museum",
    "importance": 0.31,
    "addresstype": "tourism",
    "name": "Lighthouse Museum",
    "address": {
        "tourism": "Lighthouse Museum",
        "house_number": "7",
        "road": "Pier Road",
        "suburb": "Old Town",
        "city": "Moroni",
        "postcode": "97600",
        "country": "Comoros",
        "country_code": "km",
    },
    "extratags": {
        "opening_hours": "Tu-Su 10:00-17:00",
        "wheelchair": "yes",
        "website": "https://lighthouse.invalid",
    },
    "namedetails": {"name": "Lighthouse Museum", "name:fr": "Musée du phare"},
}
TOWN: dict[str, Any] = {
    "place_id": 100150,
    "osm_type": "relation",
    "osm_id": 17,
    "lat": "-12.49",
    "lon": "45.26",
    "display_name": "Moroni, Comoros",
    "place_rank": 16,
    "category": "boundary",
    "type": "administrative",
    "importance": 0.6,
    "addresstype": "city",
    "name": "Moroni",
    "address": {"city": "Moroni", "country": "Comoros", "country_code": "km"},
    "extratags": None,
    "namedetails": {"name": "Moroni"},
}
HOUSE_ON_A_LINE: dict[str, Any] = {
    "place_id": 100151,
    "lat": "-12.5003",
    "lon": "45.2502",
    "display_name": "9, Pier Road, Moroni, 97600, Comoros",
    "category": "place",
    "type": "house",
    "name": "",
    "address": {"house_number": "9", "road": "Pier Road", "city": "Moroni"},
    "extratags": None,
    "namedetails": None,
}


def node(number: int, lat: float, lng: float, **tags: str) -> dict[str, Any]:
    """An element of Overpass that is a point."""
    return {"type": "node", "id": number, "lat": lat, "lon": lng, "tags": tags}


def way(number: int, lat: float, lng: float, **tags: str) -> dict[str, Any]:
    """An element of Overpass with `out center`."""
    return {"type": "way", "id": number, "center": {"lat": lat, "lon": lng}, "nodes": [1, 2], "tags": tags}


def elements(*found: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A reply of Overpass."""
    return {
        "version": 0.6,
        "generator": "Overpass API 0.7.62",
        "osm3s": {"timestamp_osm_base": "2026-01-01T00:00:00Z", "copyright": "..."},
        "elements": list(found),
        **more,
    }


def osrm_step(kind: str, name: str, metres: float, seconds: float, **more: Any) -> dict[str, Any]:
    """A step; `modifier` and `exit` belong to its manoeuvre."""
    maneuver = {"type": kind, "location": [LNG, LAT], "bearing_before": 0, "bearing_after": 90}
    maneuver |= {key: more.pop(key) for key in ("modifier", "exit") if key in more}
    return {
        "distance": metres,
        "duration": seconds,
        "weight": seconds,
        "name": name,
        "mode": "driving",
        "driving_side": "right",
        "geometry": "",
        "intersections": [],
        "maneuver": maneuver,
        **more,
    }


def osrm_route(*steps: dict[str, Any], snapped_m: float = 3.2) -> dict[str, Any]:
    """A reply of OSRM with one leg. The geometry is the documentation's example with six digits."""
    metres, seconds = sum(step["distance"] for step in steps), sum(step["duration"] for step in steps)
    leg = {"distance": metres, "duration": seconds, "weight": seconds, "summary": "", "steps": list(steps)}
    point = {"hint": "", "distance": snapped_m, "name": "Pier Road", "location": [LNG, LAT]}
    route = {
        "distance": metres,
        "duration": seconds,
        "weight": seconds,
        "weight_name": "routability",
        # (38.5, -120.2), (40.7, -120.95), (43.252, -126.453) by the published algorithm, six digits
        "geometry": "_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI",
        "legs": [leg],
    }
    return {"code": "Ok", "routes": [route], "waypoints": [point, point]}


def block(half_lng: float, half_lat: float) -> list[list[float]]:
    """A ring about the lighthouse, by its half sides in degrees."""
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))
    return [[LNG + x * half_lng, LAT + y * half_lat] for x, y in corners]


def isochrone(*rings: Sequence[Sequence[Any]], snapped: bool = True) -> dict[str, Any]:
    """A reply of Valhalla with `show_locations`; `snapped`: a road is near the start."""
    return {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "properties": {"contour": 7.5, "metric": "time"},
                "geometry": {"type": "Polygon", "coordinates": list(rings)},
            },
            {
                "type": "Feature",
                "properties": {"type": "snapped", "location_index": 0},
                "geometry": {"type": "MultiPoint", "coordinates": [[LNG, LAT]] if snapped else []},
            },
            {
                "type": "Feature",
                "properties": {"type": "input", "location_index": 0},
                "geometry": {"type": "Point", "coordinates": [LNG, LAT]},
            },
        ],
    }
