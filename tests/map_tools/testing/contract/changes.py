"""Defects of single calls: what becomes of their results, or what is called instead."""

from collections.abc import Callable
from typing import Any

import shapely

from map_tools.compute.geodesy import distance_m
from map_tools.errors import NoRouteError, PlaceNotFoundError, UnsupportedError
from map_tools.types import (
    Candidate,
    LatLng,
    Matrix,
    MatrixCell,
    NearbyPlace,
    Place,
    Route,
    RouteLeg,
    Shape,
    TravelMode,
)
from tests.map_tools.testing.contract.defective import KEY
from tests.map_tools.testing.contract.world import SAMPLE

POLAR = -50.0
"""South of this only `ContractSample.nowhere` is asked about."""
HERE = {"Lighthouse Museum", "lighthouse-museum"}


def listed(result: tuple[Any, ...], *_: Any, **__: Any) -> Any:
    return list(result) or ()


def swapped(place: Place) -> Place:
    if place.id not in HERE or place.location is None:
        return place
    return place.model_copy(update={"location": LatLng(lat=place.location.lng, lng=place.location.lat)})


def swapped_candidates(found: tuple[Candidate, ...], text: str, **kwargs: Any) -> Any:
    near = kwargs.get("near")
    result = []
    for item in found:
        place = swapped(item.place)
        away = distance_m(near, place.location) if near and place.location else None
        result.append(item.model_copy(update={"place": place, "distance_m": away}))
    return tuple(result)


def latitude_first(shape: Shape | None, *_: Any) -> Shape | None:
    if shape is None:
        return None
    turned = shapely.transform(shapely.from_wkt(shape.wkt), lambda points: points[:, ::-1])
    return shape.model_copy(update={"wkt": turned.wkt})


async def of_any_kind(_: Any, usual: Any, text: str, **more: Any) -> Any:
    return await usual(text, **{key: value for key, value in more.items() if key != "kind"})


async def any_outline(_: Any, usual: Any, place_id: str) -> Shape | None:
    return await usual("old-town" if place_id == SAMPLE.missing_id else place_id)


def without(*facts: str) -> Callable[..., Any]:
    def change(result: Any, *_: Any, **__: Any) -> Any:
        if isinstance(result, tuple):
            return tuple(item.model_copy(update={"place": change(item.place)}) for item in result)
        return result.model_copy(update=dict.fromkeys(facts)) if result.name in HERE else result

    return change


def per_item(**changes: Callable[[Any], Any]) -> Callable[..., Any]:
    """Changes fields of every item of the result."""

    def change(result: tuple[Any, ...], *_: Any, **__: Any) -> Any:
        return tuple(
            item.model_copy(update={name: how(getattr(item, name)) for name, how in changes.items()})
            for item in result
        )

    return change


def forgetful(result: Any, text: str, **_: Any) -> Any:
    return () if text == SAMPLE.destination else result


def angry(result: Any, text: str, **_: Any) -> Any:
    if not result:
        raise KeyError("results")
    return result


def km(metres: float | None) -> float | None:
    return None if metres is None else metres / 1000


def route_in_km(routes: tuple[Route, ...], *_: Any, **__: Any) -> Any:
    return tuple(
        route.model_copy(
            update={
                "distance_m": km(route.distance_m),
                "legs": tuple(
                    leg.model_copy(update={"distance_m": km(leg.distance_m)}) for leg in route.legs
                ),
            }
        )
        for route in routes
    )


def cells(change: Callable[[MatrixCell], MatrixCell]) -> Callable[..., Any]:
    def changed(matrix: Matrix, *_: Any, **__: Any) -> Any:
        rows = tuple(tuple(change(cell) for cell in row) for row in matrix.rows)
        return matrix.model_copy(update={"rows": rows})

    return changed


def two_legs(routes: tuple[Route, ...], *_: Any, **kwargs: Any) -> Any:
    if kwargs.get("waypoints"):
        return routes
    return tuple(route.model_copy(update={"legs": route.legs * 2}) for route in routes)


def short_legs(routes: tuple[Route, ...], *_: Any, **kwargs: Any) -> Any:
    if kwargs.get("waypoints"):
        return routes

    def half(leg: RouteLeg) -> RouteLeg:
        return leg.model_copy(update={"duration_s": (leg.duration_s or 0) / 2})

    return tuple(route.model_copy(update={"legs": tuple(map(half, route.legs))}) for route in routes)


def transposed(matrix: Matrix, origins: Any, destinations: Any, **_: Any) -> Any:
    if len(origins) != len(destinations):
        return matrix
    return matrix.model_copy(update={"rows": tuple(zip(*matrix.rows, strict=True))})


def _as_a_car(mode: TravelMode) -> TravelMode:
    return TravelMode.DRIVING if mode is TravelMode.WALKING else mode


async def drives(_: Any, usual: Any, *ends: Any, mode: TravelMode, **more: Any) -> Any:
    return await usual(*ends, mode=_as_a_car(mode), **more)


async def drives_matrix(_: Any, usual: Any, *ends: Any, mode: TravelMode) -> Any:
    return (await usual(*ends, mode=_as_a_car(mode))).model_copy(update={"mode": mode})


async def takes_any_mode(_: Any, usual: Any, *ends: Any, mode: TravelMode, **more: Any) -> Any:
    served = mode if mode in SAMPLE.modes else TravelMode.DRIVING
    return await usual(*ends, mode=served, **more)


async def no_bicycles(_: Any, usual: Any, *ends: Any, mode: TravelMode) -> Any:
    if mode is TravelMode.BICYCLING:
        raise UnsupportedError("No bicycles.")
    return await usual(*ends, mode=mode)


async def wider(_: Any, usual: Any, center: Any, *, radius_m: float, **more: Any) -> Any:
    return await usual(center, radius_m=3 * radius_m, **more)


async def unlimited_names(_: Any, usual: Any, text: str, **more: Any) -> Any:
    return await usual(text, **{**more, "limit": 50})


async def unlimited(_: Any, usual: Any, center: Any, **more: Any) -> Any:
    return await usual(center, **{**more, "limit": None})


async def any_kind(_: Any, usual: Any, center: Any, *, categories: Any = (), **more: Any) -> Any:
    known = tuple(each for each in categories if each == SAMPLE.category)
    return await usual(center, categories=known, **more)


async def no_keyword(_: Any, usual: Any, center: Any, *, keyword: Any = None, **more: Any) -> Any:
    return await usual(center, **more)


async def all_alternatives(_: Any, usual: Any, *ends: Any, **more: Any) -> Any:
    return await usual(*ends, **{**more, "alternatives": True})


async def no_waypoints(_: Any, usual: Any, *ends: Any, **more: Any) -> Any:
    return await usual(*ends, **{**more, "waypoints": ()})


async def as_the_crow_flies(_: Any, usual: Any, *ends: Any, **more: Any) -> Any:
    try:
        return await usual(*ends, **more)
    except NoRouteError:
        leg = RouteLeg(distance_m=1.0, duration_s=1.0)
        return (Route(summary="", distance_m=1.0, duration_s=1.0, legs=(leg,)),)


async def only_the_future(_: Any, usual: Any, *ends: Any, **more: Any) -> Any:
    if more.get("depart_at"):
        raise ValueError("departureTime must be in the future")
    return await usual(*ends, **more)


def telling(message: str) -> Callable[..., Any]:
    """An unknown id raises an error with this message."""

    async def call(_: Any, usual: Any, place_id: str) -> Any:
        if place_id == SAMPLE.missing_id:
            raise PlaceNotFoundError(message)
        return await usual(place_id)

    return call


async def crashes_on_unknown(provider: Any, usual: Any, place_id: str) -> Any:
    if place_id == SAMPLE.missing_id:
        raise KeyError(place_id)
    return await usual(place_id)


async def blames(_: Any, usual: Any, place_id: str) -> Any:
    """The error itself is clean, what caused it is not."""
    if place_id == SAMPLE.missing_id:
        cause = ValueError(f"GET https://maps.example/place?id=x&key={KEY}")
        raise PlaceNotFoundError("There is no such place.") from cause
    return await usual(place_id)


def foreign(found: tuple[NearbyPlace, ...], *_: Any, **kwargs: Any) -> Any:
    if not kwargs.get("categories"):
        return found
    return tuple(
        item.model_copy(update={"place": item.place.model_copy(update={"categories": ("pub",)})})
        for item in found
    )


def repeated(found: tuple[NearbyPlace, ...], *_: Any, **kwargs: Any) -> Any:
    return (*found, *found[-1:]) if kwargs.get("limit", 20) is None else found


def renumbered(place: Place, place_id: str) -> Place:
    return place.model_copy(update={"id": f"{place.id}-1"}) if place.id in HERE else place


def own_ids(found: tuple[NearbyPlace, ...], *_: Any, **kwargs: Any) -> Any:
    if not kwargs.get("categories"):
        return found
    return tuple(
        item.model_copy(update={"place": item.place.model_copy(update={"id": f"list:{item.place.id}"})})
        for item in found
    )


def not_here(found: tuple[NearbyPlace, ...], *_: Any, **kwargs: Any) -> Any:
    return () if kwargs.get("keyword") else found


def polar_error(found: Any, center: Any, **_: Any) -> Any:
    if isinstance(center, LatLng) and center.lat < POLAR:
        raise ValueError("no results")
    return found


def elsewhere(found: tuple[NearbyPlace, ...], center: Any, **_: Any) -> Any:
    return found[1:] if isinstance(center, Place) else found


def narrow(matrix: Matrix, *_: Any, **__: Any) -> Any:
    return matrix.model_copy(update={"rows": tuple(row[:2] for row in matrix.rows)})
