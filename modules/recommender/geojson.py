"""A recommendation as GeoJSON (RFC 7946): what was searched, what was found there, what is recommended.

Each feature has a `role`: "area" (what the candidates lie in), "route" (the way or street they lie along),
"anchor", "candidate" (fulfils the spatial constraint), "recommended" (with `rank`, and `note`: how far it is and
its score).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from map_tools.compute import shapes
from map_tools.compute.geodesy import destination
from map_tools.compute.measures import format_distance
from map_tools.facts import ComputedFact, NearbyFact, PlaceFact
from map_tools.types import LatLng, Place, Shape
from mapagent.core.answer import Answer, Evidence
from modules.query.operators.recommend import MODULE
from modules.recommender.retrieve import SURROUNDINGS, facts_of
from modules.recommender.work import labels

AREA, ROUTE, ANCHOR, CANDIDATE, RECOMMENDED = "area", "route", "anchor", "candidate", "recommended"
CIRCLE_SIDES = 64
POINT_ID = "point:"
"""Ids of mere positions, which searches are centred on (`map_tools.tools.resolve`)."""
DIGITS = 6
"""Decimals of a coordinate: 0.1 m."""

type Feature = dict[str, Any]
type Outline = Callable[[str], bytes | None]
"""Gives an area's outline by its place id, as well-known binary in (longitude, latitude); None if unknown."""
type Ring = list[list[float]]


def recommends(answer: Answer) -> bool:
    """Whether an answer rests on a recommendation."""
    return any(item.source.tool == MODULE for item in answer.evidence)


def feature_collection(answer: Answer, outline: Outline | None = None) -> Feature:
    """The recommendation as a GeoJSON FeatureCollection; its `attribution` says whose data it is.

    Args:
        answer: Of a program that recommends.
        outline: The outlines of the map's areas, where there are any.
    """
    search = _Search.of(answer.evidence)
    features = [*search.areas(outline), *search.places(), *_recommended(answer, search)]
    return {"type": "FeatureCollection", "features": features, "attribution": answer.attribution}


@dataclass(frozen=True, slots=True)
class _Search:
    """What was searched.

    Attributes:
        listed: What lies as wished.
        lists: What the map tool listed, in circles and areas.
        made: What was measured from and no map holds: an area or course that the program has made.
        anchors: The places that were measured from.
    """

    listed: NearbyFact | None
    lists: tuple[NearbyFact, ...]
    made: PlaceFact | None
    anchors: tuple[Place, ...]

    @classmethod
    def of(cls, evidence: Sequence[Evidence]) -> "_Search":
        own = [item for item in evidence if item.source.tool == MODULE]
        tools = [item for item in evidence if item.source.tool != MODULE]
        lists = tuple(fact for _, fact in facts_of(tools, NearbyFact) if fact.what != SURROUNDINGS)
        # A search repeats the place it is centred on; other look-ups are the program's own.
        looked_up = [item for item in tools if item.source.tool != "Nearby"]
        known = (
            *(fact.place for _, fact in facts_of(looked_up, PlaceFact) if fact.shape is None),
            *(fact.anchor_place for fact in lists),
        )
        every = {place.id: place for place in known if place is not None}
        anchors = (place for place in every.values() if not place.id.startswith(POINT_ID))
        listed = next((fact for _, fact in facts_of(own, NearbyFact)), None)
        made = next((fact for _, fact in facts_of(own, PlaceFact)), None)
        return cls(listed, lists, made, tuple(anchors))

    def areas(self, outline: Outline | None) -> Iterator[Feature]:
        """What the candidates lie in, and the way they lie along."""
        if self.made is None or self.made.shape is None:
            for fact in self.lists:
                name = fact.anchor_place.name if fact.anchor_place else fact.anchor
                yield from _area(_ring(fact, outline), name if fact.inside else _reach(fact.radius_m, name))
            return
        shape, radius_m = self.made.shape, self.listed.radius_m if self.listed is not None else None
        reached = shapes.buffer_m(shape, radius_m) if radius_m else shape
        yield from _area(_exterior(shapes.geometry_of(reached)), _reach(radius_m, self.made.query))
        if shape.kind == "line":
            yield from _course(shape, self.made.query)

    def places(self) -> Iterator[Feature]:
        """Anchors and candidates."""
        for place in self.anchors:
            yield from _point(place, ANCHOR, place.name)
        for item in self.listed.items if self.listed is not None else ():
            yield from _point(item.place, CANDIDATE, item.place.name)


def _recommended(answer: Answer, search: _Search) -> Iterator[Feature]:
    """The places of the answer in its order."""
    scores = {fact.label: fact.value for _, fact in facts_of(answer.evidence, ComputedFact)}
    items = search.listed.items if search.listed is not None else ()
    away_m = {item.place.id: item.distance_m for item in items}
    chosen = [place for place in answer.places if place.id in away_m]
    for rank, (place, name) in enumerate(zip(chosen, labels(chosen), strict=True), 1):
        metres = away_m[place.id]
        said = ("" if metres is None else format_distance(metres), scores.get(f"score of {name}", ""))
        for feature in _point(place, RECOMMENDED, name):
            feature["properties"] |= {"rank": rank, "note": ", ".join(filter(None, said))}
            yield feature


def _ring(fact: NearbyFact, outline: Outline | None) -> Ring | None:
    """The edge of what a list was searched in; None if it is not known."""
    import shapely

    place = fact.anchor_place
    if fact.inside:
        wkb = outline(place.id) if outline and place else None
        return None if wkb is None else _exterior(shapely.from_wkb(wkb))
    if place is None or place.location is None or not fact.radius_m:
        return None
    # Counterclockwise, as RFC 7946 has it.
    turns = (-360.0 * side / CIRCLE_SIDES for side in range(CIRCLE_SIDES))
    ring = [_position(destination(place.location, turn, fact.radius_m)) for turn in turns]
    return [*ring, ring[0]]


def _course(shape: Shape, name: str) -> Iterator[Feature]:
    """A way or street, each of its pieces."""
    import shapely

    for piece in shapely.get_parts(shapes.geometry_of(shape)):
        line = np.round(shapely.get_coordinates(piece), DIGITS).tolist()
        yield _feature("LineString", line, ROUTE, name)


def _exterior(geometry: Any) -> Ring | None:
    """The outer edge of an area, of its largest part where it has several; counterclockwise."""
    import shapely

    parts = [part for part in shapely.get_parts(geometry) if part.geom_type == "Polygon"]
    largest = max(parts, key=lambda part: part.area, default=None)
    if largest is None:
        return None
    corners = np.array(shapely.orient_polygons(largest).exterior.coords)[:, :2]
    ring: Ring = np.round(corners, DIGITS).tolist()
    return ring


def _reach(radius_m: float | None, name: str) -> str:
    return f"{format_distance(radius_m)} around {name}" if radius_m else name


def _area(ring: Ring | None, name: str) -> Iterator[Feature]:
    if ring:
        yield _feature("Polygon", [ring], AREA, name)


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
