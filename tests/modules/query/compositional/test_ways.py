"""The router that the other questions are measured by, against shortest paths over the raw map."""

from itertools import pairwise

import networkx as nx
import osmium
import pytest
from pyproj import Geod

from tests.e2e.truth import Thing
from tests.modules.query.compositional.asking import World, on

SPHEROID = Geod(ellps="WGS84")
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
