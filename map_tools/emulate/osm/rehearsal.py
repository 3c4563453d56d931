"""The provider `osm-web` over the emulated services, so that it can be checked without network."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from map_tools.contract.ports import Rehearsal
from map_tools.emulate.http import HttpServer
from map_tools.emulate.osm.api import GRAPHS, OsmApi
from map_tools.emulate.osm.world import OsmWorld
from map_tools.emulate.server import HOST
from map_tools.errors import ConfigError
from map_tools.providers.base import ProviderFactory, ProviderSetting


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


@asynccontextmanager
async def osm_web_rehearsal(factory: ProviderFactory, setting: ProviderSetting) -> AsyncIterator[Rehearsal]:
    """The provider that takes the services over the chosen map for the public ones.

    Args:
        factory: `OsmWebProvider`.
        setting: With a map.

    Raises:
        ConfigError: There is no map.
    """
    if setting.map_path is None:
        raise ConfigError(
            f"The provider '{setting.name}' is checked over a map, and there is none yet.",
            "Add one with `mapagent map add FILE.osm.pbf`, or check the real services with --live.",
        )
    async with osm_services(setting.map_path) as (base, world):
        options = osm_web_options(base)
        provider = factory.from_setting(setting.model_copy(update={"options": options, "cache_folder": None}))
        yield Rehearsal(provider=provider, sample=await world.provider.contract_sample())
        await provider.close()
