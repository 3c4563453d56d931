"""The Routes API: computeRouteMatrix.

Parameters and limits: https://developers.google.com/maps/documentation/routes/compute_route_matrix.
"""

import asyncio
import random
from collections.abc import Sequence
from itertools import product
from typing import Any

from map_tools.errors import UnsupportedError
from map_tools.providers.base import Spot
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.new.bodies import ComputeRouteMatrixBody, RoutesBody, WaypointBody
from map_tools.testing.emulate.new.envelope import INVALID_ARGUMENT, Json, RpcError, read_body, read_mask
from map_tools.testing.emulate.new.travel import SERVICE, amounts, checked_mode, spot_or_none
from map_tools.types import MatrixCell, TravelMode

MAX_ELEMENTS = 625
MAX_ELEMENTS_COSTLY = 100
"""Pairs of a matrix by public transport or with TRAFFIC_AWARE_OPTIMAL."""
MAX_NAMED = 50
"""Waypoints of a matrix given by address or place id
(https://developers.google.com/maps/documentation/routes/usage-and-billing#other-usage-limits)."""
_ELEMENT_FIELDS = frozenset(
    {
        *("status", "condition", "distanceMeters", "duration", "staticDuration", "travelAdvisory"),
        *("fallbackInfo", "localizedValues", "originIndex", "destinationIndex"),
    }
)


async def compute_route_matrix(backend: Backend, body: Any, mask_text: str) -> list[Json]:
    """`computeRouteMatrix`: an element for each pair, in any order."""
    mask = read_mask(mask_text, _ELEMENT_FIELDS, service=SERVICE)
    asked = read_body(ComputeRouteMatrixBody, body)
    mode = checked_mode(backend, asked)
    origins = [end.waypoint for end in asked.origins]
    destinations = [end.waypoint for end in asked.destinations]
    _check_matrix(asked, origins, destinations, mode)
    starts = await asyncio.gather(*(spot_or_none(backend, stop) for stop in origins))
    ends = await asyncio.gather(*(spot_or_none(backend, stop) for stop in destinations))
    cells = await _cells(backend, starts, ends, mode)
    elements = [
        {"originIndex": i, "destinationIndex": j} | _element(cells.get((i, j)), asked)
        for i, j in product(range(len(origins)), range(len(destinations)))
    ]
    random.Random(backend.seed).shuffle(elements)  # noqa: S311 (no secret is made of it)
    shown: list[Json] = mask.applied(elements)
    return shown


async def _cells(
    backend: Backend, starts: Sequence[Spot | None], ends: Sequence[Spot | None], mode: TravelMode
) -> dict[tuple[int, int], MatrixCell]:
    """The cells between the places that were found, by their indexes in the request."""
    rows = [index for index, spot in enumerate(starts) if spot is not None]
    columns = [index for index, spot in enumerate(ends) if spot is not None]
    if not rows or not columns:
        return {}
    origins = tuple(spot for spot in starts if spot is not None)
    destinations = tuple(spot for spot in ends if spot is not None)
    empty = MatrixCell(distance_m=None, duration_s=None)
    try:
        matrix = await backend.provider.matrix(origins, destinations, mode=mode)
    except UnsupportedError:
        return dict.fromkeys(product(rows, columns), empty)
    return {
        (i, j): cell
        for i, row in zip(rows, matrix.rows, strict=True)
        for j, cell in zip(columns, row, strict=True)
    }


def _element(cell: MatrixCell | None, asked: RoutesBody) -> Json:
    """One element; None: one of its two ends was not found."""
    if cell is None:
        return {"status": {"code": 5, "message": "The origin or the destination was not found."}}
    if cell.duration_s is None:
        return {"status": {}, "condition": "ROUTE_NOT_FOUND"}
    told = amounts(cell.distance_m, cell.duration_s, imperial=asked.units == "IMPERIAL")
    return {"status": {}, "condition": "ROUTE_EXISTS"} | told


def _check_matrix(
    asked: ComputeRouteMatrixBody,
    origins: Sequence[WaypointBody],
    destinations: Sequence[WaypointBody],
    mode: TravelMode,
) -> None:
    costly = mode is TravelMode.TRANSIT or asked.routing_preference == "TRAFFIC_AWARE_OPTIMAL"
    most = MAX_ELEMENTS_COSTLY if costly else MAX_ELEMENTS
    number = len(origins) * len(destinations)
    if number > most:
        raise RpcError(INVALID_ARGUMENT, f"The request has {number} elements; at most {most} are allowed.")
    named = sum(stop.location is None for stop in (*origins, *destinations))
    if named > MAX_NAMED:
        raise RpcError(
            INVALID_ARGUMENT,
            f"{named} waypoints are given by place id or address; at most {MAX_NAMED} may be.",
        )
