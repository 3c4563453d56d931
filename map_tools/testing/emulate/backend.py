"""What the endpoints work with: a provider, a clock, and how a client's words become places."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from map_tools.clock import Clock, local_time, local_zone
from map_tools.errors import PlaceNotFoundError
from map_tools.providers.base import Provider, Spot
from map_tools.testing.emulate.place_format import own_id
from map_tools.types import LatLng, Place

TOKEN_DELAY_S = 2.0
"""A legacy page token is good only after "a short delay", in practice about two seconds
(https://developers.google.com/maps/documentation/places/web-service/legacy/search-nearby#PlaceSearchPaging)."""
PAGE_SIZE = 20
"""Results of a page, in both generations."""
MOST_RESULTS = 60
"""Results of all pages of a search together, in both generations."""

_POSITION = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*")


@dataclass(frozen=True, slots=True)
class Backend:
    """What is emulated from.

    Attributes:
        provider: Where all facts come from.
        clock: Tells "now": open now, ages of page tokens, departures in the past.
        page_size: Results of a page, fewer than Google's to try paging on a small map.
        token_delay_s: How long a legacy page token is not yet good.
        seed: Makes the order of matrix elements and random faults repeatable.
    """

    provider: Provider
    clock: Clock
    page_size: int = PAGE_SIZE
    token_delay_s: float = TOKEN_DELAY_S
    seed: int = 0

    def zone_of(self, place: Place) -> str | None:
        """The IANA zone of a place, if it has one or a position."""
        if place.timezone is not None or place.location is None:
            return place.timezone
        return local_zone(place.location)

    def local_now(self, place: Place) -> datetime:
        """The present moment on the place's clocks (in UTC where it has neither zone nor position)."""
        return local_time(self.clock.now().astimezone(UTC), self.zone_of(place) or "UTC")

    async def place(self, given_id: str) -> Place:
        """The place with an id that the emulator gave.

        Raises:
            PlaceNotFoundError: The id is foreign, or its place is gone.
        """
        place_id = own_id(given_id)
        if place_id is None:
            raise PlaceNotFoundError(f"No place has the id '{given_id}'.")
        return await self.provider.place_details(place_id)

    async def first_match(self, text: str, near: LatLng | None = None) -> Place:
        """The best place for a name or an address.

        Raises:
            PlaceNotFoundError: Nothing fits.
        """
        found = await self.provider.find_place(text, near=near, limit=1)
        if not found:
            raise PlaceNotFoundError(f"Nothing is called '{text}'.")
        return found[0].place


def position_in(text: str) -> LatLng | None:
    """The position of "lat,lng"; None for any other text, and for numbers that are off the globe."""
    match = _POSITION.fullmatch(text)
    if match is None:
        return None
    lat, lng = float(match[1]), float(match[2])
    if abs(lat) > 90 or abs(lng) > 180:
        return None
    return LatLng(lat=lat, lng=lng)


def located(spot: Spot) -> LatLng | None:
    """Where a spot lies, if it is known."""
    return spot if isinstance(spot, LatLng) else spot.location
