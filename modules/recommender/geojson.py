"""A recommendation as GeoJSON (RFC 7946): what was searched, what was found there, what is recommended.

Each feature has a `role`: "area" (what the candidates lie in), "route", "anchor", "candidate" (fulfils the
spatial constraint), "recommended" (with `rank`, and `note`: how far it is and its score).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from map_tools.compute.geodesy import destination
from map_tools.compute.quantities import format_distance
from map_tools.facts import ComputedFact, NearbyFact, PlaceFact, RoutesFact
from map_tools.types import LatLng, NearbyPlace, Place
from mapagent.answer import Answer, NameSet
from mapagent.evidence import Evidence
from modules.recommender.corridor import metres_per_degree
from modules.recommender.searching import SURROUNDINGS, facts_of

AREA, ROUTE, ANCHOR, CANDIDATE, RECOMMENDED = "area", "route", "anchor", "candidate", "recommended"
CIRCLE_SIDES = 64
POINT_ID = "point:"
"""Ids of mere positions, which searches are centred on (`map_tools.tools.resolve`)."""
DIGITS = 6
"""Decimals of a coordinate: 0.1 m."""

type Feature = dict[str, Any]
type Outline = Callable[[str], bytes | None]
"""Gives an area's outline by its place id, as well-known binary in (longitude, latitude); None if unknown."""


def feature_collection(answer: Answer, outline: Outline | None = None) -> Feature:
    """The recommendation as a GeoJSON FeatureCollection; its `attribution` says whose data it is.

    Args:
        answer: Of the recommender.
        outline: The outlines of the map's areas, where there are any.
    """
    search = _Search.of(answer.evidence)
    features = [*search.areas(outline), *search.places(), *_recommended(answer, search)]
    return {"type": "FeatureCollection", "features": features, "attribution": answer.attribution}


@dataclass(frozen=True, slots=True)
class _Search:
    """What was searched: lists of candidates, and the route they lie along, if there is one."""

    lists: tuple[NearbyFact, ...]
    routes: tuple[RoutesFact, ...]
    anchors: tuple[Place, ...]

    @classmethod
    def of(cls, evidence: Sequence[Evidence]) -> "_Search":
        routes = tuple(fact for _, fact in facts_of(evidence, RoutesFact) if fact.routes)
        found = [item for item in evidence if isinstance(item.value, NearbyFact)]
        # Lists that another one is made of (of circles along a way, or around a corner) are only a means.
        means = {origin for item in found for origin in item.derived_from}
        lists = tuple(
            fact
            for name, fact in facts_of(found, NearbyFact)
            if name not in means and fact.what != SURROUNDINGS
        )
        named = (
            item.value.place
            for item in evidence
            if isinstance(item.value, PlaceFact) and item.source.tool not in {"compute", "Nearby"}
        )
        anchors = (fact.anchor_place for fact in lists)
        ends = (place for fact in routes for place in (fact.origin_place, fact.destination_place))
        every = {place.id: place for place in (*named, *anchors, *ends) if place is not None}
        known = (place for place in every.values() if not place.id.startswith(POINT_ID))
        return cls(lists, routes, tuple(known))

    def areas(self, outline: Outline | None) -> Iterator[Feature]:
        """What the candidates lie in, and the route."""
        for fact in self.lists:
            ring = _ring(fact, self.routes, outline)
            if ring:
                yield _feature("Polygon", [ring], AREA, _area_words(fact))
        for route in self.routes:
            line = [_position(point) for point in route.routes[0].geometry]
            yield _feature("LineString", line, ROUTE, f"{route.mode.value} from {route.origin}")

    def places(self) -> Iterator[Feature]:
        """Anchors and candidates."""
        for place in self.anchors:
            yield from _point(place, ANCHOR, place.name)
        for item in self.items():
            yield from _point(item.place, CANDIDATE, item.place.name)

    def items(self) -> Iterable[NearbyPlace]:
        """Each candidate once, as in the first list that has it."""
        every = (item for fact in self.lists for item in fact.items if item.place.name)
        return {item.place.id: item for item in every}.values()


def _recommended(answer: Answer, search: _Search) -> Iterator[Feature]:
    """The places of the answer in its order."""
    places = {
        item.value.query: item.value.place
        for item in answer.evidence
        if isinstance(item.value, PlaceFact) and item.source.tool == "compute"
    }
    scores = {fact.label: fact.value for _, fact in facts_of(answer.evidence, ComputedFact)}
    away = {item.place.id: item.distance_m for item in search.items()}
    names = answer.value.names if isinstance(answer.value, NameSet) else ()
    for rank, name in enumerate((one for one in names if one in places), 1):
        place = places[name]
        metres = away.get(place.id)
        said = ("" if metres is None else format_distance(metres), scores.get(f"score of {name}", ""))
        for feature in _point(place, RECOMMENDED, name):
            feature["properties"] |= {"rank": rank, "note": ", ".join(filter(None, said))}
            yield feature


def _ring(
    fact: NearbyFact, routes: Sequence[RoutesFact], outline: Outline | None
) -> list[list[float]] | None:
    """The edge of what a list was searched in; None if it is not known."""
    if routes:
        return _buffer(routes[0].routes[0].geometry, fact.radius_m or 0.0)
    place = fact.anchor_place
    if fact.inside:
        wkb = outline(place.id) if outline and place else None
        return None if wkb is None else _exterior(wkb)
    if place is None or place.location is None or not fact.radius_m:
        return None
    # Counterclockwise, as RFC 7946 has it.
    turns = (-360.0 * side / CIRCLE_SIDES for side in range(CIRCLE_SIDES))
    ring = [_position(destination(place.location, turn, fact.radius_m)) for turn in turns]
    return [*ring, ring[0]]


def _buffer(way: Sequence[LatLng], radius_m: float) -> list[list[float]] | None:
    """The outer edge of what lies within a distance of a way."""
    import shapely

    if len(way) < 2 or not radius_m:
        return None
    points = np.array([(point.lng, point.lat) for point in way])
    scale = np.array(metres_per_degree(float(points[:, 1].mean())))
    return _ring_of(shapely.LineString(points * scale).buffer(radius_m), 1 / scale)


def _exterior(wkb: bytes) -> list[list[float]] | None:
    """The outer edge of an area, of its largest part where it has several."""
    import shapely

    parts = [part for part in shapely.get_parts(shapely.from_wkb(wkb)) if part.geom_type == "Polygon"]
    largest = max(parts, key=lambda part: part.area, default=None)
    return None if largest is None else _ring_of(largest)


def _ring_of(polygon: Any, scale: Any = 1.0) -> list[list[float]]:
    """The outer edge, counterclockwise as RFC 7946 has it."""
    import shapely

    corners = np.array(shapely.orient_polygons(polygon).exterior.coords)[:, :2]
    ring: list[list[float]] = np.round(corners * scale, DIGITS).tolist()
    return ring


def _area_words(fact: NearbyFact) -> str:
    if fact.inside or not fact.radius_m:
        return fact.anchor
    return f"{format_distance(fact.radius_m)} around {fact.anchor}"


def _point(place: Place, role: str, name: str) -> Iterator[Feature]:
    if place.location is not None:
        yield _feature("Point", _position(place.location), role, name, id=place.id)


def _feature(kind: str, coordinates: Any, role: str, name: str, **more: str) -> Feature:
    return {
        "type": "Feature",
        "geometry": {"type": kind, "coordinates": coordinates},
        "properties": {"role": role, "name": name, **more},
    }


def _position(point: LatLng) -> list[float]:
    """Longitude first (RFC 7946, section 3.1.1)."""
    return [round(point.lng, DIGITS), round(point.lat, DIGITS)]
