"""Checks of what a provider may be able to do beside the port: tell shapes, reach, and all that a map has."""

import contextlib
from collections.abc import Iterable
from typing import cast

from map_tools.compute.shapes import area_m2, clip, contains, geometry_of
from map_tools.compute.shapes import distance_m as from_shape_m
from map_tools.errors import LimitError, NoRouteError, PlaceNotFoundError, UnsupportedError
from map_tools.providers.base import Bounded, HasShapes, NarrowsNames, TellsReach
from map_tools.testing.contract.checking import (
    LINEAR_TOLERANCE,
    BreachError,
    Check,
    NotApplicableError,
    Subject,
    demand,
    demand_tuple_of,
    demand_value,
    refusal,
    same_length,
    shown,
)
from map_tools.types import LatLng, NearbyPlace, Place, Shape, TravelMode

REACHED_S = (300.0, 600.0)
"""How long one travels: what is reached in five minutes is reached in ten."""
TOO_LONG_S = 1e7
"""A third of a year: nobody works out what is reached in it."""
ROAD_WITHIN_M = 500.0
"""The road on which one starts is this near to the start."""
REACHED_SHARE = 0.9
"""So much of the smaller area lies in the larger one: edges are worked out on a grid."""
INSIDE_SHARE = 0.9
"""So many of the places inside an area lie in its outline; the service may draw the border otherwise."""


async def shapes(subject: Subject) -> str:
    """The outline of an area is valid, lies where the area does, and holds what lies inside."""
    provider = subject.provider
    if not isinstance(provider, HasShapes):
        raise NotApplicableError("shapes are not offered")
    await refusal(provider.shape(subject.sample.missing_id), PlaceNotFoundError)
    place = await subject.place(subject.sample.place)
    told = await provider.shape(place.id)
    if told is not None:
        _demand_shape(told, place, subject)
    if subject.sample.area is None:
        return "no area to look at"
    found = await provider.find_place(subject.sample.area)
    area = next((item.place for item in found if item.outlined), None)
    if area is None:
        return "the sample's area has no outline"
    outline = await provider.shape(area.id)
    demand(outline is not None, f"'{area.name}' is said to have an outline and has none")
    if outline is not None:
        _demand_shape(outline, area, subject)
        demand(outline.kind == "area", f"the outline of '{area.name}' is a {outline.kind}")
        await _demand_inside(subject, area, outline)
    return f"the outline of {area.name}"


def _demand_shape(shape: Shape, place: Place, subject: Subject) -> None:
    demand_value(Shape, shape, "shape")
    demand(geometry_of(shape).is_valid, f"the shape of '{place.name}' is not valid: {shown(shape.wkt)}")
    if place.location is not None:
        away_m = from_shape_m(shape, place.location)
        near = away_m <= subject.sample.tolerance_m
        demand(near, f"'{place.name}' lies {away_m:.0f} m from its own shape; longitude comes first in it")


async def _demand_inside(subject: Subject, area: Place, outline: Shape) -> None:
    if not subject.provider.capabilities.areas:
        return
    kind = subject.sample.area_category
    places = await subject.provider.inside(area.id, categories=(kind,) if kind else ())
    at = [place.location for place in places if place.location is not None]
    within = sum(contains(outline, location) for location in at)
    demand(
        within >= INSIDE_SHARE * len(at), f"{len(at) - within} of {len(at)} places inside lie outside of it"
    )


async def everywhere(subject: Subject) -> str:
    """All places of a kind are told, once each, those around a position among them."""
    provider, sample = subject.provider, subject.sample
    if not isinstance(provider, Bounded):
        raise NotApplicableError("all places of the map are not offered")
    found = await provider.everywhere(categories=(sample.category,))
    demand_tuple_of(Place, found, "everywhere")
    ids = [place.id for place in found]
    demand(len(set(ids)) == len(ids), "a place comes twice")
    foreign = [place.name for place in found if sample.category not in place.categories]
    demand(not foreign, f"not of the kind: {shown(foreign[:3])}")
    lacking = {item.place.name for item in await subject.everything()} - {place.name for place in found}
    demand(not lacking, f"{len(lacking)} names around the position are not told")
    nothing = await provider.everywhere(keyword=sample.missing)
    demand(nothing == (), f"the keyword '{sample.missing}' gave {shown(nothing)}")
    box = provider.extent
    demand(box is not None, "places are told and no extent")
    if box is not None:
        at = sample.position
        demand(box.contains(at), f"the position {at} lies outside of the extent {shown(box)}")
    return f"{len(ids)} places"


async def reach(subject: Subject) -> str:
    """What is reached within a time is a valid area about the start, grows with the time, and has its limits."""
    provider, start = subject.provider, subject.sample.position
    if not isinstance(provider, TellsReach):
        raise NotApplicableError("what is reached within a time is not offered")
    shortest_s, longest_s = REACHED_S
    for missing in sorted(set(TravelMode) - provider.capabilities.modes):
        await refusal(provider.reach(start, within_s=shortest_s, mode=missing), UnsupportedError)
    mode, smaller = await _reached(provider, subject.modes, start, shortest_s)
    larger = await provider.reach(start, within_s=longest_s, mode=mode)
    for area in (smaller, larger):
        demand_value(Shape, area, "reach")
        demand(area.kind == "area", f"what is reached is a {area.kind}")
        demand(geometry_of(area).is_valid, f"what is reached is not valid: {shown(area.wkt)}")
        away_m = from_shape_m(area, start)
        demand(away_m <= ROAD_WITHIN_M, f"the start lies {away_m:.0f} m from what is reached")
    common = clip(smaller, larger)
    shared_m2 = 0.0 if common is None else area_m2(common)
    demand(
        shared_m2 >= REACHED_SHARE * area_m2(smaller) and area_m2(larger) >= area_m2(smaller),
        f"what is reached in {REACHED_S[0] / 60:g} min is not reached in {REACHED_S[1] / 60:g}",
    )
    await refusal(provider.reach(subject.sample.nowhere, within_s=shortest_s, mode=mode), NoRouteError)
    await refusal(provider.reach(start, within_s=TOO_LONG_S, mode=mode), LimitError)
    return f"{area_m2(larger) / 1e6:.2f} km² {mode.value}"


async def _reached(
    provider: TellsReach, modes: Iterable[TravelMode], start: LatLng, within_s: float
) -> tuple[TravelMode, Shape]:
    """The first mode for which the provider tells what is reached, and what that is."""
    for mode in modes:
        with contextlib.suppress(UnsupportedError):  # each mode may have a service of its own
            return mode, await provider.reach(start, within_s=within_s, mode=mode)
    raise NotApplicableError("what is reached within a time is told for no mode")


async def nearby_place(subject: Subject) -> str:
    """A search around a place measures from its position, or all of it from its shape."""
    sample = subject.sample
    subject.demand_nearby()
    place = await subject.place(sample.place)
    if place.location is None:
        raise NotApplicableError("the known place has no location")
    of_place, of_point = [
        await subject.provider.nearby(center, radius_m=sample.radius_m, categories=(sample.category,))
        for center in (place, place.location)
    ]
    if [item.place.id for item in of_place] == [item.place.id for item in of_point]:
        return f"{len(of_place)} places"
    shape = await subject.provider.shape(place.id) if isinstance(subject.provider, HasShapes) else None
    if shape is None:
        raise BreachError("a search around the place and one around its position give different places")
    _demand_from_shape(of_place, shape, sample.radius_m)
    return f"{len(of_place)} places around its shape"


def _demand_from_shape(found: tuple[NearbyPlace, ...], shape: Shape, radius_m: float) -> None:
    for item in found:
        if item.place.location is None or item.distance_m is None:
            continue
        away_m = from_shape_m(shape, item.place.location)
        demand(
            same_length(item.distance_m, away_m) and item.distance_m <= radius_m * (1 + LINEAR_TOLERANCE),
            f"'{item.place.name}' lies {away_m:.0f} m from the place's shape and says {item.distance_m:g}",
        )


async def narrow_names(subject: Subject) -> str:
    """Among the places of its kind a place is found, and nothing of another kind is."""
    provider = subject.provider
    if not provider.capabilities.narrow_names:
        raise NotApplicableError("looking names up among places of a kind is not declared")
    place = await subject.place(subject.sample.place)
    if not place.categories:
        raise NotApplicableError("the known place is of no category")
    kind = place.categories[0]
    found = await cast("NarrowsNames", provider).find_place(subject.sample.place, kind=(kind,), limit=10)
    foreign = [item.place.name for item in found if kind not in item.place.categories]
    demand(not foreign, f"among the places of the kind '{kind}' it finds {shown(foreign)}")
    demand(place.name in [item.place.name for item in found], f"'{place.name}' is not found as a {kind}")
    return f"'{place.name}' among {kind}"


CHECKS = (
    Check(
        "nearby-place",
        "A place as the centre stands for its position, or for its shape.",
        "Use map_tools.providers.base.position_of(center); or measure all distances from its shape.",
        nearby_place,
    ),
    Check(
        "shapes",
        "A shape is valid, lies where its place does, and holds what lies inside; an unknown id is refused.",
        "Write longitude before latitude, mend what crosses itself, and look the id up first.",
        shapes,
    ),
    Check(
        "narrow-names",
        "Where it is declared, names are looked up among the places of a kind only, and inside an area only.",
        "Leave out what is of no kind asked for before the list is cut, or set narrow_names=False.",
        narrow_names,
    ),
    Check(
        "everywhere",
        "A map that can be told in full tells all places of a kind, once each, and where it ends.",
        "Answer `everywhere` from what `nearby` searches, without the circle; `extent` is the map's box.",
        everywhere,
    ),
    Check(
        "reach",
        "What can be reached within a time is a valid area about the start that grows with the time; a mode that is "
        "not declared, a start without roads and too long a time are refused.",
        "Write longitude before latitude, take seconds, and begin at the road nearest to the start; raise "
        "UnsupportedError, NoRouteError and LimitError.",
        reach,
    ),
)
