"""The provider keeps the contract over emulated services, and does not claim what the libraries cannot do."""

import asyncio

from map_tools.providers.base import ProviderSetting
from map_tools.providers.geopy_routingpy.provider import AdapterProvider
from map_tools.testing.contract import ContractReport, Outcome, Rehearsed, check_provider
from tests.support.maps import demo_map


def test_the_contract() -> None:
    assert isinstance(AdapterProvider, Rehearsed)

    async def check() -> ContractReport:
        setting = ProviderSetting(name="geopy-routingpy", map_path=demo_map())
        async with AdapterProvider.rehearsal(setting) as rehearsal:
            return await check_provider(rehearsal.provider, rehearsal.sample)

    report = asyncio.run(check())
    assert report.failed == ()
    skipped = {each.check for each in report.findings if each.outcome is Outcome.NOT_APPLICABLE}
    left = {"cheap-names", "secrets", "shapes", "narrow-names", "everywhere", "reach"}
    assert {check for check in skipped if not check.startswith("nearby-")} == left
    assert report.capabilities is not None
    assert not report.capabilities.nearby
