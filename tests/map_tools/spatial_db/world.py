"""A small world with round numbers, for tests of spatial databases."""

from shapely import LineString, MultiPolygon, Point, Polygon, box

from map_tools.spatial_db.load import TableData
from map_tools.spatial_db.port import Column

POIS = (
    (1, 101, "n", "North Cafe", "cafe", None, "coffee_shop", Point(10.0, 50.1)),
    (2, 102, "n", "East Cafe", "cafe", None, None, Point(10.1, 50.0)),
    (3, 103, "n", "Southwest Inn", None, "hotel", None, Point(9.9, 49.9)),
    (4, 104, "n", "Far Cafe", "cafe", None, "ice_cream;coffee_shop", Point(12.0, 51.0)),
    (5, 105, "n", "50% Burger\\Bar", "restaurant", None, "burger", Point(10.01, 50.01)),
    (6, 106, "n", "Ödön's Kitchen", "restaurant", None, "hungarian", Point(10.02, 50.0)),
    (7, 107, "n", "Dateline Cafe", "cafe", None, None, Point(179.99, 0.0)),
    (8, 108, "n", "", None, None, None, None),
)
PARKS = (
    (1, 201, "w", "Square Park", "park", box(10.0, 50.0, 10.01, 50.01)),
    (
        2,
        202,
        "r",
        "Twin Park",
        "park",
        MultiPolygon([box(10.05, 50.05, 10.06, 50.06), box(10.07, 50.05, 10.08, 50.06)]),
    ),
    (3, 203, "n", "Dot Garden", "garden", Point(10.2, 50.2)),
)
LAKES = ((1, 301, "w", "Long River", "river", None, LineString([(9.5, 50.0), (10.5, 50.0)])),)
ROADS = (
    (1, 401, "w", "Main Street", "residential", LineString([(10.0, 50.0), (10.0, 50.02), (10.01, 50.03)])),
    (2, 402, "w", None, "primary", LineString([(9.9, 49.9), (9.8, 49.8)])),
)
REGIONS = (
    (1, 501, "r", "Middle", "city", Polygon([(9.95, 49.95), (10.15, 49.95), (10.15, 50.15), (9.95, 50.15)])),
    (2, 502, "r", "Elsewhere", "town", box(11.5, 50.5, 12.5, 51.5)),
)
_COLUMNS = {
    "pois": ("osm_type", "poi_name", "amenity", "tourism", "cuisine"),
    "parks": ("osm_type", "park_name", "leisure"),
    "lakes": ("osm_type", "lake_name", "waterway", "water"),
    "roads": ("osm_type", "road_name", "highway"),
    "regions": ("osm_type", "region_name", "place"),
}
_ROWS = {"pois": POIS, "parks": PARKS, "lakes": LAKES, "roads": ROADS, "regions": REGIONS}


def tables() -> tuple[TableData, ...]:
    """The world as tables to load."""
    return tuple(
        TableData(
            name,
            (
                Column("id", "bigint"),
                Column("osm_id", "bigint"),
                *(Column(column, "text") for column in columns),
                Column("geometry", "geography"),
            ),
            lambda name=name: [
                (*row[:-1], None if row[-1] is None else bytes(row[-1].wkb)) for row in _ROWS[name]
            ],
        )
        for name, columns in _COLUMNS.items()
    )
