"""Draws wishes of travellers over listings on a map.

Listings lie around a point, along a way, inside a region, beside a park or a stop.

True distances are single geodesics and shapes read as they are stored; nothing of the searching code under
test is used. What lies too near a limit for any definition of distance is unclear, and a wish that hangs on
an unclear place is unfit.
"""

import random
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from math import cos, hypot, radians
from pathlib import Path
from typing import Any

from evals.generate.gsqa.reference import Reference, Thing
from evals.generate.gsqa.templates import UnfitError
from evals.generate.recommend.listings import Facet, Facets, Listing, has_tag
from evals.generate.travel import Travel
from evals.generate.world import RawPlace, distance_m, fold
from evals.suites.scoring.recommend import FULL

MARGIN = 0.02
"""A place within this share of a limit is unclear."""
FAR = 1.1
"""What is so many times farther on the plane than a limit is not within it on the ground."""
BORDER_M = 5.0
"""So near a border it is unclear on which side a place lies."""
REACH_M = 2000.0
"""No park or stop of a city reaches farther from the point that stands for it."""
REGION_LEVELS = frozenset({"9", "10"})
"""admin_level of quarters (https://wiki.openstreetmap.org/wiki/Tag:boundary=administrative)."""
ANCHOR_KEYS = ("tourism", "railway", "place", "leisure", "public_transport")
"""Keys of what people say they are near of."""
_DEGREE_M = 111_195.0

type Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Region:
    """A quarter with its outline."""

    name: str
    outline: Any


class Ground:
    """The map that listings were put on.

    Args:
        folder: The map's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._reference = Reference(folder)
        self._folder = folder

    @property
    def info(self) -> dict[str, Any]:
        """The map's own description."""
        found: dict[str, Any] = self._reference.raw.info
        return found

    @cached_property
    def anchors(self) -> tuple[RawPlace, ...]:
        """Named points with a name of their own that people measure from."""
        return tuple(
            place for place in self._reference.raw.unique if any(key in place.tags for key in ANCHOR_KEYS)
        )

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """Quarters with an outline and a name of their own."""
        return tuple(
            Region(thing.name, thing.shape)
            for thing in self._reference.things
            if thing.is_area
            and thing.tags.get("boundary") == "administrative"
            and thing.tags.get("admin_level") in REGION_LEVELS
        )

    def around(self, center: Point, listings: Iterable[Listing], within_m: float) -> list[Listing]:
        """Those within a distance of a point.

        Raises:
            UnfitError: One of them lies on the limit.
        """
        plane = _Plane(center)
        near = (one for one in listings if hypot(*plane.of(one.point)) <= FAR * within_m)
        return _within(((one, distance_m(center, one.point)) for one in near), within_m)

    def along(self, start: Point, end: Point, listings: Iterable[Listing], within_m: float) -> list[Listing]:
        """Those within a distance of the way on foot between two points.

        Raises:
            UnfitError: There is no way on foot, or one of them lies on the limit.
        """
        import shapely

        way = self._travel.way(start, end, "walking")
        if way is None or len(way.course) < 2:
            raise UnfitError("there is no undisputed way on foot")
        plane = _Plane(start)
        line = shapely.LineString([plane.of(point) for point in way.course])
        distances = ((one, float(line.distance(shapely.Point(plane.of(one.point))))) for one in listings)
        return _within(distances, within_m)

    def inside(self, region: Region, listings: Iterable[Listing]) -> list[Listing]:
        """Those inside a region.

        Raises:
            UnfitError: One of them lies on its border.
        """
        import shapely

        tested = list(listings)
        points = shapely.points([(one.shown.lng, one.shown.lat) for one in tested])
        if (shapely.distance(region.outline.boundary, points) * _DEGREE_M < BORDER_M).any():
            raise UnfitError("a place lies on the border of the region")
        return [
            one for one, holds in zip(tested, shapely.contains(region.outline, points), strict=True) if holds
        ]

    def beside(self, tags: Sequence[str], listings: Iterable[Listing], within_m: float) -> list[Listing]:
        """Those within a distance of any feature with one of some tags, measured to its shape."""
        import shapely

        things = [thing for thing in self._reference.things if has_tag(thing.tags, tags)]
        found = []
        for one in listings:
            plane = _Plane(one.point)
            origin = shapely.Point(0, 0)
            near = (thing for thing in things if _north_m(one.point, thing) <= within_m + REACH_M)
            if any(plane.shape(thing).distance(origin) <= within_m for thing in near):
                found.append(one)
        return found

    @cached_property
    def _travel(self) -> Travel:
        return Travel(self._folder / "tiles")


class _Plane:
    """The plane that touches the earth at a point, in metres: right within 1 % for some kilometres."""

    def __init__(self, origin: Point) -> None:
        self._lat, self._lng = origin
        self._east_m = _DEGREE_M * cos(radians(origin[0]))

    def of(self, point: Point) -> tuple[float, float]:
        """East and north of the origin."""
        return (point[1] - self._lng) * self._east_m, (point[0] - self._lat) * _DEGREE_M

    def shape(self, thing: Thing) -> Any:
        """A feature's shape on the plane."""
        import shapely

        if thing.shape is None:
            return shapely.Point(self.of(thing.point))
        return shapely.transform(
            thing.shape,
            lambda places: (places - (self._lng, self._lat)) * (self._east_m, _DEGREE_M),
        )


def _within(measured: Iterable[tuple[Listing, float]], limit_m: float) -> list[Listing]:
    found = []
    for listing, length_m in measured:
        if abs(length_m - limit_m) <= MARGIN * limit_m:
            raise UnfitError("a place lies on the limit of the distance")
        if length_m < limit_m:
            found.append(listing)
    return found


def _north_m(point: Point, thing: Thing) -> float:
    """How far apart a point and the one that stands for a feature are in north and south."""
    return abs(point[0] - thing.point[0]) * _DEGREE_M


LEAST_CHOICE = 5
"""So many places of the kind must lie as asked, or there is nothing to recommend among."""
MOST_FITTING = 0.5
"""At most this share of them may fulfil the wish, or any order would do."""
TWO_FACETS = 0.3
SURROUNDED = 0.35
"""Shares of wishes with a second facet, and with surroundings (where the map tells of any)."""
WAY_M = (400.0, 2500.0)
"""How far apart the ends of a way are as the crow flies."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wished for, wherever it lies: a kind, its facets, its surroundings ("" for none)."""

    kind: str
    facets: tuple[Facet, ...]
    surrounding: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A wish without its id.

    Attributes:
        family: As in `RecommendRecord`, and `record` its other fields.
        asked: What is asked for, in the words of `facets.toml`.
    """

    family: str
    record: dict[str, Any]
    asked: dict[str, Any]


class Wishes:
    """Draws wishes; each draw raises `UnfitError` where it makes no good one."""

    def __init__(self, ground: Ground, listings: Sequence[Listing], facets: Facets, seed: int) -> None:
        self._ground = ground
        self._listings = listings
        self._facets = facets
        self._dice = random.Random(seed)  # noqa: S311 (reproducible, not secret)

    @property
    def families(self) -> dict[str, Callable[[], Draft]]:
        """How each family is drawn, as far as the map has what it is measured from."""
        if not self._kinds or not self._ground.anchors:
            return {}
        drawn: dict[str, Callable[[], Draft]] = {"point": self._point}
        if self._ground.info["routable"]:
            drawn["route"] = self._route
        if self._ground.regions:
            drawn["region"] = self._region
        return drawn

    def _point(self) -> Draft:
        wanted, wording, anchor = self._wanted(), self._wording("point"), self._anchor()
        lies = self._ground.around(
            anchor.point, self._of(wanted.kind, anchor.name), float(wording["within_m"])
        )
        return self._draft("point", wanted, wording, {"place": anchor.name}, lies)

    def _route(self) -> Draft:
        wanted, wording = self._wanted(), self._wording("route")
        start, end = self._anchor(), self._anchor()
        low_m, high_m = WAY_M
        if not low_m <= distance_m(start.point, end.point) <= high_m:
            raise UnfitError("the ends of the way are too near or too far")
        others = self._of(wanted.kind, start.name, end.name)
        lies = self._ground.along(start.point, end.point, others, float(wording["within_m"]))
        return self._draft("route", wanted, wording, {"from": start.name, "to": end.name}, lies)

    def _region(self) -> Draft:
        wanted, wording = self._wanted(), self._wording("region")
        region = self._dice.choice(self._ground.regions)
        lies = self._ground.inside(region, self._of(wanted.kind))
        return self._draft("region", wanted, wording, {"place": region.name}, lies)

    def _wanted(self) -> Wanted:
        kind = self._dice.choice(self._kinds)
        fitting = [facet for facet in self._facets.all if kind in facet.kinds]
        count = 2 if self._dice.random() < TWO_FACETS else 1
        chosen = self._dice.sample(fitting, min(count, len(fitting)))
        if sum(bool(facet.after) for facet in chosen) > 1:
            raise UnfitError("two phrases after the kind do not read well")
        known = self._surroundings
        surrounded = bool(known) and self._dice.random() < SURROUNDED
        return Wanted(kind, tuple(chosen), self._dice.choice(sorted(known)) if surrounded else "")

    def _wording(self, family: str) -> Mapping[str, Any]:
        wording: Mapping[str, Any] = self._dice.choice(wordings()[family])
        return wording

    def _anchor(self) -> RawPlace:
        return self._dice.choice(self._ground.anchors)

    def _of(self, kind: str, *besides: str) -> list[Listing]:
        """All listings of a kind, but for what the wish itself names."""
        names = {fold(name) for name in besides}
        return [one for name, one in self._folded if kind in one.kinds and name not in names]

    def _draft(
        self,
        family: str,
        wanted: Wanted,
        wording: Mapping[str, Any],
        places: Mapping[str, str],
        lies: Sequence[Listing],
    ) -> Draft:
        if len(lies) < LEAST_CHOICE:
            raise UnfitError("too few places lie as asked")
        grades = self._grades(wanted, lies)
        full = sum(grade == FULL for grade in grades.values())
        if not 1 <= full <= MOST_FITTING * len(lies):
            raise UnfitError("none of the places, or too many, fulfil the wish")
        keys = {facet.key for facet in wanted.facets}
        alike = [one.name for one in self._listings if wanted.kind in one.kinds and keys <= one.facets]
        surrounded = sorted(self._surroundings[wanted.surrounding]) if wanted.surrounding else None
        question = str(wording["text"]).format(wish=self._words(wanted), **places)
        record = {
            "question": question,
            "grades": grades,
            "lies": [one.name for one in lies],
            "alike": alike,
        } | ({"surrounded": surrounded} if surrounded is not None else {})
        asked = {"kind": wanted.kind, "facets": sorted(keys), "surrounding": wanted.surrounding}
        return Draft(family, record, asked)

    def _grades(self, wanted: Wanted, lies: Sequence[Listing]) -> dict[str, int]:
        """`FULL` for what fulfils every part of the wish, 1 for what has one of its facets."""
        keys = {facet.key for facet in wanted.facets}
        around = self._surroundings.get(wanted.surrounding)
        return {
            one.name: FULL if keys <= one.facets and (around is None or one.name in around) else 1
            for one in lies
            if keys & one.facets
        }

    def _words(self, wanted: Wanted) -> str:
        """The wish as a phrase: "a quiet, elegant hotel by a park", "an elegant bar with live music"."""
        before = ", ".join(facet.before for facet in wanted.facets if facet.before)
        after = [facet.after for facet in wanted.facets if facet.after]
        around = [self._facets.surroundings[wanted.surrounding]["words"]] if wanted.surrounding else []
        words = " ".join(part for part in (before, self._facets.word(wanted.kind), *around, *after) if part)
        return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"

    @cached_property
    def _folded(self) -> list[tuple[str, Listing]]:
        """Each listing with its folded name."""
        return [(fold(one.name), one) for one in self._listings]

    @cached_property
    def _kinds(self) -> list[str]:
        """The kinds with listings enough, that some facet is asked of."""
        asked = {kind for facet in self._facets.all for kind in facet.kinds}
        return sorted(kind for kind in asked if len(self._of(kind)) >= LEAST_CHOICE)

    @cached_property
    def _surroundings(self) -> dict[str, frozenset[str]]:
        """The names of the listings in each of the surroundings that some have and some have not."""
        found = {}
        for key, entry in self._facets.surroundings.items():
            beside = self._ground.beside(entry["tags"], self._listings, float(entry["within_m"]))
            if 0 < len(beside) < len(self._listings):
                found[key] = frozenset(one.name for one in beside)
        return found


@lru_cache(maxsize=1)
def wordings() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """The wordings of each family (`wordings.toml`)."""
    return tomllib.loads((files("evals.generate.recommend") / "wordings.toml").read_text("utf-8"))
