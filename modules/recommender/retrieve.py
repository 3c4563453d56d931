"""Sparse spatial retrieval: the candidate set C_s of equation 2, through the map tools (section 4.2).

Where the places of a wish lie is geometry, spatial function and parameter, as the program says. The spatial function
follows from the geometry: within a distance of a point, within the buffer of a line, inside a region. How far "near"
reaches where the program does not say it is settled by appendix F.1.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from map_tools.compute import shapes
from map_tools.compute.shapes import center, circle_around
from map_tools.facts import Fact, FailureFact, NearbyFact, PlaceFact
from map_tools.tools.nearby import MAX_RADIUS_M
from map_tools.types import Place, Shape, TravelMode
from mapagent.core.answer import Evidence, Source, Step
from mapagent.core.ports import Run, ToolCall
from modules.query.operators.recommend import MODULE, Given
from modules.recommender.understand import RecommendationQuery

NEARBY_M = 1000.0
WALKABLE_M = 2000.0
NOT_TOO_FAR_M = 3000.0
"""Radii for "nearby" or "close", "walking distance" and "not too far": appendix F.1, "Point-based"."""

WALKING_BUFFER_M = 1000.0
ROUTE_BUFFER_M = 2000.0
SCENIC_BUFFER_M = 3000.0
"""Buffers of walking, general and scenic routes: appendix F.1, "Route-based"."""

SHORT_M = 500.0
"""Where only what is right by the way will do: the 500 m of cases 7 and 8 (appendix G)."""
EVERYWHERE_M = 25_000.0
"""Across a large city: where the sparse retriever is left out."""

SURROUNDINGS = "surroundings"
"""What a search asks for that is not after candidates, but after what lies around them."""

_EDGE_M = 1.0
"""A circle around a shape is searched so much wider: what lies on its edge is judged by the shape."""


class Geometry(StrEnum):
    """What is measured from."""

    POINT = "point"
    LINE = "line"
    REGION = "region"


@dataclass(frozen=True, slots=True)
class Reach:
    """How a place must lie.

    Attributes:
        geometry: What is measured from, and `given` as the program gives it.
        distance_m: The greatest distance from it; None inside a region.
        bounds: A region in which it must lie besides.
    """

    geometry: Geometry
    given: Given
    distance_m: float | None = None
    bounds: Given | None = None

    @classmethod
    def of(
        cls,
        *,
        near: Given | None,
        along: Given | None,
        inside: Given | None,
        within_m: float | None,
        scales: frozenset[str],
    ) -> "Reach":
        """What a program says, with the defaults for what it leaves open.

        Args:
            near: A place, as the program gives it.
            along: A way or street.
            inside: An area. At least one of the three is given.
            within_m: The distance that it states.
            scales: What the wish says of how near is near (`RecommendationQuery.scales`).

        Raises:
            ValueError: Nothing is given to measure from.
        """
        if along is not None:
            return cls(Geometry.LINE, along, within_m or _buffer_m(scales, along.mode), inside)
        if near is not None:
            return cls(Geometry.POINT, near, within_m or _radius_m(scales), inside)
        if inside is None:
            raise ValueError("nothing is measured from")
        return cls(Geometry.REGION, inside)

    @property
    def name(self) -> str:
        """What is measured from, and what bounds it."""
        return self.given.name if self.bounds is None else f"{self.given.name} in {self.bounds.name}"

    def widened(self, factor: float) -> "Reach":
        """The same with a longer distance."""
        return replace(self, distance_m=None if self.distance_m is None else self.distance_m * factor)

    def everywhere(self) -> "Reach":
        """The same without the spatial constraint: whatever lies in a city about it."""
        return replace(self, distance_m=None if self.distance_m is None else EVERYWHERE_M)


def _radius_m(scales: frozenset[str]) -> float:
    """The widest reading that a word asks for, "nearby" where none does."""
    if "short" in scales:
        return SHORT_M
    if "far" in scales:
        return NOT_TOO_FAR_M
    return WALKABLE_M if "walkable" in scales else NEARBY_M


def _buffer_m(scales: frozenset[str], mode: TravelMode | None) -> float:
    """The buffer of a way; along a street one walks."""
    if "short" in scales:
        return SHORT_M
    if "scenic" in scales:
        return SCENIC_BUFFER_M
    return WALKING_BUFFER_M if mode in {None, TravelMode.WALKING} else ROUTE_BUFFER_M


class CannotTellError(Exception):
    """The map does not tell; carries the failure that says why."""

    def __init__(self, failure: FailureFact) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Searching:
    """Calls map tools for one step of one run.

    Attributes:
        evidence: What the tools have brought and what was made of it, failures included, until it is handed
            over.
    """

    def __init__(self, step: Step, run: Run) -> None:
        self._step = step
        self._run = run
        self.evidence: list[Evidence] = []

    async def listed(self, call: ToolCall) -> tuple[str, NearbyFact]:
        """The list that a search brings, with the id of its evidence.

        Raises:
            CannotTellError: The search failed; that is no empty list.
        """
        evidence = await self._run.call_tool(self._step, call)
        self.evidence += evidence
        for _, failure in facts_of(evidence, FailureFact):
            raise CannotTellError(failure)
        return next(iter(facts_of(evidence, NearbyFact)))

    def handed_over(self) -> tuple[Evidence, ...]:
        """The evidence since this was last called."""
        taken = tuple(self.evidence)
        self.evidence.clear()
        return taken

    def derived(self, fact: Fact, origins: Iterable[str], warnings: Iterable[str] = ()) -> Evidence:
        """Records a fact that was computed from others."""
        made = self._run.evidence_of(
            self._step,
            fact,
            Source(tool=MODULE),
            derived_from=tuple(dict.fromkeys(origins)),
            warnings=tuple(dict.fromkeys(filter(None, warnings))),
        )
        self.evidence.append(made)
        return made


def search(what: str, location: str, categories: Sequence[str], radius_m: float | None) -> ToolCall:
    """A search for all places of some kinds, in a circle or (without a radius) in an area."""
    area = {"inside": True} if radius_m is None else {"radius": round(radius_m, 1)}
    arguments = {"query": what, "location": location, "categories": list(categories), **area}
    return ToolCall(tool="Nearby", arguments={**arguments, "everything": True})


def facts_of[F: Fact](evidence: Iterable[Evidence], kind: type[F]) -> Iterable[tuple[str, F]]:
    """The facts of a kind among some evidence, with its ids."""
    return ((item.id, item.value) for item in evidence if isinstance(item.value, kind))


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
