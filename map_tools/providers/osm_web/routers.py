"""What a routing server is to the provider: one mode of travel, whichever engine it runs."""

from collections.abc import Mapping
from typing import Protocol

from map_tools.providers.travel_table import Cells
from map_tools.types import LatLng, Route

type Stops = tuple[LatLng, ...]


class WebRouter(Protocol):
    """A server's routes and travel times for one mode."""

    async def routes(self, stops: Stops, *, alternatives: bool) -> tuple[Route, ...]:
        """Routes over the stops, best first; more than one only between two stops.

        Raises:
            NoRouteError: The stops are not connected.
            ProviderError: The server failed, or answers for another mode.
        """
        ...

    async def cells(self, origins: Stops, destinations: Stops) -> Cells:
        """Travel between all pairs of a table that the server answers at once."""
        ...


ALTERNATIVES = 2
"""Routes besides the best one."""
TABLE_SIDE = 50
"""Rows and columns of one request: OSRM's default takes 100 positions
(https://github.com/Project-OSRM/osrm-backend/blob/master/docs/http.md, `--max-table-size`), Valhalla's 2,500
pairs (https://valhalla.github.io/valhalla/api/matrix/api-reference/)."""


def said_by(body: Mapping[str, object]) -> str:
    """The server's own words in an error reply of either engine."""
    return str(body.get("message") or body.get("error") or "")
