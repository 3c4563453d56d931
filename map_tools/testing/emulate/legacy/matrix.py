"""The legacy Distance Matrix endpoint.

Parameters and statuses: https://developers.google.com/maps/documentation/distance-matrix/distance-matrix.
"""

import asyncio
from collections.abc import Sequence

from map_tools.errors import UnsupportedError
from map_tools.providers.base import Spot
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.legacy.envelope import (
    NOT_FOUND,
    OK,
    ZERO_RESULTS,
    Json,
    LegacyStatusError,
    Parameters,
)
from map_tools.testing.emulate.legacy.travel import Stop, departure_of, metres, mode_of, seconds, stop_or_none
from map_tools.types import MatrixCell, TravelMode

MAX_SIDE = 25
MAX_ELEMENTS = 100
"""https://developers.google.com/maps/documentation/distance-matrix/usage-and-billing#other-usage-limits"""


async def distance_matrix(backend: Backend, given: Parameters) -> Json:
    """`distancematrix`: travel from every origin to every destination, in rows of elements."""
    mode = mode_of(given)
    origins, destinations = given.needed("origins").split("|"), given.needed("destinations").split("|")
    if max(len(origins), len(destinations)) > MAX_SIDE:
        raise LegacyStatusError("MAX_DIMENSIONS_EXCEEDED", f"At most {MAX_SIDE} origins or destinations.")
    if len(origins) * len(destinations) > MAX_ELEMENTS:
        raise LegacyStatusError("MAX_ELEMENTS_EXCEEDED", f"At most {MAX_ELEMENTS} pairs may be asked for.")
    departing = departure_of(backend, given, mode) is not None
    imperial = given.text("units") == "imperial"
    starts = await asyncio.gather(*(stop_or_none(backend, text) for text in origins))
    ends = await asyncio.gather(*(stop_or_none(backend, text) for text in destinations))
    known = [stop.spot for stop in starts if stop], [stop.spot for stop in ends if stop]
    cells = await _cells(backend, known[0], known[1], mode)
    rows = iter(cells)
    traffic = departing and mode is TravelMode.DRIVING
    return {
        "destination_addresses": [stop.address if stop else "" for stop in ends],
        "origin_addresses": [stop.address if stop else "" for stop in starts],
        "rows": [
            {"elements": _elements(next(rows) if start else None, ends, imperial=imperial, traffic=traffic)}
            for start in starts
        ],
        "status": OK,
    }


async def _cells(
    backend: Backend, origins: Sequence[Spot], destinations: Sequence[Spot], mode: TravelMode
) -> Sequence[Sequence[MatrixCell]]:
    """The cells between the places that were found; a mode that is not served connects nothing."""
    if not origins or not destinations:
        return [() for _ in origins]
    try:
        return (await backend.provider.matrix(tuple(origins), tuple(destinations), mode=mode)).rows
    except UnsupportedError:
        return [[MatrixCell(distance_m=None, duration_s=None)] * len(destinations)] * len(origins)


def _elements(
    row: Sequence[MatrixCell] | None, ends: Sequence[Stop | None], *, imperial: bool, traffic: bool
) -> list[Json]:
    """The elements of one origin; None: the origin was not found."""
    if row is None:
        return [{"status": NOT_FOUND} for _ in ends]
    cells = iter(row)
    return [
        _element(next(cells), imperial=imperial, traffic=traffic) if e else {"status": NOT_FOUND}
        for e in ends
    ]


def _element(cell: MatrixCell, *, imperial: bool, traffic: bool) -> Json:
    if cell.duration_s is None:
        return {"status": ZERO_RESULTS}
    element: Json = {"duration": seconds(cell.duration_s), "status": OK}
    if cell.distance_m is not None:
        element["distance"] = metres(cell.distance_m, imperial=imperial)
    if traffic:
        element["duration_in_traffic"] = seconds(cell.duration_s)
    return element
