"""Finding ways with the Routes API."""

from collections.abc import Mapping

from map_tools.clock import Clock
from map_tools.providers.base import Spot
from map_tools.providers.google.fields import MATRIX_MASK, routes_mask
from map_tools.providers.google.routes import NO_WAY, read_cells, read_routes
from map_tools.providers.google.service import GoogleService
from map_tools.providers.google.travel import (
    Trip,
    matrix_body,
    matrix_cost,
    matrix_side,
    route_body,
    route_cost,
)
from map_tools.providers.google_common.departures import departure
from map_tools.providers.google_common.errors import ROUTES, reading
from map_tools.providers.google_common.spots import Block, blocks, check_stops, no_route
from map_tools.together import together
from map_tools.types import MatrixCell, Route, TravelMode

type Table = list[list[MatrixCell]]


class RouteCalls:
    """The calls about ways.

    Args:
        service: The way to Google.
        locale: `languageCode` and `regionCode` of every request.
        clock: Tells whether a departure lies in the past.
    """

    def __init__(self, service: GoogleService, locale: Mapping[str, str], clock: Clock) -> None:
        self._service = service
        self._locale = locale
        self._clock = clock

    async def routes(self, wanted: Trip) -> tuple[Route, ...]:
        """The routes of a trip; see `Provider.directions`."""
        check_stops(wanted.mode, wanted.stops)
        leave_at, notes = departure(wanted.depart_at, wanted.origin, wanted.mode, self._clock.now())
        trip = wanted.leaving(leave_at)
        reply = await self._service.ask(
            ROUTES,
            "/directions/v2:computeRoutes",
            mask=routes_mask(transit=trip.mode is TravelMode.TRANSIT),
            cost=route_cost(trip),
            body=route_body(trip, self._locale),
            subject="place with one of these ids",
        )
        with reading(ROUTES):
            routes = read_routes(reply, notes)
        if not routes:
            raise no_route(trip.origin, trip.destination, trip.mode)
        return routes if trip.alternatives else routes[:1]

    async def table(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], mode: TravelMode
    ) -> tuple[tuple[MatrixCell, ...], ...]:
        """Travel between all pairs, asked for in blocks of the size Google allows; see `Provider.matrix`."""
        table = [[NO_WAY] * len(destinations) for _ in origins]
        parts = blocks(len(origins), len(destinations), matrix_side(mode))
        await together(self._fill(table, block, origins, destinations, mode) for block in parts)
        return tuple(map(tuple, table))

    async def _fill(
        self,
        table: Table,
        block: Block,
        origins: tuple[Spot, ...],
        destinations: tuple[Spot, ...],
        mode: TravelMode,
    ) -> None:
        """Asks for one block; pairs that the reply leaves out stay without a way."""
        rows, columns = origins[block.top : block.bottom], destinations[block.left : block.right]
        elements = await self._service.ask(
            ROUTES,
            "/distanceMatrix/v2:computeRouteMatrix",
            mask=MATRIX_MASK,
            cost=matrix_cost(len(rows) * len(columns)),
            body=matrix_body(rows, columns, mode, self._locale),
            subject="place with one of these ids",
        )
        with reading(ROUTES):
            for row, column, cell in read_cells(elements):
                table[block.top + row][block.left + column] = cell
