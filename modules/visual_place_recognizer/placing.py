"""Where options lie in a picture: farthest to a side, in a part of it, between two things, nearest to one."""

import re
from math import dist

from map_tools.concepts import lookup
from map_tools.facts import PictureLabel
from mapagent.answer import Claim, Solution
from modules.names import same_name
from modules.visual_place_recognizer.case import (
    LIKELY,
    SURE,
    Case,
    Scored,
    Spot,
    fits_kind,
    from_edge,
    is_on,
    middle_of,
    spot,
)

ARTICLE = re.compile(r"^(?:the|a|an|any)\s+", re.IGNORECASE)
ASIDE_SHARE = 0.45
"""What is between two things lies no farther from the line between them, as a share of its length."""


def extreme(case: Case) -> Solution | None:
    """Which option lies farthest to a side."""
    side = case.ask.extreme
    if side is None or len(case.placed) < 2:
        return None
    index, label = min(case.placed, key=lambda one: from_edge(one[1], side))
    return case.pick(index, f"{label.text} lies farthest to the {side} side of the picture.", SURE)


def in_region(case: Case) -> Solution | None:
    """Which option lies in a part of the picture."""
    region = case.ask.region
    if region is None or not case.placed:
        return None
    middle = middle_of(region, case)
    if middle is None:
        return case.unanswerable(f"'{region.of}' is not written in the picture.")
    inside = [one for one in case.placed if is_on(one[1], region.sides, middle)]
    fitting = [one for one in inside if fits_kind(one[1], case.ask)] or inside
    if not fitting:
        return case.unanswerable("None of the options lies there in the picture.")
    deepest = min(fitting, key=lambda one: sum(from_edge(one[1], side) for side in region.sides))
    sides = " and ".join(region.sides)
    return case.pick(
        deepest[0], f"{deepest[1].text} lies on the {sides} side.", SURE if len(inside) == 1 else LIKELY
    )


def between(case: Case) -> Solution | None:
    """Which option lies between two things."""
    if case.ask.between is None or case.ask.counts:
        return None
    ends = [case.label(name) for name in case.ask.between]
    if ends[0] is None or ends[1] is None:
        missing = [name for name, end in zip(case.ask.between, ends, strict=True) if end is None]
        return case.unanswerable(f"'{missing[0]}' is not written in the picture.")
    a, b = spot(ends[0]), spot(ends[1])
    offsets = [(one, *_along(spot(one[1]), a, b)) for one in case.placed]
    inside = [(off, one) for one, at, off in offsets if 0 < at < 1 and off <= ASIDE_SHARE]
    if not inside:
        return case.unanswerable("None of the options lies between the two in the picture.")
    _, (index, label) = min(inside, key=lambda entry: entry[0])
    return case.pick(index, f"{label.text} lies between {ends[0].text} and {ends[1].text}.", SURE)


def nearest(case: Case) -> Solution | None:
    """Which option lies nearest to (or farthest from) the thing the question measures from."""
    ask = case.ask
    if ask.counts or not (ask.near or ask.farthest) or not case.question.live_options():
        return None
    anchors = _anchors(case)
    if not anchors:
        named = next(iter(ask.anchors), "")
        return case.unanswerable(f"'{named}' is not written in the picture.") if named else None
    others = _of_the_kind([one for one in case.placed if one[1] not in anchors], case)
    if not others:
        return case.unanswerable("None of the options is written in the picture.")
    far = {index: min(dist(spot(label), spot(one)) for one in anchors) for index, label in others}
    index, label = (max if ask.farthest else min)(others, key=lambda one: far[one[0]])
    compared = Claim(
        rule="max" if ask.farthest else "min",
        inputs=(case.evidence_id,),
        arguments={"values": {one.text: round(far[number], 1) for number, one in others}, "unit": "px"},
        result=label.text,
    )
    all_read = len(case.placed) == len(case.question.live_options())
    word = "farthest from" if ask.farthest else "nearest to"
    said = f"In the picture {label.text} is {word} {anchors[0].text}."
    return case.pick(index, said, SURE if all_read else LIKELY, compared)


def _of_the_kind(options: list[Scored], case: Case) -> list[Scored]:
    """The options of the kind asked for; all of them where none is known to be."""
    return [one for one in options if fits_kind(one[1], case.ask)] or options


def _anchors(case: Case) -> tuple[PictureLabel, ...]:
    """What the question measures from: a label by name, all of a kind ("the station"), or one mentioned."""
    options = [label for _, label in case.placed]
    for name in case.ask.anchors:
        label = case.label(name)
        kind = lookup(ARTICLE.sub("", name))
        if label is not None and (kind is None or same_name(label.text, name)):
            return (label,)
        if kind is not None and (found := _of_kind(frozenset(kind.ids), options, case)):
            return found
    return tuple(
        label
        for label in case.mentioned
        if label not in options and label.sort != "shield" and lookup(label.text) is None
    )[:1]


def _of_kind(categories: frozenset[str], options: list[PictureLabel], case: Case) -> tuple[PictureLabel, ...]:
    """The labels that are surely of a kind, options aside."""
    return tuple(
        label
        for label in case.picture.labels
        if label not in options and not categories.isdisjoint(label.categories)
    )


def _along(spot: Spot, a: Spot, b: Spot) -> tuple[float, float]:
    """Where a spot lies along the line from a to b and how far off it, as shares of the line's length."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy or 1.0
    x, y = spot[0] - a[0], spot[1] - a[1]
    return (x * dx + y * dy) / square, abs(dx * y - dy * x) / square
