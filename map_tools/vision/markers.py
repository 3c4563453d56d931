"""Markers of places: the discs and drops with a sign in them that web maps put where a place is.

Wherever pixels of one colour of `markers.toml` hang together as a round spot of about the same size as the
others, there is a marker. The sign cut out of it is kept as a small bitmap: equal signs mean equal kinds,
whether or not the name beside them could be read.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.vision.boxes import Marker

SIDES_PX = (11, 42)
"""Width of a marker."""
HEIGHTS = (0.85, 1.75)
"""Its height in widths: a disc 1, a drop with its point 1.4, with a price tag's point more."""
DROP = 1.2
"""From so many widths on it is a drop that points at its place; a disc lies on it."""
LEAST_ROUND = 0.7
"""Share of its square that a head covers with its sign filled in (a disc 0.79)."""
LEAST_OWN = 0.4
"""Share of the head that has the marker's colour; the rest is its sign."""
SIGN_SHARES = (0.04, 0.45)
"""Share of the head that a sign takes; what has none must be a whole disc."""
LIGHT = 190
"""Signs are lighter than this in red, green and blue."""
BADGE = "badge"
"""Name in `markers.toml` of the colours of badges: small squares that web maps put to stops and stations."""
BADGE_SIDES_PX = (12, 24)
LEAST_SQUARE = 0.8
"""Share of its square that a badge covers with its sign filled in; its corners are round."""
OBLONG = 0.2
"""How far the height of a badge may be from its width."""
ODD_SIZE = 0.3
"""How far a marker's width may be from the usual one of its picture; other spots are letters and logos."""
SIGN_PX = 16
"""A sign's bitmap is so many pixels wide and high."""


@dataclass(frozen=True, slots=True)
class _Hues:
    """A colour of the vocabulary, as bounds of OpenCV's hue (half degrees), saturation and value."""

    name: str
    ranges: tuple[tuple[tuple[int, int, int], tuple[int, int, int]], ...]

    @property
    def is_of_badges(self) -> bool:
        """True for a colour that counts only in small squares."""
        return self.name == BADGE


def find_markers(image: Any) -> tuple[Marker, ...]:
    """The markers in a picture, from top to bottom.

    Args:
        image: A Pillow image in RGB.
    """
    import cv2
    import numpy as np

    pixels = np.asarray(image)
    turned = cv2.cvtColor(pixels, cv2.COLOR_RGB2HSV)
    found = [marker for hues in _vocabulary() for marker in _of_color(hues, turned, pixels)]
    badges = [marker for marker in found if marker.hue == BADGE]
    taken = {badge.spot for badge in badges}
    found = [marker for marker in found if marker.spot not in taken]
    of_each_size = [[one for one in found if _is_near(one.width_px, usual.width_px)] for usual in found]
    kept = max(of_each_size, key=lambda alike: (len(alike), alike[0].width_px), default=[])
    return tuple(sorted((*kept, *badges), key=lambda one: (one.y, one.x)))


def _is_near(width_px: float, usual_px: float) -> bool:
    return abs(width_px - usual_px) <= ODD_SIZE * usual_px


def _of_color(hues: _Hues, turned: Any, pixels: Any) -> Iterator[Marker]:
    """The markers of one colour."""
    import cv2
    import numpy as np

    mask = np.zeros(turned.shape[:2], dtype=np.uint8)
    for low, high in hues.ranges:
        mask |= cv2.inRange(turned, low, high)
    _, spots, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    widths, heights = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    fitting = (
        (widths >= SIDES_PX[0]) & (widths <= SIDES_PX[1])
        & (heights >= HEIGHTS[0] * widths) & (heights <= HEIGHTS[1] * widths)
    )  # fmt: skip
    for index in np.flatnonzero(fitting):
        x, y, width, height = (int(value) for value in stats[index, :4])
        if hues.is_of_badges and not _is_square(width, height):
            continue
        rows, columns = slice(y, y + min(height, width)), slice(x, x + width)
        least = LEAST_SQUARE if hues.is_of_badges else LEAST_ROUND
        marker = _marker(least, (x, y), spots[rows, columns] == index, pixels[rows, columns])
        if marker is None:
            continue
        tip_y = float(y + height - 1) if height >= DROP * width else marker.y
        yield replace(marker, hue=hues.name, tip_y=tip_y)


def _is_square(width: int, height: int) -> bool:
    """True for the shape of a badge."""
    return BADGE_SIDES_PX[0] <= width <= BADGE_SIDES_PX[1] and abs(height - width) <= OBLONG * width


def _marker(least: float, corner: tuple[int, int], own: Any, patch: Any) -> Marker | None:
    """The marker whose head is a patch of height × width × RGB; None if it is no marker's.

    `least` is the share of its square that a head covers at least, `corner` its upper left corner in the
    picture, `own` where the patch has the marker's colour.
    """
    import numpy as np

    height, width = own.shape
    head = np.logical_and(
        np.logical_or.accumulate(own, axis=1), np.logical_or.accumulate(own[:, ::-1], axis=1)[:, ::-1]
    )
    covered = int(head.sum())
    if covered < least * height * width or own.sum() < LEAST_OWN * covered:
        return None
    sign = head & ~own & (patch.min(axis=2) >= LIGHT)
    share = float(sign.sum()) / covered
    is_plain = own.sum() >= (1 - SIGN_SHARES[0]) * covered
    if not is_plain and not SIGN_SHARES[0] <= share <= SIGN_SHARES[1]:
        return None
    red, green, blue = (int(value) for value in np.median(patch[own], axis=0))
    x, y = corner[0] + (width - 1) / 2, corner[1] + (height - 1) / 2
    return Marker(
        x=x,
        y=y,
        width_px=float(width),
        tip_y=y,
        color=(red, green, blue),
        sign=b"" if is_plain else _bitmap(sign),
    )


def _bitmap(sign: Any) -> bytes:
    import cv2
    import numpy as np

    small = cv2.resize(sign.astype(np.uint8) * 255, (SIGN_PX, SIGN_PX), interpolation=cv2.INTER_AREA)
    return bytes((small > 255 // 3).astype(np.uint8).tobytes())


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[_Hues, ...]:
    values = tomllib.loads((files("map_tools.vision") / "markers.toml").read_text("utf-8"))
    return tuple(_Hues(entry["name"], tuple(_bounds(entry))) for entry in values["color"])


def _bounds(entry: dict[str, Any]) -> Iterator[tuple[tuple[int, int, int], tuple[int, int, int]]]:
    first, last = (round(degrees / 2) for degrees in entry["hue"])
    least = (round(255 * entry["saturation"]), round(255 * entry["value"]))
    most = (round(255 * entry.get("most_saturation", 1.0)), round(255 * entry.get("most_value", 1.0)))
    for low, high in ((first, last),) if first <= last else ((first, 180), (0, last)):
        yield (low, *least), (high, *most)
