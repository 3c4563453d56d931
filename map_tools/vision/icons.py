"""The icon that a label belongs to: a compact spot of about the label's colour right beside it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from map_tools.vision.boxes import Box, Label

INSIDE_PX = 20
"""Readers of text often take the icon for a part of the line: the label's box then begins or ends with it."""
REACH_PX = 32
"""How far from a label's edge an icon ends at most; pins of web maps are under 30 pixels high."""
SAME_COLOR = 105.0
"""Distance in red, green and blue: letters are a darker shade of their icon's colour."""
SIDES_PX = (9, 34)
"""Width and height of an icon."""
SQUARE = 1.7
"""An icon is at most so many times as high as wide, or as wide as high."""
CLEAR = 0.6
"""Of two icons the nearer one must be nearer by this ratio."""
LEAST_FILLED = 0.65
"""Share of its rectangle that an icon fills (a disc 0.79); letters fill less."""

type Spot = tuple[float, float]


def with_icons(labels: tuple[Label, ...], image: Any) -> tuple[Label, ...]:
    """The labels, each with its icon where one is seen.

    Args:
        labels: As merged.
        image: The Pillow image in RGB that they were read from.
    """
    import numpy as np

    pixels = np.asarray(image, dtype=np.int16)
    return tuple(
        replace(label, icon=find_icon(label.box, pixels)) if label.kind == "place" else label
        for label in labels
    )


def find_icon(box: Box, pixels: Any) -> Spot | None:
    """The middle of the icon beside a label, in pixels; None if there is none, or it is not clear which one.

    Args:
        box: The label.
        pixels: Array of height × width × RGB.
    """
    if box.color is None:
        return None
    found = {spot for window in _windows(box, pixels) for spot in _spots(window, box, pixels)}
    by_gap = sorted((_gap(box, spot), spot) for spot in found)
    if not by_gap or (len(by_gap) > 1 and by_gap[0][0] > CLEAR * by_gap[1][0]):
        return None
    return by_gap[0][1]


def _gap(box: Box, spot: Spot) -> float:
    """From a label's edge to a spot; one that is not level with the label's middle counts as farther."""
    x, y = spot
    middle_x, middle_y = box.center
    beside = max(box.x0 - x, x - box.x1) + 2 * abs(y - middle_y)
    beneath = max(box.y0 - y, y - box.y1) + 2 * abs(x - middle_x)
    return max(0.0, beside if box.x0 > x or x > box.x1 else beneath)


def _windows(box: Box, pixels: Any) -> Iterator[tuple[int, int, int, int]]:
    """Where to look: right, left, below and above, as left, top, right, bottom."""
    height, width = pixels.shape[:2]
    x, y = box.center
    inside = min(INSIDE_PX, box.width / 2)
    for left, top, right, bottom in (
        (box.x1 - inside, y - REACH_PX / 2, box.x1 + REACH_PX, y + REACH_PX / 2),
        (box.x0 - REACH_PX, y - REACH_PX / 2, box.x0 + inside, y + REACH_PX / 2),
        (x - REACH_PX / 2, box.y1 - 3, x + REACH_PX / 2, box.y1 + REACH_PX),
        (x - REACH_PX / 2, box.y0 - REACH_PX, x + REACH_PX / 2, box.y0 + 3),
    ):
        yield max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom))


def _spots(window: tuple[int, int, int, int], box: Box, pixels: Any) -> Iterator[Spot]:
    """Middles of the compact spots of the label's colour in a window."""
    import numpy as np

    left, top, right, bottom = window
    patch = pixels[top:bottom, left:right].astype(np.float64)
    if not patch.size:
        return
    alike = np.sqrt(((patch - np.array(box.color, dtype=np.float64)) ** 2).sum(axis=2)) <= SAME_COLOR
    rows, columns = np.nonzero(alike)
    left_over = set(zip(rows.tolist(), columns.tolist(), strict=True))
    while left_over:
        spot = _connected(left_over)
        ys, xs = [y for y, _ in spot], [x for _, x in spot]
        if _is_icon(len(spot), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1):
            yield left + (min(xs) + max(xs)) / 2, top + (min(ys) + max(ys)) / 2


def _connected(left_over: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Takes one connected spot out of the set."""
    start = left_over.pop()
    spot, edge = [start], [start]
    while edge:
        y, x = edge.pop()
        for near in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
            if near in left_over:
                left_over.remove(near)
                spot.append(near)
                edge.append(near)
    return spot


def _is_icon(area_px: int, width_px: int, height_px: int) -> bool:
    smallest, largest = SIDES_PX
    return (
        smallest <= width_px <= largest
        and smallest <= height_px <= largest
        and max(width_px, height_px) <= SQUARE * min(width_px, height_px)
        and area_px >= LEAST_FILLED * width_px * height_px
    )
