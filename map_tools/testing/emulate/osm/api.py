"""Answers requests to the emulated services: each has a path of its own below one address.

/nominatim/search, /nominatim/lookup
/overpass                               (the interpreter)
/osrm/{car,foot,bike}/{route,table}/v1/PROFILE/LON,LAT;...
/valhalla/{route,sources_to_targets}
"""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from map_tools.errors import MapAgentError
from map_tools.testing.emulate.http import Reply, Request
from map_tools.testing.emulate.osm import nominatim, osrm, overpass
from map_tools.testing.emulate.osm.valhalla import CALLS, ValhallaEngine
from map_tools.testing.emulate.osm.world import OsmWorld
from map_tools.types import LatLng, TravelMode

GRAPHS: Mapping[str, TravelMode] = {
    "car": TravelMode.DRIVING,
    "foot": TravelMode.WALKING,
    "bike": TravelMode.BICYCLING,
}
"""The OSRM servers, and the mode whose graph each holds."""
_OSRM = re.compile(r"/osrm/(car|foot|bike)/(route|table)/v1/[\w-]+/([-\d.,;]+)")


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
        calls = {"/nominatim/search": nominatim.search, "/nominatim/lookup": nominatim.lookup}
        return _json(await calls[request.path](self._world, request.query))

    def _overpass(self, request: Request) -> Reply:
        form = parse_qs(request.body.decode())
        text = (form.get("data") or [request.query.get("data", "")])[0]
        try:
            return _json(overpass.interpret(self._world, text))
        except overpass.QueryTextError as error:
            return Reply(400, overpass.error_page(error), "text/html; charset=utf-8")

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
