"""What there is to see of an answer, as GeoJSON features (RFC 7946): the page draws them, files are made of them.

Each feature's properties say which evidence it belongs to and its `role`:

    place, anchor, candidate    found, searched around, found by a search
    circle, shape               what was searched; the outline or course of a place, or what the program made of some
    route, alternative          a way with its course, and the other ways that were told beside it; `leg` is its
                                number where it belongs to a trip
    travel                      a way whose course is not known: a straight line between its ends
    visit                       a stay of a trip, with its `number` and `begin` and `end` (ISO 8601); of a place that
                                lies nobody knows where the geometry is null
    answer                      a place that the answer gives; `part` names the part of the answer
    choice                      a place that an ambiguous name may mean, with its `number`
    frame, label                where a picture is, and a name in it

A program that asks only how long a way takes or is gets a cell of a matrix, which has no course. A map would show a
straight line through houses and water, so the course is looked up (`ways_of`): for the picture, and no evidence.
"""

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from map_tools.compute.geodesy import destination
from map_tools.compute.shapes import geometry_of
from map_tools.errors import LimitError, ToolError
from map_tools.facts import (
    NearbyFact,
    PictureFact,
    PictureFrame,
    PlaceFact,
    ReachFact,
    RoutesFact,
    TravelFact,
)
from map_tools.providers.base import ANY_BASE_MAP, Provider
from map_tools.tools.nearby import DEFAULT_RADIUS_M, MAX_RADIUS_M
from map_tools.types import LatLng, Place, Route, Shape
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Evidence, Trip

ANSWER = "answer"
"""Stands for the answer itself where a feature belongs to no single piece of evidence."""
CIRCLE_SIDES = 64
MOST_CANDIDATES = 300
"""Places of one list that are drawn; more than that is no picture any more."""
DIGITS = 6
"""Decimals of a coordinate: 0.1 m."""
EMBEDDED_PROVIDER = "osm"
MOST_WAYS = 6
"""Courses that are drawn; of more ways than that no map makes a picture."""
MOST_LEGS = 24
"""Of a trip, whose ways follow each other, so many."""
type Feature = dict[str, Any]


def evidence_features(evidence: Iterable[Evidence], base_map: str) -> list[Feature]:
    """What there is to draw; nothing where the terms allow it over one certain base map only.

    The page draws over OpenStreetMap data, so what belongs on Google's map alone (their terms of service,
    https://cloud.google.com/maps-platform/terms, "No use with non-Google maps") is not even sent to it.
    """
    if base_map != ANY_BASE_MAP:
        return []
    return [feature for item in evidence for feature in _features(item)]


def answer_features(answer: Answer, ways: Mapping[str, Route]) -> list[Feature]:
    """Everything there is to see of an answer: its evidence, its places, its trip, and the candidates of a name.

    Args:
        answer: The answer.
        ways: The routes, with their course, of ways of which the evidence has the time and the length alone, by
            evidence id.
    """
    if answer.base_map != ANY_BASE_MAP:
        return []
    legs = legs_of(answer)
    features = [
        feature | {"properties": feature["properties"] | legs.get(item.id, {})}
        for item in answer.evidence
        if not isinstance(item.value, TravelFact) or not legs or item.id in legs
        for feature in _features_of(item, answer, ways)
    ]
    visited = {visit.place.id for visit in answer.trip.visits} if answer.trip is not None else set()
    for place in answer.places[:MOST_CANDIDATES]:
        if place.id not in visited:
            features += _place(place, ANSWER, ANSWER)
    for name, part in answer.parts.items():
        for place in part.places[:MOST_CANDIDATES]:
            if place.id not in visited:
                features += _place(place, ANSWER, ANSWER, part=name)
    given = (*answer.places, *(place for part in answer.parts.values() for place in part.places))
    names = {place.id: place.name for place in given}
    for place_id, shape in answer.shapes.items():
        features += _shape(shape, ANSWER, name=names.get(place_id, ""))
    if answer.trip is not None:
        features += _visits(answer.trip)
    for number, candidate in enumerate(answer.candidates, start=1):
        features += _place(candidate.place, ANSWER, "choice", number=str(number))
    return features


def spoken_of(place: Place | None, answer: Answer) -> bool:
    """Whether a place is one that the program names, and no mere position.

    What lies in a made area or along a way is searched in a circle that covers it, around a position that nobody gave:
    how far things are from there is no answer to anything.
    """
    if place is None or not place.id.startswith("point:") or not answer.program:
        return True
    return place.name in answer.program


def legs_of(answer: Answer) -> Mapping[str, Mapping[str, int]]:
    """Which evidence tells a way of the trip, and the number of that way; empty where there is no trip.

    A trip whose order is free rests on the times of all the ways that it might have taken.
    """
    if answer.trip is None:
        return {}
    legs = {
        (_spot(leg.origin), _spot(leg.destination), leg.mode): number
        for number, leg in enumerate(answer.trip.legs, start=1)
    }
    found: dict[str, Mapping[str, int]] = {}
    for item in answer.evidence:
        fact = item.value
        if isinstance(fact, TravelFact | RoutesFact) and fact.origin_place and fact.destination_place:
            number = legs.get((_spot(fact.origin_place), _spot(fact.destination_place), fact.mode))
            if number is not None:
                found[item.id] = {"leg": number}
    return found


async def ways_of(answer: Answer, agent: MapAgent) -> Mapping[str, Route]:
    """The route of each way whose time or length the answer rests on, by evidence id; of a trip those it takes.

    Only the embedded map is asked, where it costs nothing but milliseconds; many ways are not drawn at all.
    """
    legs = legs_of(answer)
    ways = {
        item.id: item.value
        for item in answer.evidence
        if isinstance(item.value, TravelFact) and (not legs or item.id in legs)
    }
    most = MOST_LEGS if legs else MOST_WAYS
    if not ways or len(ways) > most or answer.provider != EMBEDDED_PROVIDER:
        return {}
    provider = agent.open_provider()
    courses = await asyncio.gather(*(_course(fact, provider) for fact in ways.values()))
    return {name: course for name, course in zip(ways, courses, strict=True) if course is not None}


async def _course(fact: TravelFact, provider: Provider) -> Route | None:
    if fact.origin_place is None or fact.destination_place is None or fact.duration_s is None:
        return None
    try:
        routes = await provider.directions(fact.origin_place, fact.destination_place, mode=fact.mode)
    except (ToolError, LimitError):
        return None
    return routes[0] if routes and len(routes[0].geometry) > 1 else None


def _spot(place: Place) -> str:
    """What tells where a place is: "here" has another id in a program than on the map."""
    return place.id if place.location is None else str(place.location)


def _visits(trip: Trip) -> Iterator[Feature]:
    for number, visit in enumerate(trip.visits, start=1):
        times = {"begin": visit.begin, "end": visit.end}
        told = {name: at.isoformat() for name, at in times.items() if at is not None}
        made = _place(visit.place, ANSWER, "visit", number=number, **told)
        yield from made or [_feature(None, ANSWER, "visit", name=visit.place.name, number=number, **told)]


def _features_of(item: Evidence, answer: Answer, ways: Mapping[str, Route]) -> Iterator[Feature]:
    """The features of a piece of an answer's evidence, without those that would tell what nobody asked."""
    if item.id in ways:
        return _way(item, ways[item.id])
    fact = item.value
    if isinstance(fact, NearbyFact) and not spoken_of(fact.anchor_place, answer):
        return _candidates(fact, item.id)
    if isinstance(fact, PlaceFact) and not spoken_of(fact.place, answer):
        return iter(())
    return _features(item)


def _features(item: Evidence) -> Iterator[Feature]:
    fact = item.value
    if isinstance(fact, PlaceFact):
        yield from _place(fact.place, item.id, "place")
        if fact.shape is not None:
            yield from _shape(fact.shape, item.id, name=fact.name)
    elif isinstance(fact, NearbyFact):
        yield from _nearby(fact, item.id)
    elif isinstance(fact, RoutesFact):
        yield from _routes(fact, item.id)
    elif isinstance(fact, TravelFact):
        yield from _travel(fact, item.id)
    elif isinstance(fact, ReachFact):
        yield from _reach(fact, item.id)
    elif isinstance(fact, PictureFact):
        yield from _picture(fact, item.id)


def _way(item: Evidence, route: Route) -> Iterator[Feature]:
    if isinstance(item.value, TravelFact):
        shape = {"type": "LineString", "coordinates": _line(route.geometry)}
        yield _feature(shape, item.id, "route", **_told(item.value, item.value))
        yield from _both_ends(item.value, item.id)


def _nearby(fact: NearbyFact, evidence_id: str) -> Iterator[Feature]:
    center = fact.anchor_place.location if fact.anchor_place else None
    # A list that the source cut is bounded by its length, and a circle nobody spoke of is none to show.
    unbounded = (None, DEFAULT_RADIUS_M, MAX_RADIUS_M)
    bounded = fact.complete and not fact.inside and fact.radius_m not in unbounded
    if center and fact.radius_m and bounded:
        ring = [
            destination(center, -360.0 * side / CIRCLE_SIDES, fact.radius_m) for side in range(CIRCLE_SIDES)
        ]
        shape = {"type": "Polygon", "coordinates": [_line([*ring, ring[0]])]}
        yield _feature(shape, evidence_id, "circle", name=f"{fact.radius_m:.0f} m around {fact.anchor}")
    if fact.anchor_place:
        yield from _place(fact.anchor_place, evidence_id, "anchor")
    yield from _candidates(fact, evidence_id)


def _candidates(fact: NearbyFact, evidence_id: str) -> Iterator[Feature]:
    for item in fact.items[:MOST_CANDIDATES]:
        away = {} if item.distance_m is None or fact.inside else {"distance_m": round(item.distance_m, 1)}
        yield from _place(item.place, evidence_id, "candidate", **away)


def _routes(fact: RoutesFact, evidence_id: str) -> Iterator[Feature]:
    for number, route in enumerate(fact.routes):
        line = route.geometry or _ends(fact)
        if len(line) >= 2:
            shape = {"type": "LineString", "coordinates": _line(line)}
            role = "route" if number == 0 else "alternative"
            yield _feature(shape, evidence_id, role, name=route.summary, **_told(fact, route))
    yield from _both_ends(fact, evidence_id)


def _travel(fact: TravelFact, evidence_id: str) -> Iterator[Feature]:
    line = _ends(fact)
    if len(line) == 2:
        shape = {"type": "LineString", "coordinates": _line(line)}
        yield _feature(shape, evidence_id, "travel", **_told(fact, fact))
    yield from _both_ends(fact, evidence_id)


def _told(fact: RoutesFact | TravelFact, measured: Route | TravelFact) -> dict[str, Any]:
    """A way's ends, mode and measures."""
    measures = {"duration_s": measured.duration_s, "distance_m": measured.distance_m}
    known = {name: round(value, 1) for name, value in measures.items() if value is not None}
    return {"from": fact.origin_name, "to": fact.destination_name, "mode": fact.mode.value, **known}


def _shape(shape: Shape, evidence_id: str, **more: str) -> Iterator[Feature]:
    """An area or a line; areas turn counterclockwise, as RFC 7946 has it."""
    import shapely

    geometry = shapely.orient_polygons(geometry_of(shape))
    if not geometry.is_empty:
        rounded = shapely.transform(geometry, lambda positions: positions.round(DIGITS))
        yield _feature(json.loads(shapely.to_geojson(rounded)), evidence_id, "shape", **more)


def _reach(fact: ReachFact, evidence_id: str) -> Iterator[Feature]:
    name = f"within {fact.within_s / 60:g} min of {fact.origin_name}"
    yield from _shape(fact.shape, evidence_id, name=name, mode=fact.mode.value)
    if fact.origin_place is not None:
        yield from _place(fact.origin_place, evidence_id, "anchor")


def _picture(fact: PictureFact, evidence_id: str) -> Iterator[Feature]:
    if fact.frame is not None:
        shape = {"type": "Polygon", "coordinates": [_line(_box(fact.frame))]}
        yield _feature(shape, evidence_id, "frame", name="The picture's frame")
    for label in fact.labels:
        if label.place is not None:
            yield from _place(label.place, evidence_id, "label")


def _box(frame: PictureFrame) -> list[LatLng]:
    south, west, north, east = frame.south, frame.west, frame.north, frame.east
    corners = ((south, west), (south, east), (north, east), (north, west), (south, west))
    return [LatLng(lat=lat, lng=lng) for lat, lng in corners]


def _ends(fact: RoutesFact | TravelFact) -> tuple[LatLng, ...]:
    places = (fact.origin_place, fact.destination_place)
    return tuple(place.location for place in places if place and place.location)


def _both_ends(fact: RoutesFact | TravelFact, evidence_id: str) -> Iterator[Feature]:
    for place in (fact.origin_place, fact.destination_place):
        if place is not None:
            yield from _place(place, evidence_id, "place")


def _place(place: Place, evidence_id: str, role: str, **more: str | float) -> list[Feature]:
    if place.location is None:
        return []
    shape = {"type": "Point", "coordinates": _line([place.location])[0]}
    kind = place.categories[0].replace("_", " ") if place.categories else ""
    hours = {"hours": place.hours.text} if place.hours is not None else {}
    told = {"name": place.name, "kind": kind, "address": place.address or "", **hours, **more}
    return [_feature(shape, evidence_id, role, **told)]


def _feature(geometry: Mapping[str, Any] | None, evidence_id: str, role: str, **properties: Any) -> Feature:
    return {
        "type": "Feature",
        "geometry": geometry,
        "properties": {"evidence": evidence_id, "role": role, **properties},
    }


def _line(points: Iterable[LatLng]) -> list[list[float]]:
    """Positions as GeoJSON has them: longitude first."""
    return [[round(point.lng, DIGITS), round(point.lat, DIGITS)] for point in points]
