"""Two banks of a river that only a ferry joins, as an extract made by hand, and its map."""

import tempfile
from functools import lru_cache
from pathlib import Path

import osmium
from osmium.osm import mutable

from map_tools.types import LatLng

SOUTH, NORTH = LatLng(lat=47.0, lng=8.0), LatLng(lat=47.068, lng=8.0)
"""Ends of the two quays farthest from the ferry."""
PIERS = (LatLng(lat=47.004, lng=8.0), LatLng(lat=47.064, lng=8.0))
CROSSING_S = 360.0
_STREETS = (
    ({"highway": "residential", "name": "South Quay"}, (SOUTH, LatLng(lat=47.002, lng=8.0), PIERS[0])),
    ({"highway": "residential", "name": "North Quay"}, (PIERS[1], LatLng(lat=47.066, lng=8.0), NORTH)),
    ({"route": "ferry", "name": "Water Bus", "duration": "00:06", "foot": "yes"}, PIERS),
)
_CAFES = ((SOUTH, "South Café"), (NORTH, "North Café"))


@lru_cache(maxsize=1)
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="mapagent-banks-")


@lru_cache(maxsize=1)
def banks_map() -> Path:
    """Folder of the map."""
    from map_tools.maps.home import MapHome
    from map_tools.maps.making.ingest import add_map

    home = MapHome(Path(_folder().name))
    extract = home.root / "banks.osm.pbf"
    points = list(dict.fromkeys(point for _, street in _STREETS for point in street))
    with osmium.SimpleWriter(str(extract)) as writer:
        for number, point in enumerate(points, 1):
            writer.add_node(mutable.Node(id=number, version=1, location=(point.lng, point.lat)))
        for number, (at, name) in enumerate(_CAFES, len(points) + 1):
            tags = {"amenity": "cafe", "name": name}
            writer.add_node(mutable.Node(id=number, version=1, location=(at.lng, at.lat), tags=tags))
        for number, (tags, street) in enumerate(_STREETS, 1):
            nodes = [points.index(point) + 1 for point in street]
            writer.add_way(mutable.Way(id=number, version=1, nodes=nodes, tags=tags))
    return home.path(add_map(extract, name="banks", home=home).name)
