"""Tools that programs call and models are not shown: reach, departures, names and lists of a spatial database, shapes.

`ResolveLocation` has the name of Geo-ReAct's tool that does the same (section 4.1.2); `SearchFeatures` is
what its GetPOIFilter and CalculateMetric do together where a list is wanted. `Reach` finds the area that can be
reached from a place within a time, with places by which it can be checked.
"""

import asyncio
import math
from statistics import mean
from typing import ClassVar

from pydantic import Field

from map_tools.compute import geodesy, shapes
from map_tools.compute.shape_text import parse_position
from map_tools.errors import LimitError, PlaceNotFoundError, ToolError, UnsupportedError
from map_tools.facts import DeparturesFact, Fact, FailureFact, NearbyFact, PlaceFact, ReachFact, ReachSample
from map_tools.providers.base import (
    Bounded,
    HasShapes,
    Provider,
    Spot,
    TellsDepartures,
    TellsReach,
    position_of,
)
from map_tools.spatial_db.port import FeatureSearch, Relation, SearchesFeatures
from map_tools.text import normalise
from map_tools.tools.base import HERE_WORDS, LocalTime, ToolContext, TravelParameters, failure_of, moment_of
from map_tools.tools.own import shape_of, spot_of
from map_tools.tools.resolve import resolve
from map_tools.types import (
    ID_PREFIX,
    Frozen,
    LatLng,
    Mode,
    Place,
    Shape,
    TravelMode,
    is_of_no_map,
    is_own,
)

DIRECTIONS = 12
"""So many directions are looked in for places to check the area by."""

SAMPLED_AT = (0.6, 1.4)
"""... at these parts of the way to the edge: clearly before it, and clearly beyond."""

AROUND_SHARE, AROUND_M = 0.2, 60.0
"""A place this close to such a point will do, as a part of the way to the edge or in metres."""

MAP_END_M = 100.0
"""An area that comes this close to the box of the map ends because the map does."""


class DeparturesParameters(Frozen):
    """Arguments of Departures."""

    stop: str = Field(description="The stop or station.", min_length=1)
    at: LocalTime = Field("", description="From when on: local time as ISO 8601; left out: now.")


class Departures:
    """Finds what leaves from a stop."""

    name: ClassVar[str] = "Departures"
    description: ClassVar[str] = "Finds the next departures from a stop of public transport."
    parameters: ClassVar[type[Frozen]] = DeparturesParameters

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """A `PlaceFact` for the stop and a `DeparturesFact`, or a `FailureFact` about the stop."""
        wanted = DeparturesParameters.model_validate(arguments)
        try:
            found = await resolve(wanted.stop, provider, context)
            ambiguity = found.ambiguity()
            if ambiguity is not None:
                return (found.fact(), ambiguity)
            if not isinstance(provider, TellsDepartures):
                raise UnsupportedError(f"The provider '{provider.name}' has no timetables.")
            rides, complete = await provider.departures(found.place, at=moment_of(wanted.at))
        except (ToolError, LimitError) as error:
            return (failure_of(error, wanted.stop),)
        return (
            found.fact(),
            DeparturesFact(stop=wanted.stop, stop_place=found.place, rides=rides, complete=complete),
        )


class ReachParameters(TravelParameters):
    """Arguments of Reach; `mode` is accepted for `travel_mode`."""

    origin: str = Field(description="Where one starts.", min_length=1)
    within_s: float = Field(description="How long one travels, in seconds.", gt=0, allow_inf_nan=False)
    travel_mode: Mode = Field(TravelMode.WALKING, description="driving, walking, bicycling or transit.")


class Reach:
    """Finds the area that can be reached within a time."""

    name: ClassVar[str] = "Reach"
    description: ClassVar[str] = "Finds the area that can be reached from an origin within a travel time."
    parameters: ClassVar[type[Frozen]] = ReachParameters

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """A `PlaceFact` for the origin and a `ReachFact`, or a `FailureFact` about the origin."""
        wanted = ReachParameters.model_validate(arguments)
        try:
            found = await resolve(wanted.origin, provider, context)
            ambiguity = found.ambiguity()
            if ambiguity is not None:
                return (found.fact(), ambiguity)
            if not isinstance(provider, TellsReach):
                raise UnsupportedError(
                    f"The provider '{provider.name}' does not tell what can be reached within a time.",
                    "Compare travel times of single places instead.",
                )
            shape = await provider.reach(
                spot_of(found.place), within_s=wanted.within_s, mode=wanted.travel_mode
            )
            samples = await _samples(found.place, shape, wanted.travel_mode, provider)
        except (ToolError, LimitError) as error:
            return (failure_of(error, wanted.origin),)
        fact = ReachFact(
            origin=wanted.origin,
            mode=wanted.travel_mode,
            within_s=wanted.within_s,
            shape=shape,
            samples=samples,
            cut=isinstance(provider, Bounded) and _comes_to_the_end(shape, provider),
            origin_place=found.place,
        )
        return (found.fact(), fact)


class LocationParameters(Frozen):
    """Arguments of ResolveLocation: words, and what they must be."""

    location: str = Field(description="A name, perhaps with city and state behind commas.", min_length=1)
    region: bool = Field(default=False, description="Something with an outline is wanted.")
    inside: str = Field("", description="The area that it lies in.")
    kind: tuple[str, ...] = Field((), description="Category ids, one of which it has.")


class ResolveLocation:
    """Finds all places that words can mean: which one is meant is not guessed here."""

    name: ClassVar[str] = "ResolveLocation"
    description: ClassVar[str] = "Maps the name or the id of a place to all places that it can mean."
    parameters: ClassVar[type[Frozen]] = LocationParameters

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """One `PlaceFact`, whose rivals are the other places of the name; or one `FailureFact`."""
        asked = LocationParameters.model_validate(arguments)
        words = asked.location
        try:
            if _is_fixed(words) or context.own.called(words) is not None:
                return (
                    (await resolve(words, provider, context, wanted="area" if asked.region else "")).fact(),
                )
            found = await _database(provider).named(words, region=asked.region)
            places = await _inside(asked.inside, found.places, provider, context)
        except (ToolError, LimitError) as error:
            return (failure_of(error, words),)
        if asked.kind:
            places = tuple(one for one in places if not set(asked.kind).isdisjoint(one.categories))
        if not places:
            return (failure_of(PlaceNotFoundError(f"Nothing like this is called '{words}' here."), words),)
        first, *others = places
        return (PlaceFact(query=words, place=first, score=1.0 if found.exact else 0.9, rivals=tuple(others)),)


class SearchParameters(Frozen):
    """Arguments of SearchFeatures (`FeatureSearch`); places are given as in all map tools."""

    query: str
    location: str = Field("", description="The spot or area; empty for everything.")
    relation: Relation = "around"
    outline: str = Field("", description="The area as well-known text, instead of a location.")
    radius: float | None = Field(None, gt=0)
    sector: tuple[float, float] | None = None
    limit: int | None = Field(None, ge=1)


class SearchFeatures:
    """Lists all features of a kind around a spot, inside an area, or reaching into it."""

    name: ClassVar[str] = "SearchFeatures"
    description: ClassVar[str] = (
        "Lists all features of a kind around a spot, inside an area or reaching into it."
    )
    parameters: ClassVar[type[Frozen]] = SearchParameters

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """One `NearbyFact`, whose categories are empty where the words are a name; or one `FailureFact`."""
        asked = SearchParameters.model_validate(arguments)
        try:
            anchor = (await resolve(asked.location, provider, context)).place if asked.location else None
            if anchor is not None and is_own(anchor.id) and asked.relation != "around":
                raise UnsupportedError(f"'{anchor.name}' is a place of your own, a point without an outline.")
            area = anchor.id if anchor is not None else Shape(kind="area", wkt=asked.outline)
            found = await _database(provider).features(
                FeatureSearch(
                    words=asked.query,
                    relation=asked.relation,
                    center=_spot(anchor),
                    area=None if asked.relation == "around" else area,
                    radius_m=asked.radius,
                    sector=asked.sector,
                    limit=asked.limit,
                )
            )
        except (ToolError, LimitError) as error:
            return (failure_of(error, asked.location or asked.query),)
        around = asked.relation == "around"
        return (
            NearbyFact(
                anchor=asked.location,
                anchor_place=anchor,
                what=asked.query,
                categories=found.kinds,
                radius_m=asked.radius,
                inside=not around,
                items=found.items,
                sorted_by_distance=around and anchor is not None,
                complete=found.complete,
            ),
        )


class ShapesParameters(Frozen):
    """Arguments of Shapes."""

    locations: tuple[str, ...] = Field(min_length=1)


class Shapes:
    """Looks up the outlines or courses of several places at once."""

    name: ClassVar[str] = "Shapes"
    description: ClassVar[str] = "Looks up the outlines of areas and the courses of lines, several at once."
    parameters: ClassVar[type[Frozen]] = ShapesParameters

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """For each location a `PlaceFact` with its shape, or a `FailureFact` about it."""
        asked = ShapesParameters.model_validate(arguments)
        return tuple(await asyncio.gather(*(_shaped(one, provider, context) for one in asked.locations)))


async def _samples(
    origin: Place, shape: Shape, mode: TravelMode, provider: Provider
) -> tuple[ReachSample, ...]:
    """Places on both sides of the edge, all around, with the times of a matrix, which knows nothing of areas."""
    if not provider.capabilities.nearby:
        return ()
    start = position_of(origin)
    places: dict[str, Place] = {}
    for found in await asyncio.gather(
        *(
            provider.nearby(point, radius_m=max(AROUND_M, AROUND_SHARE * edge_m), limit=1)
            for point, edge_m in _points(start, shape)
        )
    ):
        places |= {item.place.id: item.place for item in found if item.place.location is not None}
    places.pop(origin.id, None)
    if not places:
        return ()
    (times,) = (await provider.matrix((spot_of(origin),), tuple(places.values()), mode=mode)).rows
    return tuple(
        ReachSample(
            place=Place(id=one.id, name=one.name, location=one.location, categories=one.categories),
            duration_s=cell.duration_s,
        )
        for one, cell in zip(places.values(), times, strict=True)
    )


def _points(start: LatLng, shape: Shape) -> list[tuple[LatLng, float]]:
    """Points on both sides of the edge in all directions, each with how far off the edge is there.

    Where the area does not lie in a direction the edge is taken to be as far off as in the others.
    """
    far_m = _farthest_m(start, shape)
    edges_m: dict[float, float | None] = {}
    for number in range(DIRECTIONS):
        bearing = 360.0 * number / DIRECTIONS
        end = geodesy.destination(start, bearing, far_m)
        ray = Shape(kind="line", wkt=f"LINESTRING ({start.lng} {start.lat}, {end.lng} {end.lat})")
        within = shapes.clip(ray, shape)
        edges_m[bearing] = None if within is None else _farthest_m(start, within)
    told = [edge_m for edge_m in edges_m.values() if edge_m is not None]
    return [
        (geodesy.destination(start, bearing, part * length_m), length_m)
        for bearing, edge_m in edges_m.items()
        for part in SAMPLED_AT
        if told and (length_m := mean(told) if edge_m is None else edge_m)
    ]


def _farthest_m(start: LatLng, shape: Shape) -> float:
    """How far off the farthest corner of the box around a shape is."""
    box = shapes.bounds(shape)
    corners = [LatLng(lat=lat, lng=lng) for lat in (box.south, box.north) for lng in (box.west, box.east)]
    return max(geodesy.distance_m(start, corner) for corner in corners)


def _comes_to_the_end(shape: Shape, map_: Bounded) -> bool:
    """Whether an area comes up to the box that a map covers."""
    extent = map_.extent
    if extent is None:
        return False
    box = shapes.bounds(shape)
    step = 1.0 if box.center.lat < 0 else -1.0
    north_m = geodesy.distance_m(box.center, box.center.model_copy(update={"lat": box.center.lat + step}))
    east_m = north_m * math.cos(math.radians(box.center.lat))
    gaps_m = (
        (box.south - extent.south) * north_m,
        (extent.north - box.north) * north_m,
        (box.west - extent.west) * east_m,
        (extent.east - box.east) * east_m,
    )
    return min(gaps_m) < MAP_END_M


async def _shaped(location: str, provider: Provider, context: ToolContext) -> PlaceFact | FailureFact:
    try:
        found = await resolve(location, provider, context)
        shape = await shape_of(found.place, provider)
    except (ToolError, LimitError) as error:
        return failure_of(error, location)
    return found.fact().model_copy(update={"shape": shape})


def _is_fixed(words: str) -> bool:
    """Whether the words are an id, a position, or the user's own."""
    return words.startswith(ID_PREFIX) or normalise(words) in HERE_WORDS or parse_position(words) is not None


def _database(provider: Provider) -> SearchesFeatures:
    if not isinstance(provider, SearchesFeatures):
        raise UnsupportedError(
            f"The provider '{provider.name}' is no spatial database.", "Use the map tools."
        )
    return provider


def _spot(anchor: Place | None) -> Spot | None:
    """A bare position where the anchor is no place of the map."""
    if anchor is None or anchor.location is None or not is_of_no_map(anchor.id):
        return anchor
    return anchor.location


async def _inside(
    area: str, places: tuple[Place, ...], provider: Provider, context: ToolContext
) -> tuple[Place, ...]:
    """Those of some places that lie in an area; all where none is given."""
    if not area or not isinstance(provider, HasShapes):
        return places
    outline = await provider.shape((await resolve(area, provider, context)).place.id)
    if outline is None:
        return places

    return tuple(one for one in places if one.location is not None and shapes.contains(outline, one.location))
