"""Which places of a kind a question is about: in range, in a direction, nearest; in a region, whole or in part.

Features that are areas or lines have no one distance. A place counts if all of its outline does; one of which
only a part does is *unclear*, and a question whose answer hangs on an unclear place is unfit, so that no
definition of distance changes an answer. Where any place is right, so is an unclear one whose centroid
counts, as in the published tables.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from evals.generate.gsqa.reference import (
    BOUND,
    Cloud,
    Reference,
    Thing,
    area_m2,
    covers,
    length_m,
    range_m,
    side_of_sector,
)
from evals.generate.gsqa.templates import Relation, UnfitError, region_places
from evals.generate.world import fold

TIE_M = 1.0
"""Nearest must be nearer than the next by more than this."""
SLACK_M = 5.0
"""The fast bounds look this much further than needed."""

type InDirection = Callable[[Thing], bool | None]
"""True if a place lies in the direction asked for, False if not, None if a part of it does."""


@dataclass(frozen=True, slots=True)
class Found:
    """The places that count, nearest first, those that may, and of these the ones whose centroid counts."""

    sure: tuple[Thing, ...]
    unclear: tuple[Thing, ...]
    central: tuple[Thing, ...]


class Places:
    """Searches over the features of a map, one kind at a time."""

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self._cloud = lru_cache(maxsize=None)(self._make_cloud)

    def members(self, tag: str, narrowed: str = "") -> tuple[Thing, ...]:
        """All features of a kind, with names and without."""
        return self._cloud(tag, narrowed).things

    def within(
        self, anchor: Thing, kind: tuple[str, str], radius_m: float, toward: InDirection | None = None
    ) -> Found:
        """The features of a kind in range, and in the direction if one is asked for."""
        cloud = self._cloud(*kind)
        least, most = cloud.bounds_m(anchor.point)
        sure: list[tuple[float, Thing]] = []
        unclear: list[Thing] = []
        for index in (least <= radius_m * (1 + BOUND) + SLACK_M).nonzero()[0]:
            thing = cloud.things[index]
            if thing is anchor:
                continue
            low, high = float(least[index]), float(most[index])
            if high * (1 + BOUND) + SLACK_M > radius_m:
                low, high = range_m(anchor.point, thing)
            inside = _judged(low, high, radius_m)
            judged = inside if toward is None or inside is False else _both(inside, toward(thing))
            if judged:
                sure.append((low, thing))
            elif judged is None:
                unclear.append(thing)
        central = tuple(thing for thing in unclear if _by_centroid(anchor, thing, radius_m, toward))
        nearest_first = sorted(sure, key=lambda entry: entry[0])
        return Found(tuple(thing for _, thing in nearest_first), tuple(unclear), central)

    def nearest(
        self, anchor: Thing, kind: tuple[str, str], toward: InDirection | None = None
    ) -> tuple[Thing, float, float]:
        """The nearest feature of a kind, with its least and greatest distance.

        Raises:
            UnfitError: There is none, or which one it is depends on what distance means.
        """
        near = self._nearby(anchor, kind, toward)
        if len(near) > 1:
            near = [(thing, judged, *range_m(anchor.point, thing)) for thing, judged, _, _ in near]
        sure = [(thing, low, high) for thing, judged, low, high in near if judged]
        best = min(sure, key=lambda entry: entry[2])
        if any(low <= best[2] + TIE_M for thing, _, low, _ in near if thing is not best[0]):
            raise UnfitError("which one is nearest is not clear")
        return best

    def _nearby(
        self, anchor: Thing, kind: tuple[str, str], toward: InDirection | None
    ) -> list[tuple[Thing, bool | None, float, float]]:
        """The features that may be the nearest, with bounds of their distances; one of them surely counts."""
        cloud = self._cloud(*kind)
        least, most = cloud.bounds_m(anchor.point)
        found: list[tuple[Thing, bool | None, float, float]] = []
        limit_m = float("inf")
        for index in least.argsort():
            if least[index] * (1 - BOUND) - SLACK_M > limit_m:
                break
            thing = cloud.things[index]
            judged = True if toward is None else toward(thing)
            if thing is anchor or judged is False:
                continue
            found.append((thing, judged, float(least[index]), float(most[index])))
            if judged:
                limit_m = min(limit_m, float(most[index]) * (1 + BOUND) + SLACK_M)
        if not any(judged for _, judged, _, _ in found):
            raise UnfitError("there is no such place" + (" in that direction" if toward else ""))
        return [entry for entry in found if entry[2] * (1 - BOUND) - SLACK_M <= limit_m]

    def _make_cloud(self, tag: str, narrowed: str) -> Cloud:
        things: Sequence[Thing] = self.reference.tagged(tag)
        if narrowed:
            key, _, value = narrowed.partition("=")
            things = [thing for thing in things if value in thing.tags.get(key, "").split(";")]
        return Cloud(things)


def sector(anchor: Thing, center_deg: float) -> InDirection:
    """Whether places lie in the sector around a direction, seen from the anchor."""

    def toward(thing: Thing) -> bool | None:
        if covers(thing, anchor.point):
            return None
        return side_of_sector(anchor.point, thing, center_deg)

    return toward


def _by_centroid(anchor: Thing, thing: Thing, radius_m: float, toward: InDirection | None) -> bool:
    """True if the point that stands for a place counts."""
    point = replace(thing, shape=None)
    low, high = range_m(anchor.point, point)
    return bool(_judged(low, high, radius_m)) and (toward is None or bool(toward(point)))


def _judged(low: float, high: float, radius_m: float) -> bool | None:
    if high < radius_m - TIE_M:
        return True
    return False if low > radius_m + TIE_M else None


def _both(one: bool | None, other: bool | None) -> bool | None:  # noqa: FBT001 (three-valued "and")
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


CLEAR_SHARE = 0.02
"""The largest (longest) one exceeds the next by at least this share."""


@dataclass(frozen=True, slots=True)
class Inside:
    """The features of a kind that lie wholly inside a region, and those that lie there in part."""

    whole: tuple[Thing, ...]
    part: tuple[Thing, ...]

    def chosen(self, relation: Relation) -> tuple[Thing, ...]:
        """The ones that count.

        Raises:
            UnfitError: Nothing says whether those at the border count ("agree"), and there are some.
        """
        if relation == "agree" and self.part:
            raise UnfitError("some lie across the border of the region")
        return (*self.whole, *self.part) if relation == "intersects" else self.whole


class Regions:
    """Searches by region over the features of a map."""

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self._within = lru_cache(maxsize=None)(self._find)
        self._area_m2 = lru_cache(maxsize=None)(area_m2)
        self._length_m = lru_cache(maxsize=None)(length_m)

    def all(self) -> tuple[Thing, ...]:
        """Regions to anchor a question by: named areas that are known elsewhere (GS-QA, section 3.5)."""
        places = region_places()
        found = [
            thing
            for thing in self.reference.things
            if thing.is_area
            and thing.name
            and thing.known
            and (thing.tags.get("place") in places or thing.tags.get("boundary") == "administrative")
        ]
        return tuple(thing for thing in found if sum(fold(thing.name) == fold(o.name) for o in found) == 1)

    def inside(self, region: Thing, tag: str, shape: str) -> Inside:
        """The features of a kind in a region; `shape` is "any", "area" or "line"."""
        return self._within(region, tag, shape)

    def count(self, region: Thing, tag: str, relation: Relation) -> int:
        """How many features of a kind lie in a region."""
        return len(self.inside(region, tag, "any").chosen(relation))

    def total(self, region: Thing, tag: str, shape: str, relation: Relation) -> float:
        """Total area (square metres) or length (metres) of the features of a kind in a region."""
        size = self._area_m2 if shape == "area" else self._length_m
        return sum(map(size, self.inside(region, tag, shape).chosen(relation)))

    def largest(self, region: Thing, tag: str, relation: Relation) -> Thing:
        """The area of a kind that is clearly the largest.

        Raises:
            UnfitError: There is none, it has no name, or another one is nearly as large.
        """
        inside = self.inside(region, tag, "area")
        found = sorted(_competing(inside, relation), key=self._area_m2, reverse=True)
        best = found[0]
        if not best.name:
            raise UnfitError("the largest has no name")
        if len(found) > 1 and self._area_m2(found[1]) * (1 + CLEAR_SHARE) > self._area_m2(best):
            raise UnfitError("two are nearly equally large")
        _check_whole((best,), inside, relation)
        return best

    def longest(self, region: Thing, tag: str, relation: Relation) -> tuple[Thing, ...]:
        """The pieces of the road or river of a kind that is clearly the longest, longest piece first.

        Pieces of one name are one road. It must be the longest by its single pieces too, so that nobody who
        takes pieces for roads is misled.

        Raises:
            UnfitError: There is none, or which one it is depends on how pieces are joined.
        """
        inside = self.inside(region, tag, "line")
        roads: dict[str, list[Thing]] = {}
        for thing in _competing(inside, relation):
            roads.setdefault(fold(thing.name) or thing.osm, []).append(thing)
        best = self._clear_first(roads, lambda pieces: sum(map(self._length_m, pieces)))
        if best != self._clear_first(roads, lambda pieces: max(map(self._length_m, pieces))):
            raise UnfitError("the longest piece belongs to another one")
        if not roads[best][0].name:
            raise UnfitError("the longest has no name")
        _check_whole(roads[best], inside, relation)
        return tuple(sorted(roads[best], key=self._length_m, reverse=True))

    def _clear_first(
        self, roads: Mapping[str, Sequence[Thing]], measure: Callable[[Sequence[Thing]], float]
    ) -> str:
        ranked = sorted(roads, key=lambda name: measure(roads[name]), reverse=True)
        if len(ranked) > 1 and measure(roads[ranked[1]]) * (1 + CLEAR_SHARE) > measure(roads[ranked[0]]):
            raise UnfitError("two are nearly equally long")
        return ranked[0]

    def _find(self, region: Thing, tag: str, shape: str) -> Inside:
        import shapely

        members = [
            thing for thing in self.reference.tagged(tag) if thing is not region and _has(thing, shape)
        ]
        forms = [_form(thing) for thing in members]
        shapely.prepare(region.shape)
        touching = shapely.intersects(region.shape, forms)
        holding = shapely.covers(region.shape, forms)
        return Inside(
            whole=tuple(thing for thing, inside in zip(members, holding, strict=True) if inside),
            part=tuple(
                thing
                for thing, meets, inside in zip(members, touching, holding, strict=True)
                if meets and not inside
            ),
        )


def _competing(inside: Inside, relation: Relation) -> Sequence[Thing]:
    """What may be the largest; where the relation is open, that at the border too."""
    found = inside.whole if relation == "contains" else (*inside.whole, *inside.part)
    if not found:
        raise UnfitError("there is nothing of the kind in the region")
    return found


def _check_whole(best: Sequence[Thing], inside: Inside, relation: Relation) -> None:
    """Where the relation is open, the winner must win by both."""
    if relation == "agree" and not set(best) <= set(inside.whole):
        raise UnfitError("the largest lies across the border of the region")


def _has(thing: Thing, shape: str) -> bool:
    return shape == "any" or (thing.is_area if shape == "area" else thing.is_line)


def _form(thing: Thing) -> Any:
    import shapely

    return thing.shape if thing.shape is not None else shapely.Point(thing.point[1], thing.point[0])
