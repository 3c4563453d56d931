"""Reach: the area that can be reached from a place within a time, with places by which it can be checked."""

import asyncio
import math
from statistics import mean
from typing import Any, ClassVar

from pydantic import Field, model_validator

from map_tools.compute import geodesy, shapes
from map_tools.errors import LimitError, ToolError, UnsupportedError
from map_tools.facts import Fact, ReachFact, ReachSample
from map_tools.providers.base import Bounded, Provider, TellsReach, position_of
from map_tools.tools.base import ToolContext, failure_of
from map_tools.tools.own import spot_of
from map_tools.tools.resolve import resolve
from map_tools.types import Frozen, LatLng, Mode, Place, Shape, TravelMode, merge_mode_alias

DIRECTIONS = 12
"""So many directions are looked in for places to check the area by."""
SAMPLED_AT = (0.6, 1.4)
"""... at these parts of the way to the edge: clearly before it, and clearly beyond."""
AROUND_SHARE, AROUND_M = 0.2, 60.0
"""A place this close to such a point will do, as a part of the way to the edge or in metres."""
MAP_END_M = 100.0
"""An area that comes this close to the box of the map ends because the map does."""


class ReachParameters(Frozen):
    """Arguments of Reach; `mode` is accepted for `travel_mode`."""

    origin: str = Field(description="Where one starts.", min_length=1)
    within_s: float = Field(description="How long one travels, in seconds.", gt=0, allow_inf_nan=False)
    travel_mode: Mode = Field(TravelMode.WALKING, description="driving, walking, bicycling or transit.")

    @model_validator(mode="before")
    @classmethod
    def _mode_alias(cls, values: Any) -> Any:
        return merge_mode_alias(values)


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
