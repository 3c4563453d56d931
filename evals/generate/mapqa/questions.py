"""The nine types: each draws what it asks about and computes the true answers, or finds the draw unfit."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from evals.generate.gsqa.measure import BOUND, Cloud, azimuths_deg
from evals.generate.gsqa.params import UnfitError
from evals.generate.gsqa.places import SLACK_M, InDirection, Places, sector
from evals.generate.gsqa.reference import Reference, Thing
from evals.generate.mapqa.corners import Corner, corners
from evals.generate.world import distance_m, fold
from evals.metrics.errors import azimuth_of

BESIDE_M = 50.0
"""What the benchmark means by "adjacent" (types 1 and 4)."""
AROUND_M = 100.0
APART_M = 150.0
"""All that is next to a place is nearer than `BESIDE_M`; others of its kind are further off than this."""
SEVERAL = ";"
"""Separates the kinds of a place that is several at once; such a list is no kind to ask for."""
CLEARLY_CLOSER = 0.9
"""The closer of two is at most this share of the other's distance."""
QUARTER_DEG = 90.0
SIDES = ("north", "east", "south", "west")


@dataclass(frozen=True, slots=True)
class Draft:
    """A question without its words.

    Attributes:
        slots: What stands in the wording's braces.
        answers: The right ones.
        entities: The places of the question and of the answer, each with its role.
        amenity: The kind asked for, as OpenStreetMap writes it; empty where there is none.
    """

    slots: dict[str, str]
    answers: tuple[str, ...]
    entities: tuple[tuple[Thing, str], ...]
    amenity: str = ""
    streets: tuple[str, ...] = ()


class Bench:
    """Draws questions over one map."""

    def __init__(self, reference: Reference, dice: random.Random) -> None:
        self._reference = reference
        self._places = Places(reference)
        self._dice = dice

    @property
    def types(self) -> dict[int, Callable[[], Draft]]:
        """How each type is drawn; each raises `UnfitError` where the draw makes no good question."""
        return {
            1: self.adjacent,
            2: self.kinds_around,
            3: self.kind_of,
            4: self.beside,
            5: self.closer,
            6: self.nearest_on_side,
            7: self.distance,
            8: self.nearest_to_corner,
            9: self.nearest,
        }

    def adjacent(self) -> Draft:
        """Type 1: all places of a kind next to a place; none is a little further off."""
        draft = self.beside()
        wider = self._places.within(draft.entities[0][0], (f"amenity={draft.amenity}", ""), APART_M)
        if len(wider.sure) + len(wider.unclear) > len(draft.answers):
            raise UnfitError("another one is not much further off")
        return draft

    def beside(self) -> Draft:
        """Type 4: all places of a kind within 50 m of a place."""
        subject = self._subject()
        value = self._dice.choice(self._values_near(subject, BESIDE_M))
        found = self._places.within(subject, (f"amenity={value}", ""), BESIDE_M)
        names = [thing.name for thing in found.sure]
        if found.unclear or not names or not all(names) or len({fold(name) for name in names}) < len(names):
            raise UnfitError("the places around are unclear, without name or of one name")
        answers = tuple((thing, "answer") for thing in found.sure)
        return Draft(
            _kind(value) | {"a": subject.name}, tuple(names), ((subject, "subject"), *answers), value
        )

    def kinds_around(self) -> Draft:
        """Type 2: the kinds of amenity within 100 m of a place."""
        subject = self._subject()
        found = [
            (value, self._places.within(subject, (f"amenity={value}", ""), AROUND_M))
            for value in sorted(set(self._amenities_near(subject, AROUND_M)))
        ]
        if any(around.unclear for _, around in found):
            raise UnfitError("a place lies across the edge of the circle")
        values = tuple(value for value, around in found if around.sure)
        if not values:
            raise UnfitError("there is nothing around")
        return Draft({"a": subject.name}, values, ((subject, "subject"),))

    def kind_of(self) -> Draft:
        """Type 3: the kind of a place."""
        subject = self._subject()
        value = subject.tags.get("amenity", "")
        if not value or fold(value.replace("_", " ")) in fold(subject.name):
            raise UnfitError("the place is no amenity, or its name says which")
        return Draft({"a": subject.name}, (value,), ((subject, "subject"),))

    def closer(self) -> Draft:
        """Type 5: which of two places is closer to a third."""
        subject, x, y = self._subjects(3)
        near, far = sorted((x, y), key=lambda thing: distance_m(subject.point, thing.point))
        if distance_m(subject.point, near.point) > CLEARLY_CLOSER * distance_m(subject.point, far.point):
            raise UnfitError("the two are nearly equally far")
        entities = ((subject, "subject"), (x, "option"), (y, "option"))
        return Draft({"a": subject.name, "x": x.name, "y": y.name}, (near.name,), entities)

    def nearest_on_side(self) -> Draft:
        """Type 6: the nearest of a kind on one side, by half-plane and by sector alike."""
        subject, value, side = self._subject(), self._value(), self._dice.choice(SIDES)
        best, _, _ = self._places.nearest(subject, (f"amenity={value}", ""), _half(subject, azimuth_of(side)))
        if not sector(subject, azimuth_of(side))(best):
            raise UnfitError("which one it is depends on what a side is")
        return self._named(subject, best, value, _kind(value) | {"side": side, "a": subject.name})

    def distance(self) -> Draft:
        """Type 7: the distance between two places, on the ground."""
        x, y = self._subjects(2)
        metres = distance_m(x.point, y.point)
        if metres < 1:
            raise UnfitError("the two are at one point")
        slots = {"x": x.name, "y": y.name}
        return Draft(slots, (f"{metres:.2f} meters",), ((x, "subject"), (y, "subject")))

    def nearest_to_corner(self) -> Draft:
        """Type 8: the nearest of a kind to the corner of two streets."""
        if not self._corners:
            raise UnfitError("no two named streets share exactly one point")
        corner, value = self._dice.choice(self._corners), self._value()
        here = Thing("", f"{corner.first} / {corner.second}", {}, corner.point, None)
        best, _, _ = self._places.nearest(here, (f"amenity={value}", ""))
        slots = _kind(value) | {"first": corner.first, "second": corner.second}
        draft = self._named(here, best, value, slots)
        return Draft(draft.slots, draft.answers, ((best, "answer"),), value, corner.osm)

    def nearest(self) -> Draft:
        """Type 9: the nearest of a kind."""
        subject, value = self._subject(), self._value()
        best, _, _ = self._places.nearest(subject, (f"amenity={value}", ""))
        return self._named(subject, best, value, _kind(value) | {"a": subject.name})

    def _named(self, subject: Thing, best: Thing, value: str, slots: dict[str, str]) -> Draft:
        if not best.name:
            raise UnfitError("the nearest has no name")
        return Draft(slots, (best.name,), ((subject, "subject"), (best, "answer")), value)

    def _subject(self) -> Thing:
        return self._subjects(1)[0]

    def _subjects(self, count: int) -> list[Thing]:
        if len(self._speakable) < count:
            raise UnfitError("there are too few places with a name of their own")
        return self._dice.sample(self._speakable, count)

    def _value(self) -> str:
        return self._dice.choice(self._values)

    def _values_near(self, subject: Thing, radius_m: float) -> Sequence[str]:
        """Kinds that surely have a place this near, so that few draws are empty."""
        near = [value for value in self._amenities_near(subject, radius_m) if value in self._values]
        if not near:
            raise UnfitError("there is nothing around")
        return near

    def _amenities_near(self, subject: Thing, radius_m: float) -> list[str]:
        """The kind of every amenity within a distance or a little more."""
        least, _ = self._amenities.bounds_m(subject.point)
        rows = (least <= radius_m * (1 + BOUND) + SLACK_M).nonzero()[0]
        found = [self._amenities.things[row] for row in rows]
        return [thing.tags["amenity"] for thing in found if thing is not subject]

    @cached_property
    def _amenities(self) -> Cloud:
        return Cloud([thing for thing in self._reference.things if thing.tags.get("amenity")])

    @cached_property
    def _speakable(self) -> list[Thing]:
        """Nodes with a name that nothing else has: a question may speak of them without saying where."""
        unique = {place.osm for place in self._reference.raw.unique}
        return [thing for thing in self._reference.things if thing.osm in unique]

    @cached_property
    def _values(self) -> list[str]:
        """The kinds of amenity that have a named place on the map."""
        return sorted({thing.tags["amenity"] for thing in self._reference.things if _named_amenity(thing)})

    @cached_property
    def _corners(self) -> tuple[Corner, ...]:
        return corners(self._reference)


def _named_amenity(thing: Thing) -> bool:
    return bool(thing.name) and bool(thing.tags.get("amenity")) and SEVERAL not in thing.tags["amenity"]


def _kind(value: str) -> dict[str, str]:
    """The kind's words, as the benchmark has them: the tag's value itself, spaced."""
    one = value.replace("_", " ")
    if one.endswith("y") and one[-2:-1] not in "aeiou":
        return {"kind": one, "kinds": f"{one[:-1]}ies"}
    return {"kind": one, "kinds": one if one.endswith("s") else f"{one}s"}


def _half(subject: Thing, center_deg: float) -> InDirection:
    """Whether places lie on one side of the subject, in the sense of the half-plane."""

    def toward(thing: Thing) -> bool | None:
        turns = [
            abs((azimuth - center_deg + 180) % 360 - 180) < QUARTER_DEG
            for azimuth in azimuths_deg(subject.point, thing)
        ]
        return None if len(set(turns)) > 1 else turns[0]

    return toward
