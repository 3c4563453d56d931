"""What an answer says, in the fields of GS-QA's answer schema (GS-QA, section 5.1)."""

from dataclasses import dataclass
from typing import Literal

from map_tools.types import LatLng

type AnswerKind = Literal["name", "loc", "angle", "count", "distance", "area", "length"]
"""The output types of GS-QA, as its data calls them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One place or number that an answer gives; what it does not say is empty or None.

    The published schema has `name`, `address`, `distance`, `azimuth_angle`, `count`, `length`, `area`; here
    the units are in the names, and a position may stand beside the address.

    Attributes:
        fact: Something else that was asked about the place (GS-QA's multi-source attribute).
    """

    name: str = ""
    address: str = ""
    position: LatLng | None = None
    distance_m: float | None = None
    azimuth_deg: float | None = None
    count: float | None = None
    length_m: float | None = None
    area_m2: float | None = None
    fact: str = ""

    def number(self, kind: AnswerKind) -> float | None:
        """The number of an output type; None for the types that are no numbers."""
        numbers = {
            "angle": self.azimuth_deg,
            "count": self.count,
            "distance": self.distance_m,
            "area": self.area_m2,
            "length": self.length_m,
        }
        return numbers.get(kind)
