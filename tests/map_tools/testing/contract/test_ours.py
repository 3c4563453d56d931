"""Our own providers pass the contract they are measured by."""

import asyncio
from pathlib import Path

import pytest

from map_tools.errors import UnsupportedError
from map_tools.maps.home import MapHome
from map_tools.maps.synth import synth
from map_tools.providers.osm import OsmProvider
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import World
from map_tools.testing.contract import ContractReport, ContractSample, Outcome, check_provider
from map_tools.types import LatLng, TravelMode
from tests.map_tools.providers.worlds import harbour
from tests.map_tools.testing.contract.world import SAMPLE, Kit
from tests.support.maps import demo_map

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
