"""Our own providers pass the contract they are measured by.

Google's are asked over the emulator, which answers from the demo map.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr

from map_tools.clock import SystemClock
from map_tools.errors import ConfigError, UnsupportedError
from map_tools.maps.home import MapHome
from map_tools.maps.synth import synth
from map_tools.providers.base import Provider, ProviderSetting
from map_tools.providers.google.provider import GoogleProvider
from map_tools.providers.google.service import GoogleService
from map_tools.providers.google_legacy.client import LegacyClient, judge
from map_tools.providers.google_legacy.provider import GoogleLegacyProvider
from map_tools.providers.osm import OsmProvider
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import World
from map_tools.testing.contract import ContractReport, ContractSample, Outcome, Rehearsed, check_provider
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.server import Emulator, google_rehearsal
from map_tools.types import LatLng, TravelMode
from map_tools.wire import Wire, WirePolicy
from tests.map_tools.providers.worlds import harbour
from tests.map_tools.testing.contract.world import SAMPLE, Kit
from tests.support.maps import demo_map

KEY = "AIzaContract-5f1c"
HELSINKI = ContractSample(
    place="Ateneum",
    position=LatLng(lat=60.1701, lng=24.9440),
    tolerance_m=60,
    facts=frozenset({"location", "categories", "website", "hours", "address"}),
    category="cafe",
    radius_m=1_000,
    at_least=30,
    origin="Kiasma",
    destination="Ateneum",
    via="Stockmann",
)
"""Read off a city map of Helsinki, not off the provider."""


def sampled(provider: OsmProvider | RecordedProvider, sample: ContractSample | None = None) -> ContractReport:
    async def check() -> ContractReport:
        return await check_provider(provider, sample or await provider.contract_sample(), patience_s=5)

    return asyncio.run(check())


def not_applicable(report: ContractReport) -> set[str]:
    return {each.check for each in report.findings if each.outcome is Outcome.NOT_APPLICABLE}


def test_osm_with_a_sample_of_its_own() -> None:
    report = sampled(OsmProvider.open(demo_map()))
    assert report.failed == ()
    assert not_applicable(report) == {"secrets"}


def test_osm_with_a_sample_from_elsewhere() -> None:
    report = sampled(OsmProvider.open(demo_map()), HELSINKI)
    assert report.failed == ()
    assert not_applicable(report) == {"secrets", "areas"}


def test_recorded_with_a_sample_of_its_own() -> None:
    report = sampled(harbour())
    assert report.failed == ()
    assert not_applicable(report) == {"secrets", "waypoints", "reach"}


def test_recorded_with_a_sample_from_elsewhere() -> None:
    assert sampled(Kit(), SAMPLE).failed == ()


def test_a_map_without_roads(home: Path) -> None:
    maps = MapHome(home)
    synth(seed=1, size=400, home=maps, name="plain", roads=False)
    report = sampled(OsmProvider.open(maps.path("plain")))
    assert report.failed == ()
    assert {"route-units", "matrix-agrees"} <= not_applicable(report)


def test_samples_are_the_same_each_time() -> None:
    async def twice(provider: OsmProvider | RecordedProvider) -> None:
        first, second = await provider.contract_sample(), await provider.contract_sample()
        await provider.close()
        assert first == second

    asyncio.run(twice(OsmProvider.open(demo_map())))
    asyncio.run(twice(Kit()))


def test_a_world_that_is_too_small_says_so() -> None:
    provider = RecordedProvider(World(name="void"))
    with pytest.raises(UnsupportedError, match="'void' is too small"):
        asyncio.run(provider.contract_sample())


def test_the_capability_table() -> None:
    table = sampled(Kit(), SAMPLE).capabilities
    assert table is not None
    assert (table.find, table.details, table.nearby, table.areas) == (True, True, True, True)
    driving, walking = table.modes[TravelMode.DRIVING], table.modes[TravelMode.WALKING]
    assert driving.model_dump() == {
        "declared": True,
        "route": True,
        "steps": False,
        "alternatives": True,
        "waypoints": True,
        "matrix": True,
    }
    assert (walking.route, walking.alternatives, walking.waypoints) == (True, False, False)
    assert not table.modes[TravelMode.TRANSIT].declared
    assert table.facts_seen == table.facts_declared
    assert table.terms.attribution == "© The kit's mapmakers"


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
