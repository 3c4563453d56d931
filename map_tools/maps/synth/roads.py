"""A city's streets as an OpenStreetMap extract, for Valhalla to build its tiles from."""

from pathlib import Path

from map_tools.maps.synth.city import City
from map_tools.maps.synth.features import street_parts, street_tags

FIRST_NODE = 3_000_000_000
"""The number of the first junction's node."""


def write_roads(city: City, path: Path) -> None:
    """Writes the extract; the file must not exist."""
    import osmium

    with osmium.SimpleWriter(str(path)) as writer:
        for number, at in enumerate(city.junctions):
            writer.add_node(osmium.osm.mutable.Node(id=FIRST_NODE + number, location=(at.lng, at.lat)))
        for number, street, run in street_parts(city):
            nodes = [FIRST_NODE + junction for junction in run]
            writer.add_way(osmium.osm.mutable.Way(id=number, nodes=nodes, tags=street_tags(street)))
