"""Providers over the emulated services, so that they can be checked without network."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from map_tools.errors import ConfigError
from map_tools.maps.info import ATTRIBUTION, ATTRIBUTION_URL
from map_tools.providers.base import ANY_BASE_MAP, ProviderFactory, ProviderSetting
from map_tools.testing.contract.ports import Rehearsal
from map_tools.testing.emulate.http import HttpServer
from map_tools.testing.emulate.osm.api import GRAPHS, OsmApi
from map_tools.testing.emulate.osm.world import OsmWorld
from map_tools.testing.emulate.server import HOST


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


def adapter_options(base: str) -> dict[str, object]:
    """The options of `geopy-routingpy` for services at an address: Nominatim and OSRM."""
    routers = {
        mode.value: {
            "service": "osrm",
            "options": {"base_url": f"{base}/osrm/{graph}"},
            "profile": "driving",
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
