"""Sparse spatial retrieval: the candidate set C_s of equation 2, through the map tools (section 4.2)."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from map_tools.errors import UnsupportedError
from map_tools.facts import FailureFact, NearbyFact, PlaceFact, RoutesFact
from map_tools.types import LatLng, NearbyPlace, Place
from mapagent.answer import Status
from mapagent.evidence import Evidence, Source
from mapagent.plan import Step
from mapagent.ports import Run, ToolCall
from modules.recommender.corridor import covering_circles, distances_to_way
from modules.recommender.wish import NEARBY_M, Geometry, Wish
from modules.solvers.areas import RADIUS_M
from modules.view import CannotTellError


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that fulfils the spatial constraint.

    Attributes:
        distance_m: From the geometry; 0 inside a region.
        anchor: The words it was measured from.
        evidence_id: The list it stands on.
    """

    place: Place
    distance_m: float
    anchor: str
    evidence_id: str


@dataclass(slots=True)
class Retrieval:
    """What was found, and all evidence of it.

    Attributes:
        measured_from: The geometry in words.
        circles: What was searched: (location as a tool takes it, radius in metres, None for an area).
        warnings: What was assumed on the way.
    """

    candidates: tuple[Candidate, ...]
    evidence: list[Evidence]
    measured_from: str
    circles: tuple[tuple[str, float | None], ...]
    warnings: list[str] = field(default_factory=list)


class Retriever:
    """Fetches candidates for one step of one run."""

    def __init__(self, step: Step, run: Run) -> None:
        self._step = step
        self._run = run
        self._evidence: list[Evidence] = []

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Everything the tools have brought so far, failures included."""
        return tuple(self._evidence)

    async def candidates(self, wish: Wish) -> Retrieval:
        """The places of the kind that lie as the wish says.

        Raises:
            CannotTellError: A place is not on the map or ambiguous, or there is no way between two.
        """
        if wish.geometry is Geometry.ROUTE:
            return await self._along(wish)
        if wish.geometry is Geometry.REGION:
            return await self._inside(wish)
        return await self._around(wish)

    async def surroundings(
        self, retrieval: Retrieval, categories: Sequence[str], reach_m: float
    ) -> tuple[Place, ...]:
        """Places of other kinds around the candidates, at most `reach_m` beyond where those were searched."""
        calls = [
            _search("surroundings", location, categories, None if radius_m is None else radius_m + reach_m)
            for location, radius_m in retrieval.circles
        ]
        found = await self._all(calls)
        return tuple({item.place.id: item.place for _, fact in found for item in fact.items}.values())

    async def _around(self, wish: Wish) -> Retrieval:
        """Within a distance of one of the points: the union of their circles, each place by its nearest."""
        radius_m = wish.distance_m or NEARBY_M
        found = await self._all([_wanted(wish, one, radius_m) for one in wish.anchors])
        best: dict[str, Candidate] = {}
        for evidence_id, fact in found:
            for item in fact.items:
                known = best.get(item.place.id)
                if item.distance_m is not None and (known is None or item.distance_m < known.distance_m):
                    best[item.place.id] = Candidate(item.place, item.distance_m, fact.anchor, evidence_id)
        circles = tuple((anchor, radius_m) for anchor in wish.anchors)
        return Retrieval(tuple(best.values()), self._evidence, wish.measured_from, circles, self._cut(found))

    async def _along(self, wish: Wish) -> Retrieval:
        """Within the buffer of the route that the routing engine gives, never of a straight line."""
        way, route_id = await self._route(wish)
        buffer_m = wish.distance_m or NEARBY_M
        centres, radius_m = covering_circles(way, buffer_m)
        circles = tuple((str(centre), radius_m) for centre in centres)
        found = await self._all([_wanted(wish, one, radius_m) for one, _ in circles])
        places = {item.place.id: item.place for _, fact in found for item in fact.items}
        placed = [(place, place.location) for place in places.values() if place.location is not None]
        distances = distances_to_way([location for _, location in placed], way)
        near = sorted(
            (
                NearbyPlace(place=place, distance_m=round(float(distance), 1))
                for (place, _), distance in zip(placed, distances, strict=True)
                if distance <= buffer_m
            ),
            key=lambda item: item.distance_m or 0.0,
        )
        listed = self._listed(wish, tuple(near), (route_id, *(evidence_id for evidence_id, _ in found)))
        candidates = tuple(
            Candidate(item.place, item.distance_m or 0.0, wish.measured_from, listed.id) for item in near
        )
        return Retrieval(candidates, self._evidence, wish.measured_from, circles, self._cut(found))

    async def _inside(self, wish: Wish) -> Retrieval:
        """Inside the region by the map's own boundary; where it has none, within reach of its centre."""
        region = wish.anchors[0]
        evidence = await self._fetch([_wanted(wish, region, None)])
        refused = [one for one in _of(evidence, FailureFact) if one[1].code == UnsupportedError.code]
        if not refused:
            return self._contained(region, self._checked(evidence), ((region, None),), [])
        place = next((fact.place for _, fact in _of(evidence, PlaceFact)), None)
        if place is None or place.location is None:
            raise CannotTellError(refused[0][1].message)
        radius_m = next((RADIUS_M[kind] for kind in place.categories if kind in RADIUS_M), NEARBY_M)
        note = f"The map has no outline of {region}; what lies within {radius_m:g} m of its centre counts."
        found = await self._all([_wanted(wish, region, radius_m)])
        return self._contained(region, found, ((region, radius_m),), [note])

    def _contained(
        self,
        region: str,
        found: Sequence[tuple[str, NearbyFact]],
        circles: tuple[tuple[str, float | None], ...],
        notes: list[str],
    ) -> Retrieval:
        """All that is in the region overlaps it, so its distance is 0 (equation 5)."""
        candidates = tuple(
            Candidate(item.place, 0.0, region, evidence_id)
            for evidence_id, fact in found
            for item in fact.items
        )
        return Retrieval(candidates, self._evidence, region, circles, [*notes, *self._cut(found)])

    async def _route(self, wish: Wish) -> tuple[tuple[LatLng, ...], str]:
        start, end = wish.anchors
        arguments = {"origin": start, "destination": end, "travel_mode": wish.mode.value}
        evidence = await self._fetch([ToolCall(tool="Route", arguments=arguments)])
        for evidence_id, fact in _of(evidence, RoutesFact):
            if fact.routes and fact.routes[0].geometry:
                return fact.routes[0].geometry, evidence_id
        raise _failure(evidence) or CannotTellError(
            f"The course of the {wish.mode.value} way from {start} to {end} is not known to this map."
        )

    def _listed(self, wish: Wish, items: tuple[NearbyPlace, ...], origins: tuple[str, ...]) -> Evidence:
        """The list along the way, made of the lists of its circles."""
        fact = NearbyFact(
            anchor=wish.measured_from,
            what=wish.what,
            categories=wish.categories,
            radius_m=wish.distance_m,
            items=items,
        )
        made = self._run.evidence_of(self._step, fact, Source(tool="compute"), derived_from=origins)
        self._evidence.append(made)
        return made

    async def _all(self, calls: Sequence[ToolCall]) -> list[tuple[str, NearbyFact]]:
        return self._checked(await self._fetch(calls))

    def _checked(self, evidence: Sequence[Evidence]) -> list[tuple[str, NearbyFact]]:
        """The lists among some evidence; what failed is an error, not an empty list."""
        failed = _failure(evidence)
        if failed is not None:
            raise failed
        return list(_of(evidence, NearbyFact))

    async def _fetch(self, calls: Sequence[ToolCall]) -> list[Evidence]:
        results = await asyncio.gather(*(self._run.call_tool(self._step, call) for call in calls))
        evidence = [item for result in results for item in result]
        self._evidence += evidence
        return evidence

    def _cut(self, found: Iterable[tuple[str, NearbyFact]]) -> list[str]:
        if all(fact.complete for _, fact in found):
            return []
        return ["The map service cut its list, so places may be missing."]


def widened(wish: Wish, factor: float) -> Wish:
    """The wish with a longer reach."""
    reach_m = None if wish.distance_m is None else wish.distance_m * factor
    return wish.model_copy(update={"distance_m": reach_m})


def _wanted(wish: Wish, location: str, radius_m: float | None) -> ToolCall:
    """The search for what is wished for, with details only for conditions that lists seldom tell of."""
    call = _search(wish.what, location, wish.categories, radius_m)
    if not (wish.meal or wish.filters.open_at or wish.filters.services):
        return call
    return call.model_copy(update={"arguments": {**call.arguments, "details": True}})


def _search(what: str, location: str, categories: Sequence[str], radius_m: float | None) -> ToolCall:
    """A search for all places of some kinds, in a circle or (without a radius) in an area."""
    area = {"inside": True} if radius_m is None else {"radius": round(radius_m, 1)}
    arguments = {"query": what, "location": location, "categories": list(categories), **area}
    return ToolCall(tool="Nearby", arguments={**arguments, "everything": True})


def _of[F: (FailureFact, NearbyFact, PlaceFact, RoutesFact)](
    evidence: Iterable[Evidence], kind: type[F]
) -> Iterable[tuple[str, F]]:
    return ((item.id, item.value) for item in evidence if isinstance(item.value, kind))


def _failure(evidence: Iterable[Evidence]) -> CannotTellError | None:
    """The first failure among some evidence, as the reason why nothing can be recommended."""
    for _, fact in _of(evidence, FailureFact):
        status = Status.AMBIGUOUS if fact.code == "ambiguous" else Status.UNANSWERABLE
        return CannotTellError(f"{fact.message} {fact.remedy}".strip(), status)
    return None
