"""Markers of places: the discs and drops with a sign in them that web maps put where a place is.

Wherever pixels of one colour of `markers.toml` hang together as a round spot of about the same size as the
others, there is a marker. The sign cut out of it is kept as a small bitmap: equal signs mean equal kinds,
whether or not the name beside them could be read, and `signs.toml` tells which. Each marker belongs to one
label beside it at most.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from math import dist, hypot
from typing import Any

from map_tools.vision.boxes import Box, Label, Marker

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


REACH = 1.4
"""How far from its marker a label is at most, in widths of the marker."""
SIDEWAYS = 0.4
"""How much it counts that a marker is not level with the middle of its label, or not below or above it."""
OTHER_COLOR = 0.5
"""... and that letters and marker are of different colours; dark letters go with all markers."""
BADGE_COLOR = 90.0
"""... and at most so far in red, green and blue from a badge beside it: stops are labelled in its colour."""
MOST_UNREAD = 4.0
"""Lines in a script that is not read may part a name from its marker, by so many widths of the marker."""
OWN_COLOR = 90.0
"""Such a name has letters so near to its marker in red, green and blue."""
GREY = 45
"""Letters whose red, green and blue differ by less have no colour to compare."""
SAME_HUES = 60.0
"""Degrees of the colour circle between letters and marker of one colour."""
OVERLAP_PX = 22.0
"""Readers of text often take a marker for a part of the line: the label's box then begins or ends with it."""


def with_markers(
    labels: Sequence[Label], markers: Sequence[Marker]
) -> tuple[tuple[Label, ...], tuple[Marker, ...]]:
    """The labels, each with the marker beside it where there is one, and the markers that have no label."""
    pairs = sorted(
        (cost, at, number)
        for at, label in enumerate(labels)
        if label.kind == "place"
        for number, marker in enumerate(markers)
        if (cost := _cost(label, marker)) <= REACH
    )
    apart = sorted(
        (gap, at, number)
        for at, label in enumerate(labels)
        if label.kind == "place"
        for number, marker in enumerate(markers)
        if (gap := _unread_between(label, marker)) <= MOST_UNREAD
    )
    told, free = list(labels), set(range(len(markers)))
    for _, at, number in (*pairs, *apart):
        if told[at].marker is None and number in free:
            told[at] = replace(told[at], marker=markers[number], icon=markers[number].spot)
            free.remove(number)
    return tuple(told), tuple(markers[number] for number in sorted(free))


def _unread_between(label: Label, marker: Marker) -> float:
    """How far above or below its marker a name stands, in widths of the marker, if it may be the marker's."""
    half = marker.width_px / 2
    left, top, right, bottom = label.rect
    across = max(left - marker.x - half, marker.x - half - right)
    if (
        marker.hue == BADGE
        or across > REACH * marker.width_px
        or not _is_colored_as(label.box, marker, OWN_COLOR)
    ):
        return float("inf")
    return max(top - marker.tip_y, marker.y - half - bottom, 0.0) / marker.width_px


def _cost(label: Label, marker: Marker) -> float:
    """How far a marker is from a label, in its own widths, with what speaks against it."""
    half = marker.width_px / 2
    left, top, right, bottom = label.rect
    across = max(left - marker.x - half, marker.x - half - right)
    down = max(top - max(marker.tip_y, marker.y + half), marker.y - half - bottom)
    if across < -OVERLAP_PX - half and down < -half:
        return float("inf")  # in the midst of the name: a letter
    if marker.hue == BADGE and (down > across or not _is_colored_as(label.box, marker, BADGE_COLOR)):
        return float("inf")  # badges stand close to names that are not theirs
    x, y = (left + right) / 2, (top + bottom) / 2
    aside = abs(marker.y - y) if across > down else abs(marker.x - x) * min(1.0, 2 * half / (right - left))
    far = hypot(max(across, 0.0), max(down, 0.0)) + SIDEWAYS * aside
    return far / marker.width_px + (0.0 if _same_hue(label.box, marker) else OTHER_COLOR)


def _is_colored_as(box: Box, marker: Marker, most: float) -> bool:
    """True if letters and marker are of about one colour."""
    return box.color is not None and dist(box.color, marker.color) <= most


def _same_hue(box: Box, marker: Marker) -> bool:
    if box.color is None or max(box.color) - min(box.color) < GREY:
        return True
    off = abs(_hue(box.color) - _hue(marker.color)) % 360
    return min(off, 360 - off) <= SAME_HUES


def _hue(color: tuple[int, int, int]) -> float:
    import colorsys

    return 360 * colorsys.rgb_to_hsv(*(part / 255 for part in color))[0]


SAME_SIGN = 0.82
"""Correlation of two signs of one picture from which on they are the same."""
KNOWN_SIGN = 0.70
"""... of a sign with one of the vocabulary: pictures are larger or smaller."""
ANY_KIND = ("red", "grey")
"""Colours of what was searched for, and of what is closed, whatever their kinds."""


@dataclass(frozen=True, slots=True)
class Sign:
    """An entry of the vocabulary.

    Attributes:
        name: What it shows.
        categories: Category ids, the surest first.
        colors: Colours of the markers it is seen on.
        bitmaps: How it looks, a byte a pixel; none for what any sign on markers of its colours means.
    """

    name: str
    categories: tuple[str, ...]
    colors: tuple[str, ...]
    bitmaps: tuple[bytes, ...]


def known_sign(marker: Marker) -> Sign | None:
    """The sign of a marker; None if it has none, or one that the vocabulary does not have."""
    if not marker.sign:
        return None
    signs = [sign for sign in known_signs() if marker.hue in sign.colors or marker.hue in ANY_KIND]
    scored = [
        (max(likeness(marker.sign, bitmap) for bitmap in sign.bitmaps), -at)
        for at, sign in enumerate(signs)
        if sign.bitmaps
    ]
    score, at = max(scored, default=(0.0, 0))
    if score >= KNOWN_SIGN:
        return signs[-at]
    return next((sign for sign in signs if not sign.bitmaps and marker.hue in sign.colors), None)


def same_sign(a: Marker, b: Marker) -> bool:
    """True if two markers of one picture have the same sign."""
    return bool(a.sign and b.sign) and a.hue == b.hue and likeness(a.sign, b.sign) >= SAME_SIGN


def likeness(a: bytes, b: bytes) -> float:
    """-1 to 1: the correlation of two bitmaps; 1 for equal ones, 0 where one is blank."""
    import numpy as np

    x = np.frombuffer(a, dtype=np.uint8).astype(np.float64)
    y = np.frombuffer(b, dtype=np.uint8).astype(np.float64)
    x, y = x - x.mean(), y - y.mean()
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if size else 0.0


@lru_cache(maxsize=1)
def known_signs() -> tuple[Sign, ...]:
    """The vocabulary, read once."""
    values = tomllib.loads((files("map_tools.vision") / "signs.toml").read_text("utf-8"))
    return tuple(
        Sign(
            name=entry["name"],
            categories=tuple(entry["categories"]),
            colors=tuple(entry["colors"]),
            bitmaps=tuple(_bitmap_of(bits) for bits in entry["bits"]),
        )
        for entry in values["sign"]
    )


def _bitmap_of(bits: str) -> bytes:
    """A byte a pixel of a bitmap in hexadecimal."""
    return bytes(int(bit) for bit in f"{int(bits, 16):0{4 * len(bits)}b}")
