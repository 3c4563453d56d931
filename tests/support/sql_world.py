"""A small world in SQL for those who write queries."""

from collections.abc import Iterator

import pytest

from map_tools.spatial_db.duckdb_build import build_duckdb
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from tests.map_tools.spatial_db.world import tables


@pytest.fixture(scope="session")
def sql_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBDatabase]:
    """The small world with round numbers of `tests.map_tools.spatial_db.world`."""
    database = DuckDBDatabase.open(build_duckdb(tables(), tmp_path_factory.mktemp("sql") / "world.duckdb"))
    yield database
    database.close()
