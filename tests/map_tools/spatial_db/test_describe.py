"""A database in words, and what its columns hold, in both engines."""

import asyncio

import pytest

from map_tools.errors import QueryError
from map_tools.spatial_db.describe import ColumnStatistics, column_statistics, describe
from map_tools.spatial_db.port import SpatialDatabase


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
