"""The provider `geopy-routingpy`: a geocoder of geopy and routers of routingpy, by configuration.

`docs/providers.md` shows how. It knows no searches around a position: the libraries have none in common.
"""

from contextlib import AbstractAsyncContextManager
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Self

from map_tools.errors import ConfigError, PlaceNotFoundError, UnsupportedError
from map_tools.providers.base import Capabilities, ProviderSetting, Spot, Terms, position_of
from map_tools.providers.geopy_routingpy.options import AdapterOptions
from map_tools.providers.http_clients import HttpClients
from map_tools.providers.likeness import candidates
from map_tools.providers.travel_table import positions_table
from map_tools.together import Threads, together
from map_tools.types import Candidate, LatLng, Matrix, NearbyPlace, Place, RankBy, Route, Shape, TravelMode
from map_tools.validation import read_options

if TYPE_CHECKING:
    from map_tools.providers.geopy_routingpy.routing import LibraryRouter
    from map_tools.testing.contract.checking import Rehearsal

EXTRA = "pip install 'mapagent[adapters]'"
TABLE_SIDE = 10
"""Rows and columns of one matrix request: no service's free plan takes less."""
WORKERS = 8


class AdapterProvider:
    """Answers from services that geopy and routingpy speak to.

    Args:
        options: Which services, under which terms.
        http_clients: The way to the network.
        language: Language of names and addresses (BCP 47).

    Raises:
        ConfigError: A library knows no such service, or it cannot be made with these options.
    """

    name: str = "geopy-routingpy"
    map_name: str | None = None

    def __init__(self, options: AdapterOptions, http_clients: HttpClients, language: str = "en") -> None:
        from map_tools.providers.geopy_routingpy.geocoding import FACTS, Geocoder
        from map_tools.providers.geopy_routingpy.routing import LibraryRouter

        self.capabilities = Capabilities(
            modes=frozenset(options.routers), facts=FACTS, full_candidates=True, nearby=False
        )
        self.terms: Terms = options.terms.terms()
        self._http_clients = http_clients
        self._geocoder = Geocoder(options.geocoder, http_clients, language)
        self._threads = Threads("routingpy", WORKERS)
        self._routers = {
            mode: LibraryRouter(router, mode, http_clients, self._threads)
            for mode, router in options.routers.items()
        }

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        """Opens the provider; nothing is sent yet.

        Raises:
            ConfigError: An option, a key or the contact is missing or wrong, or the libraries are.
        """
        options = read_options(AdapterOptions, setting.options, setting.name)
        http_clients = HttpClients.of(
            setting,
            addresses=options.addresses(),
            own_per_s=options.requests_per_s,
            keep=options.terms.retention(),
        )
        try:
            return cls(options, http_clients, setting.language)
        except ImportError as error:
            raise ConfigError(
                f"The provider '{setting.name}' needs the packages geopy and routingpy.", f"Run {EXTRA}."
            ) from error

    @classmethod
    def rehearsal(cls, setting: ProviderSetting) -> "AbstractAsyncContextManager[Rehearsal]":
        """The provider over an emulator, to be checked without network."""
        from map_tools.testing.emulate.osm.services import adapter_rehearsal

        return adapter_rehearsal(cls, setting)

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        """Places whose name or address can mean the text, best first."""
        from map_tools.providers.geopy_routingpy.geocoding import read_place

        words = " ".join(text.split())
        if not words:
            return ()
        places = {place.id: place for place in map(read_place, await self._geocoder.found(words, near))}
        return candidates(words, list(places.values()), near=near, limit=limit)

    async def place_details(self, place_id: str) -> Place:
        """The place that an id holds; `PlaceNotFoundError` if the id is foreign."""
        from map_tools.providers.geopy_routingpy.geocoding import place_of

        place = place_of(place_id)
        if place is None:
            raise PlaceNotFoundError(
                f"The provider {self.name} has no place with the id '{place_id}'.", "Look it up by its name."
            )
        return place

    async def nearby(
        self,
        center: Spot,  # noqa: ARG002 (geocoders do not search around a position)
        *,
        radius_m: float,  # noqa: ARG002
        categories: tuple[str, ...] = (),  # noqa: ARG002
        keyword: str | None = None,  # noqa: ARG002
        rank: RankBy = RankBy.DISTANCE,  # noqa: ARG002
        limit: int | None = 20,  # noqa: ARG002
    ) -> tuple[NearbyPlace, ...]:
        """`UnsupportedError`: geocoders do not search around a position."""
        raise UnsupportedError(
            f"The provider {self.name} does not know what lies around a place.",
            "Ask with another provider (osm, osm-web).",
        )

    async def inside(
        self,
        area_id: str,  # noqa: ARG002 (geocoders tell no outlines)
        *,
        categories: tuple[str, ...] = (),  # noqa: ARG002
        keyword: str | None = None,  # noqa: ARG002
    ) -> tuple[Place, ...]:
        """`UnsupportedError`: geocoders tell no outlines."""
        raise UnsupportedError(
            f"The provider {self.name} does not know what lies inside an area.",
            "Ask with another provider (osm, osm-web).",
        )

    async def directions(
        self,
        origin: Spot,
        destination: Spot,
        *,
        mode: TravelMode,
        waypoints: tuple[Spot, ...] = (),
        alternatives: bool = False,  # noqa: ARG002 (the libraries have no common way to ask for them)
        depart_at: datetime | None = None,  # noqa: ARG002
    ) -> tuple[Route, ...]:
        """One route, without steps; each leg is a request of its own."""
        router = self._router(mode)
        stops = tuple(map(position_of, (origin, *waypoints, destination)))
        parts = await together(router.leg(start, end) for start, end in pairwise(stops))
        return (_joined(parts),)

    async def matrix(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], *, mode: TravelMode
    ) -> Matrix:
        """Travel times and distances."""
        router = self._router(mode)
        rows = await positions_table(origins, destinations, side=TABLE_SIDE, ask=router.cells)
        return Matrix(mode=mode, rows=rows)

    async def reach(self, origin: Spot, *, within_s: float, mode: TravelMode) -> Shape:
        """What is reached within a time, where the mode's service works that out."""
        return await self._router(mode).reach(position_of(origin), within_s)

    async def close(self) -> None:
        """Ends the threads and closes the connections."""
        await self._threads.close()
        await self._http_clients.close()

    def _router(self, mode: TravelMode) -> "LibraryRouter":
        router = self._routers.get(mode)
        if router is None:
            raise UnsupportedError(
                f"The provider {self.name} has no router for {mode.value}.",
                f"Name one in the configuration, under providers.{self.name}.routers.{mode.value}.",
            )
        return router


def _joined(parts: list[Route]) -> Route:
    """The legs of a trip as one route."""
    if len(parts) == 1:
        return parts[0]
    return Route(
        summary="",
        distance_m=_sum([part.distance_m for part in parts]),
        duration_s=_sum([part.duration_s for part in parts]),
        legs=tuple(leg for part in parts for leg in part.legs),
        geometry=tuple(point for part in parts for point in part.geometry),
    )


def _sum(values: list[float | None]) -> float | None:
    """The sum; None if a part is not known."""
    return None if None in values else sum(value for value in values if value is not None)
