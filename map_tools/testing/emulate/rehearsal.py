"""Google's providers over the emulator, so that they can be checked without network and key."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic import SecretStr

from map_tools.clock import SystemClock
from map_tools.errors import ConfigError
from map_tools.providers.base import ProviderFactory, ProviderSetting
from map_tools.providers.osm import OsmProvider
from map_tools.testing.contract.sample import Rehearsal
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.server import Emulator


@asynccontextmanager
async def google_rehearsal(factory: ProviderFactory, setting: ProviderSetting) -> AsyncIterator[Rehearsal]:
    """A provider that takes an emulator over the chosen map for Google.

    Args:
        factory: `GoogleProvider` or `GoogleLegacyProvider`.
        setting: With a map; key and address are made up.

    Raises:
        ConfigError: There is no map.
    """
    if setting.map_path is None:
        raise ConfigError(
            f"The provider '{setting.name}' is checked over a map, and there is none yet.",
            "Add one with `mapagent map add FILE.osm.pbf`, or check the real service with --live.",
        )
    world = OsmProvider.open(setting.map_path)
    emulator = Emulator(Backend(world, SystemClock(), token_delay_s=0))
    key = f"rehearsal-{secrets.token_hex(8)}"
    try:
        base_url = await emulator.start()
        provider = factory.from_setting(
            setting.model_copy(update={"key": SecretStr(key), "base_url": base_url, "cache_folder": None})
        )
        # An area is nothing to Google, whose searches know no outlines.
        sample = (await world.contract_sample()).model_copy(update={"area": None})
        yield Rehearsal(provider=provider, sample=sample, secrets=(key,))
        await provider.close()
    finally:
        await emulator.close()
        await world.close()
