"""Own places in map tools: what a provider is told of them, and lists of them."""

from collections.abc import Sequence

from map_tools.compute import shapes
from map_tools.compute.geodesy import distance_m
from map_tools.errors import UnsupportedError
from map_tools.facts import NearbyFact
from map_tools.kinds.concepts import is_ground
from map_tools.own_places import OWN_KIND, OwnPlace
from map_tools.providers.base import HasShapes, Provider, Spot
from map_tools.types import Geometry, NearbyPlace, Place, Shape, is_of_no_map, tells_own


def spot_of(place: Place) -> Spot:
    """The place as a provider is told it: one of the user's own is a position without a name."""
    return place.location if tells_own(place.id) and place.location is not None else place


async def shape_of(place: Place, provider: Provider) -> Shape | None:
    """The outline or course of a place; None where there is none, or the provider knows of none."""
    if is_of_no_map(place.id) or not isinstance(provider, HasShapes):
        return None
    return await provider.shape(place.id)


async def own_list(
    own: Sequence[OwnPlace],
    provider: Provider,
    *,
    what: str,
    anchor: Place | None,
    location: str,
    radius_m: float | None,
    limit: int | None,
) -> NearbyFact:
    """Those of a list of the user's own that lie around a place or, without a radius, inside it, nearest first.

    Args:
        own: The list.
        provider: Tells the outline of the place.
        what: The words for the list.
        anchor: The place; None: all of them are wanted.
        location: The words for the place.
        radius_m: The circle; None: inside the outline of the place.
        limit: How many at most; None: all.

    Raises:
        UnsupportedError: The place has no outline to search inside of, or no position.
    """
    inside = anchor is not None and radius_m is None
    area = None if anchor is None else await _measured_from(anchor, provider, inside=inside)
    items = [NearbyPlace(place=one.place(), distance_m=_away_m(area, one)) for one in own]
    if anchor is not None:
        kept = [
            one
            for one in items
            if _within(one, 0.0 if radius_m is None else radius_m) and one.place.id != anchor.id
        ]
        items = sorted(kept, key=lambda one: one.distance_m or 0.0)
    return NearbyFact(
        anchor=location,
        anchor_place=anchor,
        what=what,
        categories=(OWN_KIND,),
        radius_m=radius_m,
        inside=inside,
        items=tuple(items[:limit]),
        sorted_by_distance=anchor is not None,
        complete=limit is None or len(items) <= limit,
    )


async def _measured_from(anchor: Place, provider: Provider, *, inside: bool) -> Geometry:
    """The outline of what one is in or along, else the position."""
    shape = await shape_of(anchor, provider) if inside or is_ground(anchor.categories) else None
    if shape is not None:
        return shape
    if inside:
        raise UnsupportedError(
            f"'{anchor.name}' has no outline on this map.", "Search within a radius instead."
        )
    if anchor.location is None:
        raise UnsupportedError(f"The position of '{anchor.name}' is not known.", "Name a place near it.")
    return anchor.location


def _away_m(area: Geometry | None, one: OwnPlace) -> float | None:
    if area is None:
        return None
    if not isinstance(area, Shape):
        return distance_m(area, one.location)

    return shapes.distance_m(area, one.location)


def _within(item: NearbyPlace, radius_m: float) -> bool:
    return item.distance_m is not None and item.distance_m <= radius_m
