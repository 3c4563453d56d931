"""The provider keeps the contract over emulated services, and does not claim what the libraries cannot do."""

import asyncio

from map_tools.providers.base import ProviderSetting
from map_tools.providers.geopy_routingpy.provider import AdapterProvider
from map_tools.testing.contract import ContractReport, Outcome, Rehearsed, check_provider
from map_tools.testing.emulate.osm.services import adapter_options, osm_services
from tests.support.maps import demo_map

LEFT = {"cheap-names", "secrets", "shapes", "narrow-names", "everywhere"}


def skipped(report: ContractReport) -> set[str]:
    """The checks that could not be made, those of searches around a position aside."""
    left = {each.check for each in report.findings if each.outcome is Outcome.NOT_APPLICABLE}
    return {check for check in left if not check.startswith("nearby-")}


def test_the_contract() -> None:
    assert isinstance(AdapterProvider, Rehearsed)

    async def check() -> ContractReport:
        setting = ProviderSetting(name="geopy-routingpy", map_path=demo_map())
        async with AdapterProvider.rehearsal(setting) as rehearsal:
            return await check_provider(rehearsal.provider, rehearsal.sample)

    report = asyncio.run(check())
    assert report.failed == ()
    assert skipped(report) == {*LEFT, "reach"}
    assert report.capabilities is not None
    assert not report.capabilities.nearby


def test_the_contract_over_valhalla() -> None:
    async def check() -> ContractReport:
        async with osm_services(demo_map()) as (base, world):
            options = adapter_options(base, "valhalla")
            provider = AdapterProvider.from_setting(ProviderSetting(name="geopy-routingpy", options=options))
            sample = await world.provider.contract_sample()
            return await check_provider(provider, sample.model_copy(update={"area": None}))

    report = asyncio.run(check())
    assert report.failed == ()
    assert skipped(report) == LEFT
