"""A check that cannot fail is worth nothing: an ideal provider passes, a defect breaks exactly its check."""

import asyncio

import pytest

from map_tools.providers.recorded import RecordedProvider
from map_tools.testing.contract import CHECKS, ContractReport, Outcome, check_provider
from tests.map_tools.testing.contract.altering import Maker
from tests.map_tools.testing.contract.defective import KEY
from tests.map_tools.testing.contract.defects import DEFECTS
from tests.map_tools.testing.contract.world import SAMPLE, Kit


def check(provider: RecordedProvider) -> ContractReport:
    return asyncio.run(check_provider(provider, SAMPLE, secrets=(KEY,), patience_s=0.3, limit_s=2))


def test_an_ideal_provider_passes_every_check() -> None:
    report = check(Kit())
    assert [(each.check, each.seen) for each in report.findings if each.outcome is not Outcome.PASSED] == []


def test_every_check_has_a_defect() -> None:
    assert {each.id for each in CHECKS} | {"close"} == {check for check, _, _ in DEFECTS}


@pytest.mark.parametrize(
    ("broken", "make"),
    [pytest.param(check, make, id=f"{check}: {defect}") for check, defect, make in DEFECTS],
)
def test_a_defect_breaks_its_check_and_no_other(broken: str, make: Maker) -> None:
    report = check(make())
    assert [each.check for each in report.failed] == [broken]
    assert all(each.remedy for each in report.failed)
    assert KEY not in report.model_dump_json()
