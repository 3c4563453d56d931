"""The provider keeps the contract of all providers, with a sample of its own and with one from elsewhere."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from map_tools.providers.postgis.provider import PostgisProvider
from map_tools.testing.contract import ContractReport, ContractSample, Outcome, check_provider
from map_tools.types import TravelMode
from tests.map_tools.providers.contract import ProviderContract, Sample
from tests.map_tools.providers.postgis.conftest import as_reader, opened
from tests.map_tools.testing.contract.test_ours import HELSINKI


def checked(dsn: str, data_home: Path, sample: ContractSample | None) -> ContractReport:
    async def check() -> ContractReport:
        provider = opened(dsn, data_home)
        sample_ = sample or await provider.contract_sample()
        return await check_provider(provider, sample_, secrets=(as_reader(dsn),))

    return asyncio.run(check())


@pytest.mark.parametrize(("sample", "left"), [(None, set()), (HELSINKI, {"areas"})])
def test_the_contract(helsinki: str, data_home: Path, sample: ContractSample | None, left: set[str]) -> None:
    report = checked(helsinki, data_home, sample)
    assert report.failed == ()
    assert {each.check for each in report.findings if each.outcome is Outcome.NOT_APPLICABLE} == left


class TestContract(ProviderContract):
    """The tests that providers were measured by before the kit was."""

    @pytest.fixture
    def provider(self, helsinki: str, data_home: Path) -> Iterator[PostgisProvider]:
        provider = opened(helsinki, data_home)
        yield provider
        asyncio.run(provider.close())

    @pytest.fixture
    def sample(self) -> Sample:
        return Sample(
            name=HELSINKI.place,
            position=HELSINKI.position,
            category="cafe",
            origin="Ateneum",
            destination="Kiasma",
            mode=TravelMode.WALKING,
            tolerance_m=HELSINKI.tolerance_m,
            radius_m=500,
        )
