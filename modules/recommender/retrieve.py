"""Sparse spatial retrieval: the candidate set C_s of equation 2, through the map tools (section 4.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from map_tools.compute.geodesy import OCTANT_DEG, WINDS, angle_between, bearing_deg
from map_tools.errors import UnsupportedError
from map_tools.facts import ComputedFact, FailureFact, NearbyFact, PlaceFact, RoutesFact
from map_tools.types import NearbyPlace, Place
from mapagent.ports import ToolCall
from modules.recommender.corridor import covering_circles, disc_between, distances_to_way
from modules.recommender.errors import CannotTellError
from modules.recommender.searching import SURROUNDINGS, Searching, checked, facts_of, failure_in, search
from modules.recommender.wish import NEARBY_M, Geometry, SpatialFunction, Wish
from modules.solvers.areas import RADIUS_M
from modules.solvers.geometry import reach_deg

HALF_DEG = 90.0
"""The northern part of a region is what lies at most a right angle off north of the point for the region."""


EVERYWHERE_M = 25_000.0
"""Where nothing is said of where a place should lie: across a large city."""


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
    """What was found.

    Attributes:
        circles: What was searched: (location as a tool takes it, radius in metres, None for an area).
        warnings: What was assumed on the way.
    """

    candidates: tuple[Candidate, ...]
    circles: tuple[tuple[str, float | None], ...]
    warnings: list[str] = field(default_factory=list)


class Retriever:
    """Fetches candidates.

    Args:
        searching: The map tools; everything they bring stays there as evidence.
    """

    def __init__(self, searching: Searching) -> None:
        self._searching = searching
        self._ways = {
            Geometry.POINT: self._around,
            Geometry.ROUTE: self._along,
            Geometry.REGION: self._inside,
            Geometry.BETWEEN: self._between,
        }

    async def candidates(self, wish: Wish) -> Retrieval:
        """The places of the kind that lie as the wish says.

        Raises:
            CannotTellError: A place is not on the map or ambiguous, or there is no way between two.
        """
        return await self._ways[wish.geometry](wish)

    async def surroundings(
        self, retrieval: Retrieval, categories: Sequence[str], reach_m: float
    ) -> tuple[Place, ...]:
        """Places of other kinds around the candidates, at most `reach_m` beyond where those were searched."""
        calls = [
            search(SURROUNDINGS, location, categories, None if radius_m is None else radius_m + reach_m)
            for location, radius_m in retrieval.circles
        ]
        found = await self._searching.lists(calls)
        return tuple({item.place.id: item.place for _, fact in found for item in fact.items}.values())

    async def _around(self, wish: Wish) -> Retrieval:
        """Within a distance of one of the points: the union of their circles, each place by its nearest."""
        radius_m = wish.distance_m or NEARBY_M
        found = await self._searching.lists([_wanted(wish, one, radius_m) for one in wish.anchors])
        best: dict[str, Candidate] = {}
        for evidence_id, fact in found:
            for item in fact.items:
                known = best.get(item.place.id)
                if item.distance_m is None or not _on_side(item.place, fact, wish):
                    continue
                if known is None or item.distance_m < known.distance_m:
                    best[item.place.id] = Candidate(item.place, item.distance_m, fact.anchor, evidence_id)
        circles = tuple((anchor, radius_m) for anchor in wish.anchors)
        return Retrieval(tuple(best.values()), circles, _cut(found))

    async def _along(self, wish: Wish) -> Retrieval:
        """Within the buffer of the route that the routing engine gives, never of a straight line."""
        route, route_id = await self._route(wish)
        way, ends = route.routes[0].geometry, (route.origin_place, route.destination_place)
        buffer_m = wish.distance_m or NEARBY_M
        centres, radius_m = covering_circles(way, buffer_m)
        circles = tuple((str(centre), radius_m) for centre in centres)
        found = await self._searching.lists([_wanted(wish, one, radius_m) for one, _ in circles])
        places = {item.place.id: item.place for _, fact in found for item in fact.items}
        own = {place.id for place in ends if place is not None}
        others = [place for place in places.values() if place.id not in own]
        placed = [(place, place.location) for place in others if place.location is not None]
        distances = distances_to_way([location for _, location in placed], way)
        near = sorted(
            (
                NearbyPlace(place=place, distance_m=round(float(distance), 1))
                for (place, _), distance in zip(placed, distances, strict=True)
                if distance <= buffer_m
            ),
            key=lambda item: item.distance_m or 0.0,
        )
        listed = NearbyFact(
            anchor=wish.measured_from,
            what=wish.what,
            categories=wish.categories,
            radius_m=wish.distance_m,
            items=tuple(near),
        )
        made = self._searching.derived(listed, (route_id, *(evidence_id for evidence_id, _ in found)))
        candidates = tuple(
            Candidate(item.place, item.distance_m or 0.0, wish.measured_from, made.id) for item in near
        )
        return Retrieval(candidates, circles, _cut(found))

    async def _inside(self, wish: Wish) -> Retrieval:
        """Inside the region by the map's own boundary; where it has none, within reach of its centre."""
        region = wish.anchors[0]
        evidence = await self._searching.fetch([_wanted(wish, region, None)])
        refused = [one for _, one in facts_of(evidence, FailureFact) if one.code == UnsupportedError.code]
        if not refused:
            return _contained(wish, checked(evidence), ((region, None),), [])
        place = next((fact.place for _, fact in facts_of(evidence, PlaceFact)), None)
        if place is None or place.location is None:
            raise CannotTellError(refused[0].message)
        radius_m = next((RADIUS_M[kind] for kind in place.categories if kind in RADIUS_M), NEARBY_M)
        note = f"The map has no outline of {region}; what lies within {radius_m:g} m of its centre counts."
        found = await self._searching.lists([_wanted(wish, region, radius_m)])
        return _contained(wish, found, ((region, radius_m),), [note])

    async def _between(self, wish: Wish) -> Retrieval:
        """In the circle of which the two places are the ends of a diameter.

        A place lies in it exactly if it sees the two under an angle of at least 90 degrees.
        """
        ends = [ToolCall(tool="PlaceInfo", arguments={"location_address": one}) for one in wish.anchors]
        evidence = await self._searching.fetch(ends)
        failed = failure_in(evidence)
        if failed is not None:
            raise failed
        known = [(one, fact.place.location) for one, fact in facts_of(evidence, PlaceFact)]
        spots = [spot for _, spot in known if spot is not None]
        if len(spots) != 2:
            raise CannotTellError(f"The map does not say where {' and '.join(wish.anchors)} are.")
        centre, radius_m = disc_between(*spots)
        area = ComputedFact(
            label=wish.measured_from,
            value=f"the circle of {radius_m:.0f} m around {centre}",
            formula="the two places are the ends of its diameter",
        )
        self._searching.derived(area, (one for one, _ in known))
        found = await self._searching.lists([_wanted(wish, str(centre), radius_m)])
        return _contained(wish, found, ((str(centre), radius_m),), [])

    async def _route(self, wish: Wish) -> tuple[RoutesFact, str]:
        start, end = wish.anchors
        arguments = {"origin": start, "destination": end, "travel_mode": wish.mode.value}
        evidence = await self._searching.fetch([ToolCall(tool="Route", arguments=arguments)])
        for evidence_id, fact in facts_of(evidence, RoutesFact):
            if fact.routes and fact.routes[0].geometry:
                return fact, evidence_id
        raise failure_in(evidence) or CannotTellError(
            f"The course of the {wish.mode.value} way from {start} to {end} is not known to this map."
        )


def everywhere(wish: Wish) -> Wish:
    """The wish without its spatial constraint: every place of the kind in a city counts."""
    bounds = {
        "geometry": Geometry.POINT,
        "function": SpatialFunction.WITHIN_DISTANCE,
        "anchors": wish.anchors[:1],
        "distance_m": EVERYWHERE_M,
        "wind": None,
    }
    return wish.model_copy(update=bounds)


def widened(wish: Wish, factor: float) -> Wish:
    """The wish with a longer reach."""
    reach_m = None if wish.distance_m is None else wish.distance_m * factor
    return wish.model_copy(update={"distance_m": reach_m})


def _contained(
    wish: Wish,
    found: Sequence[tuple[str, NearbyFact]],
    circles: tuple[tuple[str, float | None], ...],
    notes: list[str],
) -> Retrieval:
    """All that is in the region overlaps it, so its distance is 0 (equation 5)."""
    candidates = tuple(
        Candidate(item.place, 0.0, wish.measured_from, evidence_id)
        for evidence_id, fact in found
        for item in fact.items
        if _on_side(item.place, fact, wish)
    )
    return Retrieval(candidates, circles, [*notes, *_cut(found)])


def _on_side(place: Place, fact: NearbyFact, wish: Wish) -> bool:
    """Whether a place lies on the side of the anchor, or in the part of the region, that is wished for."""
    if wish.wind is None:
        return True
    middle = fact.anchor_place.location if fact.anchor_place else None
    if middle is None or place.location is None or place.location == middle:
        return False
    reach = HALF_DEG if wish.geometry is Geometry.REGION else reach_deg(wish.wind)
    return angle_between(bearing_deg(middle, place.location), WINDS.index(wish.wind) * OCTANT_DEG) <= reach


def _cut(found: Iterable[tuple[str, NearbyFact]]) -> list[str]:
    if all(fact.complete for _, fact in found):
        return []
    return ["The map service cut its list, so places may be missing."]


def _wanted(wish: Wish, location: str, radius_m: float | None) -> ToolCall:
    """The search for what is wished for, with details only for conditions that lists seldom tell of."""
    call = search(wish.what, location, wish.categories, radius_m)
    if not (wish.meal or wish.filters.open_at or wish.filters.services):
        return call
    return call.model_copy(update={"arguments": {**call.arguments, "details": True}})
