"""Google's providers pass the contract over the emulator, which answers from the demo map."""

import asyncio
from collections.abc import Callable

import pytest
from pydantic import SecretStr

from map_tools.clock import SystemClock
from map_tools.errors import ConfigError
from map_tools.providers.base import Provider, ProviderSetting
from map_tools.providers.google.provider import GoogleProvider
from map_tools.providers.google.service import GoogleService
from map_tools.providers.google_legacy.client import LegacyClient, judge
from map_tools.providers.google_legacy.provider import GoogleLegacyProvider
from map_tools.providers.osm import OsmProvider
from map_tools.testing.contract import ContractReport, Outcome, Rehearsed, check_provider
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.rehearsal import google_rehearsal
from map_tools.testing.emulate.server import Emulator
from map_tools.wire import Wire, WirePolicy
from tests.support.maps import demo_map

KEY = "AIzaContract-5f1c"


async def no_pause(seconds: float) -> None:
    """The emulator's page tokens are good at once."""
    await asyncio.sleep(0)


def google(url: str) -> Provider:
    """The provider `google`, without the pace of Google's quotas."""
    return GoogleProvider(GoogleService(Wire(WirePolicy(name="google")), SecretStr(KEY), base_url=url))


def legacy(url: str) -> Provider:
    """The provider `google-legacy`, without pace and pauses."""
    wire = Wire(WirePolicy(name="google-legacy", judge=judge))
    return GoogleLegacyProvider(LegacyClient(wire, SecretStr(KEY), base_url=url, sleep=no_pause))


def over_the_emulator(opened: Callable[[str], Provider]) -> ContractReport:
    async def check() -> ContractReport:
        world = OsmProvider.open(demo_map())
        emulator = Emulator(Backend(world, SystemClock(), token_delay_s=0))
        try:
            sample = (await world.contract_sample()).model_copy(update={"area": None, "radius_m": 1_000})
            return await check_provider(opened(await emulator.start()), sample, secrets=(KEY,))
        finally:
            await emulator.close()
            await world.close()

    return asyncio.run(check())


@pytest.mark.parametrize("opened", [google, legacy])
def test_the_contract(opened: Callable[[str], Provider]) -> None:
    report = over_the_emulator(opened)
    assert report.failed == ()
    skipped = {each.check for each in report.findings if each.outcome is Outcome.NOT_APPLICABLE}
    assert skipped == {
        "full-candidates",
        "cheap-names",
        "modes-refused",
        "shapes",
        "narrow-names",
        "everywhere",
        "reach",
    }


@pytest.mark.parametrize("factory", [GoogleProvider, GoogleLegacyProvider])
def test_they_can_be_rehearsed_without_a_key(factory: type[GoogleProvider]) -> None:
    assert isinstance(factory, Rehearsed)

    async def rehearse() -> None:
        setting = ProviderSetting(name=factory.name, map_path=demo_map())
        async with google_rehearsal(factory, setting) as rehearsal:
            found = await rehearsal.provider.find_place(rehearsal.sample.place)
            assert found[0].place.name == rehearsal.sample.place
            assert len(rehearsal.secrets) == 1

    asyncio.run(rehearse())


def test_a_rehearsal_needs_a_map() -> None:
    async def rehearse() -> None:
        async with google_rehearsal(GoogleProvider, ProviderSetting(name="google")):
            raise AssertionError

    with pytest.raises(ConfigError, match="over a map"):
        asyncio.run(rehearse())
