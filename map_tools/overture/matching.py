"""Whether a place of Overture is one that the map has: a like name, near by, and of no other kind."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from map_tools.maps.geodesic import mercator
from map_tools.maps.making.twins import Said
from map_tools.maps.search.finder import street_and_number
from map_tools.maps.search.names import canonical, likeness
from map_tools.maps.tags import HOUSE_NUMBER, STREET, house_numbers, main_name, other_names
from map_tools.one_place import ADMIN, is_singular, kinship
from map_tools.overture.source import Address

SAME_PLACE_M = 100.0
"""Farther apart than this no two entries are one place. Overture's positions are often those of the house or its
middle, so more is allowed than between entries of OpenStreetMap (`data/one_place.toml`)."""
LIKE = 0.88
"""Names from this likeness on are those of one place, if its kinds agree: a whole name within the other one, or some
slips of the keyboard, but not "Cafe Artisan" and "Café Artist" (0.87)."""
_AT_ONCE = 2
"""Kinds that a place is at once are related so closely (`one_place.kinship`)."""
_AWAY_WEIGHT = 0.2
"""What the whole of `SAME_PLACE_M` counts against the likeness of names, where several places fit."""
_CELL = 1_000.0
"""Side of the cells that added places are kept in, in units of the projection: more than `SAME_PLACE_M` up to 84
degrees of latitude."""
_NORTHMOST = 84.0


@dataclass(slots=True)
class Known:
    """A place of the map that one of Overture may be.

    Attributes:
        row: Its row.
        names: Its names in canonical form, but for the brand, which others bear too.
        categories: Its category ids, umbrellas among them.
        street: The street of its address in canonical form, empty if none is stated.
        numbers: Its house numbers.
        flat: Its shape in Mercator's projection.
    """

    row: int
    names: tuple[str, ...]
    categories: tuple[str, ...]
    street: str
    numbers: frozenset[str]
    flat: Any


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a place of Overture is recognised by: its name in canonical form, the rest as for `Known`."""

    name: str
    categories: tuple[str, ...]
    street: str
    numbers: frozenset[str]
    lat: float
    lng: float


def known_from(said: Said, lat: float, lng: float) -> Known | None:
    """A place of the map as it is compared; None if it has no name or is an administrative area."""
    import shapely

    names = names_in(said.tags)
    if not names or ADMIN in said.categories:
        return None
    shape = shapely.Point(lng, lat) if said.wkb is None else shapely.from_wkb(said.wkb)
    return Known(
        row=said.row,
        names=names,
        categories=said.categories,
        street=canonical(said.tags.get(STREET) or said.tags.get("addr:place") or ""),
        numbers=frozenset(house_numbers(said.tags.get(HOUSE_NUMBER, ""))),
        flat=shapely.transform(shape, mercator),
    )


def names_in(tags: Mapping[str, str]) -> tuple[str, ...]:
    """The names of a feature in canonical form, without its brand, unless that is all it has."""
    own = {key: value for key, value in tags.items() if key != "brand"}
    names = (main_name(tags), *other_names(own))
    return tuple(dict.fromkeys(form for name in names if name and (form := canonical(name))))


def address_parts(address: Address) -> tuple[str, str]:
    """Street and house number of an address of Overture, as written; empty where it has no such form."""
    return next(iter(street_and_number(address.freeform.partition(",")[0])), ("", ""))


class Neighbours:
    """The places of a map by where they are, and those that are added to it.

    Args:
        places: The places of the map.
    """

    def __init__(self, places: Iterable[Known]) -> None:
        import shapely

        self._places = list(places)
        self._tree = shapely.STRtree([place.flat for place in self._places])
        self._added: dict[tuple[str, int, int], list[Known]] = {}

    def add(self, place: Known) -> None:
        """Takes one more place, which is a point.

        It is found again by its words alone: thousands of a file may stand at the middle of a town, and to
        compare each with each takes too long.
        """
        for words in map(_sorted_words, place.names):
            self._added.setdefault((words, *_cell(place.flat)), []).append(place)

    def best(self, wanted: Wanted) -> Known | None:
        """The place of the map that one of Overture is; None if it is none of them."""
        point = flat_point(wanted.lat, wanted.lng)
        scale = _scale(wanted.lat)
        near = self._tree.query(point, predicate="dwithin", distance=SAME_PLACE_M / scale)
        candidates = [self._places[number] for number in near.tolist()]
        fitting = []
        for place in (*candidates, *self._around(wanted.name, point)):
            away_m = float(place.flat.distance(point)) * scale
            if away_m <= SAME_PLACE_M and (rank := _rank(wanted, place, away_m)) is not None:
                fitting.append((rank, -place.row, place))
        return max(fitting, key=lambda each: each[:2])[2] if fitting else None

    def _around(self, name: str, point: Any) -> Iterable[Known]:
        words, (east, north) = _sorted_words(name), _cell(point)
        for column in range(east - 1, east + 2):
            for line in range(north - 1, north + 2):
                yield from self._added.get((words, column, line), ())


def _rank(wanted: Wanted, place: Known, away_m: float) -> tuple[int, bool, float] | None:
    """How well two fit, the higher the better: kinds, then the address, then name and distance; None: they do not.

    Names that are merely alike need kinds that places are at once; a place whose kind is not known, an equal
    name, and to be none of those (a park, a station) that much else is called after.
    """
    related = kinship(wanted.categories, place.categories)
    equal = wanted.name in place.names
    if not (equal and related) and related < _AT_ONCE:
        return None
    named = 1.0 if equal else max(_likeness(wanted.name, name) for name in place.names)
    if named < LIKE:
        return None
    if not wanted.categories and is_singular(place.categories):
        return None
    same_street = bool(wanted.street) and wanted.street == place.street
    shared = not wanted.numbers.isdisjoint(place.numbers)
    if same_street and wanted.numbers and place.numbers and not shared:  # a branch in another house
        return None
    return related, same_street and shared, named - _AWAY_WEIGHT * away_m / SAME_PLACE_M


def _likeness(a: str, b: str) -> float:
    return max(likeness(a, b), likeness(b, a))


def _scale(lat: float) -> float:
    """Metres of one unit of the projection."""
    return float(np.cos(np.radians(min(abs(lat), _NORTHMOST))))


def _cell(point: Any) -> tuple[int, int]:
    return int(point.x // _CELL), int(point.y // _CELL)


def _sorted_words(name: str) -> str:
    return " ".join(sorted(name.split()))


def flat_point(lat: float, lng: float) -> Any:
    """A point in Mercator's projection."""
    import shapely

    return shapely.transform(shapely.Point(lng, lat), mercator)
