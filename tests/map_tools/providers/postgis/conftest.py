"""A private server, and a database with the demo extract as its only region."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from map_tools.maps.home import MapHome
from map_tools.maps.info import MapInfo
from map_tools.maps.places import FACTS
from map_tools.maps.synth.city import City
from map_tools.maps.synth.features import features
from map_tools.providers.base import ProviderSetting
from map_tools.providers.osm import OsmProvider
from map_tools.providers.postgis.load import RegionKeeper, load_region
from map_tools.providers.postgis.provider import PostgisProvider
from map_tools.providers.postgis.tables import READER, make_tables, writing
from tests.support import postgis
from tests.support.data import demo_extract
from tests.support.maps import demo_map


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Address of a private server, as its owner."""
    with postgis.server() as address:
        yield address


def new_database(server: str, name: str, more: str = "") -> str:
    """The address of a new, empty database."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} {more}")
    return server.replace("dbname=postgres", f"dbname={name}")


def as_reader(dsn: str) -> str:
    """The same database, as the role that may only read."""
    return dsn.replace("user=owner", "user=mapagent_reader")


def opened(dsn: str, data_home: Path) -> PostgisProvider:
    """The provider over a database, as the role that may only read."""
    options = {"dsn": as_reader(dsn)}
    return PostgisProvider.from_setting(ProviderSetting(name="postgis", data_home=data_home, options=options))


@pytest.fixture(scope="session")
def data_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the routing tiles are; nobody changes it."""
    return tmp_path_factory.mktemp("regions-home")


@pytest.fixture(scope="session")
def helsinki(server: str, data_home: Path) -> str:
    """Address of a database with the demo extract, as its owner; nobody changes it."""
    dsn = new_database(server, "helsinki")
    load_region(demo_extract(), dsn, name="helsinki", home=MapHome(data_home / "regions"))
    return dsn


@pytest.fixture
def provider(helsinki: str, data_home: Path) -> Iterator[PostgisProvider]:
    """The provider over the demo extract."""
    provider = opened(helsinki, data_home)
    yield provider
    asyncio.run(provider.close())


@pytest.fixture
def embedded() -> Iterator[OsmProvider]:
    """The embedded map of the same extract."""
    provider = OsmProvider.open(demo_map())
    yield provider
    asyncio.run(provider.close())


def load_village(dsn: str, name: str, data_home: Path, seed: int = 1) -> MapInfo:
    """Loads an invented village without roads as a region, which takes a moment."""
    city = City(seed, 400)
    info = MapInfo(
        name=name,
        source_file=f"village {seed}",
        source_sha256=str(seed),
        timezone="Africa/Lagos",
        bbox=city.box,
        counts={},
        facts=FACTS,
        files={},
    )
    with writing(dsn) as connection, MapHome(data_home / "regions").building(name) as folder:
        make_tables(connection, READER)
        keeper = RegionKeeper(connection, folder)
        keeper.write(features(city))
        keeper.finish(info)
    return info
