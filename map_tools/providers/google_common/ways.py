"""Routes and tables of travel: what the two generations of Google's services have in common."""

from abc import ABC, abstractmethod

from map_tools.clock import Clock
from map_tools.errors import PlaceNotFoundError
from map_tools.providers.google_common.departures import departure
from map_tools.providers.google_common.spots import check_stops, no_route, positions
from map_tools.providers.google_common.trip import Trip
from map_tools.providers.travel_table import Cells, Spots, travel_table
from map_tools.types import MatrixCell, Route, TravelMode


class Ways(ABC):
    """The calls about ways.

    Google changes its ids, and the places are still where they were: what it refuses for an id is asked once
    more by position.

    Args:
        clock: Tells whether a departure lies in the past.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def routes(self, trip: Trip) -> tuple[Route, ...]:
        """The routes of a trip; see `Provider.directions`."""
        check_stops(trip.mode, trip.stops)
        leave_at, notes = departure(trip.depart_at, trip.origin, trip.mode, self._clock.now())
        wanted = trip.leaving(leave_at)
        try:
            routes = await self._routes(wanted, notes)
        except PlaceNotFoundError:
            routes = await self._routes(wanted.by_position(), notes)
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
            except PlaceNotFoundError:
                return await self._cells(positions(rows), positions(columns), mode)

        return await travel_table(origins, destinations, side=self._side(mode), ask=ask)

    @abstractmethod
    async def _routes(self, trip: Trip, notes: tuple[str, ...]) -> tuple[Route, ...]:
        """The routes of one request, none if there is no way; `notes` are warnings for each of them.

        The trip's departure is in UTC and not in the past.

        Raises:
            PlaceNotFoundError: Google does not know one of the ids.
        """

    @abstractmethod
    async def _cells(self, rows: Spots, columns: Spots, mode: TravelMode) -> Cells:
        """The cells of one request for a table; raises as `_routes`."""

    @abstractmethod
    def _side(self, mode: TravelMode) -> int:
        """Most rows, and most columns, of one request for a table."""
