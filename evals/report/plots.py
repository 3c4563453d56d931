"""Plots as inline SVG: no script, colours from the page's style, a title and a description for each mark."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

LEFT, RIGHT, TOP, BOTTOM = 130, 20, 30, 40
WIDTH = 760
ROW_PX = 16
SERIES = 8
"""Colours of the style sheet (`.s0` to `.s7`); further series begin again."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A share (0 to 1) with its interval, of a series in a category; `hollow` for figures not our own."""

    category: str
    series: int
    label: str
    share: float
    low: float | None = None
    high: float | None = None
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class Point:
    """One run in a scatter plot."""

    x: float
    share: float
    series: int
    label: str


def intervals_plot(title: str, marks: Sequence[Interval]) -> str:
    """Categories below each other, one line of marks for each series; the x axis is 0 to 100 %."""
    categories = list(dict.fromkeys(mark.category for mark in marks))
    rows = {name: [mark for mark in marks if mark.category == name] for name in categories}
    parts, y = [], float(TOP)
    for name in categories:
        height = ROW_PX * len(rows[name])
        parts.append(_text(LEFT - 10, y + height / 2 + 4, name, anchor="end"))
        for number, mark in enumerate(rows[name]):
            parts.append(_interval_mark(mark, y + ROW_PX * (number + 0.5)))
        y += height + ROW_PX / 2
        parts.append(
            f'<line class="grid" x1="{LEFT}" y1="{y - 4:.1f}" x2="{WIDTH - RIGHT}" y2="{y - 4:.1f}"/>'
        )
    return _svg(title, y + BOTTOM, [*_share_axis(y), *parts])


def scatter_plot(title: str, x_label: str, points: Sequence[Point], height: int = 320) -> str:
    """Accuracy over a cost on a logarithmic axis; what costs nothing stands at the left edge."""
    positive = [point.x for point in points if point.x > 0]
    low = math.floor(math.log10(min(positive))) if positive else 0
    high = max(math.ceil(math.log10(max(positive))) if positive else 0, low + 1)
    floor = height - BOTTOM

    def across(value: float) -> float:
        if value <= 0:
            return float(LEFT)
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(value) - low) / (high - low)

    parts = [_text(WIDTH / 2, height - 4, x_label)]
    for power in range(low, high + 1):
        x = across(10.0**power)
        parts.append(_line("grid", (x, TOP), (x, floor)))
        parts.append(_text(x, floor + 16, f"{10.0**power:g}"))
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = floor - (floor - TOP) * share
        parts.append(_line("grid", (LEFT, y), (WIDTH - RIGHT, y)))
        parts.append(_text(LEFT - 10, y + 4, f"{100 * share:.0f} %", anchor="end"))
    for point in points:
        x, y = across(point.x), floor - (floor - TOP) * point.share
        told = f"{point.label}: {100 * point.share:.1f} %, {point.x:g} {x_label}"
        parts.append(
            f'<g class="s{point.series % SERIES}"><circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="5">'
            f"<title>{escape(told)}</title></circle>{_label(x, y, point.label)}</g>"
        )
    return _svg(title, height, parts)


def _interval_mark(mark: Interval, y: float) -> str:
    told = f"{mark.category}, {mark.label}: {100 * mark.share:.1f} %"
    whisker = ""
    if mark.low is not None and mark.high is not None:
        told += f" ({100 * mark.low:.1f} to {100 * mark.high:.1f} %)"
        whisker = _line("whisker", (_at(mark.low), y), (_at(mark.high), y))
    kind = "hollow" if mark.hollow else "mark"
    shape = f'<circle class="{kind}" cx="{_at(mark.share):.1f}" cy="{y:.1f}" r="4.5"/>'
    return f'<g class="s{mark.series % SERIES}"><title>{escape(told)}</title>{whisker}{shape}</g>'


def _share_axis(floor: float) -> Iterable[str]:
    for share in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        x = _at(share)
        yield _line("grid", (x, TOP), (x, floor))
        yield _text(x, floor + 16, f"{100 * share:.0f} %")


def _at(share: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * share


def _label(x: float, y: float, text: str) -> str:
    """To the right of a mark, or to its left near the right edge."""
    near_edge = x > WIDTH * 0.7
    return _text(x - 9 if near_edge else x + 9, y + 4, text, anchor="end" if near_edge else "start")


def _line(kind: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = start, end
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(title: str, height: float, parts: Iterable[str]) -> str:
    head = f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">'
    return f"{head}<title>{escape(title)}</title>{''.join(parts)}</svg>"
