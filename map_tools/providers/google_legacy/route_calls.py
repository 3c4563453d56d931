"""Finding ways with the Directions and the Distance Matrix API."""

from map_tools.clock import Clock
from map_tools.providers.base import Spot
from map_tools.providers.google_common.blocks import whole_block
from map_tools.providers.google_common.errors import LEGACY_DIRECTIONS, LEGACY_MATRIX, reading
from map_tools.providers.google_common.prices import cost_of
from map_tools.providers.google_common.spots import id_or_position
from map_tools.providers.google_common.trip import Trip
from map_tools.providers.google_common.ways import Ways
from map_tools.providers.google_legacy.client import LegacyClient
from map_tools.providers.google_legacy.routes import read_cells, read_routes
from map_tools.providers.travel_table import Cells, Spots
from map_tools.types import LatLng, Route, TravelMode

CHEAP_STOPS = 10
"""Stops on the way up to which a route is billed as plain Directions
(https://developers.google.com/maps/documentation/directions/usage-and-billing)."""
TABLE_SIDE = 10
"""Rows and columns of one matrix request: at most 100 elements
(https://developers.google.com/maps/documentation/distance-matrix/usage-and-billing#other-usage-limits)."""
METRIC = "metric"


class RouteCalls(Ways):
    """The calls about ways.

    Args:
        client: The way to Google.
        language: Language of the instructions.
        region: Two-letter country code, or None.
        clock: Tells whether a departure lies in the past.
    """

    def __init__(self, client: LegacyClient, language: str, region: str | None, clock: Clock) -> None:
        super().__init__(clock)
        self._client = client
        self._language = language
        self._region = region

    async def _routes(self, trip: Trip, notes: tuple[str, ...]) -> tuple[Route, ...]:
        traffic = trip.depart_at is not None and trip.mode is TravelMode.DRIVING
        dear = traffic or len(trip.stops) > CHEAP_STOPS
        found = await self._client.call(
            LEGACY_DIRECTIONS,
            "directions",
            cost_of("legacy_directions_advanced" if dear else "legacy_directions"),
            subject="place with one of these ids",
            origin=_where(trip.origin),
            destination=_where(trip.destination),
            mode=trip.mode.value,
            waypoints=list(map(_where, trip.stops)) or None,
            # With stops on the way Google gives no alternatives.
            alternatives=(trip.alternatives and not trip.stops) or None,
            departure_time=round(trip.depart_at.timestamp()) if trip.depart_at else None,
            language=self._language,
            region=self._region,
            units=METRIC,
        )
        with reading(LEGACY_DIRECTIONS):
            return read_routes(found, notes)

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

    def _side(self, mode: TravelMode) -> int:  # noqa: ARG002 (the same for all)
        return TABLE_SIDE


def _where(spot: Spot) -> str | tuple[float, float]:
    """A spot as the client takes it."""
    where = id_or_position(spot)
    return (where.lat, where.lng) if isinstance(where, LatLng) else f"place_id:{where}"
