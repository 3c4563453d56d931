"""Samples made from what is behind a provider, the same ones each time.

A map's sample is of its best-known places, a recorded world's of what it holds.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator

from map_tools.compute.geodesy import distance_m
from map_tools.errors import UnsupportedError
from map_tools.kinds import concepts
from map_tools.kinds.concepts import AREA_KINDS
from map_tools.maps.reading import MapReading
from map_tools.providers.base import Provider, position_of
from map_tools.providers.world import World
from map_tools.testing.contract.behaviour import filled
from map_tools.testing.contract.checking import ContractSample
from map_tools.text import normalise
from map_tools.types import LatLng, Place, TravelMode

LINEAR = frozenset({"street", "path", "river", "stream", "canal", "railway"})
"""Categories of long things, which have no clear position."""
CONSIDERED = 400
"""How many of the best-known features are looked at."""
WANTED = 12
"""How many places with an unmistakable name are enough."""
LOOKED_AT = 2_000
"""How many features around a place are counted by kind."""
FEWEST = 3
"""One place to look at, and two to travel between."""
RADIUS_M = 2_000.0
MOST_EXPECTED = 25
"""More than a page of any map service, so that paging is looked at."""
SHORTEST_M, LONGEST_M = 500.0, 10_000.0
"""How far apart the two ends of the way may lie."""
CLEAR_MARGIN = 0.02
"""How much worse another place must fit the words for the name to be unmistakable."""
TOLERANCE_M = 50.0


async def sample_of_map(provider: Provider, reading: MapReading) -> ContractSample:
    """A sample of a map.

    Args:
        provider: The provider over the map; only asked which places are connected.
        reading: The map.

    Raises:
        UnsupportedError: The map has too few places with names of their own.
    """
    places = _landmarks(reading)
    if len(places) < FEWEST:
        raise _too_small(provider)
    for place in sorted(places, key=lambda each: -len(filled(each))):
        category, count = _common_kind(reading, place)
        if count >= 2:
            break
    else:
        raise _too_small(provider)
    others = [other for other in places if other.id != place.id]
    origin, destination, modes = await _way(provider, others)
    via = next((other for other in others if other not in (origin, destination)), None)
    return ContractSample(
        place=place.name,
        position=position_of(place),
        tolerance_m=TOLERANCE_M,
        facts=filled(place) - {"attributes"},  # tags, which are OpenStreetMap's alone
        category=category,
        radius_m=RADIUS_M,
        at_least=min(count, MOST_EXPECTED),
        origin=origin.name,
        destination=destination.name,
        modes=modes,
        via=via.name if via else None,
        area=_area(reading),
    )


def _too_small(provider: Provider) -> UnsupportedError:
    return UnsupportedError(
        f"The map '{provider.map_name}' is too small to be checked.", "Write a sample file of its places."
    )


def _best_known(reading: MapReading) -> Iterator[tuple[int, Place]]:
    """The features considered, with their rows; equally important ones in the map's order."""
    rows = reading.best_known(CONSIDERED)
    return zip(rows, reading.places(rows), strict=True)


def _landmarks(reading: MapReading) -> list[Place]:
    """The best-known places whose name finds them and nothing else."""
    places: list[Place] = []
    for row, place in _best_known(reading):
        if _is_landmark(place) and _is_unmistakable(reading, row, place.name):
            places.append(place)
        if len(places) == WANTED:
            break
    return places


def _is_landmark(place: Place) -> bool:
    """True for something with a name that one can stand at: no street and no district."""
    return bool(place.name and place.categories) and not {*place.categories} & (AREA_KINDS | LINEAR)


def _is_unmistakable(reading: MapReading, row: int, name: str) -> bool:
    found = reading.find(name, limit=2)
    if not found or found[0][0] != row:
        return False
    return len(found) == 1 or found[0][1] - found[1][1] > CLEAR_MARGIN


def _common_kind(reading: MapReading, place: Place) -> tuple[str, int]:
    """The most frequent category of the landmarks around a place, and how many there are."""
    rows = reading.nearby(position_of(place), RADIUS_M, limit=LOOKED_AT)
    near = reading.places([row for row, _ in rows])
    kinds = Counter(
        each.categories[0]
        for each in near
        if _is_landmark(each) and concepts.concept(each.categories[0]) is not None
    )
    ranked = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    return ranked[0] if ranked else ("", 0)


async def _way(provider: Provider, places: list[Place]) -> tuple[Place, Place, frozenset[TravelMode]]:
    """Two places some way apart, connected by as many modes as possible."""
    origin, *others = places
    best = (origin, others[0], frozenset[TravelMode]())
    for destination in others:
        if not _some_way_apart(origin, destination):
            continue
        modes = frozenset(
            [
                mode
                for mode in provider.capabilities.modes
                if await _leads(provider, origin, destination, mode)
            ]
        )
        if modes == provider.capabilities.modes:
            return origin, destination, modes
        if len(modes) > len(best[2]):
            best = (origin, destination, modes)
    return best


def _some_way_apart(a: Place, b: Place) -> bool:
    return SHORTEST_M <= distance_m(position_of(a), position_of(b)) <= LONGEST_M


async def _leads(provider: Provider, origin: Place, destination: Place, mode: TravelMode) -> bool:
    try:
        cell = (await provider.matrix((origin,), (destination,), mode=mode)).rows[0][0]
    except UnsupportedError:  # of a timetable that has expired; the check of the modes says so
        return False
    return cell.duration_s is not None


def _area(reading: MapReading) -> str | None:
    """The best-known area with an unmistakable name and something inside it."""
    for row, place in _best_known(reading):
        if not reading.has_outline(row):
            continue
        if place.name and _is_unmistakable(reading, row, place.name) and reading.inside(row):
            return place.name
    return None


def sample_of_world(world: World) -> ContractSample:
    """A sample of a recorded world.

    Raises:
        UnsupportedError: It holds no place with two of one kind around it, or no way between two places.
    """
    place, position, category, count = _center(world)
    origin, destination, modes = _recorded_way(world)
    area, kind = _recorded_area(world)
    return ContractSample(
        place=place.name,
        position=position,
        tolerance_m=TOLERANCE_M,
        facts=filled(place),
        category=category,
        radius_m=RADIUS_M,
        at_least=min(count, MOST_EXPECTED),
        origin=origin,
        destination=destination,
        modes=modes,
        area=area,
        area_category=kind,
    )


def _unmistakable(world: World) -> list[Place]:
    """The places whose name no other place has."""
    names = Counter(normalise(place.name) for place in world.places.values())
    return [place for place in world.places.values() if names[normalise(place.name)] == 1]


def _center(world: World) -> tuple[Place, LatLng, str, int]:
    """The first place with a position that has the most places of one kind around it, and how many."""
    best: tuple[Place, LatLng, str, int] | None = None
    for place in _unmistakable(world):
        if place.location is None:
            continue
        kinds = _kinds_around(world, place.location)
        for category, count in sorted(kinds.items()):
            if count >= 2 and (best is None or count > best[3]):
                best = (place, place.location, category, count)
    if best is None:
        raise _world_too_small(world, "no place with a position and two places of one kind around it")
    return best


def _kinds_around(world: World, at: LatLng) -> Counter[str]:
    return Counter(
        category
        for place in world.places.values()
        if place.location is not None and distance_m(at, place.location) <= RADIUS_M
        for category in place.categories[:1]
    )


def _recorded_way(world: World) -> tuple[str, str, frozenset[TravelMode]]:
    """The names of two places with recorded ways by as many modes as possible, the first such pair."""
    known = {place.id: place.name for place in _unmistakable(world)}
    modes: dict[tuple[str, str], set[TravelMode]] = defaultdict(set)
    for start, end, mode, stops in world.routes:
        if not stops and start in known and end in known:
            modes[start, end].add(mode)
    for start, end, mode in world.travel:
        if start in known and end in known:
            modes[start, end].add(mode)
    if not modes:
        raise _world_too_small(world, "no way between two places")
    start, end = max(modes, key=lambda pair: len(modes[pair]))
    return known[start], known[end], frozenset(modes[start, end])


def _recorded_area(world: World) -> tuple[str | None, str | None]:
    """A place whose inside is recorded, and the kind of places listed there."""
    known = {place.id: place.name for place in _unmistakable(world)}
    for each in world.lists:
        if each.inside and each.items and each.anchor_id in known:
            return known[each.anchor_id], next(iter(each.categories), None)
    return None, None


def _world_too_small(world: World, lacking: str) -> UnsupportedError:
    return UnsupportedError(
        f"The world '{world.name}' is too small to be checked: it has {lacking}.",
        "Write a sample file, or check a larger world.",
    )
