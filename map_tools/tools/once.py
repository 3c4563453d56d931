"""One entry for each place in what a provider tells: services list a hotel anew by its other entrance.

The maps of our own are free of such entries when they are built (`map_tools.maps.making.twins`).
"""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from map_tools.compute.geodesy import distance_m
from map_tools.one_place import Entry, are_apart, own_kinds, phones_of, reach_m
from map_tools.providers.base import CutList
from map_tools.text import normalise
from map_tools.types import Candidate, NearbyPlace, Place

_NUMBER = re.compile(r"\b\d{1,5}[a-z]?\b", re.IGNORECASE)


def listed_once(found: tuple[NearbyPlace, ...]) -> tuple[NearbyPlace, ...]:
    """A nearby list with each place once, where its nearest entry stands; a cut list stays one."""
    united = _united([item.place for item in found])
    if not united:
        return found
    items = [
        item.model_copy(update={"place": united[number]}) if number in united else item
        for number, item in enumerate(found)
        if united.get(number, item.place) is not None
    ]
    return CutList(items) if isinstance(found, CutList) else tuple(items)


def found_once(found: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Candidates with each place once, where its best entry stands."""
    united = _united([item.place for item in found])
    return tuple(
        item.model_copy(update={"place": united[number]}) if number in united else item
        for number, item in enumerate(found)
        if united.get(number, item.place) is not None
    )


def _united(places: Sequence[Place]) -> dict[int, Place | None]:
    """By its number in the list: the place an entry stands for with others, None for those left out."""
    by_name: dict[str, list[int]] = {}
    for number, place in enumerate(places):
        if place.name:
            by_name.setdefault(normalise(place.name), []).append(number)
    united: dict[int, Place | None] = {}
    for numbers in by_name.values():
        for group in _groups(numbers, places) if len(numbers) > 1 else ():
            first, *others = group
            united[first] = _unite([places[number] for number in group])
            united.update(dict.fromkeys(others))
    return united


def _groups(numbers: Sequence[int], places: Sequence[Place]) -> Iterator[list[int]]:
    group_of = {number: [number] for number in numbers}
    for one, other in combinations(numbers, 2):
        ours, theirs = group_of[one], group_of[other]
        if ours is theirs or not _is_one(places[one], places[other]):
            continue
        if any(are_apart(_entry(places[a]), _entry(places[b])) for a in ours for b in theirs):
            continue
        ours.extend(theirs)
        group_of.update(dict.fromkeys(theirs, ours))
    distinct = {id(group): group for group in group_of.values() if len(group) > 1}
    yield from (sorted(group) for group in distinct.values())


def _is_one(one: Place, other: Place) -> bool:
    if one.id == other.id:
        return True

    reach = reach_m(_entry(one), _entry(other))
    if reach is None:
        return False
    if one.location is None or other.location is None:
        return bool(one.address) and normalise(one.address or "") == normalise(other.address or "")
    return distance_m(one.location, other.location) <= reach


def _entry(place: Place) -> "Entry":
    """House numbers are looked for before the first comma, where most addresses have them."""
    return Entry(
        kinds=own_kinds(place.categories),
        numbers=frozenset(_NUMBER.findall((place.address or "").split(",")[0].casefold())),
        phones=phones_of(place.phone or ""),
        floors=frozenset(filter(None, place.attributes.get("level", "").split(";"))),
        operator=normalise(place.attributes.get("operator", "")),
    )


def _unite(places: Sequence[Place]) -> Place:
    """The place that says most, with what only the others say."""
    first, *others = sorted(places, key=lambda place: -_said(place))
    more: dict[str, object] = {}
    for other in others:
        for field, value in dict(other).items():
            if value and not more.get(field) and not getattr(first, field):
                more[field] = value
    ids = (other.id for other in others if other.id != first.id)
    merged = dict.fromkeys((*first.merged_from, *ids, *(each for one in others for each in one.merged_from)))
    categories = dict.fromkeys(category for place in (first, *others) for category in place.categories)
    return first.model_copy(update={**more, "merged_from": tuple(merged), "categories": tuple(categories)})


def _said(place: Place) -> int:
    return sum(bool(value) for value in dict(place).values()) + len(place.attributes) + len(place.services)
