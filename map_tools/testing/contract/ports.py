"""What a provider may offer beside the port, so that it can be checked without anybody's help."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from map_tools.providers.base import Provider, ProviderSetting
from map_tools.testing.contract.sample import ContractSample


@runtime_checkable
class Sampled(Protocol):
    """A provider that knows a sample of its own world, so that nobody has to write one."""

    async def contract_sample(self) -> ContractSample:
        """A sample, the same one each time.

        Raises:
            UnsupportedError: Its world is too small to be checked.
        """
        ...


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A provider that asks a stand-in for its service.

    Attributes:
        provider: The provider; everything but the service is the real thing.
        sample: What is known of the stand-in's world.
        secrets: The keys it was opened with.
    """

    provider: Provider
    sample: ContractSample
    secrets: tuple[str, ...] = ()


@runtime_checkable
class Rehearsed(Protocol):
    """A provider factory whose provider can be checked with no network and no key."""

    def rehearsal(self, setting: ProviderSetting) -> AbstractAsyncContextManager[Rehearsal]:
        """Opens the provider over a stand-in: replies written by hand in the service's documented shape."""
        ...
