"""Places that one name may mean, told apart by what differs for a person: kind, address, district, position.

Everything else that a face says of them is made from this, so that the numbers are the same everywhere.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from map_tools.ids import is_own
from map_tools.types import Place
from mapagent.core.answer import Candidate
from mapagent.core.facttext import clean

DIGITS = 5
"""Decimals of a position that tells two places apart: 1 m."""


def told_apart(asked: str, places: Sequence[Place], known: Sequence[str] = ()) -> tuple[Candidate, ...]:
    """The candidates for a name, in the order given.

    A kind or an address that all of them share is left out. Where the rest does not tell two of them apart,
    or there is no rest, the position does.

    Args:
        asked: The name.
        places: What it may mean.
        known: What the look-up of the name tells the first of them by, such as the street nearby, which is taken
            for those without an address.
    """
    differing = [feature for feature in _FEATURES if len({feature(place) for place in places}) > 1]
    lines = [_line(place, differing or _FEATURES) for place in places]
    often = Counter(lines)
    told = [
        line if often[line] == 1 else _placed(place, line) for place, line in zip(places, lines, strict=True)
    ]
    for number, line in enumerate(known):
        if not _address(places[number]):
            told[number] = clean(line)
    return tuple(
        Candidate(asked=asked, place=place, told=line) for place, line in zip(places, told, strict=True)
    )


def _kind(place: Place) -> str:
    return place.categories[0].replace("_", " ") if place.categories else ""


def _address(place: Place) -> str:
    return place.address or place.attributes.get("addr:street", "")


def _district(place: Place) -> str:
    """The part of town, where the address does not say it."""
    district = place.attributes.get("addr:suburb", "")
    return "" if district in _address(place) else district


_FEATURES: tuple[Callable[[Place], str], ...] = (_kind, _address, _district)


def _line(place: Place, features: Sequence[Callable[[Place], str]]) -> str:
    """A place by its name and features; by its position where it has none of them."""
    known = [feature(place) for feature in features]
    line = clean(", ".join((place.name or "(unnamed)", *filter(None, known))))
    return line if any(known) else _placed(place, line)


def _placed(place: Place, line: str) -> str:
    """The line with the position behind it; where a place of the user's own is, is not told."""
    if is_own(place.id):
        return f"{line}, a place of your own"
    if place.location is None:
        return line
    return f"{line}, {place.location.lat:.{DIGITS}f}, {place.location.lng:.{DIGITS}f}"
