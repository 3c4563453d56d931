"""Maps built once for all tests of the package."""

from pathlib import Path

import pytest

from map_tools.maps.home import MapHome
from map_tools.maps.making.ingest import add_map
from map_tools.maps.store import MapStore
from map_tools.maps.synth import synth
from tests.support.data import demo_extract, shared


@pytest.fixture(scope="package")
def maps(tmp_path_factory: pytest.TempPathFactory) -> MapHome:
    return MapHome(tmp_path_factory.mktemp("maps"))


@pytest.fixture(scope="package")
def helsinki(maps: MapHome) -> MapStore:
    add_map(demo_extract(), name="helsinki", home=maps)
    return MapStore.open(maps.path("helsinki"))


@pytest.fixture(scope="package")
def liechtenstein_extract() -> Path:
    return shared("osm/liechtenstein-2022-12-15.osm.pbf")


@pytest.fixture(scope="package")
def liechtenstein(maps: MapHome, liechtenstein_extract: Path) -> MapStore:
    add_map(liechtenstein_extract, name="liechtenstein", home=maps)
    return MapStore.open(maps.path("liechtenstein"))


@pytest.fixture(scope="package")
def town(maps: MapHome) -> MapStore:
    synth(seed=7, size=4000, home=maps, name="town", roads=False)
    return MapStore.open(maps.path("town"))
