"""Finding ways with the Directions and the Distance Matrix API."""

from datetime import datetime
from typing import Any

from map_tools.clock import Clock
from map_tools.errors import PlaceNotFoundError
from map_tools.providers.base import Spot
from map_tools.providers.google_common.blocks import whole_block
from map_tools.providers.google_common.departures import departure
from map_tools.providers.google_common.errors import LEGACY_DIRECTIONS, LEGACY_MATRIX, reading
from map_tools.providers.google_common.prices import cost_of
from map_tools.providers.google_common.spots import check_stops, id_or_position, no_route, positions
from map_tools.providers.google_legacy.client import LegacyClient
from map_tools.providers.google_legacy.routes import read_cells, read_routes
from map_tools.providers.travel_table import Cells, Spots, travel_table
from map_tools.types import LatLng, MatrixCell, Route, TravelMode

CHEAP_STOPS = 10
"""Stops on the way up to which a route is billed as plain Directions
(https://developers.google.com/maps/documentation/directions/usage-and-billing)."""
TABLE_SIDE = 10
"""Rows and columns of one matrix request: at most 100 elements
(https://developers.google.com/maps/documentation/distance-matrix/usage-and-billing#other-usage-limits)."""
METRIC = "metric"


class RouteCalls:
    """The calls about ways.

    Args:
        client: The way to Google.
        language: Language of the instructions.
        region: Two-letter country code, or None.
        clock: Tells whether a departure lies in the past.
    """

    def __init__(self, client: LegacyClient, language: str, region: str | None, clock: Clock) -> None:
        self._client = client
        self._language = language
        self._region = region
        self._clock = clock

    async def routes(
        self,
        origin: Spot,
        destination: Spot,
        *,
        mode: TravelMode,
        stops: tuple[Spot, ...],
        alternatives: bool,
        depart_at: datetime | None,
    ) -> tuple[Route, ...]:
        """The routes; see `Provider.directions`."""
        check_stops(mode, stops)
        leave_at, notes = departure(depart_at, origin, mode, self._clock.now())

        async def ask(start: Spot, *rest: Spot) -> Any:
            *between, end = rest
            traffic = leave_at is not None and mode is TravelMode.DRIVING
            dear = traffic or len(between) > CHEAP_STOPS
            return await self._client.call(
                LEGACY_DIRECTIONS,
                "directions",
                cost_of("legacy_directions_advanced" if dear else "legacy_directions"),
                subject="place with one of these ids",
                origin=_where(start),
                destination=_where(end),
                mode=mode.value,
                waypoints=list(map(_where, between)) or None,
                # With stops on the way Google gives no alternatives.
                alternatives=(alternatives and not between) or None,
                departure_time=round(leave_at.timestamp()) if leave_at else None,
                language=self._language,
                region=self._region,
                units=METRIC,
            )

        way = (origin, *stops, destination)
        try:
            found = await ask(*way)
        except PlaceNotFoundError:  # Google changes its ids; the places are still where they were
            found = await ask(*positions(way))
        with reading(LEGACY_DIRECTIONS):
            routes = read_routes(found, notes)
        if not routes:
            raise no_route(origin, destination, mode)
        return routes if alternatives else routes[:1]

    async def table(
        self, origins: Spots, destinations: Spots, mode: TravelMode
    ) -> tuple[tuple[MatrixCell, ...], ...]:
        """Travel between all pairs; see `Provider.matrix`."""

        async def ask(rows: Spots, columns: Spots) -> Cells:
            try:
                return await self._cells(rows, columns, mode)
            except PlaceNotFoundError:  # as for routes
                return await self._cells(positions(rows), positions(columns), mode)

        return await travel_table(origins, destinations, side=TABLE_SIDE, ask=ask)

    async def _cells(self, rows: Spots, columns: Spots, mode: TravelMode) -> Cells:
        reply = await self._client.call(
            LEGACY_MATRIX,
            "distance_matrix",
            cost_of("legacy_matrix", len(rows) * len(columns)),
            subject="place with one of these ids",
            origins=list(map(_where, rows)),
            destinations=list(map(_where, columns)),
            mode=mode.value,
            language=self._language,
            region=self._region,
            units=METRIC,
        )
        with reading(LEGACY_MATRIX):
            cells = list(read_cells(reply))
        return whole_block(LEGACY_MATRIX, cells, len(rows), len(columns))


def _where(spot: Spot) -> str | tuple[float, float]:
    """A spot as the client takes it."""
    where = id_or_position(spot)
    return (where.lat, where.lng) if isinstance(where, LatLng) else f"place_id:{where}"
