"""What lies in a region: whole, or in part."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from evals.generate.gsqa.measure import area_m2, length_m
from evals.generate.gsqa.params import Relation, UnfitError
from evals.generate.gsqa.reference import Reference, Thing
from evals.generate.gsqa.words import region_places
from evals.generate.world import fold

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
