"""Tables made from a map, kept, and described in words; files that are no tables."""

import asyncio
from pathlib import Path

import osmium
import pytest
from pyproj import Geod

from map_tools.errors import ConfigError, InputFileError, QueryError
from map_tools.maps.store import MapStore
from map_tools.spatial_db.describe import ColumnStatistics, column_statistics, describe
from map_tools.spatial_db.duckdb_build import build_duckdb
from map_tools.spatial_db.duckdb_db import DuckDBDatabase, open_kept
from map_tools.spatial_db.duckdb_engine import connect
from map_tools.spatial_db.load import definitions, from_geoparquet, from_map
from map_tools.spatial_db.port import SpatialDatabase
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


def names(source: Path, cache: Path) -> list[str]:
    """The names of the places in the kept database."""
    database = open_kept(source, cache)
    try:
        result = asyncio.run(database.query("SELECT poi_name FROM pois ORDER BY poi_name", max_rows=100_000))
    finally:
        database.close()
    return [str(name) for (name,) in result.rows]


def write_places(folder: Path, *places: str) -> Path:
    folder.mkdir(exist_ok=True)
    rows = ", ".join(f"('{name}', ST_Point(10, {number}))" for number, name in enumerate(places))
    with connect() as connection:
        connection.execute(
            f"COPY (SELECT * FROM (VALUES {rows}) AS t(poi_name, geometry))"
            f" TO '{folder / 'pois.parquet'}' (FORMAT parquet)"
        )
    return folder


def test_a_folder_is_built_once_and_anew_when_it_changes(tmp_path: Path) -> None:
    source, cache = tmp_path / "world", tmp_path / "cache"
    write_places(source, "Old Mill", "Quay")
    assert names(source, cache) == ["Old Mill", "Quay"]
    (built,) = cache.iterdir()
    before = built.stat().st_mtime_ns
    assert names(source, cache) == ["Old Mill", "Quay"]
    assert built.stat().st_mtime_ns == before
    write_places(source, "Old Mill", "Quay", "Pier")
    assert names(source, cache) == ["Old Mill", "Pier", "Quay"]
    assert len(list(cache.iterdir())) == 2


def test_a_map_is_built_once(tmp_path: Path) -> None:
    first = names(demo_map(), tmp_path)
    assert len(first) > 1000
    assert names(demo_map(), tmp_path) == first
    assert len(list(tmp_path.iterdir())) == 1


def test_a_file_is_opened_by_many_and_each_closes_its_own(tmp_path: Path) -> None:
    source = write_places(tmp_path / "world", "Old Mill")
    first, second = (open_kept(source, tmp_path / "cache") for _ in range(2))
    first.close()
    first.close()
    assert asyncio.run(second.query("SELECT poi_name FROM pois")).rows == (("Old Mill",),)
    with pytest.raises(RuntimeError, match="shutdown"):
        asyncio.run(first.query("SELECT poi_name FROM pois"))
    second.close()
    third = open_kept(source, tmp_path / "cache")
    assert third.schema().table("pois") is not None
    third.close()


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="There is no folder"):
        open_kept(tmp_path / "nowhere", tmp_path)


def test_tables_columns_and_telling_values(database: SpatialDatabase) -> None:
    lines = asyncio.run(describe(database)).splitlines()
    assert (
        "Table pois, 8 rows: id (bigint), osm_id (bigint), osm_type, poi_name, amenity, tourism, cuisine, "
        "geometry (geography: point)"
    ) in lines
    assert "  pois.amenity is often 'cafe', 'restaurant'" in lines
    assert "  regions.place is often 'city', 'town'" in lines


def test_columns_that_are_never_filled_are_left_out(database: SpatialDatabase) -> None:
    (lakes,) = (line for line in asyncio.run(describe(database)).splitlines() if "Table lakes" in line)
    assert "waterway" in lakes
    assert " water," not in lakes


def test_the_same_database_gives_the_same_words(database: SpatialDatabase) -> None:
    assert asyncio.run(describe(database)) == asyncio.run(describe(database))


def test_statistics_of_columns(database: SpatialDatabase) -> None:
    pois = database.schema().table("pois")
    assert pois is not None
    amenity, geometry = asyncio.run(column_statistics(database, pois, ["amenity", "geometry"]))
    assert amenity == ColumnStatistics("amenity", "text", 2 / 8, 2, ("cafe", "restaurant"))
    assert (geometry.null_share, geometry.distinct, geometry.common) == (1 / 8, None, ())


def test_statistics_of_all_columns(database: SpatialDatabase) -> None:
    parks = database.schema().table("parks")
    assert parks is not None
    found = asyncio.run(column_statistics(database, parks))
    assert [one.name for one in found] == [column.name for column in parks.columns]


def test_an_unknown_column_is_told_its_neighbours(database: SpatialDatabase) -> None:
    pois = database.schema().table("pois")
    assert pois is not None
    with pytest.raises(QueryError, match=r"no column cusine.*pois\.cuisine"):
        asyncio.run(column_statistics(database, pois, ["cusine"]))
