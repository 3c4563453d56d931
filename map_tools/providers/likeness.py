"""Which of a geocoder's results bear the name that was asked for.

Geocoders rank their results without a score, and some give something for almost every text. A wrong place is
worse than none, so a result counts only if its name or address can mean the words, or if it is the only one.
"""

from collections.abc import Iterable, Sequence

from map_tools.areas import AREA_KINDS
from map_tools.compute.geodesy import distance_m
from map_tools.providers.name_check import can_mean
from map_tools.text import normalise, similarity
from map_tools.types import Candidate, LatLng, Place

ALIKE = 0.7
"""A name or address less alike than this is looked at no further."""
ONLY_ONE = 0.7
"""Score of a result that is the only one but is called otherwise: a name in another language or a nickname,
which the geocoder knows and we do not."""
IN_ADDRESS = 0.97
"""Score of a name whose further words all stand in the address ("X, Main Street"); under an exact name."""


def candidates(
    text: str, places: Sequence[Place], *, near: LatLng | None, limit: int
) -> tuple[Candidate, ...]:
    """The results that can be meant, best first; equally good ones in the geocoder's order."""
    found = list(_named(text, places))
    if not found and len(places) == 1 and AREA_KINDS.isdisjoint(places[0].categories):
        found = [(places[0], ONLY_ONE)]
    found.sort(key=lambda item: -item[1])
    return tuple(
        Candidate(place=place, score=score, distance_m=_away(near, place)) for place, score in found[:limit]
    )


def _named(text: str, places: Iterable[Place]) -> Iterable[tuple[Place, float]]:
    for place in places:
        score = _score(text, place)
        if score >= ALIKE and can_mean(text, place, score):
            yield place, score


def _score(text: str, place: Place) -> float:
    """0 to 1: how well the words fit name and address."""
    wanted, name = normalise(text), normalise(place.name)
    address = normalise(place.address or "")
    best = max(similarity(wanted, name), similarity(wanted, address))
    words, own = set(wanted.split()), set(name.split())
    if own and own < words and (words - own).issubset(address.split()):
        return max(best, IN_ADDRESS)
    return best


def _away(near: LatLng | None, place: Place) -> float | None:
    return None if near is None or place.location is None else distance_m(near, place.location)
