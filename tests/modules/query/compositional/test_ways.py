"""The router that the other questions are measured by, against shortest paths over the raw map."""

import asyncio
from itertools import pairwise

import networkx as nx
import osmium
import pytest
import shapely
from pyproj import Geod

from map_tools.types import TravelMode
from tests.e2e.truth import Thing
from tests.modules.query.compositional.asking import World, on

SPHEROID = Geod(ellps="WGS84")
WALKED_M_S = 5.1 / 3.6
"""Valhalla's pace on foot
(https://valhalla.github.io/valhalla/api/turn-by-turn/api-reference/#pedestrian-costing-options)."""
NO_WALKING = frozenset(
    {"motorway", "motorway_link", "trunk", "trunk_link", "construction", "proposed", "elevator"}
)
"""Values of highway= that nobody walks on (https://wiki.openstreetmap.org/wiki/Key:highway)."""


def _streets(world: World) -> nx.Graph:
    """All that one may walk on: nodes with positions, edges with metres."""
    graph = nx.Graph()
    for way in osmium.FileProcessor(str(world.raw.path)).with_locations():
        if (
            not way.is_way()
            or way.tags.get("highway", "construction") in NO_WALKING
            or way.tags.get("foot") == "no"
        ):
            continue
        if way.tags.get("access") in {"no", "private"} and way.tags.get("foot") not in {"yes", "designated"}:
            continue
        known = [(node.ref, node.lon, node.lat) for node in way.nodes if node.location.valid()]
        for ref, lng, lat in known:
            graph.add_node(ref, at=(lng, lat))
        for (a, *start), (b, *end) in pairwise(known):
            graph.add_edge(a, b, metres=SPHEROID.inv(*start, *end)[2])
    largest = max(nx.connected_components(graph), key=len)
    return graph.subgraph(largest).copy()


def _nearest(graph: nx.Graph, thing: Thing) -> tuple[int, float]:
    """The node of the streets that is nearest to a thing, and how far it is."""
    off = {ref: SPHEROID.inv(thing.lng, thing.lat, *at)[2] for ref, at in graph.nodes(data="at")}
    ref = min(off, key=lambda one: off[one])
    return ref, off[ref]


@on(
    helsinki=("Amos Rex", "Kino Engel", "Hotel Arthur", "Lilla Teatern", "Hilton Helsinki Strand"),
    porto=("Cinema da Trindade", "Farmácia Vitália", "LeYa na Latina", "Museu dos Clérigos"),
)
def test_walks_are_about_the_shortest(world: World, start: tuple[str, ...]) -> None:
    """A router may prefer pleasant ways, and leaves a street between its corners: neither makes a third."""
    graph = _streets(world)
    places = [world.raw.one(name) for name in start]
    ends = {one.name: _nearest(graph, one) for one in places}
    for a, b in pairwise(places):
        (first, before), (last, behind) = ends[a.name], ends[b.name]
        shortest = nx.shortest_path_length(graph, first, last, weight="metres")
        assert world.way_m("walk", a, b) == pytest.approx(shortest, rel=0.3, abs=before + behind + 30), (
            a.name,
            b.name,
        )
        pace = world.way_m("walk", a, b) / world.travel("walk", a, b).total_seconds()
        assert 1.0 < pace < 1.6, (a.name, b.name)  # metres a second


@on(helsinki="Kino Engel", porto="Cinema da Trindade")
def test_what_is_reached_on_foot(world: World, start: str) -> None:
    """Corners of the raw map's streets: those clearly nearer than seven minutes' walk are in the area, others not.

    An area does not tell a tunnel from the street above it, so corners at a street that is reached do not count.
    """
    graph = _streets(world)
    origin, _ = _nearest(graph, world.raw.one(start))
    away_m = nx.single_source_dijkstra_path_length(graph, origin, weight="metres")
    spot = world.place(world.raw.one(start))
    area = asyncio.run(world.provider.reach(spot, within_s=420.0, mode=TravelMode.WALKING))
    inside = shapely.from_wkt(area.wkt)
    limit_m = 420.0 * WALKED_M_S
    near = [graph.nodes[ref]["at"] for ref, metres in away_m.items() if metres < 0.7 * limit_m]
    streets = shapely.MultiPoint(
        [graph.nodes[ref]["at"] for ref, metres in away_m.items() if metres < 1.2 * limit_m]
    )
    above = shapely.buffer(streets, 5e-4)  # about 50 m
    shapely.prepare(above)
    far = [
        at
        for at in (
            graph.nodes[ref]["at"] for ref, metres in away_m.items() if 1.35 * limit_m < metres < 2 * limit_m
        )
        if not above.contains(shapely.Point(at))
    ]
    reached, beyond = (shapely.contains_xy(inside, *zip(*corners, strict=True)) for corners in (near, far))
    assert min(len(near), len(far)) > 100
    assert reached.mean() > 0.95
    assert beyond.mean() < 0.1
