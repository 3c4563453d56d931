"""A sample of a recorded world, made from what it holds, the same one each time."""

from collections import Counter, defaultdict

from map_tools.compute.geodesy import distance_m
from map_tools.errors import UnsupportedError
from map_tools.providers.world import World
from map_tools.testing.contract.declarations import filled
from map_tools.testing.contract.sample import ContractSample
from map_tools.text import normalise
from map_tools.types import LatLng, Place, TravelMode

RADIUS_M = 2_000.0
TOLERANCE_M = 50.0
MOST_EXPECTED = 25


def sample_of_world(world: World) -> ContractSample:
    """A sample of a recorded world.

    Raises:
        UnsupportedError: It holds no place with two of one kind around it, or no way between two places.
    """
    place, position, category, count = _center(world)
    origin, destination, modes = _way(world)
    area, kind = _area(world)
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
        raise _too_small(world, "no place with a position and two places of one kind around it")
    return best


def _kinds_around(world: World, at: LatLng) -> Counter[str]:
    return Counter(
        category
        for place in world.places.values()
        if place.location is not None and distance_m(at, place.location) <= RADIUS_M
        for category in place.categories[:1]
    )


def _way(world: World) -> tuple[str, str, frozenset[TravelMode]]:
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
        raise _too_small(world, "no way between two places")
    start, end = max(modes, key=lambda pair: len(modes[pair]))
    return known[start], known[end], frozenset(modes[start, end])


def _area(world: World) -> tuple[str | None, str | None]:
    """A place whose inside is recorded, and the kind of places listed there."""
    known = {place.id: place.name for place in _unmistakable(world)}
    for each in world.lists:
        if each.inside and each.items and each.anchor_id in known:
            return known[each.anchor_id], next(iter(each.categories), None)
    return None, None


def _too_small(world: World, lacking: str) -> UnsupportedError:
    return UnsupportedError(
        f"The world '{world.name}' is too small to be checked: it has {lacking}.",
        "Write a sample file, or check a larger world.",
    )
