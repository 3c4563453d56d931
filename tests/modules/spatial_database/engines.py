"""A provider with a small invented town as its database, for questions that are asked from end to end."""

from pathlib import Path

from shapely import LineString, Point, box

from map_tools.spatial_db.load import TableData
from map_tools.spatial_db.memory.build import build_memory
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.spatial_db.port import Column

POIS = (
    # name, amenity, tourism, cuisine, outdoor_seating, city, state, longitude, latitude
    ("Old Mill", None, "museum", None, None, "Westport", "QX", 10.0, 50.0),
    ("Harbour Grill", "restaurant", None, "korean;grill", "yes", "Westport", "QX", 10.02, 50.0),
    ("Noodle Bar", "restaurant", None, "thai", None, "Westport", "QX", 10.0, 50.05),
    ("Hill Kitchen", "restaurant", None, "korean", None, "Easton", "QX", 10.3, 50.1),
    ("Sea View Hotel", None, "hotel", None, None, "Easton", "QX", 10.3, 50.0),
    ("Star Inn", None, "hotel", None, None, "Westport", "QX", 10.0, 49.98),
    ("Twin Bank", "bank", None, None, None, "Westport", "QX", 10.001, 50.001),
    ("Twin Bank", "bank", None, None, None, "Easton", "QX", 10.31, 50.01),
    ("Cash Point", "atm", None, None, None, "Easton", "QX", 10.3101, 50.0101),
)
POI_COLUMNS = ("poi_name", "amenity", "tourism", "cuisine", "outdoor_seating", "addr_city", "addr_state")
PARKS = (
    ("Green Park", "park", box(10.0, 50.0, 10.01, 50.01)),
    ("Wide Park", "park", box(10.02, 50.0, 10.04, 50.02)),
)
LAKES = (
    ("Short Brook", "stream", LineString([(10.0, 50.02), (10.02, 50.02)])),
    ("Long Brook", "stream", LineString([(10.0, 50.03), (10.03, 50.03)])),
    ("Long Brook", "stream", LineString([(10.03, 50.03), (10.04, 50.03)])),
)
ROADS = (
    ("First Street", "residential", LineString([(10.0, 50.0), (10.02, 50.0)])),
    ("Second Street", "residential", LineString([(10.01, 49.99), (10.01, 50.01)])),
    ("Crescent", "service", LineString([(10.0, 49.99), (10.002, 50.005), (10.018, 50.005), (10.02, 49.99)])),
)
REGIONS = (("Westport", "city", box(9.95, 49.95, 10.1, 50.1)),)


def town(folder: Path) -> MemoryEngine:
    """The town's database."""
    pois = [(*row[:-2], Point(row[-2], row[-1])) for row in POIS]
    tables = (
        table("pois", POI_COLUMNS, pois),
        table("parks", ("park_name", "leisure"), PARKS),
        table("lakes", ("lake_name", "waterway"), LAKES),
        table("roads", ("road_name", "highway"), ROADS),
        table("regions", ("region_name", "place"), REGIONS),
    )
    return MemoryEngine.open(build_memory(tables, folder / "town"))


def opened(folder: Path, pois: TableData, **rows: object) -> MemoryEngine:
    """A database of places and of GS-QA's other tables, given by their rows: parks, lakes, roads, regions."""
    columns = {
        "parks": ("park_name", "leisure"),
        "lakes": ("lake_name", "water", "waterway"),
        "roads": ("road_name", "highway"),
        "regions": ("region_name", "place"),
    }
    tables = (table(name, columns[name], rows[name]) for name in columns)
    return MemoryEngine.open(build_memory((pois, *tables), folder))


def table(name: str, texts: tuple[str, ...], rows: object) -> TableData:
    """A table of features, its rows numbered from 1."""
    columns = (
        Column("id", "bigint"),
        *(Column(text, "text") for text in texts),
        Column("geometry", "geography"),
    )
    listed = [(number, *row[:-1], bytes(row[-1].wkb)) for number, row in enumerate(rows, 1)]  # type: ignore[arg-type,var-annotated]
    return TableData(name, columns, lambda: listed)


class Names:
    """What the town knows of names (`mapagent.core.ports.NameHints`), with its database."""

    def __init__(self, engine: MemoryEngine) -> None:
        self.engine = engine

    def exact(self, text: str) -> bool:
        """Whether something is called exactly this."""
        return bool(self.engine.find_name(text, fuzzy=False))

    def score(self, text: str) -> float:
        """How well the best name fits."""
        return next((hit.score for hit in self.engine.find_name(text)), 0.0)
