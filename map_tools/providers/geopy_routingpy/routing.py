"""The routers of routingpy, asked through the wire. Only this file knows routingpy.

The library blocks, so its calls run in threads; what they ask goes back to the event loop, where the wire is.
https://routingpy.readthedocs.io/en/latest/
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import copy_context
from functools import partial
from typing import Any

from routingpy.client_base import BaseClient
from routingpy.exceptions import RouterError, RouterNotFound
from routingpy.routers import ORS, Graphhopper, MapboxOSRM, Valhalla, get_router_by_name

from map_tools.compute import shapes
from map_tools.compute.geodesy import distance_m
from map_tools.errors import ConfigError, LimitError, NoRouteError, ProviderError, UnsupportedError
from map_tools.maps.valhalla_reply import read_isochrone
from map_tools.maps.valhalla_request import LEADING_ON, REACH_FORM
from map_tools.providers.geopy_routingpy.options import RouterOption, wire_request
from map_tools.providers.http_clients import HttpClients, reading
from map_tools.providers.travel_table import FASTEST_WALK_M_S, TELLING_M, Cells, in_halves, is_walkable
from map_tools.together import Threads
from map_tools.types import NO_WAY, LatLng, MatrixCell, Route, RouteLeg, Shape, TravelMode

MAX_SNAP_M = 5_000.0
"""A route that begins or ends farther than this from the place asked for is none."""
MATRIX_ARGUMENTS: Mapping[type, Mapping[str, Any]] = {
    ORS: {"metrics": ["distance", "duration"]},
    MapboxOSRM: {"annotations": ["distance", "duration"]},
}
"""What some services must be told to send both distances and times."""
REACH_ARGUMENTS: Mapping[type, Mapping[str, Any]] = {
    Valhalla: {"show_locations": True, **REACH_FORM},
    ORS: {},
    MapboxOSRM: {**REACH_FORM, "polygons": "true"},
    Graphhopper: {"type": "geojson"},
}
"""The services that work out what is reached within a time, and what they must be told to send areas as GeoJSON."""
MINUTE_S, LONGEST_MAPBOX_S = 60, 3_600
"""Mapbox takes whole minutes up to 60 (https://docs.mapbox.com/api/navigation/isochrone/)."""
_NO_WAY = re.compile(
    r"no ?route|no ?segment|no path|not (?:be )?(?:found|find)|cannot find|no suitable edges|routable point"
    r"|unconnected|distance exceeds",
    re.IGNORECASE,
)
"""What services say where no way leads; the library has no code for it."""
_TOO_LONG = re.compile(r'"code":\s*3004\b|"error_code":\s*151\b')
"""What openrouteservice (https://giscience.github.io/openrouteservice/api-reference/error-codes) and Valhalla
(https://valhalla.github.io/valhalla/api/turn-by-turn/api-reference/#internal-error-codes-and-conditions) say where
the time is longer than they work out."""

type Stops = tuple[LatLng, ...]


class LibraryRouter:
    """One routing service for one mode.

    Args:
        option: Which one.
        mode: The mode it is asked for.
        http_clients: The way to the network.
        threads: For the library's calls.

    Raises:
        ConfigError: routingpy knows no such router, or it cannot be made with these options.
    """

    def __init__(
        self, option: RouterOption, mode: TravelMode, http_clients: HttpClients, threads: Threads
    ) -> None:
        self._option = option
        self._mode = mode
        self._http_clients = http_clients
        self._threads = threads
        self._kind = type(self._router(None))  # made once on trial: wrong options are told at once

    async def leg(self, start: LatLng, end: LatLng) -> Route:
        """The route between two positions, as a leg without steps: the library tells none.

        Raises:
            NoRouteError: There is none.
            ProviderError: The service refused, or answers for another mode.
        """
        with self._reading():
            found = await self._call("directions", list(map(_lnglat, (start, end))), {})
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
            **MATRIX_ARGUMENTS.get(self._kind, {}),
        }
        with self._reading():
            found = await self._call("matrix", list(map(_lnglat, (*origins, *destinations))), arguments)
            lengths = found.distances or [[None] * columns] * rows
            return [
                (row, column, _cell(lengths[row][column], duration_s))
                for row, durations in enumerate(found.durations)
                for column, duration_s in enumerate(durations)
            ]

    async def reach(self, origin: LatLng, within_s: float) -> Shape:
        """See `map_tools.providers.base.TellsReach`."""
        arguments = REACH_ARGUMENTS.get(self._kind)
        if arguments is None:
            raise UnsupportedError(
                f"The routing service '{self._option.service}' does not tell what can be reached within a time.",
                "Name another service: valhalla, ors, mapbox or graphhopper.",
            )
        start: Any = _lnglat(origin)
        intervals = [round(within_s)]
        if self._kind is MapboxOSRM:
            self._demand_minutes(within_s)
        if self._kind is Valhalla:
            start = Valhalla.Waypoint(start, search_cutoff=MAX_SNAP_M, **LEADING_ON)
            # The library takes each feature for an interval's, also the two that `show_locations` adds.
            arguments = {**arguments, "contours": [{"time": within_s / 60}]}
            intervals *= 3
        with self._reading():
            found = await self._call("isochrones", start, {"intervals": intervals, **arguments})
            shape = read_isochrone(found.raw)
        if shape is None or shapes.distance_m(shape, origin) > MAX_SNAP_M:
            raise self._no_route(f"from {origin}")
        return shape

    def _demand_minutes(self, within_s: float) -> None:
        if within_s > LONGEST_MAPBOX_S:
            raise LimitError(
                f"The routing service '{self._option.service}' works out 60 min at most.",
                "Ask for a shorter time.",
            )
        if within_s % MINUTE_S:
            raise UnsupportedError(
                f"The routing service '{self._option.service}' works out whole minutes alone.",
                "Ask for whole minutes.",
            )

    async def _call(self, method: str, locations: Any, arguments: Mapping[str, Any]) -> Any:
        """What a method of the library's router returns."""
        loop = asyncio.get_running_loop()
        router = self._router(loop)
        work = partial(
            getattr(router, method),
            locations=locations,
            profile=self._option.profile,
            **arguments,
        )
        try:
            return await self._threads.run(partial(copy_context().run, work))
        except RouterError as error:
            said = " ".join(str(error.message or "").split())
            if _NO_WAY.search(said):
                raise self._no_route() from error
            if _TOO_LONG.search(said):
                raise LimitError(
                    f"The routing service '{self._option.service}' does not work out so long a time.",
                    "Ask for a shorter time.",
                ) from error
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

    def _no_route(self, where: str = "between these places") -> NoRouteError:
        return NoRouteError(f"There is no {self._mode.value} route {where}.", "Try another mode of travel.")

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


def _lnglat(at: LatLng) -> list[float]:
    return [at.lng, at.lat]


def _cell(length_m: float | None, duration_s: float | None) -> MatrixCell:
    return NO_WAY if duration_s is None else MatrixCell(distance_m=length_m, duration_s=duration_s)


def _is_elsewhere(geometry: Sequence[LatLng], start: LatLng, end: LatLng) -> bool:
    """True if a route begins or ends far from the places asked for: the nearest road may be anywhere."""
    return distance_m(geometry[0], start) > MAX_SNAP_M or distance_m(geometry[-1], end) > MAX_SNAP_M


def _is_driven(length_m: float | None, duration_s: float) -> bool:
    """True for a longer way that nobody walks in that time."""
    return length_m is not None and length_m >= TELLING_M and length_m > FASTEST_WALK_M_S * duration_s
