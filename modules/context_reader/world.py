"""A supplied text as a small world of its own, which the map tools search like any map.

What the text tells of places, lists, ways and times is served as it stands. Names are looked up more freely than
on a map, for one text has few of them. Lines that no reader understands stay quotable text.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache

from map_tools.errors import UnsupportedError
from map_tools.facts import NoteFact, PlaceFact
from map_tools.kinds.concepts import find_in, lookup
from map_tools.providers.base import CutList, Spot
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import World, build_world
from map_tools.providers.world_search import Kind
from map_tools.text import SAME_SCORE, apart_from_whereabouts, mention_score, normalise, similarity
from map_tools.types import Candidate, LatLng, NearbyPlace, Place, RankBy, TravelMode
from modules.context_reader.gather import Gatherer
from modules.context_reader.names import assigned
from modules.context_reader.reader import read_text, weekday_stated
from modules.context_reader.vocabulary import words
from modules.query.values.things import HERE_ID as HERE

NAME = "context"
_SISTERS = "serves_"
_MOST_WAYS = 0.6
"""The share of a text's ways that begin where its reader stays."""
ANYWHERE_M = 100_000.0
"""A search wider than this is for all that the text tells of."""


def _same(world: World, place: Place) -> Place | None:
    """The place of the world that has this name."""
    ranked = _ranked(place.name, tuple(world.places.values()))
    return ranked[0][1] if ranked else None


def _say_no(world: World) -> None:
    """What a text says of other places, and only its sisters of this one ("Serves Lunch"), this one has not."""
    told = {key for place in world.places.values() for key in place.services if key.startswith(_SISTERS)}
    for place in list(world.places.values()):
        if any(key.startswith(_SISTERS) for key in place.services):
            silent = dict.fromkeys(sorted(told - set(place.services)), False)
            world.places[place.id] = place.model_copy(update={"services": {**place.services, **silent}})


def _ranked(text: str, places: Sequence[Place]) -> list[tuple[float, Place]]:
    """The places that words may mean, best first."""
    scored = [
        (max(mention_score(text, name) for name in (place.name, *place.aliases) if name), place)
        for place in places
        if place.name or place.aliases
    ]
    fitting = [(score, place) for score, place in scored if score >= SAME_SCORE]
    words = set(normalise(text).split())
    return sorted(fitting, key=lambda item: (-item[0], not words <= set(normalise(item[1].name).split())))


def _only_of_kind(text: str, places: Sequence[Place]) -> Place | None:
    """The one place of the kind, or else with the noun in its name, that words end in.

    "The gold museum" where the text has one museum, "the city boundary" where it has a "boundary of Asterfeld".

    A name of its own ("Aviation Museum") that the text does not have stays unknown.
    """
    if text != text.lower():
        return None
    told = find_in(text)
    kinds = set(max(told, key=lambda span: span.end).value.ids) if told else set[str]()
    found = [place for place in places if kinds & set(place.categories)]
    if not found:
        noun = text.rpartition(" ")[2]
        found = [place for place in places if noun in normalise(place.name).split()]
    return found[0] if len(found) == 1 else None


@cache
def _vague_kinds() -> frozenset[frozenset[str]]:
    """The kinds, each by all its categories, that words for anything mean."""
    found = map(lookup, words().vague_types)
    return frozenset(frozenset(kind.ids) for kind in found if kind is not None)


def _rivals(text: str, best: Place, other: Place, behind: float) -> bool:
    """Whether another place may be meant as well as the best one: of two, the one that says all the words is."""
    words = set(normalise(text).split())
    full = [words <= set(normalise(place.name).split()) for place in (best, other)]
    return behind < 0.001 and full[0] == full[1]


class TextProvider(RecordedProvider):
    """Answers from a supplied text and from nothing else."""

    name = NAME
    only = True

    def __init__(self, text: str) -> None:
        """Reads a text; never fails, as what is not understood is no fact of its world."""
        facts = [finding.fact for finding in read_text(text).findings]
        self._states_kinds = any(isinstance(fact, PlaceFact) and fact.place.categories for fact in facts)
        gatherer = Gatherer()
        gatherer.add(NAME, facts)
        world = build_world([gatherer.world(NAME, "")])
        _say_no(world)
        super().__init__(world)
        self.capabilities = self.capabilities.model_copy(update={"areas": True})  # by lists, and by addresses
        self.world = world
        self.map_name = None
        days = (weekday_stated(fact.text) for fact in facts if isinstance(fact, NoteFact))
        self.weekday = next((day for day in days if day is not None), None)
        here = next(
            (fact.place for fact in facts if isinstance(fact, PlaceFact) and fact.query == HERE), None
        )
        self._here = (_same(world, here) or here) if here else self._start_of_most_ways()
        self._table: dict[str, str] = {}

    def expect(self, names: Sequence[str]) -> None:
        """Tells the names of a program, so that they are given to places together (`context_reader.names`)."""
        places = tuple(self._world.places.values())
        found = {name: _ranked(name, places) for name in names}
        ends = self._ends()
        taken = [ranked[0][1].id for ranked in found.values() if ranked]
        strange = [name for name, ranked in found.items() if not ranked and not self._is_own(name)]
        known = {self._world.places[place_id].name: place_id for place_id in ends}
        table = assigned(strange, list(known), [self._world.places[one].name for one in taken])
        self._table = {name: known[other] for name, other in table.items()}

    def _ends(self) -> list[str]:
        """The places that ways begin or end at."""
        ends = [key[:2] for key in self._world.routes] + [key[:2] for key in self._world.travel]
        return list(dict.fromkeys(end for pair in ends for end in pair))

    def here(self) -> Place | None:
        """Where the asker is (`TextSource`): as the text says, else where most of its ways begin."""
        return self._here

    def _start_of_most_ways(self) -> Place | None:
        starts = Counter[str]()
        for ways in (self._world.routes, self._world.travel):
            starts.update(key[0] for key in ways)
        if not starts:
            return None
        start, count = starts.most_common(1)[0]
        return self._world.places[start] if count >= _MOST_WAYS * starts.total() else None

    def _is_own(self, name: str) -> bool:
        """Whether a noun means the place where one stays."""
        return normalise(name) in words().own and self._here is not None

    async def find_place(
        self,
        text: str,
        *,
        near: LatLng | None = None,
        limit: int = 5,
        kind: tuple[str, ...] = (),
        inside: str | None = None,
    ) -> tuple[Candidate, ...]:
        """The places that words mean, as a reader of the text would take them."""
        here = self.here() if text == HERE else None
        if here is not None:
            return (Candidate(place=here, score=1.0),)
        if text in self._table:
            place = self._world.places[self._table[text]]
            return (Candidate(place=place, score=min(similarity(text, place.name), SAME_SCORE)),)
        places = tuple(self._world.places.values())
        ranked = _ranked(text, places) or _ranked(apart_from_whereabouts(text)[0], places)
        if not ranked:
            meant = self._here if self._is_own(text) else _only_of_kind(text, places)
            if meant is not None:
                return (Candidate(place=meant, score=SAME_SCORE),)
            return await super().find_place(text, near=near, limit=limit, kind=kind, inside=inside)
        best = ranked[0][0]
        return tuple(
            Candidate(place=place, score=score)
            for score, place in ranked[:limit]
            if _rivals(text, ranked[0][1], place, best - score)
        )

    async def nearby(
        self,
        center: Spot,
        *,
        radius_m: float,
        categories: tuple[str, ...] = (),
        keyword: str | None = None,
        rank: RankBy = RankBy.DISTANCE,
        limit: int | None = 20,
    ) -> tuple[NearbyPlace, ...]:
        """A list of the text for this centre and kind; else what its positions give; else all it tells of."""
        if self._is_vague(categories, keyword):
            categories, keyword = (), None
        try:
            found = await super().nearby(
                center, radius_m=radius_m, categories=categories, keyword=keyword, rank=rank, limit=limit
            )
        except UnsupportedError:
            found = ()
        if found:
            return found
        told = self._told(categories, keyword, limit)
        if told and radius_m < ANYWHERE_M:
            raise UnsupportedError(f"The text does not say which of them lie within {radius_m:.0f} m.")
        return told

    async def inside(
        self, area_id: str, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        """What the text lists inside an area; else the places of the kind whose address names it.

        Raises:
            UnsupportedError: The text tells neither.
        """
        if self._is_vague(categories, keyword):
            categories, keyword = (), None
        try:
            return await super().inside(area_id, categories=categories, keyword=keyword)
        except UnsupportedError as error:
            name = f" {normalise((await self.place_details(area_id)).name)} "
            told = (item.place for item in self._told(categories, keyword, None))
            found = tuple(place for place in told if name in f" {normalise(place.address or '')} ")
            if not found:
                raise UnsupportedError(error.message, error.remedy) from error
            return found

    def _is_vague(self, categories: tuple[str, ...], keyword: str | None) -> bool:
        """Whether a kind is but a word for anything, such as "landmark" or "site", and the text states no kinds."""
        if self._states_kinds:
            return False
        return keyword in words().vague_types if keyword else frozenset(categories) in _vague_kinds()

    def _told(
        self, categories: tuple[str, ...], keyword: str | None, limit: int | None
    ) -> tuple[NearbyPlace, ...]:
        """The places of a kind that the text tells of one by one, where it says nothing of how far they are."""
        kind = Kind(categories, keyword)
        places = [
            place
            for place in self._world.places.values()
            if (not categories or set(categories) & set(place.categories)) and kind.fits(place)
        ]
        found = tuple(NearbyPlace(place=place, distance_m=None) for place in places)
        return CutList(found if limit is None else found[:limit])

    def modes_told(self) -> tuple[TravelMode, ...]:
        """The modes by which the text tells ways, the commonest first."""
        told = Counter([key[2] for key in self._world.travel] + [key[2] for key in self._world.routes])
        return tuple(mode for mode, _ in told.most_common())
