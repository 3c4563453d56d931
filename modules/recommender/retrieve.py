"""Sparse spatial retrieval: the candidate set C_s of equation 2, through the map tools (section 4.2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import ceil

import numpy as np

from map_tools.compute import shapes
from map_tools.compute.corridors import center, circle_around, corridor
from map_tools.compute.geodesy import OCTANT_DEG, WINDS, angle_between, bearing_deg, distance_m
from map_tools.errors import UnsupportedError
from map_tools.facts import FailureFact, NearbyFact, PlaceFact, RoutesFact
from map_tools.providers.base import HasShapes, Provider
from map_tools.text import same_name
from map_tools.types import LatLng, Place, Shape
from mapagent.ports import ToolCall
from modules.query.operators.recommend import Given
from modules.query.operators.space import CORRIDOR_SHARE
from modules.recommender.searching import (
    SURROUNDINGS,
    CannotTellError,
    Searching,
    checked,
    facts_of,
    failure_in,
    search,
)
from modules.recommender.wish import NEARBY_M, Geometry, SpatialFunction, Wish

HALF_DEG = 90.0
"""The northern part of a region is what lies at most a right angle off north of the point for the region."""
CARDINAL_DEG, DIAGONAL_DEG = 45.0, 22.5
"""North of a point is what lies within this of north; north-east and the like are one of eight directions."""
EVERYWHERE_M = 25_000.0
"""Where nothing is said of where a place should lie: across a large city."""
RADIUS_M: Mapping[str, float] = {
    "city": 5000.0,
    "town": 2500.0,
    "suburb": 1500.0,
    "village": 1500.0,
    "neighbourhood": 700.0,
    "hamlet": 500.0,
}
"""How far a settlement of this kind is taken to reach from its centre where only the centre is on the map."""
MAX_CIRCLES = 12
"""One search each: a long way is covered by fewer, wider circles, and the exact distance decides."""
PIECES = 10
"""So many pieces of a street are looked at."""
MAX_GAP_M = 100.0
"""Two streets that come no nearer to each other have no corner."""


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
        inside: An area that the program gives, which the candidates must lie in.
    """

    def __init__(self, searching: Searching, inside: Given | None = None) -> None:
        self._searching = searching
        self._area = inside
        self._ways = {
            Geometry.POINT: self._around,
            Geometry.ROUTE: self._along,
            Geometry.REGION: self._inside,
            Geometry.BETWEEN: self._between,
        }

    async def candidates(self, wish: Wish) -> Retrieval:
        """The places of the kind that lie as the wish says, those without a name left out.

        Raises:
            CannotTellError: A place is not on the map or ambiguous, or there is no way between two.
        """
        found = await self._ways[wish.geometry](wish)
        if self._area is not None and wish.geometry is not Geometry.REGION:
            within = {one.place.id for one in (await self._inside(wish)).candidates}
            found.candidates = tuple(one for one in found.candidates if one.place.id in within)
        found.candidates = tuple(one for one in found.candidates if one.place.name)
        return found

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
        for anchor, (evidence_id, fact) in zip(wish.anchors, found, strict=True):
            middle = fact.anchor_place.location if fact.anchor_place else None
            for item in fact.items:
                known = best.get(item.place.id)
                if item.distance_m is None or not _on_side(item.place, middle, wish):
                    continue
                if known is None or item.distance_m < known.distance_m:
                    best[item.place.id] = Candidate(item.place, item.distance_m, anchor, evidence_id)
        circles = tuple((anchor, radius_m) for anchor in wish.anchors)
        return Retrieval(tuple(best.values()), circles, _cut(found))

    async def _along(self, wish: Wish) -> Retrieval:
        """Within the buffer of the route that the routing engine gives, never of a straight line."""
        route = await self._route(wish)
        way, ends = route.routes[0].geometry, (route.origin_place, route.destination_place)
        buffer_m = wish.distance_m or NEARBY_M
        centres, radius_m = covering_circles(way, buffer_m)
        circles = tuple((str(centre), radius_m) for centre in centres)
        found = await self._searching.lists([_wanted(wish, one, radius_m) for one, _ in circles])
        own = {place.id for place in ends if place is not None}
        listed = {
            item.place.id: (item.place, evidence_id)
            for evidence_id, fact in found
            for item in fact.items
            if item.place.location is not None and item.place.id not in own
        }
        distances = _distances_m(way, [place for place, _ in listed.values()])
        candidates = tuple(
            Candidate(place, round(away_m, 1), wish.measured_from, evidence_id)
            for (place, evidence_id), away_m in zip(listed.values(), distances, strict=True)
            if away_m <= buffer_m
        )
        near = tuple(sorted(candidates, key=lambda one: one.distance_m))
        return Retrieval(near, circles, _cut(found))

    async def _route(self, wish: Wish) -> RoutesFact:
        start, end = wish.anchors
        arguments = {"origin": start, "destination": end, "travel_mode": wish.mode.value}
        evidence = await self._searching.fetch([ToolCall(tool="Route", arguments=arguments)])
        for item in evidence:
            if isinstance(item.value, RoutesFact) and item.value.routes and item.value.routes[0].geometry:
                return item.value
        raise failure_in(evidence) or CannotTellError.because(
            f"The course of the {wish.mode.value} way from {start} to {end} is not known to this map."
        )

    async def _inside(self, wish: Wish) -> Retrieval:
        """Inside the region by the map's own boundary; where it has none, within reach of its centre."""
        if self._area is not None and self._area.wkt:
            return await self._in_shape(wish, Shape(kind="area", wkt=self._area.wkt))
        region = self._area.name if self._area is not None else wish.anchors[0]
        evidence = await self._searching.fetch([_wanted(wish, region, None)])
        failures = dict(facts_of(evidence, FailureFact))
        refused = {name: fact for name, fact in failures.items() if fact.code == UnsupportedError.code}
        if not refused:
            return _contained(wish, checked(evidence), ((region, None),), [])
        place = next((fact.place for _, fact in facts_of(evidence, PlaceFact)), None)
        if place is None or place.location is None:
            raise CannotTellError(next(iter(refused.values())))
        self._searching.made_good(refused)
        radius_m = next((RADIUS_M[kind] for kind in place.categories if kind in RADIUS_M), NEARBY_M)
        note = f"The map has no outline of {region}; what lies within {radius_m:g} m of its centre counts."
        found = await self._searching.lists([_wanted(wish, region, radius_m)])
        return _contained(wish, found, ((region, radius_m),), [note])

    async def _between(self, wish: Wish) -> Retrieval:
        """In the corridor between two places, as programs have it (`operators.space.between`)."""
        ends = [ToolCall(tool="PlaceInfo", arguments={"location_address": one}) for one in wish.anchors]
        evidence = await self._searching.fetch(ends)
        failed = failure_in(evidence)
        if failed is not None:
            raise failed
        known = [(one, fact.place.location) for one, fact in facts_of(evidence, PlaceFact)]
        spots = [spot for _, spot in known if spot is not None]
        if len(spots) != 2:
            raise CannotTellError.because(f"The map does not say where {' and '.join(wish.anchors)} are.")
        shape = corridor(spots[0], spots[1], share=1 / CORRIDOR_SHARE)
        place = Place(id=f"area:{wish.measured_from}", name=wish.measured_from, location=center(shape))
        area = PlaceFact(query=wish.measured_from, place=place, shape=shape)
        self._searching.derived(area, (one for one, _ in known))
        return await self._in_shape(wish, shape)

    async def _in_shape(self, wish: Wish, shape: Shape) -> Retrieval:
        """Inside an area that no map holds: searched around its middle, kept by its outline."""
        middle, radius_m = circle_around(shape)
        found = await self._searching.lists([_wanted(wish, str(middle), radius_m)])
        retrieval = _contained(wish, found, ((str(middle), radius_m),), [])
        retrieval.candidates = tuple(
            one
            for one in retrieval.candidates
            if one.place.location is not None and shapes.contains(shape, one.place.location)
        )
        return retrieval


async def pin_corners(wish: Wish, searching: Searching, provider: Provider) -> None:
    """Finds out where the corners are that a wish is measured from, if the map knows the courses of streets.

    Other maps are asked for the corner by its words, as for any place.

    Raises:
        CannotTellError: There is no such street, or they do not meet.
        ToolError: The map failed.
    """
    if not isinstance(provider, HasShapes):
        return
    for words, streets in wish.corners.items():
        first, second = [await _courses(street, provider, provider) for street in streets]
        pairs = product(first, second)
        gap_m, nearest = min(
            ((shapes.distance_m(one, other), (one, other)) for one, other in pairs), key=lambda pair: pair[0]
        )
        if gap_m > MAX_GAP_M:
            raise CannotTellError.because(
                f"{streets[0]} and {streets[1]} come no nearer to each other than {gap_m:.0f} m."
            )
        spot = shapes.nearest_point(*nearest)
        place = Place(id=f"corner:{spot}", name=words, location=spot)
        searching.derived(PlaceFact(query=words, place=place), ())
        searching.settle(words, str(spot))


async def _courses(street: str, provider: Provider, maps: HasShapes) -> list[Shape]:
    """The courses of a street, which a map may have in pieces."""
    found = [one.place for one in await provider.find_place(street, limit=PIECES)]
    named = [place for place in found if same_name(place.name, street) and "street" in place.categories]
    courses = [shape for place in named if (shape := await maps.shape(place.id)) is not None]
    if not courses:
        raise CannotTellError.because(f"The map has no street '{street}'.")
    return courses


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


def covering_circles(way: Sequence[LatLng], buffer_m: float) -> tuple[tuple[LatLng, ...], float]:
    """Circles that together hold everything within `buffer_m` of a way.

    Centres lie on the way, at most s apart along it. Whatever is within the buffer of a point of the way is
    then within buffer + s/2 of a centre (triangle inequality), so nothing is missed.

    Returns:
        The centres, at most `MAX_CIRCLES`, and the common radius in metres.
    """
    lengths = np.array([distance_m(start, end) for start, end in pairwise(way)], np.float64)
    total_m = float(lengths.sum())
    count = min(max(ceil(total_m / (2 * buffer_m)), 1), MAX_CIRCLES)
    spacing_m = total_m / count
    reached = np.concatenate(([0.0], np.cumsum(lengths)))
    stops = (np.arange(count) + 0.5) * spacing_m
    lats = np.interp(stops, reached, [vertex.lat for vertex in way])
    lngs = np.interp(stops, reached, np.unwrap([vertex.lng for vertex in way], period=360.0))
    centres = tuple(
        LatLng(lat=float(lat), lng=float((lng + 180.0) % 360.0 - 180.0))
        for lat, lng in zip(lats, lngs, strict=True)
    )
    return centres, buffer_m + spacing_m / 2


def _distances_m(way: Sequence[LatLng], places: Sequence[Place]) -> list[float]:
    """How far each place lies from a way."""
    spots = [place.location for place in places if place.location is not None]
    lats = np.array([spot.lat for spot in spots], np.float64)
    lngs = np.array([spot.lng for spot in spots], np.float64)
    course = ", ".join(f"{point.lng} {point.lat}" for point in (way if len(way) > 1 else (*way, *way)))
    measure = shapes.measuring(Shape(kind="line", wkt=f"LINESTRING ({course})"))
    return [float(one) for one in measure(lats, lngs)]


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
        if _on_side(item.place, fact.anchor_place.location if fact.anchor_place else None, wish)
    )
    return Retrieval(candidates, circles, [*notes, *_cut(found)])


def _on_side(place: Place, middle: LatLng | None, wish: Wish) -> bool:
    """Whether a place lies on the side of the anchor, or in the part of the region, that is wished for."""
    if wish.wind is None:
        return True
    if middle is None or place.location is None or place.location == middle:
        return False
    side = WINDS.index(wish.wind)
    point_deg = DIAGONAL_DEG if side % 2 else CARDINAL_DEG
    reach = HALF_DEG if wish.geometry is Geometry.REGION else point_deg
    return angle_between(bearing_deg(middle, place.location), side * OCTANT_DEG) <= reach


def _cut(found: Iterable[tuple[str, NearbyFact]]) -> list[str]:
    if all(fact.complete for _, fact in found):
        return []
    return ["The map service cut its list, so places may be missing."]


def _wanted(wish: Wish, location: str, radius_m: float | None) -> ToolCall:
    """The search for what is wished for."""
    return search(wish.what, location, wish.categories, radius_m)
