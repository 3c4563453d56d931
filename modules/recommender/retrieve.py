"""Sparse spatial retrieval: the candidate set C_s of equation 2, through the map tools (section 4.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from map_tools.compute import shapes
from map_tools.compute.shapes import center, circle_around
from map_tools.facts import NearbyFact, PlaceFact
from map_tools.tools.nearby import MAX_RADIUS_M
from map_tools.types import Place, Shape
from modules.query.operators.recommend import Given
from modules.recommender.reach import Geometry, Reach
from modules.recommender.recommendation_query import RecommendationQuery
from modules.recommender.searching import SURROUNDINGS, Searching, search

_EDGE_M = 1.0
"""A circle around a shape is searched so much wider: what lies on its edge is judged by the shape."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that fulfils the spatial constraint.

    Attributes:
        distance_m: From the geometry; 0 inside a region.
        anchor: What it was measured from.
        evidence_id: The list it stands on.
    """

    place: Place
    distance_m: float
    anchor: str
    evidence_id: str


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What was found.

    Attributes:
        location, radius_m: What was searched, as a tool takes it; no radius for an area.
        complete: The source listed all there is.
    """

    candidates: tuple[Candidate, ...]
    location: str
    radius_m: float | None
    complete: bool


class Retriever:
    """Fetches candidates.

    Args:
        searching: The map tools; everything they bring stays there as evidence.
        wish: Says the kind of place.
    """

    def __init__(self, searching: Searching, wish: RecommendationQuery) -> None:
        self._searching = searching
        self._wish = wish
        self._drawn: set[str] = set()

    async def candidates(self, reach: Reach) -> Retrieval:
        """The places of the kind that lie as the program says, those without a name left out.

        Raises:
            CannotTellError: The map does not know the area, or a search failed.
        """
        self._draw(reach.given)
        found = await self._found(reach)
        named = tuple(one for one in found.candidates if one.place.name)
        if reach.bounds is None:
            return replace(found, candidates=named)
        within = await self._found(Reach(Geometry.REGION, reach.bounds))
        ids = {one.place.id for one in within.candidates}
        kept = tuple(one for one in named if one.place.id in ids)
        return replace(found, candidates=kept, complete=found.complete and within.complete)

    async def surroundings(
        self, retrieval: Retrieval, categories: Sequence[str], reach_m: float
    ) -> tuple[Place, ...]:
        """Places of other kinds around the candidates, at most `reach_m` beyond where those were searched."""
        searched_m = retrieval.radius_m
        radius_m = None if searched_m is None else min(searched_m + reach_m, MAX_RADIUS_M)
        _, fact = await self._searching.listed(search(SURROUNDINGS, retrieval.location, categories, radius_m))
        return tuple(item.place for item in fact.items)

    async def _found(self, reach: Reach) -> Retrieval:
        if reach.given.wkt:
            return await self._about(reach)
        location, radius_m = reach.given.reference, reach.distance_m
        evidence_id, fact = await self._listed(location, radius_m)
        # All that is in a region overlaps it, so its distance is 0 (equation 5).
        inside = reach.geometry is Geometry.REGION
        away = [(item.place, 0.0 if inside else item.distance_m) for item in fact.items]
        placed = [(place, metres) for place, metres in away if metres is not None]
        candidates = _candidates(placed, reach, evidence_id)
        return Retrieval(candidates, location, radius_m, complete=fact.complete)

    async def _about(self, reach: Reach) -> Retrieval:
        """Within a distance of an outline or course that the program has made, or inside it.

        A circle that holds it all is searched, and the exact distance decides.
        """
        shape = _shape(reach.given)
        middle, around_m = circle_around(shape)
        within_m = reach.distance_m or 0.0
        location, radius_m = str(middle), min(around_m + within_m + _EDGE_M, MAX_RADIUS_M)
        evidence_id, fact = await self._listed(location, radius_m)
        listed = [item.place for item in fact.items if item.place.location is not None]
        away = sorted(zip(_distances_m(shape, listed), listed, strict=True), key=lambda one: one[0])
        placed = [
            (place, round(metres, 1))
            for metres, place in away
            if metres <= within_m and place.id not in reach.given.own
        ]
        candidates = _candidates(placed, reach, evidence_id)
        return Retrieval(candidates, location, radius_m, complete=fact.complete)

    async def _listed(self, location: str, radius_m: float | None) -> tuple[str, NearbyFact]:
        """The search for what is wished for, with the id of its evidence."""
        return await self._searching.listed(
            search(self._wish.what, location, self._wish.categories, radius_m)
        )

    def _draw(self, given: Given) -> None:
        """Puts down as evidence, once, the outline or course that the candidates are measured from."""
        if given.wkt and given.name not in self._drawn:
            self._drawn.add(given.name)
            shape = _shape(given)
            place = Place(id=f"shape:{given.name}", name=given.name, location=center(shape))
            self._searching.derived(PlaceFact(query=given.name, place=place, shape=shape), ())


def _shape(given: Given) -> Shape:
    """The outline or course of what a program gives."""
    return Shape(kind="line" if "LINESTRING" in given.wkt else "area", wkt=given.wkt)


def _candidates(
    placed: Iterable[tuple[Place, float]], reach: Reach, evidence_id: str
) -> tuple[Candidate, ...]:
    return tuple(Candidate(place, metres, reach.given.name, evidence_id) for place, metres in placed)


def _distances_m(shape: Shape, places: Sequence[Place]) -> list[float]:
    """How far each place lies from a shape, 0 within an area."""
    spots = [place.location for place in places if place.location is not None]
    lats = np.array([spot.lat for spot in spots], np.float64)
    lngs = np.array([spot.lng for spot in spots], np.float64)
    return [float(one) for one in shapes.measuring(shape)(lats, lngs)]
