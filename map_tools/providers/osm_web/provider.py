"""The provider `osm-web`: Nominatim, Overpass and routing servers, asked as their operators wish.

`docs/providers.md` says how to choose the servers.
"""

from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Self

from map_tools.errors import PlaceNotFoundError, UnsupportedError
from map_tools.providers.base import Capabilities, ProviderSetting, Spot, position_of
from map_tools.providers.http_clients import HttpClients
from map_tools.providers.osm_web.overpass import Overpass, Search, judge
from map_tools.providers.osm_web.places import Nominatim, object_of
from map_tools.providers.osm_web.routers import Osrm, Valhalla
from map_tools.providers.osm_web.servers import TABLE_SIDE, OsmWebOptions, RouterOption, WebRouter
from map_tools.providers.own_map import CAPABILITIES, TERMS
from map_tools.providers.travel_table import positions_table
from map_tools.types import Candidate, LatLng, Matrix, NearbyPlace, Place, RankBy, Route, Shape, TravelMode
from map_tools.validation import read_options
from map_tools.wire import Retention

if TYPE_CHECKING:
    from map_tools.testing.contract.checking import Rehearsal


KEEP = replace(Retention.for_ever(), fresh_days=30)
"""Open data may be kept for ever; but shops close, and after a month it is asked again."""


class OsmWebProvider:
    """Answers from OpenStreetMap's services.

    Args:
        http_clients: The way to the network.
        options: Which servers.
        language: Language of addresses and instructions (BCP 47).
    """

    name: str = "osm-web"
    map_name: str | None = None
    terms = TERMS

    def __init__(self, http_clients: HttpClients, options: OsmWebOptions, language: str = "en") -> None:
        self.capabilities: Capabilities = CAPABILITIES.model_copy(
            update={"modes": frozenset(options.routers), "cheap_names": False, "narrow_names": False}
        )
        self._http_clients = http_clients
        self._nominatim = Nominatim(http_clients, options.nominatim, language)
        self._overpass = Overpass(http_clients, options.overpass)
        self._routers: dict[TravelMode, WebRouter] = {
            mode: _router(http_clients, router, mode, language) for mode, router in options.routers.items()
        }

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        """Opens the provider; nothing is sent yet.

        Raises:
            ConfigError: The contact is missing or no address, or an option is wrong.
        """
        options = read_options(OsmWebOptions, setting.options, setting.name)
        http_clients = HttpClients.of(
            setting,
            addresses=options.addresses(),
            own_per_s=options.requests_per_s,
            keep=KEEP,
            judge=judge,
        )
        return cls(http_clients, options, setting.language)

    @classmethod
    def rehearsal(cls, setting: ProviderSetting) -> "AbstractAsyncContextManager[Rehearsal]":
        """The provider over an emulator, to be checked without network."""
        from map_tools.testing.emulate.osm.services import osm_web_rehearsal

        return osm_web_rehearsal(cls, setting)

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        """Places whose name or address can mean the text; around `near` rather than elsewhere."""
        return await self._nominatim.named(text, near, limit)

    async def place_details(self, place_id: str) -> Place:
        """A place by its id, from Nominatim, or from Overpass where that does not index it."""
        known = object_of(place_id)
        place = None
        if known is not None:
            place = await self._nominatim.of(*known) or await self._overpass.of(*known)
        if place is None:
            raise PlaceNotFoundError(
                f"OpenStreetMap has no place with the id '{place_id}'.", "Look it up by its name."
            )
        return place

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
        """Places of a kind in a circle, nearest first; areas count by the middle of their bounding box."""
        return await self._overpass.nearby(position_of(center), radius_m, Search(categories, keyword), limit)

    async def inside(
        self, area_id: str, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        """Places within the outline of an area; `UnsupportedError` if the place has no outline."""
        known = object_of(area_id)
        if known is None or known[0] == "node":
            raise UnsupportedError(
                f"The place '{area_id}' has no outline.", "Search within a radius instead."
            )
        return await self._overpass.inside(*known, Search(categories, keyword))

    async def directions(
        self,
        origin: Spot,
        destination: Spot,
        *,
        mode: TravelMode,
        waypoints: tuple[Spot, ...] = (),
        alternatives: bool = False,
        depart_at: datetime | None = None,  # noqa: ARG002 (these servers know no traffic)
    ) -> tuple[Route, ...]:
        """Routes, best first, without traffic."""
        router = self._router(mode)
        stops = tuple(map(position_of, (origin, *waypoints, destination)))
        routes = await router.routes(stops, alternatives=alternatives)
        return routes if alternatives else routes[:1]

    async def matrix(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], *, mode: TravelMode
    ) -> Matrix:
        """Travel times and distances, without traffic, in as many requests as the servers' limits ask for."""
        router = self._router(mode)
        rows = await positions_table(origins, destinations, side=TABLE_SIDE, ask=router.cells)
        return Matrix(mode=mode, rows=rows)

    async def reach(self, origin: Spot, *, within_s: float, mode: TravelMode) -> Shape:
        """What is reached within a time, without traffic, where a Valhalla server serves the mode."""
        return await self._router(mode).reach(position_of(origin), within_s)

    async def close(self) -> None:
        """Closes the connections."""
        await self._http_clients.close()

    def _router(self, mode: TravelMode) -> WebRouter:
        router = self._routers.get(mode)
        if router is None:
            raise UnsupportedError(
                f"The provider {self.name} has no server for {mode.value}.",
                f"Name one in the configuration, under providers.{self.name}.routers.{mode.value}."
                if mode is not TravelMode.TRANSIT
                else "Try another mode of travel.",
            )
        return router


def _router(http_clients: HttpClients, option: RouterOption, mode: TravelMode, language: str) -> WebRouter:
    if option.engine == "osrm":
        return Osrm(http_clients, option, mode)
    return Valhalla(http_clients, option, mode, language)
