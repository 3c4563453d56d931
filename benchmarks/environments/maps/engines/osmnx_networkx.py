"""Streets as a graph: OSMnx reads them, networkx finds the fastest ways.

Written as the documentation of OSMnx does it (https://osmnx.readthedocs.io): speeds and travel times are
added to the edges, positions are put on the nearest node.
"""

from collections.abc import Sequence
from pathlib import Path
from time import process_time

import networkx as nx
import osmnx


class OsmnxEngine:
    """The streets of a city."""

    def __init__(self, roads: Path) -> None:
        self._roads = roads

    def open(self) -> None:
        """See `Engine.open`."""
        graph = osmnx.graph_from_xml(self._roads)
        self._graph = osmnx.add_edge_travel_times(osmnx.add_edge_speeds(graph))

    def find(self, text: str) -> str | None:
        """See `Engine.find`."""
        raise NotImplementedError

    def nearby(self, center, radius_m: float, tag, limit: int) -> list[float]:
        """See `Engine.nearby`."""
        raise NotImplementedError

    def route(self, start, end) -> float | None:
        """See `Engine.route`."""
        first, last = self._nodes([start, end])
        way = osmnx.shortest_path(self._graph, first, last, weight="travel_time")
        if way is None:
            return None
        return float(sum(osmnx.routing.route_to_gdf(self._graph, way)["length"])) if len(way) > 1 else 0.0

    def matrix(self, stops: Sequence) -> int:
        """See `Engine.matrix`."""
        nodes = self._nodes(stops)
        reached = 0
        for node in nodes:
            times = nx.single_source_dijkstra_path_length(self._graph, node, weight="travel_time")
            reached += sum(other in times for other in nodes)
        return reached

    def processor_s(self) -> float:
        """See `Engine.processor_s`."""
        return process_time()

    def close(self) -> None:
        """See `Engine.close`."""

    def _nodes(self, points: Sequence) -> list:
        lats, lngs = zip(*points, strict=True)
        return osmnx.nearest_nodes(self._graph, list(lngs), list(lats)).tolist()


def make(folder: Path) -> OsmnxEngine:
    """The engine over the streets in a folder."""
    return OsmnxEngine(folder / "roads.osm")
