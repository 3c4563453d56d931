"""Providers with a defect, as entry points."""

from typing import Any, Self

from map_tools.providers.base import ProviderSetting
from map_tools.types import NearbyPlace
from tests.map_tools.testing.contract.world import Kit


class Careless(Kit):
    """Counts in kilometres."""

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        return cls()

    async def nearby(self, *args: Any, **kwargs: Any) -> tuple[NearbyPlace, ...]:
        found = await super().nearby(*args, **kwargs)
        return tuple(item.model_copy(update={"distance_m": (item.distance_m or 0) / 1000}) for item in found)


class Remote(Kit):
    """Asks a service, and knows no sample of its world."""

    contract_sample = None  # type: ignore[assignment]

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        remote = cls()
        remote.capabilities = remote.capabilities.model_copy(update={"cheap_names": False})
        return remote


class Unfinished:
    """Has a name."""

    name = "unfinished"

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        return cls()
