"""The default provider: an OpenStreetMap extract on this machine, with routing in process.

OpenStreetMap has no ratings, no reviews, no price levels and no timetables, and this provider claims none.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from map_tools.errors import ConfigError, PlaceNotFoundError, UnsupportedError
from map_tools.maps.feature import ADDRESS
from map_tools.maps.routing import Router
from map_tools.maps.store import MapStore
from map_tools.providers.base import Capabilities, ProviderSetting, Spot, Terms, position_of
from map_tools.providers.name_check import can_mean
from map_tools.types import Candidate, LatLng, Matrix, NearbyPlace, Place, RankBy, Route, TravelMode

if TYPE_CHECKING:
    from map_tools.contract.sample import ContractSample

TERMS = Terms(
    attribution="© OpenStreetMap contributors",
    attribution_url="https://www.openstreetmap.org/copyright",
)
"""The Open Database Licence asks for the credit and lets results be kept and drawn on any map
(https://osmfoundation.org/wiki/Licence/Attribution_Guidelines)."""

CAPABILITIES = Capabilities(
    modes=frozenset({TravelMode.DRIVING, TravelMode.WALKING, TravelMode.BICYCLING}),
    facts=frozenset(
        {"location", "categories", "address", "phone", "website", "email", "hours", "services", "timezone"}
        | {"attributes"}
    ),
    areas=True,
    cheap_names=True,
    full_candidates=True,
)

WORKERS = 2
"""Threads that search the map. A search is mostly Python, so more of them would only wait for each other."""
MIN_SCORE = 0.7
"""A name less alike than this is not what was asked for."""


class OsmProvider:
    """Answers from a map that `mapagent map add` built.

    Args:
        store: The map.
        router: Routes over the map's tiles; None for a map without.
    """

    name: str = "osm"

    def __init__(self, store: MapStore, router: Router | None) -> None:
        info = store.info
        self.map_name: str | None = info.name
        self.terms = TERMS.model_copy(
            update={"attribution": info.attribution, "attribution_url": info.attribution_url}
        )
        self.capabilities = CAPABILITIES.model_copy(
            update={
                "facts": CAPABILITIES.facts.union(info.facts),
                "modes": CAPABILITIES.modes if router else frozenset(),
            }
        )
        self._store = store
        self._router = router
        self._pool = ThreadPoolExecutor(max_workers=WORKERS, thread_name_prefix="map")

    @classmethod
    def open(cls, map_path: Path) -> Self:
        """Opens a map's folder.

        Raises:
            MapStoreError: The folder is damaged, foreign or of another version.
        """
        store = MapStore.open(map_path)
        return cls(store, Router(store.tiles) if store.tiles else None)

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        """Opens the chosen map.

        Raises:
            ConfigError: There is no map.
            MapStoreError: As `open`.
        """
        if setting.map_path is None:
            raise ConfigError("There is no map yet.", "Add one with `mapagent map add FILE.osm.pbf`.")
        return cls.open(setting.map_path)

    @property
    def build(self) -> Path:
        """Folder of the build of the map, which never changes (`map_tools.maps.home`)."""
        return self._store.folder

    def score(self, text: str) -> float:
        """0 to 1: how well the best place fits these words."""
        return self._store.name_score(text)

    def exact(self, text: str) -> bool:
        """Whether a place is called exactly this (the port `mapagent.ports.NameHints`)."""
        return self._store.has_name(text)

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        """Places by name, alias or address; see `MapStore.find` for the ranking."""
        return await self._in_thread(self._find, text, near, limit)

    async def place_details(self, place_id: str) -> Place:
        """Everything the map says of a place; `PlaceNotFoundError` if it has none of this id."""
        return await self._in_thread(self._details, place_id)

    async def nearby(
        self,
        center: Spot,
        *,
        radius_m: float,
        categories: tuple[str, ...] = (),
        keyword: str | None = None,
        rank: RankBy = RankBy.DISTANCE,  # noqa: ARG002 (OpenStreetMap knows no prominence)
        limit: int | None = 20,
    ) -> tuple[NearbyPlace, ...]:
        """Places of a kind in a circle, nearest first; areas count by their representative point."""
        position = position_of(center)
        return await self._in_thread(self._nearby, position, radius_m, categories, keyword, limit)

    async def inside(
        self, area_id: str, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        """Places within the outline of an area; `UnsupportedError` if the place has no outline."""
        return await self._in_thread(self._inside, area_id, categories, keyword)

    async def directions(
        self,
        origin: Spot,
        destination: Spot,
        *,
        mode: TravelMode,
        waypoints: tuple[Spot, ...] = (),
        alternatives: bool = False,
        depart_at: datetime | None = None,  # noqa: ARG002 (the map has no traffic)
    ) -> tuple[Route, ...]:
        """Routes, fastest first, without traffic."""
        return await self._routes(mode).routes(
            position_of(origin),
            position_of(destination),
            mode,
            tuple(map(position_of, waypoints)),
            alternatives=alternatives,
        )

    async def matrix(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], *, mode: TravelMode
    ) -> Matrix:
        """Travel times and distances, without traffic."""
        starts, ends = tuple(map(position_of, origins)), tuple(map(position_of, destinations))
        return Matrix(mode=mode, rows=await self._routes(mode).matrix(starts, ends, mode))

    async def contract_sample(self) -> "ContractSample":
        """A sample of the map for the provider contract: its best-known places.

        Raises:
            UnsupportedError: The map is too small.
        """
        from map_tools.contract.from_map import sample_of_map

        return await sample_of_map(self, self._store)

    async def close(self) -> None:
        """Ends the routing threads and closes the map."""
        if self._router is not None:
            await self._router.close()
        await asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)
        self._store.close()

    async def _in_thread[**P, T](self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        call = partial(work, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)

    def _routes(self, mode: TravelMode) -> Router:
        if self._router is None:
            raise UnsupportedError(
                f"The map '{self.map_name}' has no roads for {mode.value}.",
                "Add a map from an .osm.pbf extract.",
            )
        return self._router

    def _find(self, text: str, near: LatLng | None, limit: int) -> tuple[Candidate, ...]:
        from map_tools.compute.geodesy import distance_m

        found = []
        for row, score in self._store.find(text, near=near, limit=limit):
            place = self._store.place(row)
            if score < MIN_SCORE or not can_mean(text, place, score):
                continue
            away = None if near is None or place.location is None else distance_m(near, place.location)
            outlined = self._store.has_outline(row) and ADDRESS not in place.categories
            found.append(Candidate(place=place, score=min(score, 1.0), distance_m=away, outlined=outlined))
        return tuple(found)

    def _details(self, place_id: str) -> Place:
        return self._store.place(self._row(place_id))

    def _nearby(
        self,
        position: LatLng,
        radius_m: float,
        categories: tuple[str, ...],
        keyword: str | None,
        limit: int | None,
    ) -> tuple[NearbyPlace, ...]:
        rows = self._store.nearby(position, radius_m, categories=categories, keyword=keyword, limit=limit)
        return tuple(NearbyPlace(place=self._store.place(row), distance_m=away) for row, away in rows)

    def _inside(self, area_id: str, categories: tuple[str, ...], keyword: str | None) -> tuple[Place, ...]:
        row = self._row(area_id)
        if self._store.outline(row) is None:
            name = self._store.place(row).name or area_id
            raise UnsupportedError(f"'{name}' has no outline on this map.", "Search within a radius instead.")
        return tuple(map(self._store.place, self._store.inside(row, categories=categories, keyword=keyword)))

    def _row(self, place_id: str) -> int:
        row = self._store.row_of(place_id)
        if row is None:
            raise PlaceNotFoundError(f"The map '{self.map_name}' has no place with the id '{place_id}'.")
        return row
