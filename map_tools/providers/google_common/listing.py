"""A search around a position, and Google's results as the list that was asked for."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from map_tools.compute.geodesy import distance_m
from map_tools.providers.base import CutList
from map_tools.types import LatLng, NearbyPlace, Place, RankBy

MAX_RADIUS_M = 50_000
"""The largest circle of a search, in both generations
(https://developers.google.com/maps/documentation/places/web-service/nearby-search and .../search-nearby)."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched for around a position.

    Attributes:
        at: The centre.
        radius_m: Metres; may be more than Google searches at once.
        categories: Category ids; none: anything.
        keyword: A property or a name; None for none.
        rank: What comes first.
        limit: How many are wanted; None for all.
    """

    at: LatLng
    radius_m: float
    categories: tuple[str, ...]
    keyword: str | None
    rank: RankBy
    limit: int | None

    @property
    def circle_m(self) -> float:
        """The radius of the circle that Google is asked to search."""
        return min(self.radius_m, MAX_RADIUS_M)

    def within(self, places: Iterable[Place]) -> list[NearbyPlace]:
        """Those within the radius with their distances, each place once, in their order."""
        unique = {place.id: place for place in places if place.location is not None}
        away = (NearbyPlace(place=place, distance_m=self._away(place)) for place in unique.values())
        return [item for item in away if (item.distance_m or 0.0) <= self.radius_m]

    def is_full(self, places: list[Place]) -> bool:
        """True if no further page is needed: enough places are within the circle, or the last lies beyond it.

        Only where places come nearest first.
        """
        if self.rank is not RankBy.DISTANCE or not places:
            return False
        enough = self.limit is not None and len(self.within(places)) >= self.limit
        return enough or self.is_beyond(places[-1])

    def covers_half(self, places: list[Place]) -> bool:
        """True if places, nearest first, reach beyond half the radius: then all within it are among them."""
        nearest_first = self.rank is RankBy.DISTANCE
        return nearest_first and any(self._away(place) > self.circle_m / 2 for place in places)

    def moved(self, at: LatLng, radius_m: float) -> "Wanted":
        """The same search elsewhere."""
        return replace(self, at=at, radius_m=radius_m)

    def is_beyond(self, place: Place) -> bool:
        """True if the place lies outside the circle."""
        return self._away(place) > self.radius_m

    def _away(self, place: Place) -> float:
        return 0.0 if place.location is None else distance_m(self.at, place.location)


def listed(places: Iterable[Place], wanted: Wanted, *, cut: bool) -> tuple[NearbyPlace, ...]:
    """The list that was asked for; a `CutList` if it is shorter than wanted because the source cut it.

    Args:
        places: What Google gave, in its order.
        wanted: What was asked for.
        cut: Google may have more.
    """
    places = tuple(places)
    cut = cut or any(place.location is None for place in places)  # whether it lies within is not known
    found = wanted.within(places)
    if wanted.rank is RankBy.DISTANCE:
        found.sort(key=lambda item: item.distance_m or 0.0)
    if wanted.limit is not None and len(found) >= wanted.limit:
        return tuple(found[: wanted.limit])
    return CutList(found) if cut or wanted.radius_m > MAX_RADIUS_M else tuple(found)
