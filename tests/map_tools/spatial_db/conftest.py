"""The databases the tests share: the small world in both engines, and where there is data, GS-QA's."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from map_tools.spatial_db.duckdb_build import build_duckdb
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from map_tools.spatial_db.port import SpatialDatabase
from map_tools.spatial_db.postgis_db import PostgisDatabase, load_postgis
from tests.map_tools.spatial_db.world import tables
from tests.support import postgis


@pytest.fixture(scope="session")
def owner() -> Iterator[str]:
    """Address of a private PostGIS server, as its owner."""
    with postgis.server() as address:
        yield address


@pytest.fixture(scope="session")
def reader(owner: str) -> str:
    """Address of the small world in PostGIS, as a role that can only read."""
    return new_database(owner, "small", tables())


@pytest.fixture(scope="session")
def server_database(reader: str) -> Iterator[PostgisDatabase]:
    """The small world in PostGIS."""
    database = PostgisDatabase.open(reader)
    yield database
    database.close()


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small world as a DuckDB file."""
    return build_duckdb(tables(), tmp_path_factory.mktemp("small") / "world.duckdb")


@pytest.fixture(scope="session")
def embedded_database(file: Path) -> Iterator[DuckDBDatabase]:
    """The small world in DuckDB."""
    database = DuckDBDatabase.open(file)
    yield database
    database.close()


@pytest.fixture(params=["embedded_database", "server_database"])
def database(request: pytest.FixtureRequest) -> SpatialDatabase:
    """Each of the databases in turn."""
    found: SpatialDatabase = request.getfixturevalue(request.param)
    return found


def new_database(owner: str, name: str, data) -> str:
    """Loads tables into a database of their own; returns its address for a role that reads."""
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    address = owner.replace("dbname=postgres", f"dbname={name}")
    load_postgis(data, address, reader="reader")
    return address.replace("user=owner", "user=reader")
