"""Where things are in a picture: at spots, along a street, in water; how far from them and on which side."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, dist, hypot, radians, sin
from typing import Protocol

from map_tools.facts import PictureFact, PictureLabel
from modules.visual_place_recognizer.reading import Side

type Spot = tuple[float, float]

REACH_SHARE = 0.12
"""A street goes on beyond its outermost names for about this share of the picture's width."""


class Shape(Protocol):
    """Where something is in a picture, in pixels, y down."""

    @property
    def text(self) -> str:
        """Its name, or the word for its kind."""
        ...

    def distance_px(self, spot: Spot) -> float:
        """How far a spot is from it; 0 within it."""
        ...

    def has_on(self, side: Side, spot: Spot) -> bool:
        """True if a spot lies to this side of it."""
        ...


@dataclass(frozen=True, slots=True)
class Spots:
    """A thing at one spot, or all things of a kind; sides are those of the first."""

    text: str
    spots: tuple[Spot, ...]

    def distance_px(self, spot: Spot) -> float:
        """To the nearest of them."""
        return min(dist(spot, one) for one in self.spots)

    def has_on(self, side: Side, spot: Spot) -> bool:
        """True if a spot lies to this side of the first."""
        return _is_beyond(side, spot, self.spots[0])


@dataclass(frozen=True, slots=True)
class Line:
    """A street, as a chain of straight pieces through its names."""

    text: str
    chain: tuple[Spot, ...]

    def distance_px(self, spot: Spot) -> float:
        """To the nearest piece."""
        return min(_off_piece(spot, *piece) for piece in pairwise(self.chain))

    def has_on(self, side: Side, spot: Spot) -> bool:
        """True if a spot lies to this side of the street: at its own height, or straight above or below."""
        a, b = min(pairwise(self.chain), key=lambda piece: _off_piece(spot, *piece))
        dx, dy = b[0] - a[0], b[1] - a[1]
        if side in ("left", "right"):
            at = (a[0] + (spot[1] - a[1]) * dx / dy, spot[1]) if dy else ((a[0] + b[0]) / 2, spot[1])
        else:
            at = (spot[0], a[1] + (spot[0] - a[0]) * dy / dx) if dx else (spot[0], (a[1] + b[1]) / 2)
        return _is_beyond(side, spot, at)


@dataclass(frozen=True, slots=True)
class Water:
    """Rivers, lakes and the sea: spans of rows, each its y, first x and last x."""

    text: str
    spans: tuple[tuple[int, int, int], ...]

    def distance_px(self, spot: Spot) -> float:
        """To the nearest water."""
        return hypot(*self._nearest(spot))

    def has_on(self, side: Side, spot: Spot) -> bool:
        """True if a spot has the nearest water, for left and right that of its row, on its other side."""
        across, down = self._nearest(spot) if side in ("upper", "lower") else self._in_row(spot)
        return {"left": across > 0, "right": across < 0, "upper": down > 0, "lower": down < 0}[side]

    def _nearest(self, spot: Spot) -> Spot:
        """The way from a spot to the nearest water."""
        return min((_to_span(spot, span) for span in self.spans), key=lambda way: hypot(*way))

    def _in_row(self, spot: Spot) -> Spot:
        """The way from a spot to the water of the row nearest to it."""
        row = min(abs(span[0] - spot[1]) for span in self.spans)
        there = (span for span in self.spans if abs(span[0] - spot[1]) == row)
        return min((_to_span(spot, span) for span in there), key=lambda way: abs(way[0]))


def street_through(labels: Sequence[PictureLabel], picture: PictureFact) -> Line:
    """The street of these names or numbers; of one alone the turn of its letters tells how it runs."""
    spots = [(label.x_px, label.y_px) for label in labels]
    a, b = max(((a, b) for a in spots for b in spots), key=lambda pair: dist(*pair))
    if a == b:
        turn = radians(labels[0].angle_deg)
        along = (cos(turn), -sin(turn))
    else:
        along = ((b[0] - a[0]) / dist(a, b), (b[1] - a[1]) / dist(a, b))
    reach = REACH_SHARE * picture.width_px
    inner = sorted(dict.fromkeys(spots), key=lambda spot: spot[0] * along[0] + spot[1] * along[1])
    first, last = inner[0], inner[-1]
    return Line(
        labels[0].text,
        (
            (first[0] - reach * along[0], first[1] - reach * along[1]),
            *inner,
            (last[0] + reach * along[0], last[1] + reach * along[1]),
        ),
    )


def _is_beyond(side: Side, spot: Spot, of: Spot) -> bool:
    (x, y), (other_x, other_y) = spot, of
    return {"left": x < other_x, "right": x > other_x, "upper": y < other_y, "lower": y > other_y}[side]


def _off_piece(spot: Spot, a: Spot, b: Spot) -> float:
    """How far a spot is from the straight piece between a and b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy or 1.0
    share = min(1.0, max(0.0, ((spot[0] - a[0]) * dx + (spot[1] - a[1]) * dy) / square))
    return dist(spot, (a[0] + share * dx, a[1] + share * dy))


def _to_span(spot: Spot, span: tuple[int, int, int]) -> Spot:
    """The way from a spot to a span, as pixels across and down; 0 across above, in and below it."""
    y, first, last = span
    x = min(max(spot[0], first), last)
    return x - spot[0], y - spot[1]
