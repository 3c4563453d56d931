"""The scale bar of a map picture: a length in writing beside a line that is so long on the ground.

The line has a tick at either end, both to one side, and that side is open: Google Maps sets it right of its length,
Leaflet, Mapbox and OpenLayers around it. Heights of summits and lengths of ways are written as well: a bar's length is
round, and stands near the upper or lower edge.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from map_tools.compute.measures import parse_distance_m
from map_tools.vision.boxes import Box

LENGTH = re.compile(r"\W*(\d[\d.,]*) ?(km|mi|ft|m)[\W_]*L?[\W_]*")
"""As read: the line and its tick often are signs or an L at the end ("100 mL")."""
ROUND = frozenset({"1", "2", "25", "3", "5"})
"""Digits of the lengths of bars, but for zeros: Leaflet's are 1, 2, 3 or 5 by a power of ten, others' 2.5 as well."""
EDGE = 0.12
"""How far from the upper or lower edge the writing of a bar ends at most, as a share of the picture's height."""
LONG = (2.5, 14.0)
"""Length of a bar in heights of its writing: Google Maps' takes 55 to 110 pixels at 12 of writing."""
ASIDE = 1.2
"""How far above or below its writing a bar is at most, in heights."""
TICK = (0.2, 2.0)
"""Height of a tick, in heights of the writing: one that goes on is the side of a building or of a window."""
TICK_PX = 3
"""... and in pixels; and the columns at an end of the line in which it may stand."""
CONTRAST = 90
"""How much darker or lighter than the ground a bar is, of 255."""


def find_scale(image: Any, boxes: Sequence[Box]) -> float | None:
    """Metres per pixel as the scale bar says; None where no bar is seen.

    Args:
        image: A Pillow image in RGB.
        boxes: Lines of text as read; of several with a bar the lowest counts, as bars stand at the lower edge.
    """
    import numpy as np

    grey = np.asarray(image.convert("L")).astype(np.int16)
    for box in sorted(boxes, key=lambda one: -one.y1):
        apart = min(box.y1, len(grey) - box.y0) / len(grey)
        told = LENGTH.fullmatch(box.text) if not box.angle_deg and apart <= EDGE else None
        is_round = told is not None and re.sub(r"\D", "", told[1]).strip("0") in ROUND
        length_m = parse_distance_m(f"{told[1]} {told[2]}") if told and is_round else None
        bar_px = max(_bars(grey, box), default=0) if length_m else 0
        if length_m and bar_px:
            return length_m / bar_px
    return None


def _bars(grey: Any, box: Box) -> Iterator[int]:
    """The lengths in pixels of what may be the bar beside a line of text."""
    import numpy as np

    high = box.height
    least, most = (share * high for share in LONG)
    top, left = max(0, int(box.y0 - ASIDE * high)), max(0, int(box.x0 - most))
    window = grey[top : int(box.y1 + ASIDE * high) + 1, left : int(box.x1 + most) + 1]
    if not window.size:
        return
    ground = np.median(window)
    for mask in (window < ground - CONTRAST, window > ground + CONTRAST):
        turns = np.diff(np.pad(mask.astype(np.int8), ((0, 0), (1, 1))), axis=1)
        starts, ends = np.argwhere(turns == 1), np.argwhere(turns == -1)
        for (row, first), (_, end) in zip(starts.tolist(), ends.tolist(), strict=True):
            if least <= end - first <= most and _is_bar(mask, row, first, end, high):
                yield end - first


def _is_bar(mask: Any, row: int, first: int, end: int, high: float) -> bool:
    """Whether a run of a row has ticks at its ends, both above or both below, which nothing joins again."""
    for side in (mask[row::-1], mask[row:]):
        ticks = [
            max(_height(side[:, column]) for column in columns)
            for columns in (range(first, first + TICK_PX), range(end - TICK_PX, end))
        ]
        least, most = (max(round(share * high), TICK_PX) + 1 for share in TICK)  # with the line itself
        beyond = side[min(ticks) - 1, first:end] if least <= min(ticks) and max(ticks) <= most else None
        if beyond is not None and beyond.mean() < 0.5:
            return True
    return False


def _height(column: Any) -> int:
    """How many pixels from the line on are of the bar's colour."""
    return int((~column).argmax()) if not column.all() else len(column)
