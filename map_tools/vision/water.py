"""Rivers, lakes and the sea in a map picture: large areas in the light blue that maps paint water in."""

from typing import Any

HUES = (185, 222)
"""Of water, in degrees: Google Maps 194 (style of 2024) and 211 (before), OpenStreetMap 194."""
SATURATIONS = (0.20, 0.55)
"""Signs and routes drawn in blue have more, airports and hospitals less."""
LEAST_VALUE = 0.82
LEAST_SHARE = 0.002
"""Share of the picture that one water takes at least; what is smaller is a pond, or a button."""
STEP_PX = 8
"""Rows are so many pixels apart."""

type Span = tuple[int, int, int]
"""A row's y, and the first and last x that are water in it."""


def find_water(image: Any) -> tuple[Span, ...]:
    """Where the picture shows water, as spans of rows from top to bottom.

    Args:
        image: A Pillow image in RGB.
    """
    import cv2
    import numpy as np

    turned = cv2.cvtColor(np.asarray(image), cv2.COLOR_RGB2HSV)
    low = (HUES[0] // 2, round(255 * SATURATIONS[0]), round(255 * LEAST_VALUE))
    high = (HUES[1] // 2, round(255 * SATURATIONS[1]), 255)
    mask = cv2.inRange(turned, low, high)
    # Names and dashed lines of ferries are written across rivers.
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    _, areas, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    large = stats[:, cv2.CC_STAT_AREA] >= LEAST_SHARE * mask.size
    large[0] = False  # what is no water
    wet = large[areas]
    return tuple(
        (y, int(first), int(last) - 1)
        for y in range(0, wet.shape[0], STEP_PX)
        for first, last in np.flatnonzero(np.diff(wet[y].astype(np.int8), prepend=0, append=0)).reshape(-1, 2)
    )
