"""A recorded world in memory: its places under their ids, and the lists, routes and times between them.

Entries of a file speak of places by name or id. A name that no place entry explains makes a place of which
only the name is known, so that a world of nothing but travel times is complete.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from map_tools.errors import InputFileError
from map_tools.kinds import concepts
from map_tools.providers.world_file import NearbyItem, NearbyList, PlaceEntry, RouteEntry, WorldFile
from map_tools.text import normalise, slug
from map_tools.types import MatrixCell, Place, Route, RouteLeg, Shape, TravelMode

type RouteKey = tuple[str, str, TravelMode, tuple[str, ...]]
type TravelKey = tuple[str, str, TravelMode]


@dataclass(frozen=True, slots=True)
class KnownList:
    """A recorded nearby list: ids with the distance the source printed (None if it did not)."""

    anchor_id: str
    what: str
    categories: tuple[str, ...]
    radius_m: float | None
    inside: bool
    items: tuple[tuple[str, float | None], ...]
    ordered: bool = False


@dataclass(slots=True)
class World:
    """Everything a recorded world knows."""

    name: str = ""
    attribution: str = ""
    attribution_url: str = ""
    retrieved: datetime | None = None
    places: dict[str, Place] = field(default_factory=dict)
    shapes: dict[str, Shape] = field(default_factory=dict)
    lists: list[KnownList] = field(default_factory=list)
    routes: dict[RouteKey, tuple[Route, ...]] = field(default_factory=dict)
    travel: dict[TravelKey, MatrixCell] = field(default_factory=dict)

    def modes(self) -> frozenset[TravelMode]:
        """The modes at least one route or travel time is recorded for."""
        return frozenset({key[2] for key in self.routes} | {key[2] for key in self.travel})


def build_world(files: Sequence[WorldFile]) -> World:
    """Puts the files of a world together.

    The same place in several entries becomes one: what the first leaves open is filled by the later ones,
    what they contradict stays as first said.

    Raises:
        InputFileError: An entry names a place in a way that fits several.
    """
    world = World(
        name=next((file.name for file in files if file.name), ""),
        attribution="; ".join(dict.fromkeys(file.attribution for file in files if file.attribution)),
        attribution_url=next((file.attribution_url for file in files if file.attribution_url), ""),
        retrieved=max((file.retrieved for file in files if file.retrieved), default=None),
    )
    book = _PlaceBook(world.places, world.shapes)
    for file in files:
        for entry in file.places:
            book.add(entry)
    for file in files:
        world.lists += [_known_list(each, book) for each in file.nearby]
        for routes in file.routes:
            stops = tuple(map(book.refer, routes.waypoints))
            key = (book.refer(routes.origin), book.refer(routes.destination), routes.mode, stops)
            world.routes[key] = world.routes.get(key, ()) + tuple(map(_route, routes.routes))
        for entry_ in file.travel_times:
            cell = MatrixCell(distance_m=entry_.distance, duration_s=entry_.duration)
            world.travel.setdefault(
                (book.refer(entry_.origin), book.refer(entry_.destination), entry_.mode), cell
            )
    _place_by_address(world)
    return world


def _place_by_address(world: World) -> None:
    """A place without a position is where another one is at the very same numbered address."""
    spots = {
        normalise(place.address): place.location
        for place in world.places.values()
        if place.address and place.location is not None
    }
    for place in list(world.places.values()):
        words = normalise(place.address or "")
        if (
            place.location is None
            and words in spots
            and len(words.split()) > 2
            and any(map(str.isdigit, words))
        ):
            world.places[place.id] = place.model_copy(update={"location": spots[words]})


class _PlaceBook:
    """Gives places their ids, and finds them again by id, name or alias."""

    def __init__(self, places: dict[str, Place], shapes: dict[str, Shape]) -> None:
        self._places = places
        self._shapes = shapes
        self._by_name: dict[str, list[str]] = {}

    def add(self, entry: PlaceEntry) -> str:
        """Adds a place, or what is new about a known one; returns its id."""
        place_id = self._same(entry)
        if place_id is not None:
            self._places[place_id] = _filled(self._places[place_id], entry)
        else:
            place_id = entry.id or self._free_id(entry.name)
            fields = {key: value for key, value in dict(entry).items() if key in Place.model_fields}
            self._places[place_id] = Place.model_validate({**fields, "id": place_id})
            for name in (entry.name, *entry.aliases):
                self._by_name.setdefault(normalise(name), []).append(place_id)
        if entry.shape is not None:
            self._shapes.setdefault(place_id, entry.shape)
        return place_id

    def refer(self, text: str) -> str:
        """The id of the place these words of an entry mean; a new place if there is none."""
        if text in self._places:
            return text
        ids = list(dict.fromkeys(self._by_name.get(normalise(text), ())))
        if len(ids) > 1:
            raise InputFileError(
                f"'{text}' is the name of {len(ids)} places of this world.",
                f"Write one of the ids {', '.join(ids)}.",
            )
        return ids[0] if ids else self.add(PlaceEntry(name=text))

    def _same(self, entry: PlaceEntry) -> str | None:
        if entry.id:
            return entry.id if entry.id in self._places else None
        for place_id in self._by_name.get(normalise(entry.name), ()):
            if _compatible(self._places[place_id], entry):
                return place_id
        return None

    def _free_id(self, name: str) -> str:
        base = slug(name) or "place"
        place_id, number = base, 2
        while place_id in self._places:
            place_id, number = f"{base}-{number}", number + 1
        return place_id


def _compatible(place: Place, entry: PlaceEntry) -> bool:
    """True unless the two are branches: both positions or both addresses are given and differ."""
    if place.location is not None and entry.location is not None and place.location != entry.location:
        return False
    if place.address is None or entry.address is None:
        return True
    return normalise(place.address) == normalise(entry.address)


def _filled(place: Place, entry: PlaceEntry) -> Place:
    """The place with what it lacked; mappings and tuples that are empty count as lacking."""
    new = {
        key: value
        for key, value in dict(entry).items()
        if key in Place.model_fields and key != "id" and value and not getattr(place, key)
    }
    return place.model_copy(update=new)


def _known_list(each: NearbyList, book: _PlaceBook) -> KnownList:
    return KnownList(
        anchor_id=book.refer(each.anchor),
        what=each.what,
        categories=each.categories or _categories(each.what),
        radius_m=each.radius,
        inside=each.inside,
        items=tuple((_item_id(item, book), item.distance) for item in each.items),
        ordered=each.ordered,
    )


def _item_id(item: NearbyItem, book: _PlaceBook) -> str:
    only_name = item.model_fields_set <= {"name", "distance"}
    return book.refer(item.name) if only_name else book.add(item)


def _categories(what: str) -> tuple[str, ...]:
    found = concepts.lookup(what)
    if found is None:
        spans = concepts.find_in(what)
        found = spans[0].value if spans else None
    return found.ids if found else ()


def _route(entry: RouteEntry) -> Route:
    legs: Iterable[RouteLeg]
    if entry.legs:
        legs = (
            RouteLeg(distance_m=leg.distance, duration_s=leg.duration, steps=leg.steps) for leg in entry.legs
        )
    else:
        legs = (RouteLeg(distance_m=entry.distance, duration_s=entry.duration, steps=entry.steps),)
    return Route(
        summary=entry.summary,
        distance_m=entry.distance,
        duration_s=entry.duration,
        legs=tuple(legs),
        warnings=entry.warnings,
    )
