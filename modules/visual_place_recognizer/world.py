"""A picture of a map as a small world of its own, which programs search like any map.

Its labels and markers are places, its streets lines, what is painted as water an area; north is up. A picture that
could not be located lies at the equator, and no position is told (`PictureProvider.located`). Distances are then those
of its scale bar; without one a pixel stands for a metre: what is nearest, on which side and between is right all the
same, and distances are not told (`PictureProvider.scaled`).
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from enum import Enum, auto
from itertools import pairwise
from math import cos, dist, hypot, radians, sin

from map_tools.compute.shapes import center, contains, geometry_of, shape_of
from map_tools.facts import PictureFact, PictureFrame, PictureLabel
from map_tools.kinds.concepts import find_in, label_of, umbrellas_of
from map_tools.providers.base import Spot
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import World
from map_tools.providers.world_search import Kind, WorldSearch
from map_tools.text import normalise
from map_tools.types import OPEN_NOW, Candidate, Hours, LatLng, NearbyPlace, Place, RankBy, Shape
from mapagent.core.question import Question
from modules.visual_place_recognizer.naming import (
    label_spelt,
    labels_begun,
    labels_named,
    options_shown,
    unread_options,
)
from modules.visual_place_recognizer.observing import OWN_ID, place_of, position_of

NAME = "picture"
CALLED = "the picture"
"""The whole of it, in programs and answers."""
WATER_ID, WHOLE_ID = f"{OWN_ID}water", f"{OWN_ID}whole"
WATERS = ("water", "river", "lake", "canal", "stream")
GENERAL = frozenset(
    {"attraction", "shop", "supermarket", "convenience", "historic", "government", "park", "bank"}
)
"""Categories of signs that web maps give to places of many kinds."""
REACH_SHARE = 0.12
"""A street goes on beyond its outermost names for about this share of the picture's width."""
type Point = tuple[float, float]
"""A spot of a picture in pixels, y down."""
_LINES = frozenset({"street", "shield"})


class Narrowing(Enum):
    """What searches find of a picture besides all that is of a kind: the options of that kind, or all options."""

    OPTIONS_OF_KIND = auto()
    OPTIONS = auto()


class PictureProvider(RecordedProvider):
    """Answers from what a picture shows and from nothing else.

    Args:
        picture: What was read.
        question: Its options are names of the picture too, each of the label that fits it best.
        narrowing: What searches find; default: all that the picture shows.

    Attributes:
        scaled: Whether distances are those on the ground.
        located: Whether positions are.
    """

    name = NAME

    def __init__(self, picture: PictureFact, question: Question, narrowing: Narrowing | None = None) -> None:
        self.located = picture.frame is not None
        self.scaled = self.located or picture.metres_per_px is not None
        frame = picture.frame or _made_frame(picture)
        self.middle = frame.center
        self._picture = picture.model_copy(update={"frame": frame})
        shown = options_shown(question, picture)
        unread = unread_options(question, shown)
        self._nameless = question.options[unread[0]] if len(unread) == 1 else ""
        """The name of markers without one: in letters that are not read, where one option is in such."""
        self._place_ids = dict[int, str]()
        """The ids of the places that labels stand for."""
        self._water_ids = list[str]()
        """The ids of the waters, the largest first."""
        world = World(name=CALLED)
        for place, shape in (*self._waters(), *self._streets(), *self._labelled(), *self._unnamed()):
            world.places[place.id] = place
            if shape is not None:
                world.shapes[place.id] = shape
        super().__init__(world, map_name=CALLED)
        self.capabilities = self.capabilities.model_copy(update={"areas": True, "halves": True})
        self._options = {
            question.options[index]: self._place_ids[picture.labels.index(label)] for index, label in shown
        }
        if narrowing is not None:
            options = World(name=CALLED, shapes=world.shapes)
            for index, label in shown:
                place = world.places[self._options[question.options[index]]]
                kinds = (*place.categories, *label.categories)  # what it is called counts as well
                options.places[place.id] = place.model_copy(update={"categories": kinds})
            self._search = (WorldSearch if narrowing is Narrowing.OPTIONS_OF_KIND else _AnyKind)(options)

    async def find_place(
        self,
        text: str,
        *,
        near: LatLng | None = None,  # noqa: ARG002
        limit: int = 5,  # noqa: ARG002 (names are few)
        kind: tuple[str, ...] = (),  # noqa: ARG002
        inside: str | None = None,  # noqa: ARG002
    ) -> tuple[Candidate, ...]:
        """What the picture shows of this name, also by its first words, or without the kind that is said with it."""
        if normalise(text) == normalise(CALLED):
            whole = Place(id=WHOLE_ID, name=CALLED, location=self.middle)
            return (Candidate(place=whole, score=1.0),)
        found = [self._options[text]] if text in self._options else self._named(text)
        places = [self._world.places[one] for one in dict.fromkeys(found)]
        return tuple(Candidate(place=one, score=1.0, outlined=self._is_outlined(one)) for one in places)

    async def nearby(
        self,
        center: Spot,
        *,
        radius_m: float,
        categories: tuple[str, ...] = (),
        keyword: str | None = None,
        rank: RankBy = RankBy.DISTANCE,
        limit: int | None = 20,
    ) -> tuple[NearbyPlace, ...]:
        """As of any map, without what stands in a list; where the scale is not known, in order alone."""
        found = await super().nearby(
            center, radius_m=radius_m, categories=categories, keyword=keyword, rank=rank, limit=limit
        )
        if self.scaled:
            return found
        return tuple(
            NearbyPlace(place=one.place, distance_m=None, rank=number) for number, one in enumerate(found, 1)
        )

    def _named(self, text: str) -> list[str]:
        """The ids of what goes by a name."""
        found = labels_named(text, self._picture) or labels_begun(text, self._picture)
        spelt = label_spelt(text, self._picture)
        kinds = find_in(text)
        told = {one for span in kinds for one in span.value.ids}
        if found or spelt is not None or not kinds:
            return [self._place_ids[one] for one in found or ((spelt,) if spelt is not None else ())]
        bare = text
        for span in reversed(kinds):
            bare = f"{bare[: span.start]} {bare[span.end :]}"
        own = [self._place_ids[one] for one in labels_named(bare.strip(" ,.") or text, self._picture)]
        fitting = [one for one in own if not (of := self._world.places[one].categories) or told & set(of)]
        # "the river" is the largest water, whose label seldom says what it is
        return fitting or ([] if told.isdisjoint(WATERS) else self._water_ids[:1])

    def _labelled(self) -> Iterator[tuple[Place, Shape | None]]:
        """The places of labels that are no water and no street."""
        for index in range(len(self._picture.labels)):
            if index not in self._place_ids:
                self._place_ids[index] = (place := self._place(index)).id
                yield place, None

    def _streets(self) -> Iterator[tuple[Place, Shape | None]]:
        """Each street once, with its course through its names."""
        named = dict[str, list[int]]()
        for index, label in enumerate(self._picture.labels):
            if label.sort in _LINES and index not in self._place_ids:
                named.setdefault(normalise(label.text), []).append(index)
        for indices in named.values():
            place = self._place(indices[0]).model_copy(update={"categories": ("street",)})
            self._place_ids |= dict.fromkeys(indices, place.id)
            reach = REACH_SHARE * self._picture.width_px
            chain = course_of([self._picture.labels[one] for one in indices], reach)
            corners = ", ".join(f"{at.lng} {at.lat}" for at in map(self._position, chain))
            yield place, Shape(kind="line", wkt=f"LINESTRING ({corners})")

    def _unnamed(self) -> Iterator[tuple[Place, Shape | None]]:
        """Markers whose names are not read."""
        for number, marker in enumerate(self._picture.markers):
            at = self._position((marker.x_px, marker.y_px))
            kinds = marker.signs or marker.looks_like
            name = self._nameless or f"unnamed {label_of(kinds[0]) if kinds else 'marker'}"
            yield Place(id=f"{OWN_ID}marker{number}", name=name, location=at, categories=kinds), None

    def _waters(self) -> Iterator[tuple[Place, Shape | None]]:
        """What is painted as water, by the names that stand on it; of one name or none all of it is one."""
        bodies = self._bodies()
        named: dict[int, list[int]] = {}
        for index, label in enumerate(self._picture.labels):
            at = self._position((label.x_px, label.y_px))
            within = [number for number, body in enumerate(bodies) if contains(body, at)]
            if within and not label.marked and label.sort != "listing" and set(label.categories) <= {*WATERS}:
                named.setdefault(within[0], []).append(index)
        if len({normalise(self._picture.labels[one].text) for each in named.values() for one in each}) < 2:
            from shapely import GeometryCollection

            whole = shape_of(GeometryCollection(list(map(geometry_of, bodies))), "area")
            bodies = [] if whole is None else [whole]
            named = {0: [one for each in named.values() for one in each]}
        for number, body in enumerate(bodies):
            labels = named.get(number, [])
            place = self._place(labels[0]) if labels else Place(id=f"{WATER_ID}{number}", name="the water")
            self._place_ids |= dict.fromkeys(labels, place.id)
            self._water_ids.append(place.id)
            kinds = (*place.categories, "water")
            yield place.model_copy(update={"categories": kinds, "location": center(body)}), body

    def _place(self, index: int) -> Place:
        label, place = self._picture.labels[index], place_of(index, self._picture)
        told = {"price": _number(label.price), "stars": _stars(label), OPEN_NOW: _open_now(label)}
        notes = "; ".join(note for note in label.notes if _is_open(note) is not None)
        return place.model_copy(
            update={
                "location": None if label.sort == "listing" else place.location,
                "categories": kinds_of(label),
                "hours": place.hours or (Hours(spec=None, text=notes) if notes else None),
                "attributes": {**place.attributes, **{key: value for key, value in told.items() if value}},
            }
        )

    def _bodies(self) -> list[Shape]:
        """Each body of what is painted as water, the largest first."""
        from shapely import MultiPolygon, Polygon, get_parts, union_all

        rows = sorted({y for y, _, _ in self._picture.water})
        high = min((below - above for above, below in pairwise(rows)), default=1)
        boxes = []
        for y, first, last in self._picture.water:
            corners = ((first, y), (last + 1, y), (last + 1, y + high), (first, y + high))
            boxes.append(Polygon([(at.lng, at.lat) for at in map(self._position, corners)]))
        bodies = sorted(get_parts(union_all(boxes).buffer(0)), key=lambda body: -body.area) if boxes else []
        return [shape for body in bodies if (shape := shape_of(MultiPolygon([body]), "area")) is not None]

    def _position(self, spot: Point) -> LatLng:
        return position_of(*spot, self._picture) or self.middle


class _AnyKind(WorldSearch):
    """Finds everything: of some options the picture does not show of what kind they are."""

    def everywhere(self, kind: Kind) -> list[Place]:  # noqa: ARG002
        """All places."""
        return super().everywhere(Kind())


def course_of(labels: Sequence[PictureLabel], reach: float) -> list[Point]:
    """The course of a street through its names; of one alone the turn of its letters tells how it runs.

    Args:
        labels: With its name.
        reach: How far it goes on beyond the outermost of them, in pixels.
    """
    spots = list(dict.fromkeys((label.x_px, label.y_px) for label in labels))
    a, b = max(((a, b) for a in spots for b in spots), key=lambda pair: dist(*pair))
    turn, far = radians(labels[0].angle_deg), dist(a, b)
    x, y = (cos(turn), -sin(turn)) if far == 0 else ((b[0] - a[0]) / far, (b[1] - a[1]) / far)
    spots.sort(key=lambda spot: spot[0] * x + spot[1] * y)
    first, last = spots[0], spots[-1]
    return [(first[0] - reach * x, first[1] - reach * y), *spots, (last[0] + reach * x, last[1] + reach * y)]


def kinds_of(label: PictureLabel) -> tuple[str, ...]:
    """What a label's thing is: by its sign, by the map or its words, else by its colour."""
    if not label.signs:
        return label.categories or label.looks_like
    general = label.signs[0] in GENERAL
    own = (one for one in label.categories if general or {one, *umbrellas_of(one)} & set(label.signs))
    return tuple(dict.fromkeys((*own, *label.signs)))


def _made_frame(picture: PictureFact) -> PictureFrame:
    """By the scale bar, else a metre a pixel, at the equator, where degrees are square."""
    scale = picture.metres_per_px or 1.0
    return PictureFrame(
        center=LatLng(lat=0, lng=0), radius_m=scale * hypot(picture.width_px, picture.height_px) / 2,
        south=0, west=0, north=0, east=0, metres_per_px=scale,
    )  # fmt: skip


def _number(price: str) -> str:
    """The number of a price: "23.8K" is 23,800, "1.120 €" and "1 120 kr" 1,120; empty where it says none, or a span."""
    found = re.findall(r"(\d+(?:[.,]\d+| \d{3})*)\s*([kK](?![^\W\d_]))?", price)
    if len(found) != 1:
        return ""
    number = re.sub(r"[., ](?=\d{3}(?:\D|$))", "", found[0][0]).replace(",", ".")
    if number.count(".") > 1:
        return ""
    return f"{(Decimal(number) * (1000 if found[0][1] else 1)).normalize():f}"


def _stars(label: PictureLabel) -> str:
    """The class of a hotel, as written ("4-star hotel")."""
    return next((found[1] for note in label.notes if (found := re.match(r"(\d)-star", note))), "")


def _open_now(label: PictureLabel) -> str:
    """Whether it is written to be open."""
    said = next((told for note in label.notes if (told := _is_open(note)) is not None), None)
    return "" if said is None else ("yes" if said else "no")


def _is_open(note: str) -> bool | None:
    """Whether a note says that it is open ("Open · Closes 9 PM") or closed; None if it is about something else."""
    words = [word.strip("·•.,:") for word in note.lower().split()]
    first = next((word for word in words if word not in {"", "permanently", "temporarily"}), "")
    return {"open": True, "closes": True, "closed": False, "opens": False}.get(first)
