"""Makes questions of MapQA's nine types over one map, in MapQA's form, each with a true answer.

Each type draws what it asks about and computes the true answers, or finds the draw unfit. Corners are where two
named streets share one point.
"""

import random
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from evals.generate.benchmark import check_free, manifest_of, write_benchmark
from evals.generate.gsqa.places import SLACK_M, InDirection, Places, sector
from evals.generate.gsqa.reference import BOUND, Cloud, Reference, Thing, azimuths_deg
from evals.generate.gsqa.templates import UnfitError, draw_different
from evals.generate.world import distance_m, fold
from evals.metrics.measures import azimuth_of
from map_tools.errors import LimitError


@dataclass(frozen=True, slots=True)
class Corner:
    """Two streets and the only point they share, as (latitude, longitude)."""

    first: str
    second: str
    point: tuple[float, float]
    osm: tuple[str, str]


def corners(reference: Reference) -> tuple[Corner, ...]:
    """All corners whose two streets meet nowhere else, by their names."""
    import shapely

    streets = [thing for thing in reference.things if _is_street(thing)]
    tree = shapely.STRtree([street.shape for street in streets])
    met: dict[tuple[str, str], dict[tuple[float, float], Corner]] = {}
    for one, other in tree.query(tree.geometries, predicate="intersects").T.tolist():
        a, b = streets[one], streets[other]
        if fold(a.name) >= fold(b.name):
            continue
        shared = shapely.get_coordinates(shapely.intersection(a.shape, b.shape)).tolist()
        for lng, lat in shared:
            met.setdefault((fold(a.name), fold(b.name)), {})[lat, lng] = Corner(
                a.name, b.name, (lat, lng), (a.osm, b.osm)
            )
    return tuple(next(iter(points.values())) for _, points in sorted(met.items()) if len(points) == 1)


def _is_street(thing: Thing) -> bool:
    return thing.is_line and bool(thing.name) and "highway" in thing.tags


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


ATTEMPTS = 60
"""Draws for each question before a type is given up."""


class Generator:
    """Questions over one map; equal seeds make equal questions.

    Raises:
        MapStoreError: The folder holds no map.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.reference = Reference(folder)
        self.given_up: dict[str, str] = {}
        self._dice = random.Random(seed)  # noqa: S311 (reproducible, not secret)
        self._bench = Bench(self.reference, self._dice)

    def make(self, counts: Mapping[int, int]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """(record, account) of so many questions of each type; types with fewer are listed in `given_up`."""
        for number, draw in self._bench.types.items():
            drafts, missing = draw_different(draw, _told_apart, counts.get(number, 0), attempts=ATTEMPTS)
            if missing:
                self.given_up[f"type {number}"] = missing
            for index, draft in enumerate(drafts, 1):
                yield self._worded(number, index, draft)

    def _worded(self, number: int, index: int, draft: Draft) -> tuple[dict[str, Any], dict[str, Any]]:
        words = _types()[str(number)]
        chosen = self._dice.randrange(len(words["wordings"]))
        text = words["wordings"][chosen].format(**draft.slots)
        name = f"g-{number}-{index:03d}"
        record = {
            "id": name,
            "type": number,
            "question": text,
            "answers": list(draft.answers),
            "entities": [
                {
                    "name": thing.name,
                    "role": role,
                    "osm": thing.osm,
                    "lat": thing.point[0],
                    "lon": thing.point[1],
                }
                for thing, role in draft.entities
            ],
            "region": self.reference.raw.info["name"],
            "amenity": draft.amenity,
            "category": words["category"],
            "concepts": words["concepts"],
            "world_ok": True,
            "true_gold": True,
        }
        osm = [thing.osm for thing, _ in draft.entities if thing.osm]
        return record, {"id": name, "wording": chosen, "osm": [*osm, *draft.streets]}


def generate(folder: Path, counts: Mapping[int, int], seed: int, out: Path) -> dict[str, Any]:
    """Writes the benchmark's folder, with so many questions of each type; returns its manifest.

    Raises:
        UsageError: `out` cannot be written, or holds something.
        MapStoreError: The folder holds no map.
        LimitError: The map gives no question at all.
    """
    check_free(out)
    generator = Generator(folder, seed)
    made = list(generator.make(counts))
    if not made:
        raise LimitError("The map gives no question at all.", "Take a larger map.")
    info = generator.reference.raw.info
    manifest = manifest_of(info, made, generator.given_up, benchmark="mapqa", seed=seed)
    return write_benchmark(out, [record for record, _ in made], [truth for _, truth in made], manifest)


def _told_apart(draft: Draft) -> tuple[str, ...]:
    return tuple(sorted(draft.slots.values()))


@lru_cache(maxsize=1)
def _types() -> dict[str, Any]:
    data = tomllib.loads((files("evals.generate.mapqa") / "wordings.toml").read_text("utf-8"))
    types: dict[str, Any] = data["types"]
    return types
