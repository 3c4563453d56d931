"""Where the places of a wish lie: geometry, spatial function and parameter (section 4.2), as the program says.

The spatial function follows from the geometry: within a distance of a point, within the buffer of a line, inside
a region. How far "near" reaches where the program does not say it is settled by appendix F.1.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from map_tools.types import TravelMode
from modules.query.operators.recommend import Given

NEARBY_M = 1000.0
WALKABLE_M = 2000.0
NOT_TOO_FAR_M = 3000.0
"""Radii for "nearby" or "close", "walking distance" and "not too far": appendix F.1, "Point-based"."""

WALKING_BUFFER_M = 1000.0
ROUTE_BUFFER_M = 2000.0
SCENIC_BUFFER_M = 3000.0
"""Buffers of walking, general and scenic routes: appendix F.1, "Route-based"."""

SHORT_M = 500.0
"""Where only what is right by the way will do: the 500 m of cases 7 and 8 (appendix G)."""
EVERYWHERE_M = 25_000.0
"""Across a large city: where the sparse retriever is left out."""


class Geometry(StrEnum):
    """What is measured from."""

    POINT = "point"
    LINE = "line"
    REGION = "region"


@dataclass(frozen=True, slots=True)
class Reach:
    """How a place must lie.

    Attributes:
        geometry: What is measured from, and `given` as the program gives it.
        distance_m: The greatest distance from it; None inside a region.
        bounds: A region in which it must lie besides.
    """

    geometry: Geometry
    given: Given
    distance_m: float | None = None
    bounds: Given | None = None

    @classmethod
    def of(
        cls,
        *,
        near: Given | None,
        along: Given | None,
        inside: Given | None,
        within_m: float | None,
        scales: frozenset[str],
    ) -> "Reach":
        """What a program says, with the defaults for what it leaves open.

        Args:
            near: A place, as the program gives it.
            along: A way or street.
            inside: An area. At least one of the three is given.
            within_m: The distance that it states.
            scales: What the wish says of how near is near (`RecommendationQuery.scales`).

        Raises:
            ValueError: Nothing is given to measure from.
        """
        if along is not None:
            return cls(Geometry.LINE, along, within_m or _buffer_m(scales, along.mode), inside)
        if near is not None:
            return cls(Geometry.POINT, near, within_m or _radius_m(scales), inside)
        if inside is None:
            raise ValueError("nothing is measured from")
        return cls(Geometry.REGION, inside)

    @property
    def name(self) -> str:
        """What is measured from, and what bounds it."""
        return self.given.name if self.bounds is None else f"{self.given.name} in {self.bounds.name}"

    def widened(self, factor: float) -> "Reach":
        """The same with a longer distance."""
        return replace(self, distance_m=None if self.distance_m is None else self.distance_m * factor)

    def everywhere(self) -> "Reach":
        """The same without the spatial constraint: whatever lies in a city about it."""
        return replace(self, distance_m=None if self.distance_m is None else EVERYWHERE_M)


def _radius_m(scales: frozenset[str]) -> float:
    """The widest reading that a word asks for, "nearby" where none does."""
    if "short" in scales:
        return SHORT_M
    if "far" in scales:
        return NOT_TOO_FAR_M
    return WALKABLE_M if "walkable" in scales else NEARBY_M


def _buffer_m(scales: frozenset[str], mode: TravelMode | None) -> float:
    """The buffer of a way; along a street one walks."""
    if "short" in scales:
        return SHORT_M
    if "scenic" in scales:
        return SCENIC_BUFFER_M
    return WALKING_BUFFER_M if mode in {None, TravelMode.WALKING} else ROUTE_BUFFER_M
