"""A street is one line however many pieces it is mapped in: pieces are read off the extracts by pyosmium."""

import math
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import networkx as nx
import osmium
import pyproj
import pytest
import shapely

from map_tools.compute.shapes import length_m
from map_tools.maps.making.lines import GAP_M
from map_tools.maps.store import MapStore
from tests.support.maps import extract, extract_map
from tests.support.village import Objects, village

GEOD = pyproj.Geod(ellps="WGS84")


@lru_cache(maxsize=4)
def pieces(path: Path, key: str, name: str) -> dict[int, shapely.LineString]:
    """All ways of a key and a name in any capitals, by their ids, as far as the extract has their nodes."""
    wanted = osmium.filter.KeyFilter(key)
    factory = osmium.geom.WKTFactory()
    found = {}
    for way in osmium.FileProcessor(str(path)).with_locations().with_filter(wanted):
        if way.is_way() and way.tags.get("name", "").casefold() == name.casefold():
            with suppress(osmium.InvalidLocationError):
                found[way.id] = shapely.from_wkt(factory.create_linestring(way))
    return found


def chain(found: dict[int, shapely.LineString], member: int) -> list[shapely.LineString]:
    """The pieces that are connected with one of them over gaps of at most 150 m, in a plane of pyproj's."""
    lng, lat = found[member].coords[0]
    plane = pyproj.CRS.from_proj4(f"+proj=aeqd +lat_0={lat} +lon_0={lng} +ellps=WGS84")
    project = pyproj.Transformer.from_crs("EPSG:4326", plane, always_xy=True).transform
    flat = {way: shapely.transform(line, project, interleaved=False) for way, line in found.items()}
    graph = nx.Graph()
    graph.add_nodes_from(flat)
    graph.add_edges_from(
        (one, other) for one in flat for other in flat if flat[one].distance(flat[other]) <= GAP_M
    )
    return [found[way] for way in nx.node_connected_component(graph, member)]


@pytest.mark.parametrize(
    ("area", "key", "name"),
    [
        ("helsinki-centre-2019-04-21", "highway", "Mannerheimintie"),
        ("porto-2020-07-20", "highway", "Avenida da República"),
        ("porto-2020-07-20", "railway", "Linha do Norte"),
        ("vancouver-2015-05-02", "highway", "West 16th Avenue"),
        ("andorra-2021-10-28", "waterway", "Riu Valira"),
    ],
)
def test_a_street_of_a_real_map_is_all_its_pieces(area: str, key: str, name: str) -> None:
    found = pieces(extract(area), key, name)
    store = MapStore.open(extract_map(area))
    assert len(found) > 1
    for way in sorted(found)[:: max(1, len(found) // 5)]:
        row = store.row_of(f"osm:w{way}")
        assert row is not None
        shape = store.shape(row)
        assert shape is not None
        assert shape.kind == "line"
        expected = shapely.union_all(chain(found, way))
        assert length_m(shape) == pytest.approx(GEOD.geometry_length(expected), rel=1e-4)
    store.close()


def street(objects: Objects, *runs: list[tuple[float, float]], name: str = "Long Street") -> list[str]:
    return [objects.line(run, highway="residential", name=name) for run in runs]


def test_pieces_are_joined_over_small_gaps_and_not_over_large_ones(tmp_path: Path) -> None:
    objects = Objects()
    first, second, gap, branch = street(
        objects,
        [(0, 0), (100, 0)],
        [(100, 0), (200, 0)],
        [(340, 0), (400, 0)],  # 140 m on
        [(50, 0), (50, 80)],  # from the middle of a piece
    )
    (far,) = street(objects, [(560, 0), (700, 0)])  # 160 m on
    (other,) = street(objects, [(0, 5), (200, 5)], name="Short Street")
    river = objects.line([(0, 10), (300, 10)], waterway="river", name="Long Street")
    store = MapStore.open(village(objects.features, tmp_path / "map"))

    def metres(place: str) -> float:
        row = store.row_of(place)
        assert row is not None
        shape = store.shape(row)
        assert shape is not None
        return length_m(shape)

    assert [metres(place) for place in (first, second, gap, branch)] == pytest.approx([340] * 4, rel=1e-3)
    assert metres(far) == pytest.approx(140, rel=1e-3)
    assert metres(other) == pytest.approx(200, rel=1e-3)
    assert metres(river) == pytest.approx(300, rel=1e-3)
    store.close()


def test_many_pieces_of_one_name(tmp_path: Path) -> None:
    """More than are compared each with each: a ring, and a line far from it."""
    objects = Objects()
    turns = [2 * math.pi * number / 250 for number in range(251)]
    ring = [(1000 * math.cos(turn), 1000 * math.sin(turn)) for turn in turns]
    runs = [list(pair) for pair in pairwise(ring)]
    ids = street(objects, *runs, [(3000, 0), (3100, 0)], [(3100, 0), (3200, 0)])
    store = MapStore.open(village(objects.features, tmp_path / "map"))
    rows = [store.row_of(place) for place in (ids[0], ids[-1])]
    lengths = [length_m(shape) for row in rows if row is not None and (shape := store.shape(row)) is not None]
    assert lengths == pytest.approx([2 * math.pi * 1000, 200], rel=1e-3)
    store.close()


def test_a_list_tells_a_street_once(tmp_path: Path) -> None:
    objects = Objects()
    street(objects, *([(60 * number, 0), (60 * number + 60, 0)] for number in range(40)))
    street(objects, [(0, 300), (100, 300)], name="Side Street")
    cafe = objects.node((0, 20), amenity="cafe", name="Corner Cafe")
    store = MapStore.open(village(objects.features, tmp_path / "map"))
    center = store.location(store.row_of(cafe) or 0)
    for limit in (1, 2, 3, None):
        found = [store.place(row).name for row, _ in store.nearby(center, 5_000, ("street",), limit=limit)]
        assert found == ["Long Street", "Side Street"][:limit]
    everything = [store.place(row).name for row in store.everywhere(("street",))]
    assert sorted(everything) == ["Long Street", "Side Street"]
    assert len(store.everywhere()) == 3
    assert [store.place(row).name for row in store.everywhere(keyword="corner")] == ["Corner Cafe"]
    store.close()
