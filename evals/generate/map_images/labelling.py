"""Where the labels of a picture go: most important first, none over another."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import atan2, cos, degrees, dist, hypot, radians, sin
from typing import Any

from evals.generate.map_images.scene import Drawn, Frame
from evals.generate.map_images.style import Look, Style, drawable, first_fit, font

type Rect = tuple[float, float, float, float]
type Point = tuple[float, float]
type Chord = tuple[Point, Point]

LINE_CHARS = 17
"""A longer name of a place is set in two lines, as web maps do."""
MOST_CHARS = 38
STREET_ROOM = 1.1
"""A straight piece of a street must be so many times as long as its label."""
BEND_PX = 2.5
"""A piece of a street is straight if no point of it lies farther from its chord."""
STREETS_BEFORE = 3
"""Streets get their labels before the places of this rank, or in dense centres they would get none."""
MOST_PLACES = 45
GAP_PX = 3
PLACE_KINDS = ("suburb", "neighbourhood", "quarter", "village", "town", "hamlet", "city")
EDGE_PX = 6


@dataclass(frozen=True)
class Label:
    """A label with its place in the picture.

    Attributes:
        text: Its lines.
        kind: "poi", "street", "area" or "district".
        anchor: The pixel that shows the feature's point (the icon of a poi; of a street the label's middle).
        rect: The space it takes: left, top, right, bottom in pixels.
        angle_deg: Counter-clockwise turn of a street's label.
        look: Colours of a poi or an area; None for the others.
    """

    feature: Drawn
    text: tuple[str, ...]
    kind: str
    anchor: tuple[float, float]
    rect: Rect
    angle_deg: float = 0.0
    look: Look | None = None


class Placement:
    """Places labels one by one; `labels` is what found room.

    Args:
        frame: The picture.
        style: Sizes of letters and icons.
    """

    def __init__(self, frame: Frame, style: Style) -> None:
        self._frame = frame
        self._style = style
        self._taken: list[Rect] = []
        self.labels: list[Label] = []

    def place(self, features: Iterable[Drawn]) -> None:
        """Districts first, then places and areas by rank; streets before the common kinds of places."""
        features = [item for item in features if _sayable(item.name)]
        for item in features:
            if item.tags.get("place") in PLACE_KINDS and item.shape is None:
                self._centred(item, "district", self._style.district_font_px)
        ranked = sorted(self._looked(features), key=lambda entry: entry[1].rank)
        self._all([entry for entry in ranked if entry[1].rank < STREETS_BEFORE])
        self._streets([item for item in features if "highway" in item.tags and item.shape is not None])
        self._all([entry for entry in ranked if entry[1].rank >= STREETS_BEFORE])

    def _all(self, ranked: Iterable[tuple[Drawn, Look]]) -> None:
        for item, look in ranked:
            if item.shape is not None:
                self._centred(item, "area", self._style.font_px, look)
            elif sum(label.kind == "poi" for label in self.labels) < MOST_PLACES:
                self._beside(item, look)

    def _looked(self, features: Iterable[Drawn]) -> Iterator[tuple[Drawn, Look]]:
        for item in features:
            if item.shape is None:
                index = first_fit(self._style.pois, item.tags)
                if index is not None:
                    yield item, self._style.pois[index]
            elif "highway" not in item.tags:
                index = first_fit(self._style.areas, item.tags)
                if index is not None and self._style.areas[index].text:
                    yield item, self._style.areas[index]

    def _beside(self, item: Drawn, look: Look) -> None:
        """A place's label: right of its icon, else left, below or above it."""
        x, place_y = self._frame.to_px(*item.point)
        y, icon = place_y - self._style.lift_px, self._style.icon_px
        marker = (x - icon, y - icon, x + icon, max(y + icon, place_y))
        if not self._free(marker):
            return
        lines = in_lines(item.name)
        width, height = size_of(lines, self._style.font_px)
        off = icon + GAP_PX
        for left, top in (
            (x + off, y - height / 2), (x - off - width, y - height / 2),
            (x - width / 2, marker[3] + GAP_PX), (x - width / 2, y - off - height),
        ):  # fmt: skip
            rect = (left, top, left + width, top + height)
            if self._free(rect):
                self._taken.append(marker)
                self._put(Label(item, lines, "poi", (x, place_y), rect, look=look))
                return

    def _centred(self, item: Drawn, kind: str, size_px: int, look: Look | None = None) -> None:
        x, y = self._frame.to_px(*item.point)
        lines = in_lines(item.name)
        width, height = size_of(lines, size_px)
        rect = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        if self._free(rect):
            self._put(Label(item, lines, kind, (x, y), rect, look=look))

    def _streets(self, streets: Iterable[Drawn]) -> None:
        """One label for each name, on its longest straight piece that has room."""
        from shapely import MultiLineString, line_merge

        by_name: dict[str, list[Drawn]] = {}
        for item in streets:
            by_name.setdefault(item.name, []).append(item)
        for name, items in by_name.items():
            joined = line_merge(MultiLineString([line for one in items for line in lines_of(one.shape)]))
            self._street(items[0], name, sorted(self._chords(joined), key=_length, reverse=True))

    def _street(self, item: Drawn, name: str, chords: Iterable[Chord]) -> None:
        width, height = size_of((name,), self._style.street_font_px)
        for chord in chords:
            if _length(chord) < STREET_ROOM * width:
                return
            (ax, ay), (bx, by) = chord
            x, y = (ax + bx) / 2, (ay + by) / 2
            angle = _upright(degrees(atan2(ay - by, bx - ax)))
            rect = _turned(x, y, width, height, angle)
            if self._free(rect):
                self._put(Label(item, (name,), "street", (x, y), rect, angle))
                return

    def _chords(self, shape: Any) -> Iterator[Chord]:
        """The straight pieces of a line, in pixels."""
        for line in lines_of(shape):
            points = [self._frame.to_px(lat, lng) for lng, lat in line.coords]
            start = 0
            for end in range(2, len(points) + 1):
                if end == len(points) or not _is_straight(points[start : end + 1]):
                    yield points[start], points[end - 1]
                    start = end - 1

    def _put(self, label: Label) -> None:
        self._taken.append(label.rect)
        self.labels.append(label)

    def _free(self, rect: Rect) -> bool:
        left, top, right, bottom = rect
        inside = (
            left >= EDGE_PX
            and top >= EDGE_PX
            and right <= self._frame.width_px - EDGE_PX
            and bottom <= self._frame.height_px - EDGE_PX
        )
        return inside and not any(
            left < other_right + GAP_PX
            and other_left < right + GAP_PX
            and top < other_bottom + GAP_PX
            and other_top < bottom + GAP_PX
            for other_left, other_top, other_right, other_bottom in self._taken
        )


def _length(chord: Chord) -> float:
    return dist(*chord)


def _is_straight(points: list[Point]) -> bool:
    (ax, ay), (bx, by) = points[0], points[-1]
    length = hypot(bx - ax, by - ay) or 1.0
    return all(abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length <= BEND_PX for x, y in points)


def lines_of(shape: Any) -> Iterator[Any]:
    """The lines of a shape: of an area its rings."""
    if shape.geom_type in ("LineString", "LinearRing"):
        yield shape
    elif shape.geom_type == "Polygon":
        yield shape.exterior
    else:
        for part in getattr(shape, "geoms", ()):
            yield from lines_of(part)


def in_lines(name: str) -> tuple[str, ...]:
    """A name in one line, or a long one in two of like length."""
    words = name.split()
    if len(name) <= LINE_CHARS or len(words) < 2:
        return (name,)
    cuts = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return min(cuts, key=lambda cut: max(map(len, cut)))


def size_of(lines: tuple[str, ...], size_px: int) -> tuple[float, float]:
    """Width and height in pixels of a text."""
    face = font(size_px)
    return max(face.getlength(line) for line in lines), line_height(size_px) * len(lines)


def line_height(size_px: int) -> float:
    """From one line to the next."""
    return round(size_px * 1.2)


def _sayable(name: str) -> bool:
    return (
        3 <= len(name) <= MOST_CHARS
        and sum(map(str.isalpha, name)) >= 3
        and ";" not in name
        and all(map(drawable, name))
    )


def _upright(angle: float) -> float:
    """The same line read from left to right: -90 to 90."""
    return (angle + 90) % 180 - 90


def _turned(x: float, y: float, width: float, height: float, angle: float) -> Rect:
    """The upright rectangle around a turned one."""
    c, s = abs(cos(radians(angle))), abs(sin(radians(angle)))
    w, h = (width * c + height * s) / 2, (width * s + height * c) / 2
    return x - w, y - h, x + w, y + h
