"""An independent reader of OpenStreetMap extracts, which the end-to-end answers are checked by.

Nothing here uses the product: objects come from pyosmium, distances from PROJ's geodesics, outlines from
shapely, opening hours from the opening_hours package, routes from a Valhalla actor of its own.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
import osmium
import shapely
from pyproj import Geod
from shapely.geometry.base import BaseGeometry

GEOD = Geod(ellps="WGS84")
MARGIN_M = 10.0
"""A ranking is only asked about where the next place is at least this much farther."""
KEYS = (
    "name", "amenity", "shop", "tourism", "leisure", "historic", "railway", "office", "place", "boundary",
    "healthcare", "highway", "natural", "craft",
)  # fmt: skip

type Rule = str | bool | tuple[str, ...]


class NotClearError(AssertionError):
    """The raw data does not give one clear answer: the question is badly chosen."""


@dataclass(frozen=True, slots=True)
class Thing:
    """An object of the extract. `shape` is None for a node; `lat` and `lng` lie inside an area."""

    kind: str
    osm_id: int
    tags: Mapping[str, str]
    lat: float
    lng: float
    shape: BaseGeometry | None = None

    @property
    def name(self) -> str:
        """Its name, or empty."""
        return self.tags.get("name", "")

    def fits(self, rules: Mapping[str, Rule]) -> bool:
        """True if the tags obey: a value, one of several values, or just present or absent (True, False)."""
        return all(_obeys(self.tags.get(key.replace("__", ":")), rule) for key, rule in rules.items())

    def open_at(self, when: datetime) -> bool:
        """True if the opening hours say open; where they are missing or broken nothing says so."""
        from opening_hours import OpeningHours, validate

        spec = self.tags.get("opening_hours")
        return spec is not None and validate(spec) and bool(OpeningHours(spec).is_open(when))


def _obeys(value: str | None, rule: Rule) -> bool:
    if isinstance(rule, bool):
        return (value is not None) is rule
    if value is None:
        return False
    wanted = (rule,) if isinstance(rule, str) else rule
    return any(part.strip() in wanted for part in value.split(";"))


@dataclass
class RawMap:
    """One extract, read whole.

    Args:
        path: The .osm.pbf file.
        tiles: Folder of routing tiles built from it.
    """

    path: Path
    tiles: Path
    _things: list[Thing] = field(default_factory=list)

    def __post_init__(self) -> None:
        factory = osmium.geom.WKBFactory()
        wanted = osmium.filter.KeyFilter(*KEYS)
        for item in osmium.FileProcessor(str(self.path)).with_areas().with_filter(wanted):
            thing = _thing(item, factory)
            if thing is not None:
                self._things.append(thing)

    def all(self, **rules: Rule) -> list[Thing]:
        """The objects whose tags obey the rules; a closed way counts once, as an area."""
        return [thing for thing in self._things if thing.fits(rules)]

    def one(self, name: str, **rules: Rule) -> Thing:
        """The only object of this name that obeys the rules."""
        found = [thing for thing in self._things if thing.name == name and thing.fits(rules)]
        if len(found) != 1:
            raise NotClearError(f"{len(found)} objects are named {name!r} with {rules}")
        return found[0]

    def tag(self, name: str, *keys: str, **rules: Rule) -> str:
        """The first of these tags that the only object of this name has."""
        tags = self.one(name, **rules).tags
        return next(tags[key] for key in keys if key in tags)

    def metres(self, start: str | Thing, end: str | Thing) -> float:
        """Geodesic distance between two points."""
        a, b = self._point(start), self._point(end)
        return float(GEOD.inv(a.lng, a.lat, b.lng, b.lat)[2])

    def bearing(self, start: str | Thing, end: str | Thing) -> float:
        """Degrees clockwise from north in which `end` lies, seen from `start`."""
        a, b = self._point(start), self._point(end)
        return float(GEOD.inv(a.lng, a.lat, b.lng, b.lat)[0]) % 360

    def span(self, start: Thing, end: Thing) -> tuple[float, float]:
        """Least and greatest distance between any points of the two, in metres."""
        if start.shape is None and end.shape is None:
            distance = self.metres(start, end)
            return distance, distance
        a, b = self._local(start), self._local(end)
        corners = ((p, q) for p in shapely.get_coordinates(a) for q in shapely.get_coordinates(b))
        return float(a.distance(b)), max(math.dist(p, q) for p, q in corners)

    def ranked(self, anchor: str | Thing, among: Iterable[Thing]) -> list[tuple[float, float, Thing]]:
        """(least, greatest distance, object), nearest first."""
        start = self._any(anchor)
        spans = [(*self.span(start, thing), thing) for thing in among]
        return sorted(spans, key=lambda item: item[:2])

    def nearest(self, anchor: str | Thing, among: Iterable[Thing], k: int = 1) -> Thing:
        """The k-th nearest, where whatever point stands for an area makes no difference."""
        return self.nearest_few(anchor, among, k)[-1]

    def nearest_few(self, anchor: str | Thing, among: Iterable[Thing], k: int) -> list[Thing]:
        """The k nearest in order, with a clear margin between any two and to the next."""
        spans = self.ranked(anchor, among)
        for (_, far, a), (near, _, b) in pairwise(spans[: k + 1]):
            if near - far < MARGIN_M:
                raise NotClearError(f"{a.name!r} and {b.name!r} are as far away ({far:.0f}, {near:.0f} m)")
        return [thing for _, _, thing in spans[:k]]

    def within(self, anchor: str | Thing, among: Iterable[Thing], radius_m: float) -> list[Thing]:
        """All within a radius, none of them on the edge."""
        found = []
        for near, far, thing in self.ranked(anchor, among):
            if near - MARGIN_M / 2 < radius_m < far + MARGIN_M / 2:
                raise NotClearError(f"{thing.name!r} is on the edge ({near:.0f} to {far:.0f} m)")
            if far < radius_m:
                found.append(thing)
        return found

    def inside(self, area: Thing, among: Iterable[Thing]) -> list[Thing]:
        """All inside an area's outline."""
        assert area.shape is not None
        shapely.prepare(area.shape)
        found = []
        for thing in among:
            shape = thing.shape or shapely.Point(thing.lng, thing.lat)
            if area.shape.contains(shape):
                found.append(thing)
            elif area.shape.intersects(shape):
                raise NotClearError(f"{thing.name!r} is on the border")
        return found

    def route(self, mode: str, *stops: str | Thing, **request: Any) -> dict[str, Any]:
        """Valhalla's reply ("auto", "pedestrian" or "bicycle") for a route over these points."""
        points = [self._point(stop) for stop in stops]
        body = {"locations": [{"lat": p.lat, "lon": p.lng} for p in points], "costing": mode, **request}
        reply: dict[str, Any] = json.loads(self._actor.route(json.dumps(body)))
        return reply

    def minutes(self, mode: str, *stops: str | Thing) -> float:
        """Minutes of travel from stop to stop."""
        return float(self.route(mode, *stops)["trip"]["summary"]["time"]) / 60

    def road_metres(self, mode: str, *stops: str | Thing) -> float:
        """Metres of the fastest way from stop to stop."""
        return float(self.route(mode, *stops)["trip"]["summary"]["length"]) * 1000

    def main_street(self, mode: str, *stops: str | Thing) -> str:
        """The street that most of the fastest route runs on."""
        lengths: dict[str, float] = {}
        for leg in self.route(mode, *stops)["trip"]["legs"]:
            for step in leg["maneuvers"]:
                for street in step.get("street_names", ())[:1]:
                    lengths[street] = lengths.get(street, 0) + step["length"]
        return max(lengths, key=lambda street: lengths[street])

    def steps(self, mode: str, *stops: str | Thing) -> list[str]:
        """The instructions of the fastest route."""
        legs = self.route(mode, *stops)["trip"]["legs"]
        return [step["instruction"] for leg in legs for step in leg["maneuvers"]]

    @cached_property
    def _actor(self) -> Any:
        import valhalla

        return valhalla.Actor(valhalla.get_config(tile_extract="", tile_dir=str(self.tiles)))

    def _any(self, what: str | Thing) -> Thing:
        return self.one(what) if isinstance(what, str) else what

    def _point(self, what: str | Thing) -> Thing:
        thing = self._any(what)
        if thing.shape is not None:
            raise NotClearError(f"{thing.name!r} is an area: no one point of it is right")
        return thing

    def _local(self, thing: Thing) -> BaseGeometry:
        """The shape in metres on a plane that touches the map in its middle."""
        shape = thing.shape or shapely.Point(thing.lng, thing.lat)
        return shapely.transform(shape, self._project)

    @cached_property
    def _project(self) -> Callable[[Any], Any]:
        from pyproj import Proj

        middle = self._things[len(self._things) // 2]
        plane = Proj(proj="aeqd", lat_0=middle.lat, lon_0=middle.lng, ellps="WGS84")
        return lambda points: np.column_stack(plane(points[:, 0], points[:, 1]))


def _thing(item: Any, factory: Any) -> Thing | None:
    tags = dict(item.tags)
    if item.is_node():
        return Thing("node", item.id, tags, item.location.lat, item.location.lon)
    if not item.is_area():
        return None
    try:
        shape = shapely.from_wkb(bytes.fromhex(factory.create_multipolygon(item)))
    except RuntimeError:  # an outline cut off at the extract's edge
        return None
    inner = shape.representative_point()
    return Thing("way" if item.from_way() else "relation", item.orig_id(), tags, inner.y, inner.x, shape)


def best_order(legs: Callable[[str, str], float], start: str, stops: Sequence[str]) -> list[str]:
    """The quickest order of stops from a start, by trying all of them."""
    tours = [
        (sum(legs(a, b) for a, b in pairwise((start, *order))), list(order)) for order in permutations(stops)
    ]
    tours.sort()
    if tours[1][0] - tours[0][0] < 0.5:
        raise NotClearError("two orders take about as long")
    return tours[0][1]
