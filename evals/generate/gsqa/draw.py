"""Draws the parameters of a template from what the map has (GS-QA, section 3.4)."""

import random
from collections.abc import Sequence
from functools import cached_property

from evals.generate.gsqa.params import Params, UnfitError
from evals.generate.gsqa.reference import Reference, Thing
from evals.generate.gsqa.solve import Solver
from evals.generate.gsqa.words import Fact, Kind, Template, facts, kinds, narrow_kinds
from evals.metrics.errors import WINDS

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
