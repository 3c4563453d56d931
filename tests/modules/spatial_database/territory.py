"""An invented territory whose names hold words that questions are made of: "from", "North", "within"."""

from pathlib import Path

from shapely import LineString, Point, box

from map_tools.spatial_db.memory.engine import MemoryEngine
from tests.modules.spatial_database.engines import opened, table

STATE = "WI"
COLUMNS = (
    "poi_name",
    "amenity",
    "tourism",
    "leisure",
    "cuisine",
    "outdoor_seating",
    "drive_through",
    "delivery",
    "museum",
    "emergency",
    "addr_city",
    "addr_state",
)
POIS: tuple[tuple[str, dict[str, str], str | None, float, float], ...] = (
    # name, tags, city, longitude, latitude
    ("Tamarack Lodge & Suites by Vireo", {"tourism": "hotel"}, "Elmsdorf", -89.00, 43.00),
    ("Home Away from Home Inn", {"tourism": "hotel"}, "Port Lacey", -88.70, 43.10),
    (
        "St. Osmund's Hospital - West Campus",
        {"amenity": "hospital", "emergency": "yes"},
        "Elmsdorf",
        -89.02,
        43.01,
    ),
    ("Museum of Ice and Snow", {"tourism": "museum", "museum": "history"}, "Port Lacey", -88.71, 43.11),
    ("Larkspur Children's Museum", {"tourism": "museum", "museum": "children"}, "Port Lacey", -88.72, 43.12),
    ("Within Walls", {"tourism": "museum", "museum": "art"}, "Elmsdorf", -89.01, 43.02),
    ("The Old Cooperage", {"tourism": "attraction"}, "Elmsdorf", -89.03, 43.00),
    ("Road to Nowhere", {"tourism": "attraction"}, "Hemlock Falls", -88.90, 43.20),
    ("Fort Ambrose", {"tourism": "attraction"}, None, -88.80, 43.25),
    ("Harlan P. Drew Stadium", {"leisure": "stadium"}, "Port Lacey", -88.73, 43.09),
    ("Wexley College of Art", {"amenity": "university"}, "Port Lacey", -88.74, 43.10),
    ("Northern Wexley University", {"amenity": "university"}, "Elmsdorf", -89.04, 43.03),
    ("Bluffside Overlook", {"tourism": "viewpoint"}, None, -88.60, 43.30),
    ("Prairie Song Garden", {"leisure": "garden"}, "Elmsdorf", -89.01, 42.99),
    ("Kinnick's Creek Golf Club", {"leisure": "golf_course"}, "Elmsdorf", -89.05, 42.98),
    ("4 Sisters Zoo", {"tourism": "zoo"}, "Port Lacey", -88.75, 43.13),
    ("North Star Aquarium", {"tourism": "aquarium"}, "Port Lacey", -88.70, 43.14),
    ("Gallery 19", {"tourism": "gallery"}, "Elmsdorf", -89.00, 43.01),
    ("On the Waterfront", {"tourism": "gallery"}, "Port Lacey", -88.69, 43.10),
    ("Dells of the East", {"leisure": "nature_reserve"}, "Hemlock Falls", -88.91, 43.22),
    ("Big Slide Adventure World", {"tourism": "theme_park"}, "Hemlock Falls", -88.92, 43.21),
    ("Sandhill Cove", {"leisure": "beach_resort"}, "Port Lacey", -88.65, 43.15),
    ("Cutler & Sons Green", {"leisure": "park"}, "Elmsdorf", -89.02, 42.98),
    ("Bean There", {"amenity": "cafe", "cuisine": "coffee_shop"}, "Elmsdorf", -89.00, 43.02),
    (
        "Seoul Kitchen",
        {"amenity": "restaurant", "cuisine": "korean", "delivery": "yes"},
        "Elmsdorf",
        -89.01,
        43.03,
    ),
    (
        "Casa Jacinta",
        {"amenity": "restaurant", "cuisine": "mexican", "outdoor_seating": "yes"},
        "Port Lacey",
        -88.72,
        43.1,
    ),
    ("Pier House", {"amenity": "restaurant", "cuisine": "seafood"}, "Port Lacey", -88.68, 43.12),
    (
        "Patty Wagon",
        {"amenity": "fast_food", "cuisine": "burger", "drive_through": "yes"},
        "Elmsdorf",
        -89.03,
        43.02,
    ),
    ("First Elmsdorf Bank", {"amenity": "bank"}, "Elmsdorf", -89.0001, 43.0001),
    ("Lakeland Credit Union", {"amenity": "bank"}, "Elmsdorf", -89.0002, 43.0001),
    ("Gas & Go", {"amenity": "fuel"}, "Elmsdorf", -89.0100, 43.0100),
    ("Elmsdorf Post Office", {"amenity": "post_office"}, "Elmsdorf", -89.0003, 43.0001),
    ("Oddfellows Hall", {"amenity": "community_centre"}, "Port Lacey", -88.7001, 43.1001),
    ("Grace Lutheran", {"amenity": "place_of_worship"}, "Hemlock Falls", -88.9002, 43.2002),
    ("Bijou", {"amenity": "cinema"}, "Elmsdorf", -89.0205, 43.0105),
    ("Pell Dental", {"amenity": "dentist"}, "Elmsdorf", -89.0206, 43.0105),
    ("Two Paws", {"amenity": "veterinary"}, "Port Lacey", -88.7105, 43.1105),
    ("Corner Drug", {"amenity": "pharmacy"}, "Elmsdorf", -89.0207, 43.0105),
    ("Tiny Steps", {"amenity": "kindergarten"}, "Hemlock Falls", -88.9012, 43.2012),
    ("Harbor House", {"amenity": "social_facility"}, "Port Lacey", -88.7011, 43.1011),
    ("The Wheelhouse", {"amenity": "bar"}, "Port Lacey", -88.7012, 43.1011),
    ("173", {"amenity": "bicycle_rental"}, "Elmsdorf", -89.0300, 43.0300),
    ("W 4th & Birch", {"amenity": "bicycle_rental"}, "Elmsdorf", -89.0310, 43.0300),
)
PARKS = (
    ("Dells of the East", "nature_reserve", box(-88.93, 43.21, -88.90, 43.24)),
    ("Cutler & Sons Green", "park", box(-89.03, 42.97, -89.01, 42.99)),
    ("Prairie Song Garden", "garden", box(-89.011, 42.989, -89.010, 42.990)),
    ("Kinnick's Creek Golf Club", "golf_course", box(-89.06, 42.97, -89.04, 42.99)),
)
LAKES = (
    ("Lake Wexley", "lake", None, box(-88.80, 43.10, -88.76, 43.14)),
    ("Hemlock Reservoir", "reservoir", None, box(-88.95, 43.18, -88.93, 43.20)),
    ("Teal Pond", "pond", None, box(-89.005, 42.995, -89.002, 42.997)),
    ("Lacey Harbor", "bay", None, box(-88.66, 43.12, -88.64, 43.16)),
    ("Big Wexley River", None, "river", LineString([(-89.2, 43.05), (-88.6, 43.12)])),
    ("Teal Creek", None, "stream", LineString([(-89.01, 43.0), (-88.98, 43.04)])),
    ("Ambrose Canal", None, "canal", LineString([(-88.9, 43.1), (-88.7, 43.1)])),
)
ROADS = (
    ("Cedar Grove Road", "residential", LineString([(-89.02, 43.0), (-88.98, 43.0)])),
    ("Old Mission Avenue", "tertiary", LineString([(-89.0, 42.98), (-89.0, 43.03)])),
    ("West 4th Street", "residential", LineString([(-89.02, 43.01), (-88.98, 43.01)])),
    ("US Highway 17", "primary", LineString([(-89.2, 43.02), (-88.6, 43.02)])),
    ("Interstate 95", "motorway", LineString([(-89.2, 43.08), (-88.6, 43.08)])),
    ("State Route 400", "secondary", LineString([(-88.9, 42.9), (-88.9, 43.3)])),
    ("Rail Trail", "cycleway", LineString([(-88.95, 43.0), (-88.85, 43.2)])),
    ("Mill Walk", "footway", LineString([(-89.0, 43.0), (-89.0, 43.005)])),
)
REGIONS = (
    ("Wexley County", "county", box(-89.25, 42.85, -88.62, 43.35)),
    ("St. Bride Township", "municipality", box(-88.95, 43.05, -88.76, 43.20)),
    ("Elmsdorf", "city", box(-89.06, 42.96, -88.97, 43.05)),
    ("Port Lacey", "city", box(-88.78, 43.05, -88.63, 43.17)),
    ("Hemlock Falls", "village", box(-88.96, 43.17, -88.87, 43.25)),
)


def territory(folder: Path) -> MemoryEngine:
    """The territory's database."""
    pois = [
        (name, *(tags.get(column) for column in COLUMNS[1:-2]), city, STATE, Point(longitude, latitude))
        for name, tags, city, longitude, latitude in POIS
    ]
    places = table("pois", COLUMNS, pois)
    return opened(folder / "territory", places, parks=PARKS, lakes=LAKES, roads=ROADS, regions=REGIONS)
