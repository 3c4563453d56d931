"""Draws the parameters of a template from what the map has (GS-QA, section 3.4), and computes the right answers.

Both look at the map's raw content alone.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evals.generate.gsqa.places import Found, InDirection, Places, Regions, sector
from evals.generate.gsqa.reference import Reference, Thing, azimuths_deg, range_m
from evals.generate.gsqa.templates import (
    Fact,
    Kind,
    Options,
    Params,
    Template,
    UnfitError,
    facts,
    kinds,
    narrow_kinds,
    templates,
)
from evals.generate.world import azimuth_deg, distance_m, fold
from evals.metrics.measures import WINDS, azimuth_of

SAME_DISTANCE = 0.02
SAME_AZIMUTH_DEG = 5.0
"""The distance (direction) of the nearest is asked for only if all of its outline has nearly the same."""
ROUND = 6
"""Decimals of stored degrees and metres."""

type Entry = tuple[Thing, float, float]


@dataclass(frozen=True, slots=True)
class Gold:
    """The right answers in GS-QA's form, and the objects they rest on.

    Attributes:
        towards_azimuth: For "towards" questions, the azimuth from the anchor to the target.
    """

    answers: tuple[dict[str, Any], ...]
    osm: tuple[str, ...]
    towards_azimuth: float | None = None


class Solver:
    """Answers filled templates over one map.

    Args:
        reference: The map's content.
        options: What kinds of questions are let in.
    """

    def __init__(self, reference: Reference, options: Options) -> None:
        self.places = Places(reference)
        self.regions = Regions(reference)
        self._reference = reference
        self._options = options

    def solve(self, params: Params) -> Gold:
        """The right answers.

        Raises:
            UnfitError: An object is not on the map, or a quality check fails.
        """
        gold = self._by_region(params) if params.region else self._by_anchor(params)
        empty = not gold.answers or gold.answers[0].get("count") == 0
        if empty and not self._options.empty:
            raise UnfitError("it has no answer")
        if not empty and any(answer.get(key) == 0 for answer in gold.answers for key in ("area", "length")):
            raise UnfitError("the answer is zero")
        return gold

    def thing(self, osm: str) -> Thing:
        """A feature by its id.

        Raises:
            UnfitError: It is not on the map.
        """
        found = self._reference.by_id.get(osm)
        if found is None:
            raise UnfitError("an object is no longer on the map")
        return found

    def check_anchor(self, anchor: Thing) -> None:
        """GS-QA's checks of an anchor: a name of its own, and a sign of prominence (section 3.5).

        Raises:
            UnfitError: It fails one.
        """
        if not anchor.name or not anchor.prominent or anchor.shape is not None:
            raise UnfitError("the anchor has no name, no address or no single position")
        if not self._options.ambiguous_anchors and not self._reference.is_unique(anchor.name):
            raise UnfitError("the anchor's name is not unique")

    def _by_anchor(self, params: Params) -> Gold:
        anchor = self.thing(params.anchor)
        self.check_anchor(anchor)
        toward, azimuth = self._toward(params, anchor)
        template, kind = templates()[params.template], (params.tag, params.narrowed)
        if template.select == "knn":
            best = self.places.nearest(anchor, kind, toward)
            answers = [self._nearest(params, anchor, best)]
        else:
            found = self.places.within(anchor, kind, params.radius_m, toward)
            answers = self._in_range(params, anchor, found)
        ids = (params.anchor, *((params.target,) if params.target else ()))
        return Gold(tuple(answers), (*ids, *(str(a["osm"]) for a in answers if "osm" in a)), azimuth)

    def _toward(self, params: Params, anchor: Thing) -> tuple[InDirection | None, float | None]:
        if params.direction:
            return sector(anchor, azimuth_of(params.direction)), None
        if not params.target:
            return None, None
        target = self.thing(params.target)
        self.check_anchor(target)
        azimuth = azimuth_deg(anchor.point, target.point)
        return sector(anchor, azimuth), azimuth

    def _nearest(self, params: Params, anchor: Thing, best: Entry) -> dict[str, Any]:
        thing = best[0]
        if not thing.name:
            raise UnfitError("the nearest has no name")
        output = templates()[params.template].output
        if not _has_one(output, anchor, best):
            raise UnfitError("the nearest is too large to have one distance or direction")
        answer = _measured(output, anchor, thing)
        if templates()[params.template].external == "answer":
            fact = thing.tags.get(params.fact, "").strip()
            if not fact or fold(fact) in fold(thing.name):
                raise UnfitError("the nearest lacks the fact asked for")
            answer |= {"multihop_attribute": params.fact, "multihop_answer": fact}
        return answer

    def _in_range(self, params: Params, anchor: Thing, found: Found) -> list[dict[str, Any]]:
        output = templates()[params.template].output
        if output == "count":
            if found.unclear:
                raise UnfitError("some lie across the edge of the circle")
            return [{"count": len(found.sure)}]
        if not found.sure and found.unclear:
            raise UnfitError("whether there is one depends on what distance means")
        return [_measured(output, anchor, thing) for thing in (*found.sure, *found.central) if thing.name]

    def _by_region(self, params: Params) -> Gold:
        region, relation = self.thing(params.region), self._options.relation
        select = templates()[params.template].select
        if select == "inside":
            return Gold(({"count": self.regions.count(region, params.tag, relation)},), (region.osm,))
        if select in {"area", "length"}:
            shape = "area" if select == "area" else "line"
            total = self.regions.total(region, params.tag, shape, relation)
            return Gold(({select: round(total, ROUND)},) if total else (), (region.osm,))
        if select == "largest":
            best: Thing = self.regions.largest(region, params.tag, relation)
            pieces: tuple[Thing, ...] = (best,)
        else:
            pieces = self.regions.longest(region, params.tag, relation)
            best = pieces[0]
        if fold(best.name) == fold(region.name):
            raise UnfitError("the answer has the region's name")
        return Gold((_named(best),), (region.osm, *(piece.osm for piece in pieces)))


def _measured(output: str, anchor: Thing, thing: Thing) -> dict[str, Any]:
    """One right answer in GS-QA's form; an area is measured at its centroid, as in the published tables."""
    answer = _named(thing)
    if output == "loc":
        answer |= {"address": thing.address} if thing.address else {}
    if output == "distance":
        answer["distance"] = round(distance_m(anchor.point, thing.point), ROUND)
    if output == "angle":
        answer["angle"] = round(azimuth_deg(anchor.point, thing.point), ROUND)
    return answer


def _has_one(output: str, anchor: Thing, entry: Entry) -> bool:
    """False for a place too large for what is asked of it."""
    thing, low, high = entry
    if output == "distance":
        return high - low <= SAME_DISTANCE * high
    if output != "angle":
        return True
    middle = azimuth_deg(anchor.point, thing.point)
    turns = [abs((azimuth - middle + 180) % 360 - 180) for azimuth in azimuths_deg(anchor.point, thing)]
    return range_m(anchor.point, thing)[0] != 0 and max(turns) <= SAME_AZIMUTH_DEG


def _named(thing: Thing) -> dict[str, Any]:
    lat, lon = thing.point
    return {"osm": thing.osm, "name": thing.name, "lon": round(lon, ROUND), "lat": round(lat, ROUND)}


LARGEST_RADIUS_M = 200_000.0
"""GS-QA, table 4: distances of 1 to 200 km, over the whole United States."""
RADIUS_SHARES = (0.02, 0.3)
"""On any map a radius is between these shares of the map's diagonal: the circle is neither empty nor all."""
VICINITY_M = 50_000.0
"""GS-QA, section 3.4: two anchors are taken from one neighbourhood."""


class Drawer:
    """Draws parameters over one map; equal seeds draw equal parameters."""

    def __init__(
        self, solver: Solver, reference: Reference, dice: random.Random, *, same_category: bool
    ) -> None:
        self._solver = solver
        self._reference = reference
        self._dice = dice
        self._same_category = same_category

    def draw(self, template: Template) -> Params:
        """Parameters for a template.

        Raises:
            UnfitError: The map has nothing to fill one of its slots with.
        """
        if template.by_region:
            return self._of_region(template)
        kind, fact = self._kind(template), ""
        if template.external == "anchor":
            return self._described(template, kind)
        if template.external == "answer":
            kind, fact = self._choice(self._askable, "no place of the kinds asked for has a fact to ask for")
        anchor = self._anchor(kind)
        return Params(
            template=template.id,
            tag=kind.tag,
            narrowed=kind.narrowed,
            radius_m=self._radius_m() if template.select == "range" else 0.0,
            direction=self._dice.choice(WINDS) if template.direction else "",
            anchor=anchor.osm,
            target=self._target(anchor).osm if template.towards else "",
            fact=fact,
        )

    def _of_region(self, template: Template) -> Params:
        group = {"inside": "poi", "largest": "area", "area": "area"}.get(template.select, "line")
        kind = self._choice(self._present[group], "there are no features of the kinds asked for")
        region = self._choice(self._regions, "there are no regions that are known elsewhere")
        return Params(template=template.id, tag=kind.tag, region=region.osm)

    def _kind(self, template: Template) -> Kind:
        group = "narrow" if template.filter else "poi"
        return self._choice(self._present[group], "there are no places of the kinds asked for")

    def _anchor(self, kind: Kind) -> Thing:
        anchors = self._anchors if self._same_category else [a for a in self._anchors if not _is(a, kind)]
        return self._choice(anchors, "there are no anchors with a name of their own and an address")

    def _target(self, anchor: Thing) -> Thing:
        """A second anchor; within the neighbourhood, as far as the map is larger than that."""
        from evals.generate.world import distance_m

        for _ in range(20):
            target = self._choice(self._anchors, "there is no second anchor")
            if target is not anchor and distance_m(anchor.point, target.point) <= VICINITY_M:
                return target
        raise UnfitError("there is no second anchor")

    def _described(self, template: Template, kind: Kind) -> Params:
        """T8: an anchor that a fact tells from all others of its kind."""
        options = [(thing, fact) for thing, fact in self._tellable if not _is(thing, kind)]
        anchor, fact = self._choice(options, "no anchor is told from the others of its kind by a fact")
        return Params(template=template.id, tag=kind.tag, anchor=anchor.osm, fact=fact.key)

    def _radius_m(self) -> float:
        low, high = (share * self._reference.diagonal_m for share in RADIUS_SHARES)
        metres = min(self._dice.uniform(low, high), LARGEST_RADIUS_M)
        step = 50 if metres < 1_000 else 500 if metres < 10_000 else 1_000
        return max(float(step), float(round(metres / step) * step))

    def _choice[T](self, options: Sequence[T], reason: str) -> T:
        if not options:
            raise UnfitError(reason)
        return self._dice.choice(options)

    @cached_property
    def _present(self) -> dict[str, list[Kind]]:
        """The kinds of which the map has a named feature."""
        groups = {"poi": kinds("poi"), "area": kinds("area"), "line": kinds("line"), "narrow": narrow_kinds()}
        return {
            group: [kind for kind in of_group if kind.asked and self._has_named(kind)]
            for group, of_group in groups.items()
        }

    def _has_named(self, kind: Kind) -> bool:
        return any(thing.name for thing in self._solver.places.members(kind.tag, kind.narrowed))

    @cached_property
    def _anchors(self) -> list[Thing]:
        tags = [kind.tag for kind in kinds("poi") if kind.anchor]
        found = [thing for tag in tags for thing in self._reference.tagged(tag) if self._passes(thing)]
        return list(dict.fromkeys(found))

    def _passes(self, thing: Thing) -> bool:
        try:
            self._solver.check_anchor(thing)
        except UnfitError:
            return False
        return True

    @cached_property
    def _regions(self) -> tuple[Thing, ...]:
        return self._solver.regions.all()

    @cached_property
    def _askable(self) -> list[tuple[Kind, str]]:
        """Kinds, each with a fact that at least one named place of the kind has."""
        return [
            (kind, fact.key)
            for kind in self._present["poi"]
            for fact in facts()
            if any(thing.name and fact.key in thing.tags for thing in self._reference.tagged(kind.tag))
        ]

    @cached_property
    def _tellable(self) -> list[tuple[Thing, Fact]]:
        found = []
        for kind in kinds("poi"):
            for fact in facts() if kind.anchor else ():
                values = [thing.tags.get(fact.key, "") for thing in self._reference.tagged(kind.tag)]
                found += [
                    (thing, fact)
                    for thing in self._anchors
                    if _is(thing, kind)
                    and values.count(thing.tags.get(fact.key, "")) == 1
                    and thing.tags.get(fact.key)
                ]
        return found


def _is(thing: Thing, kind: Kind) -> bool:
    key, _, value = kind.tag.partition("=")
    return thing.tags.get(key) == value
