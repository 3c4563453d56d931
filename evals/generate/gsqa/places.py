"""Which places of a kind a question is about: within a range, in a direction, nearest.

Features that are areas or lines have no one distance. A place counts if all of its outline does; one of which
only a part does is *unclear*, and a question whose answer hangs on an unclear place is unfit, so that no
definition of distance changes an answer. Where any place is right, so is an unclear one whose centroid
counts, as in the published tables.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from evals.generate.gsqa.measure import BOUND, Cloud, covers, range_m, side_of_sector
from evals.generate.gsqa.params import UnfitError
from evals.generate.gsqa.reference import Reference, Thing

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
