"""The truth of a synthetic city, read from its file and nothing else."""

import json
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx  # type: ignore[import-untyped]
from pyproj import Geod

WGS84 = Geod(ellps="WGS84")

type Position = tuple[float, float]
"""Latitude and longitude."""


def metres(a: Position, b: Position) -> float:
    """Geodesic distance by PROJ."""
    return float(WGS84.inv(a[1], a[0], b[1], b[0])[2])


@dataclass(frozen=True)
class Truth:
    """What `truth.json` says."""

    said: dict[str, Any]

    @classmethod
    def read(cls, map_path: Path) -> "Truth":
        return cls(json.loads((map_path / "truth.json").read_text("utf-8")))

    @property
    def places(self) -> list[dict[str, Any]]:
        return list(self.said["places"])

    @property
    def junctions(self) -> list[Position]:
        return [(lat, lng) for lat, lng in self.said["junctions"]]

    def around(self, center: Position, radius_m: float, tag: str) -> list[tuple[str, float]]:
        """Ids and distances of the places with a tag in a circle, nearest first: every place is looked at."""
        away = [
            (place["id"], metres(center, tuple(place["at"]))) for place in self.places if place["tag"] == tag
        ]
        return sorted((pair for pair in away if pair[1] <= radius_m), key=lambda pair: pair[1])

    @cached_property
    def on_foot(self) -> Any:
        """A graph of the streets for walkers, who may go both ways everywhere."""
        graph: Any = nx.Graph()
        for edge in self.said["edges"]:
            graph.add_edge(edge["from"], edge["to"], length_m=edge["length_m"])
        return graph

    @cached_property
    def by_car(self) -> Any:
        """A directed graph of the streets for cars."""
        graph: Any = nx.DiGraph()
        for edge in self.said["edges"]:
            if edge["cars"] != "no":
                graph.add_edge(edge["from"], edge["to"], length_m=edge["length_m"])
            if edge["cars"] == "both":
                graph.add_edge(edge["to"], edge["from"], length_m=edge["length_m"])
        return graph


def is_inside(point: Position, outline: list[list[float]]) -> bool:
    """Whether a ray to the east crosses the outline an odd number of times."""
    crossings = 0
    for (lat, lng), (next_lat, next_lng) in pairwise(outline):
        if (lat > point[0]) != (next_lat > point[0]):
            share = (point[0] - lat) / (next_lat - lat)
            crossings += point[1] < lng + share * (next_lng - lng)
    return crossings % 2 == 1


def is_open(week: list[list[list[int]]], weekday: int, minute: int) -> bool:
    """Whether a place is open at a minute of a day; at the minute of closing it is not."""
    return any(opens <= minute < closes for opens, closes in week[weekday])
