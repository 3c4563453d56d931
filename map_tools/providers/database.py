"""A provider over a spatial database: its tables are searched as a whole, by kinds and names of their own."""

from datetime import datetime

import numpy as np

from map_tools.compute.geodesy import away_m, distance_m
from map_tools.compute.shapes import shape_of
from map_tools.errors import PlaceNotFoundError, UnsupportedError
from map_tools.maps.search.names import canonical
from map_tools.providers.base import Capabilities, HasShapes, Provider, Spot, TellsReach, Terms, position_of
from map_tools.spatial_db.grounding.places import ROADS, SAME_SPOT_M, PlaceFinder, Resolved, corner_of
from map_tools.spatial_db.memory.engine import FeatureRef, MemoryEngine
from map_tools.spatial_db.port import FeatureList, FeatureSearch, NamedPlaces
from map_tools.spatial_db.search import Features, Searcher
from map_tools.together import Threads
from map_tools.types import (
    Box,
    Candidate,
    LatLng,
    Matrix,
    NearbyPlace,
    Place,
    RankBy,
    Route,
    Shape,
    TravelMode,
)

TERMS = Terms(
    attribution="© OpenStreetMap contributors", attribution_url="https://www.openstreetmap.org/copyright"
)
CAPABILITIES = Capabilities(
    modes=frozenset(),
    facts=frozenset(
        {"location", "categories", "address", "phone", "website", "hours", "services", "attributes", "extent"}
    ),
    areas=True,
    cheap_names=True,
    full_candidates=True,
)
WORKERS = 2
"""Threads that search the tables."""


class DatabaseProvider:
    """Answers from a spatial database in memory.

    Args:
        engine: The data.
        map_name: What the data is called.
        behind: A map that knows names which no table has, and ways; None: there is none.
        terms: Whose data it is.
    """

    def __init__(
        self, engine: MemoryEngine, *, map_name: str, behind: Provider | None = None, terms: Terms = TERMS
    ) -> None:
        self.name = "database"
        self.map_name: str | None = map_name
        self.terms = terms
        modes = behind.capabilities.modes if behind is not None else frozenset()
        self.capabilities = CAPABILITIES.model_copy(update={"modes": modes})
        self._engine = engine
        self._behind = behind
        self._features = Features(engine)
        self._finder = PlaceFinder(engine)
        self._searcher = Searcher(self._features)
        self._threads = Threads("database", WORKERS)

    @property
    def engine(self) -> MemoryEngine:
        """The data (`map_tools.spatial_db.port.HasEngine`)."""
        return self._engine

    @property
    def extent(self) -> Box | None:
        """The box around all features."""
        tables = [table for table in self._engine.tables.values() if len(table)]
        if not tables:
            return None
        lats, lngs = ([getattr(table, what) for table in tables] for what in ("lats", "lngs"))
        return Box(
            south=float(min(map(np.min, lats))),
            west=float(min(map(np.min, lngs))),
            north=float(max(map(np.max, lats))),
            east=float(max(map(np.max, lngs))),
        )

    def exact(self, text: str) -> bool:
        """Whether a feature is called exactly this (the port `mapagent.core.ports.NameHints`)."""
        named = bool(self._engine.find_name(text, fuzzy=False))
        return named or bool(getattr(self._behind, "exact", lambda _: False)(text))

    def score(self, text: str) -> float:
        """0 to 1: how well the best name fits these words."""
        named = next((hit.score for hit in self._engine.find_name(text)), 0.0)
        return max(named, float(getattr(self._behind, "score", lambda _: 0.0)(text)))

    async def named(self, words: str, *, region: bool = False) -> NamedPlaces:
        """All places that words mean; see `SearchesFeatures.named`."""
        if not self._finder.known(words):
            elsewhere = await self._named_behind(words)
            if elsewhere:
                return NamedPlaces(places=elsewhere)
        return await self._threads.run(lambda: self._named(words, region=region))

    async def features(self, search: FeatureSearch) -> FeatureList:
        """All features that a search finds; see `SearchesFeatures.features`."""
        area = search.area
        if isinstance(area, str) and self._features.ref_of(area) is None:
            outline = await self.shape(area)
            if outline is None or outline.kind != "area":
                raise UnsupportedError(f"'{area}' has no outline here.", "Search within a radius instead.")
            search = search.model_copy(update={"area": outline})
        return await self._threads.run(lambda: self._searcher.found(search))

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        """Places by name, the nearest first where `near` is given; those called otherwise only if none is."""
        try:
            found = await self.named(text)
        except PlaceNotFoundError:
            return ()
        score = 1.0 if found.exact else self.score(text)
        candidates = [
            Candidate(
                place=place,
                score=score,
                distance_m=away_m(near, place),
                outlined=place.extent is not None and place.extent.kind == "area",
            )
            for place in found.places
        ]
        if near is not None:
            candidates.sort(key=lambda one: float("inf") if one.distance_m is None else one.distance_m)
        return tuple(candidates[:limit])

    async def place_details(self, place_id: str) -> Place:
        """Everything known of a place; `PlaceNotFoundError` if there is none of this id."""
        ref = self._features.ref_of(place_id)
        if ref is not None:
            return self._features.place(ref)
        if self._behind is not None:
            return await self._behind.place_details(place_id)
        raise PlaceNotFoundError(f"No feature has the id '{place_id}'.", "Look it up by its name.")

    async def nearby(
        self,
        center: Spot,
        *,
        radius_m: float,
        categories: tuple[str, ...] = (),
        keyword: str | None = None,
        rank: RankBy = RankBy.DISTANCE,  # noqa: ARG002 (no table knows prominence)
        limit: int | None = 20,
    ) -> tuple[NearbyPlace, ...]:
        """Places of a kind, nearest first, by the points that stand for them."""
        search = FeatureSearch(words="", center=center, radius_m=radius_m, limit=limit)
        groups = self._searcher.groups(categories, keyword)
        return await self._threads.run(lambda: self._searcher.around(search, groups).items)

    async def inside(
        self, area_id: str, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        """Places within the outline of an area; `UnsupportedError` if the place has none."""
        search = FeatureSearch(words="", relation="inside", area=area_id)
        groups = self._searcher.groups(categories, keyword)
        return await self._threads.run(
            lambda: tuple(item.place for item in self._searcher.within(search, groups).items)
        )

    async def everywhere(
        self, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        """All places of a kind (`map_tools.providers.base.Bounded`)."""
        groups = self._searcher.groups(categories, keyword)
        return await self._threads.run(lambda: self._searcher.everywhere(groups))

    async def shape(self, place_id: str) -> Shape | None:
        """Outline or course of a feature (`map_tools.providers.base.HasShapes`); None for points."""
        ref = self._features.ref_of(place_id)
        if ref is None and isinstance(self._behind, HasShapes):
            return await self._behind.shape(place_id)
        ref = self._ref(place_id)
        if self._engine.table(ref).shapes is None:
            return None

        return await self._threads.run(lambda: shape_of(self._engine.geometry(ref)))

    async def directions(
        self,
        origin: Spot,
        destination: Spot,
        *,
        mode: TravelMode,
        waypoints: tuple[Spot, ...] = (),
        alternatives: bool = False,
        depart_at: datetime | None = None,
    ) -> tuple[Route, ...]:
        """Routes by the map behind; `UnsupportedError` without one."""
        return await self._ways().directions(
            origin,
            destination,
            mode=mode,
            waypoints=waypoints,
            alternatives=alternatives,
            depart_at=depart_at,
        )

    async def matrix(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], *, mode: TravelMode
    ) -> Matrix:
        """Travel times by the map behind; `UnsupportedError` without one."""
        return await self._ways().matrix(origins, destinations, mode=mode)

    async def reach(self, origin: Spot, *, within_s: float, mode: TravelMode) -> Shape:
        """What the map behind reaches within a time (`map_tools.providers.base.TellsReach`)."""
        ways = self._ways()
        if not isinstance(ways, TellsReach):
            raise UnsupportedError("The map behind does not tell what can be reached within a time.")
        return await ways.reach(origin, within_s=within_s, mode=mode)

    async def close(self) -> None:
        """Ends the threads, and closes the map behind."""
        await self._threads.close()
        if self._behind is not None:
            await self._behind.close()

    def _ways(self) -> Provider:
        if self._behind is None:
            raise UnsupportedError(
                f"The database '{self.map_name}' has no roads to travel on.", "Use a map with roads."
            )
        return self._behind

    def _ref(self, place_id: str) -> FeatureRef:
        ref = self._features.ref_of(place_id)
        if ref is None:
            raise PlaceNotFoundError(f"No feature has the id '{place_id}'.", "Look it up by its name.")
        return ref

    def _named(self, words: str, *, region: bool) -> NamedPlaces:
        found = self._found(words, region=region)
        if isinstance(found, Place):
            return NamedPlaces(places=(found,))
        refs = found.refs
        if region:
            refs = tuple(ref for ref in refs if self._engine.is_area(ref)) or refs
        return NamedPlaces(places=tuple(map(self._features.place, refs)), exact=found.exact)

    def _found(self, words: str, *, region: bool) -> Resolved | Place:
        """The features of a name; where nothing is called so to the letter, a corner of two streets first."""
        first, both, second = words.partition(" & ")
        if both and not self._finder.known(words):
            try:
                at = corner_of(self._engine, first.strip(), second.strip()).at
            except PlaceNotFoundError:
                if ROADS in self._engine.tables:
                    raise
                return self._finder.find(words)
            return Place(id=f"point:{at}", name=words, location=at, extent=None)
        return self._finder.find(words, "region" if region else "place")

    async def _named_behind(self, words: str) -> tuple[Place, ...]:
        """The places that only the map behind calls so, to the letter."""
        behind = self._behind
        if behind is None or not getattr(behind, "exact", lambda _: False)(words):
            return ()
        kept: list[Place] = []
        for candidate in await behind.find_place(words, limit=50):
            place = candidate.place
            names = {canonical(name) for name in (place.name, *place.aliases)}
            if place.location is None or canonical(words) not in names:
                continue
            if all(distance_m(place.location, position_of(other)) > SAME_SPOT_M for other in kept):
                kept.append(place)
        return tuple(kept)
