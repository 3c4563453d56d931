"""OpenStreetMap's services over a map of this machine, and providers that ask them without network.

Each service has a path of its own below one address:

/nominatim/search, /nominatim/lookup
/overpass                               (the interpreter)
/osrm/{car,foot,bike}/{route,table}/v1/PROFILE/LON,LAT;...
/valhalla/{route,sources_to_targets,isochrone}  (the engine that the embedded router runs as well, its own replies)
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from map_tools.errors import ConfigError, MapAgentError
from map_tools.maps.info import ATTRIBUTION, ATTRIBUTION_URL
from map_tools.maps.routing import make_actor
from map_tools.maps.valhalla_request import COSTING
from map_tools.providers.base import ANY_BASE_MAP, ProviderFactory, ProviderSetting
from map_tools.testing.contract.checking import Rehearsal
from map_tools.testing.emulate.http import HttpServer, Reply, Request
from map_tools.testing.emulate.osm import osrm, places
from map_tools.testing.emulate.osm.world import OsmWorld
from map_tools.testing.emulate.server import HOST
from map_tools.types import LatLng, TravelMode

if TYPE_CHECKING:
    from valhalla import Actor


GRAPHS: Mapping[str, TravelMode] = {
    "car": TravelMode.DRIVING,
    "foot": TravelMode.WALKING,
    "bike": TravelMode.BICYCLING,
}
"""The OSRM servers, and the mode whose graph each holds."""
_OSRM = re.compile(r"/osrm/(car|foot|bike)/(route|table)/v1/[\w-]+/([-\d.,;]+)")
CALLS = {"route": "route", "sources_to_targets": "matrix", "isochrone": "isochrone"}
"""Paths of the service, and the engine's methods."""


class OsmApi:
    """The handler of the emulated services.

    Args:
        world: The map they answer from.
    """

    def __init__(self, world: OsmWorld) -> None:
        self._world = world
        self._engine = ValhallaEngine(world.tiles) if world.tiles is not None else None

    async def __call__(self, request: Request) -> Reply:
        """Answers one request."""
        if request.path == "/overpass":
            return self._overpass(request)
        try:
            if request.path.startswith("/nominatim/"):
                return await self._nominatim(request)
            if (match := _OSRM.fullmatch(request.path)) is not None:
                return await self._osrm(match, request.query)
        except (KeyError, ValueError, MapAgentError) as error:
            return _json({"code": "InvalidQuery", "message": str(error), "error": {"code": 400}}, 400)
        call = request.path.removeprefix("/valhalla/")
        if self._engine is not None and call in CALLS:
            status, body = await self._engine.answer(call, request.body)
            return Reply(status, body)
        return Reply(404, b"There is no such service.\n", "text/plain; charset=utf-8")

    async def close(self) -> None:
        """Ends the engine; the world is not closed."""
        if self._engine is not None:
            await self._engine.close()

    async def _nominatim(self, request: Request) -> Reply:
        calls = {"/nominatim/search": places.search, "/nominatim/lookup": places.lookup}
        return _json(await calls[request.path](self._world, request.query))

    def _overpass(self, request: Request) -> Reply:
        form = parse_qs(request.body.decode())
        text = (form.get("data") or [request.query.get("data", "")])[0]
        try:
            return _json(places.interpret(self._world, text))
        except places.QueryTextError as error:
            return Reply(400, places.error_page(error), "text/html; charset=utf-8")

    async def _osrm(self, match: re.Match[str], query: Mapping[str, str]) -> Reply:
        mode, stops = GRAPHS[match[1]], [_position(pair) for pair in match[3].split(";")]
        service = osrm.route if match[2] == "route" else osrm.table
        try:
            return _json(await service(self._world, mode, stops, query))
        except osrm.OsrmError as error:
            return _json({"code": error.code, "message": str(error)}, 400)


def _position(pair: str) -> LatLng:
    lng, lat = map(float, pair.split(","))
    return LatLng(lat=lat, lng=lng)


def _json(value: Any, status: int = 200) -> Reply:
    return Reply(status, json.dumps(value, ensure_ascii=False).encode())


class ValhallaEngine:
    """The engine over a map's tiles, in a thread of its own.

    Args:
        tiles: Folder of the tiles.
    """

    def __init__(self, tiles: Path) -> None:
        self._tiles = tiles
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="valhalla")
        self._actor: Actor | None = None

    async def answer(self, call: str, request: bytes) -> tuple[int, bytes]:
        """HTTP status and body for a request to one of the paths of `CALLS`."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answer, call, request)

    async def close(self) -> None:
        """Ends the thread."""
        await asyncio.to_thread(self._thread.shutdown)

    def _answer(self, call: str, request: bytes) -> tuple[int, bytes]:
        from valhalla import ValhallaError

        if self._actor is None:
            self._actor = make_actor(self._tiles)
        try:
            return 200, getattr(self._actor, CALLS[call])(request.decode()).encode()
        except ValhallaError as error:
            told: dict[str, Any] = {
                "error_code": error.code,
                "error": error.message,
                "status_code": error.http_code,
                "status": error.http_message,
            }
            return error.http_code, json.dumps(told).encode()


@asynccontextmanager
async def osm_services(map_path: Path) -> AsyncIterator[tuple[str, OsmWorld]]:
    """The services on a free port of this machine; gives their address and the map behind them."""
    world = OsmWorld.open(map_path)
    api = OsmApi(world)
    server = HttpServer(api)
    try:
        yield f"http://{HOST}:{await server.start(HOST, 0)}", world
    finally:
        await server.close()
        await api.close()
        await world.close()


def osm_web_options(base: str, engine: str = "osrm") -> dict[str, object]:
    """The options of `osm-web` for services at an address.

    Args:
        base: Their address.
        engine: What routes: "osrm" or "valhalla".
    """
    routers = {
        mode.value: {
            "engine": engine,
            "url": f"{base}/osrm/{graph}" if engine == "osrm" else f"{base}/valhalla",
        }
        for graph, mode in GRAPHS.items()
    }
    return {"nominatim": f"{base}/nominatim", "overpass": f"{base}/overpass", "routers": routers}


def adapter_options(base: str, engine: str = "osrm") -> dict[str, object]:
    """The options of `geopy-routingpy` for services at an address: Nominatim, and what routes; as `osm_web_options`."""
    routers = {
        mode.value: {
            "service": engine,
            "options": {"base_url": f"{base}/osrm/{graph}" if engine == "osrm" else f"{base}/valhalla"},
            "profile": "driving" if engine == "osrm" else COSTING[mode],
        }
        for graph, mode in GRAPHS.items()
    }
    geocoder = {"domain": f"{base.removeprefix('http://')}/nominatim", "scheme": "http"}
    return {
        "geocoder": {"service": "nominatim", "options": geocoder},
        "routers": routers,
        "terms": {
            "attribution": ATTRIBUTION,
            "attribution_url": ATTRIBUTION_URL,
            "base_map": ANY_BASE_MAP,
            "keep_days": 0,
        },
    }


@asynccontextmanager
async def adapter_rehearsal(factory: ProviderFactory, setting: ProviderSetting) -> AsyncIterator[Rehearsal]:
    """The provider that asks these services through geopy and routingpy.

    Args:
        factory: `AdapterProvider`.
        setting: With a map.

    Raises:
        ConfigError: There is no map, or the libraries are missing.
    """
    async with _rehearsed(factory, setting, adapter_options) as rehearsal:
        yield rehearsal


@asynccontextmanager
async def osm_web_rehearsal(factory: ProviderFactory, setting: ProviderSetting) -> AsyncIterator[Rehearsal]:
    """The provider that takes the services over the chosen map for the public ones.

    Args:
        factory: `OsmWebProvider`.
        setting: With a map.

    Raises:
        ConfigError: There is no map.
    """
    async with _rehearsed(factory, setting, osm_web_options) as rehearsal:
        yield rehearsal


@asynccontextmanager
async def _rehearsed(
    factory: ProviderFactory, setting: ProviderSetting, options: Callable[[str], dict[str, object]]
) -> AsyncIterator[Rehearsal]:
    if setting.map_path is None:
        raise ConfigError(
            f"The provider '{setting.name}' is checked over a map, and there is none yet.",
            "Add one with `mapagent map add FILE.osm.pbf`, or check the real services with --live.",
        )
    async with osm_services(setting.map_path) as (base, world):
        provider = factory.from_setting(
            setting.model_copy(update={"options": options(base), "cache_folder": None})
        )
        # An area is nothing to a provider that knows no outlines.
        known = {} if provider.capabilities.areas else {"area": None}
        sample = (await world.provider.contract_sample()).model_copy(update=known)
        yield Rehearsal(provider=provider, sample=sample)
        await provider.close()
