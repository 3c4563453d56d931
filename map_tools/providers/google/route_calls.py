"""Finding ways with the Routes API."""

from collections.abc import Mapping

from map_tools.clock import Clock
from map_tools.errors import PlaceNotFoundError
from map_tools.providers.google.fields import MATRIX_MASK, routes_mask
from map_tools.providers.google.routes import read_cells, read_routes
from map_tools.providers.google.service import GoogleService
from map_tools.providers.google.travel import (
    Trip,
    matrix_body,
    matrix_cost,
    matrix_side,
    route_body,
    route_cost,
)
from map_tools.providers.google.values import Json
from map_tools.providers.google_common.blocks import whole_block
from map_tools.providers.google_common.departures import departure
from map_tools.providers.google_common.errors import ROUTES, reading
from map_tools.providers.google_common.spots import check_stops, no_route, positions
from map_tools.providers.travel_table import Cells, Spots, travel_table
from map_tools.types import MatrixCell, Route, TravelMode


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
        try:
            reply = await self._routes(trip)
        except PlaceNotFoundError:  # Google changes its ids; the places are still where they were
            reply = await self._routes(trip.by_position())
        with reading(ROUTES):
            routes = read_routes(reply, notes)
        if not routes:
            raise no_route(trip.origin, trip.destination, trip.mode)
        return routes if trip.alternatives else routes[:1]

    async def table(
        self, origins: Spots, destinations: Spots, mode: TravelMode
    ) -> tuple[tuple[MatrixCell, ...], ...]:
        """Travel between all pairs; see `Provider.matrix`."""

        async def ask(rows: Spots, columns: Spots) -> Cells:
            try:
                return await self._cells(rows, columns, mode)
            except PlaceNotFoundError:  # as for routes
                return await self._cells(positions(rows), positions(columns), mode)

        return await travel_table(origins, destinations, side=matrix_side(mode), ask=ask)

    async def _routes(self, trip: Trip) -> Json:
        reply: Json = await self._service.ask(
            ROUTES,
            "/directions/v2:computeRoutes",
            mask=routes_mask(transit=trip.mode is TravelMode.TRANSIT),
            cost=route_cost(trip),
            body=route_body(trip, self._locale),
            subject="place with one of these ids",
        )
        return reply

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
