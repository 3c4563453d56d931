"""Tables made from a map, and files that are no tables."""

import asyncio

import osmium
import pytest
from pyproj import Geod

from map_tools.errors import ConfigError, InputFileError
from map_tools.maps.store import MapStore
from map_tools.spatial_db.duckdb_build import build_duckdb
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from map_tools.spatial_db.load import definitions, from_geoparquet, from_map
from map_tools.spatial_db.postgis_db import PostgisDatabase
from tests.support.data import demo_extract
from tests.support.maps import demo_map


@pytest.fixture(scope="module")
def helsinki(tmp_path_factory):
    """The demo map as an embedded database."""
    store = MapStore.open(demo_map())
    file = build_duckdb(from_map(store), tmp_path_factory.mktemp("helsinki") / "sql.duckdb")
    store.close()
    database = DuckDBDatabase.open(file)
    yield database
    database.close()


def ask(database, sql):
    return asyncio.run(database.query(sql, max_rows=10_000)).rows


def test_a_map_has_the_five_tables(helsinki):
    assert [table.name for table in helsinki.schema().tables] == [
        "lakes",
        "parks",
        "pois",
        "regions",
        "roads",
    ]
    assert helsinki.schema().table("pois").is_points
    assert {column.name for column in helsinki.schema().table("pois").columns} >= {
        "poi_name",
        "addr_city",
        "cuisine",
    }


def test_named_cafes_are_those_of_the_extract(helsinki):
    expected = {
        (node.id, node.tags["name"])
        for node in osmium.FileProcessor(str(demo_extract()), osmium.osm.NODE)
        if node.tags.get("amenity") == "cafe" and "name" in node.tags
    }
    found = ask(helsinki, "SELECT osm_id, poi_name FROM pois WHERE amenity = 'cafe' AND osm_type = 'n'")
    assert len(expected) > 20
    assert set(found) == expected


def test_lengths_of_roads_are_those_of_the_extract(helsinki):
    geod = Geod(ellps="WGS84")
    expected = {}
    for way in osmium.FileProcessor(str(demo_extract()), osmium.osm.WAY | osmium.osm.NODE).with_locations():
        if way.is_way() and way.tags.get("highway") == "primary" and "name" in way.tags:
            nodes = [node for node in way.nodes if node.location.valid()]
            if len(nodes) == len(way.nodes):
                expected[way.id] = geod.line_length(
                    [node.lon for node in nodes], [node.lat for node in nodes]
                )
    found = dict(ask(helsinki, "SELECT osm_id, ST_Length(geometry) FROM roads WHERE highway = 'primary'"))
    assert len(expected) > 50
    for way_id, length in expected.items():
        assert found[way_id] == pytest.approx(length, rel=1e-6)


def test_every_definition_has_an_id_and_a_geometry():
    for definition in definitions():
        assert definition.columns[0].name == "id"
        assert definition.columns[-1].type == "geography"


def test_files_that_are_no_tables(tmp_path):
    with pytest.raises(InputFileError, match="no GeoParquet"):
        from_geoparquet(tmp_path)
    (tmp_path / "pois.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(InputFileError, match="cannot be read"):
        from_geoparquet(tmp_path)
    with pytest.raises(InputFileError, match="no spatial database"):
        DuckDBDatabase.open(tmp_path / "missing.duckdb")
    with pytest.raises(InputFileError, match="not a spatial database"):
        DuckDBDatabase.open(tmp_path / "pois.parquet")


def test_a_file_is_replaced_while_it_is_read(tmp_path):
    from tests.map_tools.spatial_db.world import tables

    path = build_duckdb(tables(), tmp_path / "world.duckdb")
    database = DuckDBDatabase.open(path)
    build_duckdb(tables()[:1], path)
    assert ask(database, "SELECT count(*) FROM parks") == ((3,),)
    database.close()
    assert [found.name for found in tmp_path.iterdir()] == ["world.duckdb"]


def test_a_role_that_may_write_is_refused(owner):
    with pytest.raises(ConfigError, match="may write"):
        PostgisDatabase.open(owner)


def test_a_server_that_is_not_there():
    with pytest.raises(ConfigError, match="cannot be reached"):
        PostgisDatabase.open("host=127.0.0.1 port=1 user=nobody dbname=none")
