"""The list beside a map: cards of places with their stars, kinds, hours and prices.

Web maps list what was found in a column of cards: the name, then a line of five stars, then details, all
beginning at one left edge. On the map itself a rating has one star, so lines of stars tell a list.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from map_tools.vision.boxes import Box, Label, color_gap
from map_tools.vision.lines import kind_of, rating_of

STARS = "★☆"
LEAST_STARS = 3
ALIGNED = 0.8
"""Lines of a card begin within so many heights of the same edge."""
NAME_PITCH = 1.6
"""Lines of a name over several lines follow each other within so many heights."""
NAME_GAP = 3.5
"""A name stands at most so many heights above its stars: a line that is not read may lie between."""
MOST_NAME_LINES = 3
SAME_COLOR = 60.0
WIDTH = 22.0
"""A list is so many heights of a line of details wide: 408 pixels where such a line takes 18."""


@dataclass(frozen=True, slots=True)
class _Column:
    """Where the list is: its lines begin at `left`, it ends at `right`, and a line is `line` pixels high."""

    left: float
    right: float
    line: float

    def holds(self, box: Box) -> bool:
        """True for what stands in the list's column, pictures and buttons of its cards included."""
        return box.x0 >= self.left - 2 * self.line and box.center[0] < self.right

    def begins(self, box: Box) -> bool:
        """True for a line that begins at the cards' edge."""
        return abs(box.x0 - self.left) <= ALIGNED * self.line


def split_list(boxes: Sequence[Box], height_px: int) -> tuple[tuple[Label, ...], tuple[Box, ...]]:
    """The cards of the list beside the map as labels of kind "listing", and the lines outside the list.

    Args:
        boxes: Lines of text as read.
        height_px: Height of the picture in pixels.
    """
    stars = [box for box in boxes if _is_stars(box)]
    if not stars:
        return (), tuple(boxes)
    left = median(box.x0 for box in stars)
    line = median(box.height for box in boxes if abs(box.x0 - left) <= ALIGNED * stars[0].height)
    column = _Column(left, left + WIDTH * line, line)
    inside = [box for box in boxes if column.holds(box)]
    cards = _cards([box for box in stars if column.begins(box)], inside, column, height_px)
    return cards, tuple(box for box in boxes if not column.holds(box))


def _is_stars(box: Box) -> bool:
    return sum(box.text.count(star) for star in STARS) >= LEAST_STARS or box.text.lower() == "no reviews"


def _cards(stars: Sequence[Box], inside: Sequence[Box], column: _Column, height_px: int) -> tuple[Label, ...]:
    lines = sorted((box for box in inside if column.begins(box)), key=lambda box: box.y0)
    names = [_name_above(star, lines) for star in stars]
    tops = [name[0].y0 if name else star.y0 for name, star in zip(names, stars, strict=True)]
    ends = (*(top - column.line for top in tops[1:]), float("inf"))
    return tuple(
        _card(name, star, [box for box in inside if top - column.line <= box.center[1] < end], height_px)
        for name, star, top, end in zip(names, stars, tops, ends, strict=True)
        if name
    )


def _name_above(stars: Box, lines: Sequence[Box]) -> list[Box]:
    """The lines of the name above a line of stars, from top to bottom."""
    name: list[Box] = []
    for box in reversed([one for one in lines if one.y0 < stars.y0]):
        below = name[0] if name else stars
        reach = (NAME_PITCH if name else NAME_GAP) * stars.height
        if below.center[1] - box.center[1] > reach or len(name) == MOST_NAME_LINES:
            break
        if name and color_gap(box, below) > SAME_COLOR:
            break
        name.insert(0, box)
    return name


def _card(name: list[Box], stars: Box, around: list[Box], height_px: int) -> Label:
    """The label of a card; what is written on its picture (a price) counts too."""
    rating, count = rating_of(stars.text)
    own = Box(
        text=" ".join(box.text for box in name),
        x0=min(box.x0 for box in name), y0=name[0].y0,
        x1=max(box.x1 for box in name), y1=name[-1].y1,
        score=min(box.score for box in name), color=name[0].color,
    )  # fmt: skip
    prices = [box.text for box in around if kind_of(box, height_px) == "price"]
    below = [box for box in around if box.y0 > stars.y0 and box.text not in prices]
    notes = [box.text for box in below if kind_of(box, height_px) != "furniture"]
    return Label(
        own, kind="listing", rating=rating, rating_count=count,
        price=prices[0] if prices else "", notes=tuple(notes),
    )  # fmt: skip
