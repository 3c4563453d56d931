"""A picture of a map as a small world of its own, which programs search like any map.

Its labels and markers are places, its streets lines, what is painted as water an area; north is up. Where the picture
could not be located a pixel stands for a metre: what is nearest, on which side and between is right all the same, and
distances are not told (`PictureProvider.scaled`).
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import pairwise
from math import cos, dist, hypot, radians, sin

from map_tools.compute.shapes import center, shape_of
from map_tools.facts import PictureFact, PictureFrame, PictureLabel
from map_tools.kinds.concepts import find_in, lookup, umbrellas_of
from map_tools.providers.base import Spot
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import World
from map_tools.providers.world_search import Kind, WorldSearch
from map_tools.text import normalise
from map_tools.types import Candidate, Hours, LatLng, NearbyPlace, Place, RankBy, Shape
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
    """

    name = NAME

    def __init__(self, picture: PictureFact, question: Question, narrowing: Narrowing | None = None) -> None:
        self.scaled = picture.frame is not None
        frame = picture.frame or _made_frame(picture)
        self.middle, self._radius_m = frame.center, frame.radius_m
        self._picture = picture.model_copy(update={"frame": frame})
        shown = options_shown(question, picture)
        unread = unread_options(question, shown)
        self._nameless = question.options[unread[0]] if len(unread) == 1 else ""
        """The name of markers without one: in letters that are not read, where one option is in such."""
        self._place_ids = dict[int, str]()
        """The ids of the places that labels stand for."""
        world = World(name=CALLED)
        for place, shape in (*self._labelled(), *self._streets(), *self._unlabelled()):
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
                kinds = {"categories": (*place.categories, *label.categories)}  # what it is called counts as well
                options.places[place.id] = place.model_copy(update=kinds)
            self._search = (WorldSearch if narrowing is Narrowing.OPTIONS_OF_KIND else _AnyKind)(options)

    async def find_place(
        self,
        text: str,
        *,
        near: LatLng | None = None,
        limit: int = 5,  # noqa: ARG002 (one is best)
        kind: tuple[str, ...] = (),  # noqa: ARG002 (names are few)
        inside: str | None = None,  # noqa: ARG002
    ) -> tuple[Candidate, ...]:
        """What the picture shows of this name; of several labels of one name the first, of a kind the nearest."""
        if normalise(text) == normalise(CALLED):
            whole = Place(id=WHOLE_ID, name=CALLED, location=self.middle)
            return (Candidate(place=whole, score=1.0),)
        found = self._options.get(text) or self._named(text) or self._of_kind(text, near or self.middle)
        if found is None:
            return ()
        return (Candidate(place=self._world.places[found], score=1.0, outlined=found == WATER_ID),)

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
        """As of any map; behind them what stands in a list beside the picture, at no known distance."""
        found = await super().nearby(
            center, radius_m=radius_m, categories=categories, keyword=keyword, rank=rank, limit=limit
        )
        listed = self._search.everywhere(Kind(categories, keyword))
        nowhere = (NearbyPlace(place=one, distance_m=None) for one in listed if one.location is None)
        return (*found, *nowhere)[:limit]

    def _named(self, text: str) -> str | None:
        """The place that goes by a name, also by its first words, or without the kind that is said with it."""
        bare = text
        for span in reversed(kinds := find_in(text)):
            bare = f"{bare[: span.start]} {bare[span.end :]}"
        for words in dict.fromkeys((text, bare.strip(" ,."))):
            found = labels_named(words, self._picture) or labels_begun(words, self._picture)
            label = found[0] if found else label_spelt(words, self._picture)
            if label is None:
                continue
            told = {
                one for span in (*kinds, *find_in(self._picture.labels[label].text)) for one in span.value.ids
            }
            is_water = not self._picture.labels[label].marked and not told.isdisjoint(WATERS)
            return WATER_ID if is_water and WATER_ID in self._world.places else self._place_ids[label]
        return None

    def _of_kind(self, text: str, near: LatLng) -> str | None:
        """The nearest place of a kind that words name: "the station"."""
        kind = lookup(text)
        wanted = Kind(kind.ids) if kind is not None else None
        found = [] if wanted is None else WorldSearch(self._world).around(near, 2 * self._radius_m, wanted)
        return found[0].place.id if found else None

    def _labelled(self) -> Iterator[tuple[Place, Shape | None]]:
        """The places of labels, but for streets."""
        for index, label in enumerate(self._picture.labels):
            if label.sort not in _LINES:
                self._place_ids[index] = (place := self._place(index)).id
                yield place, None

    def _streets(self) -> Iterator[tuple[Place, Shape | None]]:
        """Each street once, with its course through its names."""
        named = dict[str, list[int]]()
        for index, label in enumerate(self._picture.labels):
            if label.sort in _LINES:
                named.setdefault(normalise(label.text), []).append(index)
        for indices in named.values():
            place = self._place(indices[0]).model_copy(update={"categories": ("street",)})
            self._place_ids |= dict.fromkeys(indices, place.id)
            reach = REACH_SHARE * self._picture.width_px
            chain = course_of([self._picture.labels[one] for one in indices], reach)
            corners = ", ".join(f"{at.lng} {at.lat}" for at in map(self._position, chain))
            yield place, Shape(kind="line", wkt=f"LINESTRING ({corners})")

    def _unlabelled(self) -> Iterator[tuple[Place, Shape | None]]:
        """Markers whose names are not read, and the water."""
        for number, marker in enumerate(self._picture.markers):
            at = self._position((marker.x_px, marker.y_px))
            kinds = marker.signs or marker.looks_like
            yield (
                Place(id=f"{OWN_ID}marker{number}", name=self._nameless, location=at, categories=kinds),
                None,
            )
        water = self._water()
        if water is not None:
            yield Place(id=WATER_ID, name="the water", location=center(water), categories=WATERS), water

    def _place(self, index: int) -> Place:
        label, place = self._picture.labels[index], place_of(index, self._picture)
        told = {"price": _number(label.price), "stars": _stars(label), "open_now": _open_now(label)}
        notes = "; ".join(note for note in label.notes if _is_open(note) is not None)
        return place.model_copy(
            update={
                "location": None if label.sort == "listing" else place.location,
                "categories": kinds_of(label),
                "hours": place.hours or (Hours(spec=None, text=notes) if notes else None),
                "attributes": {**place.attributes, **{key: value for key, value in told.items() if value}},
            }
        )

    def _water(self) -> Shape | None:
        """All that is painted as water, row by row."""
        from shapely import GeometryCollection, box

        rows = sorted({y for y, _, _ in self._picture.water})
        high = min((below - above for above, below in pairwise(rows)), default=1)
        boxes = []
        for y, first, last in self._picture.water:
            a, b = self._position((first, y + high)), self._position((last + 1, y))
            boxes.append(box(a.lng, a.lat, b.lng, b.lat))
        return shape_of(GeometryCollection(boxes), "area") if boxes else None

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
    """A metre a pixel at the equator, where degrees are square."""
    return PictureFrame(
        center=LatLng(lat=0, lng=0), radius_m=hypot(picture.width_px, picture.height_px) / 2,
        south=0, west=0, north=0, east=0, metres_per_px=1.0,
    )  # fmt: skip


def _number(price: str) -> str:
    """The number of a price; "23.8K" is 23,800."""
    found = re.search(r"(\d[\d,]*(?:\.\d+)?)\s*([kK])?$", price)
    return "" if found is None else f"{float(found[1].replace(',', '')) * (1000 if found[2] else 1):g}"


def _stars(label: PictureLabel) -> str:
    """The class of a hotel, as written ("4-star hotel")."""
    return next((found[1] for note in label.notes if (found := re.match(r"(\d)-star", note))), "")


def _open_now(label: PictureLabel) -> str:
    """Whether it is written to be open."""
    said = next((told for note in label.notes if (told := _is_open(note)) is not None), None)
    return "" if said is None else ("yes" if said else "no")


def _is_open(note: str) -> bool | None:
    """Whether a note says that it is open ("Open · Closes 9 PM") or closed; None if it is about something else."""
    begins = note.lower().startswith
    return True if begins("open") else (False if begins("closed") else None)
