"""From what single texts say to one recorded world: places by id, lists joined, ways kept once.

The places of all texts stand under one roof, where it is told which mentions are one place.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from math import inf
from typing import Any

from map_tools.compute.geodesy import distance_m
from map_tools.facts import Fact, NearbyFact, PlaceFact, RoutesFact, TravelFact
from map_tools.kinds import concepts
from map_tools.maps.search.names import canonical
from map_tools.providers.world_file import (
    FORMAT_NAME,
    FORMAT_VERSION,
    NearbyItem,
    NearbyList,
    PlaceEntry,
    RouteEntry,
    RouteList,
    TravelEntry,
    WorldFile,
)
from map_tools.text import normalise, slug
from map_tools.types import Place, Route, Shape
from modules.context_reader.names import MOST_NAMES, most_alike
from modules.query.values.things import HERE_ID as HERE

type ListKey = tuple[str, str, float | None]
type WayKey = tuple[str, str, str, tuple[str, ...]]

MOST_BRANCHES = 100
"""Of so many places of one name it is asked whether a mention is one of them."""
SAME_SPOT_M = 150
"""Two positions under one name that are this close are one place; farther apart they are branches."""


@dataclass(slots=True)
class _Text:
    """The places of one text: which id its words mean, and which id each of its own places was given."""

    source: str
    ids: dict[str, str] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def remember(self, place_id: str, names: Iterable[str]) -> None:
        for name in names:
            if name:
                self.ids.setdefault(normalise(name), place_id)

    def find(self, name: str) -> str | None:
        """The place a line means: by its name, a slip in it, or a shorter form of it.

        A name that is only a part of the words ("Park" in "Hill Park") is that of another place.
        """
        exact = self.ids.get(normalise(name))
        if exact is not None or len(self.ids) > MOST_NAMES:
            return exact
        words = set(normalise(name).split())
        key = most_alike(name, [key for key in self.ids if not set(key.split()) < words])
        return None if key is None else self.ids[key]


class Gatherer:
    """Takes in the facts of one text after the other (`add`) and gives the world they make up (`world`)."""

    def __init__(self) -> None:
        self.gazetteer = Gazetteer()
        self._shapes: dict[str, Shape] = {}
        self._lists: dict[ListKey, dict[str, float | None]] = {}
        self._categories: dict[ListKey, tuple[str, ...]] = {}
        self._ordered: dict[ListKey, bool] = {}
        self._routes: dict[WayKey, tuple[str, RouteList]] = {}
        self._travel: dict[WayKey, tuple[str, TravelEntry]] = {}
        self._ways_told: dict[WayKey, list[TravelEntry]] = {}

    def add(self, source: str, facts: Sequence[Fact]) -> Mapping[str, str]:
        """Takes in all facts of the text called `source`; returns the ids here of its places by their own ids.

        Where the user stands and what day it is (`HERE`, notes) belongs to a question, not to a map, and is
        left out.
        """
        text = _Text(source)
        for fact in facts:
            if isinstance(fact, PlaceFact):
                names = () if fact.query == HERE else (fact.query,)
                place_id = self._place(text, fact.place, names)
                if fact.shape is not None:
                    self._shapes.setdefault(place_id, fact.shape)
        for fact in facts:
            if isinstance(fact, NearbyFact):
                self._list(text, fact)
        for fact in facts:
            if isinstance(fact, RoutesFact):
                self._ways(text, fact)
            elif isinstance(fact, TravelFact):
                self._time(text, fact)
        return text.given

    def world(self, name: str, attribution: str) -> WorldFile:
        """The world all texts make up."""
        return WorldFile(
            format=FORMAT_NAME,
            version=FORMAT_VERSION,
            name=name,
            attribution=attribution,
            places=tuple(
                PlaceEntry.model_validate(
                    {**_with_kind(place).model_dump(), "shape": self._shapes.get(place_id)}
                )
                for place_id, place in self.gazetteer.places.items()
            ),
            nearby=tuple(self._known_list(key, items) for key, items in self._lists.items()),
            routes=(*(routes for _, routes in self._routes.values()), *self._bare_routes()),
            travel_times=tuple(entry for _, entry in self._travel.values()),
        )

    def _place(self, text: _Text, place: Place, names: Iterable[str] = ()) -> str:
        own_id = place.id or normalise(place.name)
        place_id = self.gazetteer.add(
            place.model_copy(update={"id": ""}),
            known=text.given.get(own_id),
            apart=text.taken,
        )
        text.given[own_id] = place_id
        text.taken.add(place_id)
        text.remember(place_id, (place.name, *place.aliases, *names))
        return place_id

    def _refer(self, text: _Text, name: str) -> str:
        """The id of the place a line of the text means; a place of which only the name is known, if none."""
        place_id = text.find(name)
        if place_id is None:
            return self._place(text, Place(id="", name=name))
        self.gazetteer.also_called(place_id, name)
        return place_id

    def _list(self, text: _Text, fact: NearbyFact) -> None:
        anchor = self._place(text, fact.anchor_place) if fact.anchor_place else self._refer(text, fact.anchor)
        key = (anchor, fact.what, fact.radius_m)
        items = self._lists.setdefault(key, {})
        self._categories.setdefault(key, fact.categories)
        self._ordered[key] = key not in self._ordered and fact.sorted_by_distance
        for item in fact.items:
            place_id = self._place(text, item.place)
            if items.get(place_id) is None:
                items[place_id] = item.distance_m

    def _known_list(self, key: ListKey, items: dict[str, float | None]) -> NearbyList:
        anchor, what, radius_m = key
        entries = (
            NearbyItem(name=place_id) if away is None else NearbyItem(name=place_id, distance=away)
            for place_id, away in items.items()
        )
        return NearbyList(
            anchor=anchor,
            what=what,
            categories=self._categories[key],
            radius=radius_m,
            ordered=self._ordered[key],
            items=tuple(entries),
        )

    def _ways(self, text: _Text, fact: RoutesFact) -> None:
        origin, destination = self._refer(text, fact.origin), self._refer(text, fact.destination)
        stops = tuple(self._refer(text, stop) for stop in fact.waypoints)
        entry = RouteList(
            origin=origin,
            destination=destination,
            mode=fact.mode,
            waypoints=stops,
            routes=tuple(map(_route_entry, fact.routes)),
        )
        key = (origin, destination, fact.mode.value, stops)
        first, kept = self._routes.get(key, (text.source, entry))
        self._routes[key] = (first, _joined(kept, entry, extend=first == text.source))

    def _time(self, text: _Text, fact: TravelFact) -> None:
        origin, destination = self._refer(text, fact.origin), self._refer(text, fact.destination)
        entry = TravelEntry(
            origin=origin,
            destination=destination,
            mode=fact.mode,
            duration=fact.duration_s,
            distance=fact.distance_m,
        )
        key = (origin, destination, fact.mode.value, ())
        source, kept = self._travel.setdefault(key, (text.source, entry))
        if source != text.source:
            return
        # One text that tells several times for two places tells several ways ("bus 5 takes …, tram 2 …").
        whole = _completed(kept, entry)
        if whole is None:
            ways = self._ways_told.setdefault(key, [kept])
            ways += [] if entry in ways else [entry]
            whole = min(ways, key=_slowness)
        self._travel[key] = (source, whole)

    def _bare_routes(self) -> Iterable[RouteList]:
        """Several ways between two places that a text tells without steps, in its order."""
        for key, ways in self._ways_told.items():
            if key not in self._routes:
                routes = tuple(
                    RouteEntry(summary="", distance=way.distance, duration=way.duration) for way in ways
                )
                first = ways[0]
                yield RouteList(
                    origin=first.origin, destination=first.destination, mode=first.mode, routes=routes
                )


def _with_kind(place: Place) -> Place:
    """A place of which no text states the kind is of the kind its name says ("Harbour Museum")."""
    if place.categories:
        return place
    kinds = (category for phrase in concepts.find_in(place.name) for category in phrase.value.ids)
    return place.model_copy(update={"categories": tuple(dict.fromkeys(kinds))})


def _route_entry(route: Route) -> RouteEntry:
    return RouteEntry(
        summary=route.summary, distance=route.distance_m, duration=route.duration_s, steps=route.steps
    )


def _joined(kept: RouteList, new: RouteList, *, extend: bool) -> RouteList:
    """Routes told without steps get those of the same route told later; `extend` adds the routes that are new."""
    steps = {_told_route(route): route for route in new.routes if route.steps}
    routes = tuple(route if route.steps else steps.get(_told_route(route), route) for route in kept.routes)
    if extend:
        told = set(map(_told_route, routes))
        routes += tuple(route for route in new.routes if _told_route(route) not in told)
    return kept.model_copy(update={"routes": routes})


def _completed(kept: TravelEntry, new: TravelEntry) -> TravelEntry | None:
    """Time and length of one way that are told apart; None if the two contradict each other."""
    told = [(kept.duration, new.duration), (kept.distance, new.distance)]
    if any(None not in pair and pair[0] != pair[1] for pair in told):
        return None
    duration, distance = (first if first is not None else second for first, second in told)
    return kept.model_copy(update={"duration": duration, "distance": distance})


def _slowness(way: TravelEntry) -> tuple[float, float]:
    """A key that puts the quickest way first; of those without a time, the shortest."""
    return tuple(inf if one is None else one for one in (way.duration, way.distance))  # type: ignore[return-value]


def _told_route(route: RouteEntry) -> tuple[str, float | None, float | None]:
    return route.summary, route.duration, route.distance


@dataclass(slots=True)
class Gazetteer:
    """Gives places their ids across texts.

    Attributes:
        places: Everything known of each place, by id.
    """

    places: dict[str, Place] = field(default_factory=dict)
    _by_name: dict[str, dict[str, None]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=lambda: defaultdict(lambda: 1))

    def add(self, place: Place, *, known: str | None = None, apart: AbstractSet[str] = frozenset()) -> str:
        """Takes over what a text says of a place; returns the place's id here.

        Args:
            place: What the text says.
            known: The id, where the text itself tells that this place was added before.
            apart: Ids this place cannot have, because the text itself tells it from them.
        """
        known = known or self._same(place, apart)
        if known is None:
            known = self._free_id(place.name)
            self.places[known] = place.model_copy(update={"id": known})
        else:
            self.places[known] = _filled(self.places[known], place)
        for name in (place.name, *place.aliases):
            self._by_name.setdefault(normalise(name), {})[known] = None
        return known

    def also_called(self, place_id: str, name: str) -> None:
        """Notes another wording for a place."""
        place = self.places[place_id]
        if normalise(name) not in map(normalise, (place.name, *place.aliases)):
            self.places[place_id] = place.model_copy(update={"aliases": (*place.aliases, name)})
            self._by_name.setdefault(normalise(name), {})[place_id] = None

    def _same(self, place: Place, apart: AbstractSet[str]) -> str | None:
        ids = islice(self._by_name.get(normalise(place.name), ()), MOST_BRANCHES)
        fitting = (each for each in ids if each not in apart and compatible(self.places[each], place))
        return next(fitting, None)

    def _free_id(self, name: str) -> str:
        base = slug(name) or "place"
        place_id = base
        while place_id in self.places:
            self._numbers[base] += 1
            place_id = f"{base}-{self._numbers[base]}"
        return place_id


def compatible(a: Place, b: Place) -> bool:
    """True if two entries of one name can be one place.

    Positions decide; without them one address must hold all words of the other, since a source writes the
    same address long in one place and short ("Main Rd - Springfield") in another.
    """
    if a.location is not None and b.location is not None:
        return distance_m(a.location, b.location) <= SAME_SPOT_M
    if a.address is None or b.address is None:
        return True
    words_a, words_b = _address_words(a.address), _address_words(b.address)
    return words_a <= words_b or words_b <= words_a


@lru_cache(maxsize=4096)
def _address_words(address: str) -> frozenset[str]:
    return frozenset(canonical(address).split())


def _filled(known: Place, new: Place) -> Place:
    """The known place with what it lacked; lists and mappings are joined."""
    update: dict[str, Any] = {
        name: getattr(new, name)
        for name in Place.model_fields
        if getattr(known, name) in (None, "", ()) and getattr(new, name) not in (None, "", ())
    }
    update["services"] = {**new.services, **known.services}
    update["attributes"] = {**new.attributes, **known.attributes}
    update["aliases"] = tuple(dict.fromkeys((*known.aliases, *new.aliases)))
    update["categories"] = tuple(dict.fromkeys((*known.categories, *new.categories)))
    return known.model_copy(update=update)
