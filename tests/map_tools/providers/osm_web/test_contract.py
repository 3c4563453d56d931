"""The provider keeps the contract over emulated services, whichever engine routes."""

import asyncio
from pathlib import Path

import pytest

from map_tools.errors import ConfigError, ProviderError
from map_tools.providers.base import ProviderSetting
from map_tools.providers.http_clients import HttpClients
from map_tools.providers.osm import OsmProvider
from map_tools.providers.osm_web.overpass import Overpass
from map_tools.providers.osm_web.provider import OsmWebProvider
from map_tools.testing.contract import ContractReport, ContractSample, Outcome, Rehearsed, check_provider
from map_tools.testing.emulate.osm.services import osm_services, osm_web_options
from map_tools.types import LatLng, Place, TravelMode
from map_tools.wire import Retention
from tests.support.maps import demo_map

ATENEUM = LatLng(lat=60.1701, lng=24.9440)
"""Read off a city map."""


def opened(base: str, engine: str = "osrm") -> OsmWebProvider:
    """The provider over services at this address."""
    options = osm_web_options(base, engine)
    return OsmWebProvider.from_setting(ProviderSetting(name="osm-web", options=options))


@pytest.mark.parametrize("engine", ["osrm", "valhalla"])
def test_the_contract(engine: str) -> None:
    async def check() -> ContractReport:
        async with osm_services(demo_map()) as (base, world):
            sample: ContractSample = await world.provider.contract_sample()
            return await check_provider(
                opened(base, engine), sample.model_copy(update={"radius_m": 500, "at_least": 10})
            )

    report = asyncio.run(check())
    assert report.failed == ()
    skipped = {each.check for each in report.findings if each.outcome is Outcome.NOT_APPLICABLE}
    left = {"cheap-names", "secrets", "shapes", "narrow-names", "everywhere"}
    assert skipped == (left if engine == "valhalla" else left | {"reach"})


def test_it_tells_of_places_what_the_map_tells() -> None:
    """The same objects with the same ids, names, kinds, hours and distances as on the embedded map."""

    async def told() -> tuple[list[Place], list[Place]]:
        embedded = OsmProvider.open(demo_map())
        async with osm_services(demo_map()) as (base, _):
            web = opened(base)
            try:
                found = [
                    await provider.nearby(ATENEUM, radius_m=400, categories=("cafe", "museum"), limit=None)
                    for provider in (embedded, web)
                ]
            finally:
                await web.close()
                await embedded.close()
        assert [round(item.distance_m or 0) for item in found[0]] == [
            round(item.distance_m or 0) for item in found[1]
        ]
        return [item.place for item in found[0]], [item.place for item in found[1]]

    embedded, web = asyncio.run(told())
    assert len(embedded) > 10
    assert [_unplaced(place) for place in web] == [_unplaced(place) for place in embedded]


def _unplaced(place: Place) -> Place:
    """The place without its position, which the services round to seven digits."""
    return place.model_copy(update={"location": None})


def test_it_can_be_rehearsed_over_a_map() -> None:
    assert isinstance(OsmWebProvider, Rehearsed)

    async def rehearse() -> None:
        setting = ProviderSetting(name="osm-web", map_path=demo_map())
        async with OsmWebProvider.rehearsal(setting) as rehearsal:
            found = await rehearsal.provider.find_place(rehearsal.sample.place)
            assert found[0].place.name == rehearsal.sample.place
            assert rehearsal.provider.capabilities.modes == {
                TravelMode.DRIVING,
                TravelMode.WALKING,
                TravelMode.BICYCLING,
            }

    asyncio.run(rehearse())


def test_a_rehearsal_needs_a_map(tmp_path: Path) -> None:
    async def rehearse() -> None:
        async with OsmWebProvider.rehearsal(ProviderSetting(name="osm-web", cache_folder=tmp_path)):
            raise AssertionError

    with pytest.raises(ConfigError, match="over a map"):
        asyncio.run(rehearse())


def test_the_interpreter_refuses_what_it_does_not_understand() -> None:
    async def ask() -> None:
        async with osm_services(demo_map()) as (base, _):
            http_clients = HttpClients("osm-web", agent="test", keep=Retention())
            try:
                await Overpass(http_clients, f"{base}/overpass")._ask("[out:json];relation;out;")
            finally:
                await http_clients.close()

    with pytest.raises(ProviderError, match="status 400: Error : line 1: parse error"):
        asyncio.run(ask())
