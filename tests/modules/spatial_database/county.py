"""An invented county with names of the kinds that states differ in: numbered roads, parishes, signs."""

from pathlib import Path

from shapely import LineString, Point, box

from map_tools.spatial_db.memory.engine import MemoryEngine
from tests.modules.spatial_database.engines import POI_COLUMNS, opened, table

STATE = "ND"
POIS = (
    # name, amenity, tourism, leisure, cuisine, outdoor_seating, museum, emergency, city, longitude, latitude
    ("Quillfeather Inn", None, "hotel", None, None, None, None, None, "Brindlemoor", -99.00, 47.00),
    ("Marrowby's Rest", None, "hotel", None, None, None, None, None, "Oxhollow", -98.80, 47.10),
    (
        "Hobb & Tansley Museum",
        None,
        "museum",
        None,
        None,
        None,
        "history",
        None,
        "Brindlemoor",
        -99.02,
        47.01,
    ),
    ("Signal Box No. 4", None, "museum", None, None, None, "railway", None, "Oxhollow", -98.81, 47.12),
    ("O'Dunnery's Folly", None, "attraction", None, None, None, None, None, "Kelsing", -98.95, 47.05),
    ("The Leaning Silo", None, "attraction", None, None, None, None, None, "Oxhollow", -98.79, 47.09),
    ("Pellow State University", "university", None, None, None, None, None, None, "Pellow", -99.10, 46.95),
    ("Brindlemoor General", "hospital", None, None, None, None, None, "yes", "Brindlemoor", -99.01, 47.02),
    ("Oxhollow Bowl", None, None, "stadium", None, None, None, None, "Oxhollow", -98.82, 47.11),
    ("Gorsewick Links", None, None, "golf_course", None, None, None, None, "Kelsing", -98.93, 47.04),
    ("Kettle Ridge", None, "viewpoint", None, None, None, None, None, None, -98.70, 47.20),
    ("Pellow Menagerie", None, "zoo", None, None, None, None, None, "Pellow", -99.12, 46.94),
    ("Kelsing Sea Tanks", None, "aquarium", None, None, None, None, None, "Kelsing", -98.94, 47.06),
    ("Inkwell & Ochre", None, "gallery", None, None, None, None, None, "Brindlemoor", -99.03, 47.00),
    ("Copper Teapot", "cafe", None, None, None, "yes", None, None, "Brindlemoor", -99.00, 47.01),
    ("Bunter's", "fast_food", None, None, "burger", None, None, None, "Oxhollow", -98.80, 47.11),
    ("Luigi & Daughters", "restaurant", None, None, "italian", "yes", None, None, "Kelsing", -98.95, 47.04),
    ("Jade Lantern", "restaurant", None, None, "chinese", None, None, None, "Oxhollow", -98.81, 47.10),
    ("Stockman's Bank", "bank", None, None, None, None, None, None, "Brindlemoor", -99.00, 47.005),
    ("Sallow Fuel", "fuel", None, None, None, None, None, None, "Kelsing", -98.96, 47.05),
    ("Wash 'n' Go", "car_wash;car_detail", None, None, None, None, None, None, "Kelsing", -98.961, 47.05),
    ("Pins & Needles", "place_of_worship", None, None, None, None, None, None, "Oxhollow", -98.83, 47.10),
    ("Night Owl Chemist", "pharmacy", None, None, None, None, None, None, "Oxhollow", -98.84, 47.10),
    ("Heron Marsh", None, None, "nature_reserve", None, None, None, None, "Pellow", -99.15, 46.90),
    ("Sundial Court", None, None, "garden", None, None, None, None, "Brindlemoor", -99.01, 47.00),
    ("Ardwen Shores", None, None, "beach_resort", None, None, None, None, "Kelsing", -98.90, 47.07),
    ("Gull Meadow", None, None, "park", None, None, None, None, "Kelsing", -98.91, 47.07),
    ("Hall of Winds", None, "attraction", None, None, None, None, None, "Oxhollow", -98.85, 47.11),
    ("College of St. Edric", "university", None, None, None, None, None, None, "Pellow", -99.12, 46.96),
)
_MORE = (
    *POI_COLUMNS[:3],
    "leisure",
    "cuisine",
    "outdoor_seating",
    "museum",
    "emergency",
    "addr_city",
    "addr_state",
)
PARKS = (
    ("Heron Marsh", "nature_reserve", box(-99.20, 46.88, -99.10, 46.92)),
    ("Gull Meadow", "park", box(-98.92, 47.06, -98.90, 47.08)),
    ("Orchard Green", "park", box(-99.01, 46.99, -99.00, 47.00)),
    ("Sundial Court", "garden", box(-99.011, 46.999, -99.010, 47.000)),
    ("Gorsewick Links", "golf_course", box(-98.94, 47.03, -98.92, 47.05)),
)
LAKES = (
    ("Lake Ardwen", "lake", None, box(-98.90, 47.06, -98.85, 47.09)),
    ("Tollmere Reservoir", "reservoir", None, box(-99.08, 47.05, -99.05, 47.07)),
    ("Pikel Pond", "pond", None, box(-99.02, 46.98, -99.015, 46.985)),
    ("Wend River", None, "river", LineString([(-99.2, 47.03), (-98.7, 47.06)])),
    ("Sallow Creek", None, "stream", LineString([(-98.97, 47.05), (-98.95, 47.08)])),
    ("Old Barge Canal", None, "canal", LineString([(-99.0, 47.02), (-98.9, 47.02)])),
)
ROADS = (
    ("County Road 5", "secondary", LineString([(-99.2, 47.0), (-98.7, 47.0)])),
    ("State Highway 12", "primary", LineString([(-99.0, 46.8), (-99.0, 47.2)])),
    ("Farm-to-Market 1431", "tertiary", LineString([(-98.9, 46.9), (-98.9, 47.1)])),
    ("Interstate 904", "motorway", LineString([(-99.2, 47.1), (-98.7, 47.1)])),
    ("St. Edric's Way", "residential", LineString([(-99.01, 47.0), (-99.0, 47.01)])),
    ("5th Street North", "residential", LineString([(-99.005, 46.99), (-99.005, 47.02)])),
)
REGIONS = (
    ("Brindlemoor County", "county", box(-99.25, 46.85, -98.88, 47.15)),
    ("Oxhollow Parish", "county", box(-98.88, 46.85, -98.65, 47.25)),
    ("Kelsing Borough", "county", box(-98.99, 47.02, -98.86, 47.10)),
    ("Brindlemoor", "city", box(-99.05, 46.98, -98.98, 47.03)),
    ("Oxhollow", "city", box(-98.86, 47.08, -98.77, 47.14)),
    ("Kelsing", "town", box(-98.97, 47.03, -98.90, 47.08)),
    ("Pellow", "town", box(-99.2, 46.9, -99.05, 46.97)),
)


def county(folder: Path) -> MemoryEngine:
    """The county's database."""
    pois = [(*row[:-2], STATE, Point(row[-2], row[-1])) for row in POIS]
    places = table("pois", _MORE, pois)
    return opened(folder / "county", places, parks=PARKS, lakes=LAKES, roads=ROADS, regions=REGIONS)
