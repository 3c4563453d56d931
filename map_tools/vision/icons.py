"""Which marker stands beside which label: each belongs to one at most."""

from collections.abc import Sequence
from dataclasses import replace
from math import dist, hypot

from map_tools.vision.boxes import Box, Label, Marker
from map_tools.vision.markers import BADGE

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
    if marker.hue == BADGE or across > REACH * marker.width_px or not _is_near(label.box, marker, OWN_COLOR):
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
    if marker.hue == BADGE and (down > across or not _is_near(label.box, marker, BADGE_COLOR)):
        return float("inf")  # badges stand close to names that are not theirs
    x, y = (left + right) / 2, (top + bottom) / 2
    aside = abs(marker.y - y) if across > down else abs(marker.x - x) * min(1.0, 2 * half / (right - left))
    far = hypot(max(across, 0.0), max(down, 0.0)) + SIDEWAYS * aside
    return far / marker.width_px + (0.0 if _same_hue(label.box, marker) else OTHER_COLOR)


def _is_near(box: Box, marker: Marker, most: float) -> bool:
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
