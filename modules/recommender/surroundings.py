"""What lies around a place: computed from the map, in the words of the vocabulary."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from map_tools.maps.geodesic import geodesic_m
from map_tools.types import LatLng, Place
from modules.recommender.vocabulary import surroundings as table

type Floats = npt.NDArray[np.float64]


def wanted_kinds(keys: Sequence[str]) -> tuple[tuple[str, ...], float]:
    """The categories that tell of some surroundings, and the farthest that any of them reaches, in metres."""
    known = [table()[key] for key in keys if key in table()]
    categories = tuple(dict.fromkeys(category for entry in known for category in entry["categories"]))
    return categories, max((float(entry["within_m"]) for entry in known), default=0.0)


def words_for(key: str) -> str:
    """How a surrounding is called in a description."""
    return str(table()[key]["words"])


class Surroundings:
    """The places around candidates, by what they make of a place near them.

    Args:
        others: Everything that may count, of any kind. Areas count by the point that stands for them.
    """

    def __init__(self, others: Sequence[Place]) -> None:
        self._by_key = {key: _positions(others, frozenset(table()[key]["categories"])) for key in table()}

    def of(self, place: Place) -> tuple[str, ...]:
        """The keys of what is within reach of a place; it is no surrounding of itself."""
        if place.location is None:
            return ()
        at = place.location
        return tuple(
            key
            for key, (ids, spots) in self._by_key.items()
            if self._reaches(place.id, at, ids, spots, float(table()[key]["within_m"]))
        )

    @staticmethod
    def _reaches(own_id: str, at: LatLng, ids: Sequence[str], spots: Floats, within_m: float) -> bool:
        if not ids:
            return False
        near = geodesic_m(at.lat, at.lng, spots[:, 0], spots[:, 1]) <= within_m
        return any(hit and other != own_id for hit, other in zip(near.tolist(), ids, strict=True))


def _positions(others: Sequence[Place], kinds: frozenset[str]) -> tuple[list[str], Floats]:
    """Ids and positions, shape (n, 2), of the places of some kinds."""
    found = [
        (other.id, other.location.lat, other.location.lng)
        for other in others
        if other.location is not None and not kinds.isdisjoint(other.categories)
    ]
    return [one[0] for one in found], np.array([one[1:] for one in found], np.float64).reshape(-1, 2)
