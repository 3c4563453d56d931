"""Finding ways with the Routes API."""

from collections.abc import Mapping

from map_tools.clock import Clock
from map_tools.providers.google.fields import MATRIX_MASK, routes_mask
from map_tools.providers.google.routes import read_cells, read_routes
from map_tools.providers.google.service import GoogleService
from map_tools.providers.google.travel import matrix_body, matrix_cost, matrix_side, route_body, route_cost
from map_tools.providers.google_common.blocks import whole_block
from map_tools.providers.google_common.errors import ROUTES, reading
from map_tools.providers.google_common.trip import Trip
from map_tools.providers.google_common.ways import Ways
from map_tools.providers.travel_table import Cells, Spots
from map_tools.types import Route, TravelMode


class RouteCalls(Ways):
    """The calls about ways.

    Args:
        service: The way to Google.
        locale: `languageCode` and `regionCode` of every request.
        clock: Tells whether a departure lies in the past.
    """

    def __init__(self, service: GoogleService, locale: Mapping[str, str], clock: Clock) -> None:
        super().__init__(clock)
        self._service = service
        self._locale = locale

    async def _routes(self, trip: Trip, notes: tuple[str, ...]) -> tuple[Route, ...]:
        reply = await self._service.ask(
            ROUTES,
            "/directions/v2:computeRoutes",
            mask=routes_mask(transit=trip.mode is TravelMode.TRANSIT),
            cost=route_cost(trip),
            body=route_body(trip, self._locale),
            subject="place with one of these ids",
        )
        with reading(ROUTES):
            return read_routes(reply, notes)

    async def _cells(self, rows: Spots, columns: Spots, mode: TravelMode) -> Cells:
        elements = await self._service.ask(
            ROUTES,
            "/distanceMatrix/v2:computeRouteMatrix",
            mask=MATRIX_MASK,
            cost=matrix_cost(len(rows) * len(columns)),
            body=matrix_body(rows, columns, mode, self._locale),
            subject="place with one of these ids",
        )
        with reading(ROUTES):
            cells = list(read_cells(elements))
        return whole_block(ROUTES, cells, len(rows), len(columns))

    def _side(self, mode: TravelMode) -> int:
        return matrix_side(mode)
