"""The routers of routingpy, asked through the wire. Only this file knows routingpy.

The library blocks, so its calls run in threads; what they ask goes back to the event loop, where the wire is.
https://routingpy.readthedocs.io/en/latest/
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from contextvars import copy_context
from functools import partial
from typing import Any

from routingpy.client_base import BaseClient
from routingpy.exceptions import RouterError, RouterNotFound
from routingpy.routers import get_router_by_name

from map_tools.compute.geodesy import distance_m
from map_tools.errors import ConfigError, NoRouteError, ProviderError
from map_tools.providers.geopy_routingpy.options import RouterOption
from map_tools.providers.geopy_routingpy.requesting import wire_request
from map_tools.providers.http_clients import HttpClients, reading
from map_tools.providers.travel_table import FASTEST_WALK_M_S, TELLING_M, Cells, in_halves, is_walkable
from map_tools.types import NO_WAY, LatLng, MatrixCell, Route, RouteLeg, TravelMode

MAX_SNAP_M = 5_000.0
"""A route that begins or ends farther than this from the place asked for is none."""
MATRIX_ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "ors": {"metrics": ["distance", "duration"]},
    "openrouteservice": {"metrics": ["distance", "duration"]},
    "mapbox": {"annotations": ["distance", "duration"]},
    "mapbox_osrm": {"annotations": ["distance", "duration"]},
}
"""What some services must be told to send both distances and times."""
_NO_WAY = re.compile(
    r"no ?route|no ?segment|no path|not (?:be )?(?:found|find)|cannot find|no suitable edges|routable point"
    r"|unconnected|distance exceeds",
    re.IGNORECASE,
)
"""What services say where no way leads; the library has no code for it."""

type Stops = tuple[LatLng, ...]


class LibraryRouter:
    """One routing service for one mode.

    Args:
        option: Which one.
        mode: The mode it is asked for.
        http_clients: The way to the network.
        pool: Threads for the library's calls.

    Raises:
        ConfigError: routingpy knows no such router, or it cannot be made with these options.
    """

    def __init__(
        self, option: RouterOption, mode: TravelMode, http_clients: HttpClients, pool: ThreadPoolExecutor
    ) -> None:
        self._option = option
        self._mode = mode
        self._http_clients = http_clients
        self._pool = pool
        self._router(None)  # made once on trial: wrong options are told at once

    async def leg(self, start: LatLng, end: LatLng) -> Route:
        """The route between two positions, as a leg without steps: the library tells none.

        Raises:
            NoRouteError: There is none.
            ProviderError: The service refused, or answers for another mode.
        """
        with self._reading():
            found = await self._call("directions", [start, end], {})
            geometry = tuple(LatLng(lat=at[1], lng=at[0]) for at in found.geometry or ())
        if found.duration is None or (geometry and _is_elsewhere(geometry, start, end)):
            raise self._no_route()
        if self._mode is TravelMode.WALKING and _is_driven(found.distance, found.duration):
            raise self._other_graph()
        leg = RouteLeg(distance_m=found.distance, duration_s=found.duration)
        return Route(
            summary="", distance_m=leg.distance_m, duration_s=leg.duration_s, legs=(leg,), geometry=geometry
        )

    async def cells(self, origins: Stops, destinations: Stops) -> Cells:
        """Travel between all pairs."""
        cells = await in_halves(origins, destinations, self._table)
        if self._mode is TravelMode.WALKING and not is_walkable(cells):
            raise self._other_graph()
        return cells

    async def _table(self, origins: Stops, destinations: Stops) -> Cells:
        rows, columns = len(origins), len(destinations)
        arguments = {
            "sources": list(range(rows)),
            "destinations": list(range(rows, rows + columns)),
            **MATRIX_ARGUMENTS.get(self._option.service.lower(), {}),
        }
        with self._reading():
            found = await self._call("matrix", [*origins, *destinations], arguments)
            lengths = found.distances or [[None] * columns] * rows
            return [
                (row, column, _cell(lengths[row][column], duration_s))
                for row, durations in enumerate(found.durations)
                for column, duration_s in enumerate(durations)
            ]

    async def _call(self, method: str, stops: Sequence[LatLng], arguments: Mapping[str, Any]) -> Any:
        """What a method of the library's router returns."""
        loop = asyncio.get_running_loop()
        router = self._router(loop)
        work = partial(
            getattr(router, method),
            locations=[[stop.lng, stop.lat] for stop in stops],
            profile=self._option.profile,
            **arguments,
        )
        try:
            return await loop.run_in_executor(self._pool, copy_context().run, work)
        except RouterError as error:
            said = " ".join(str(error.message or "").split())
            if _NO_WAY.search(said):
                raise self._no_route() from error
            raise ProviderError(
                f"The routing service '{self._option.service}' refused (status {error.status}).",
                "Check its key and its options, or try again later.",
            ) from error

    def _reading(self) -> AbstractContextManager[None]:
        """Around all that looks into a reply: what the library stumbles over is a broken one."""
        return reading(f"The routing service '{self._option.service}'")

    def _router(self, loop: asyncio.AbstractEventLoop | None) -> Any:
        """A router of the library, which is made of little more than an address."""
        option = self._option
        key = option.key()
        keyed = {} if key is None else {"api_key": key.get_secret_value()}
        try:
            kind = get_router_by_name(option.service)
            return kind(
                **option.options, **keyed, client=_WireClient, http_clients=self._http_clients, loop=loop
            )
        except RouterNotFound as error:
            raise ConfigError(
                f"routingpy knows no router '{option.service}'.", "Its documentation lists them."
            ) from error
        except (TypeError, ValueError, KeyError) as error:
            raise ConfigError(
                f"The router '{option.service}' cannot be made: {str(error).rstrip('.')}.",
                "Its options are listed in routingpy's documentation.",
            ) from error

    def _no_route(self) -> NoRouteError:
        return NoRouteError(
            f"There is no {self._mode.value} route between these places.", "Try another mode of travel."
        )

    def _other_graph(self) -> ProviderError:
        return ProviderError(
            f"The routing service '{self._option.service}' answers with the ways of another mode than "
            f"{self._mode.value}.",
            f"Check its profile '{self._option.profile}'.",
        )


class _WireClient(BaseClient):  # type: ignore[misc]
    """routingpy's way to the network: ours. `http_clients` and `loop` come with the client's keyword arguments."""

    def _request(
        self,
        url: str,
        get_params: Any = None,
        post_params: Mapping[str, Any] | None = None,
        **_others: Any,
    ) -> Any:
        """A reply's JSON; retries and the like are the wire's."""
        address = f"{self.base_url}{self._generate_auth_url(url, get_params)}"
        headers = {**self.headers, **self.kwargs.get("headers", {})}
        request = wire_request(address, headers, post_params)
        work = self.kwargs["http_clients"].send(request)
        reply = asyncio.run_coroutine_threadsafe(work, self.kwargs["loop"]).result()
        if not reply.ok:
            raise RouterError(str(reply.status), reply.text()[:500])
        return reply.json()


def _cell(length_m: float | None, duration_s: float | None) -> MatrixCell:
    return NO_WAY if duration_s is None else MatrixCell(distance_m=length_m, duration_s=duration_s)


def _is_elsewhere(geometry: Sequence[LatLng], start: LatLng, end: LatLng) -> bool:
    """True if a route begins or ends far from the places asked for: the nearest road may be anywhere."""
    return distance_m(geometry[0], start) > MAX_SNAP_M or distance_m(geometry[-1], end) > MAX_SNAP_M


def _is_driven(length_m: float | None, duration_s: float) -> bool:
    """True for a longer way that nobody walks in that time."""
    return length_m is not None and length_m >= TELLING_M and length_m > FASTEST_WALK_M_S * duration_s
