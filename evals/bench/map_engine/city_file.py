"""The whole of an invented city as an OpenStreetMap extract, for engines that read nothing else."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from map_tools.maps.synth.city import City
from map_tools.maps.synth.features import AREA_IDS, AREA_TAGS, place_tags, street_parts, street_tags
from map_tools.maps.synth.roads import FIRST_NODE

type Tags = dict[str, str]
type Node = tuple[int, float, float, Tags]
type Way = tuple[int, list[int], Tags]
"""Number, numbers of its nodes, tags."""

_CORNERS = 4_000_000_000
"""The number of the first node that is a corner of an area."""


def write_city(city: City, path: Path) -> None:
    """Writes a file of the format its name says (".osm.pbf", ".osm"); the file must not exist."""
    import osmium

    kinds = osmium.osm.mutable
    with osmium.SimpleWriter(str(path)) as writer:
        for number, lat, lng, tags in _nodes(city):
            writer.add_node(kinds.Node(id=number, location=(lng, lat), tags=tags, version=1))
        for number, nodes, tags in _ways(city):
            writer.add_way(kinds.Way(id=number, nodes=nodes, tags=tags, version=1))


def _nodes(city: City) -> Iterator[Node]:
    """All nodes in the order of their numbers: places, junctions, corners of areas."""
    for place in city.places():
        yield place.number, place.at.lat, place.at.lng, place_tags(place, city.name)
    for number, at in enumerate(city.junctions):
        yield FIRST_NODE + number, at.lat, at.lng, {}
    numbers = count(_CORNERS)
    for area in city.areas:
        for corner in area.corners[:-1]:
            yield next(numbers), corner.lat, corner.lng, {}


def _ways(city: City) -> Iterator[Way]:
    """All ways in the order of their numbers: parts of streets, then areas."""
    for number, street, run in street_parts(city):
        yield number, [FIRST_NODE + junction for junction in run], street_tags(street)
    numbers = count(_CORNERS)
    for area in city.areas:
        nodes = [next(numbers) for _ in area.corners[:-1]]
        yield AREA_IDS + area.number, [*nodes, nodes[0]], {**AREA_TAGS[area.kind], "name": area.name}
