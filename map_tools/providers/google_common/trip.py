"""A route that is asked for."""

from dataclasses import dataclass, replace
from datetime import datetime

from map_tools.providers.base import Spot
from map_tools.providers.google_common.spots import positions
from map_tools.types import TravelMode


@dataclass(frozen=True, slots=True)
class Trip:
    """What `Provider.directions` is called with; `stops` are its waypoints."""

    origin: Spot
    destination: Spot
    mode: TravelMode
    stops: tuple[Spot, ...] = ()
    alternatives: bool = False
    depart_at: datetime | None = None

    def leaving(self, at: datetime | None) -> "Trip":
        """The same trip at another time."""
        return replace(self, depart_at=at)

    def by_position(self) -> "Trip":
        """The same trip with every place told by its position instead of its id.

        Raises:
            UnsupportedError: A place has none.
        """
        origin, destination, *stops = positions((self.origin, self.destination, *self.stops))
        return replace(self, origin=origin, destination=destination, stops=tuple(stops))
