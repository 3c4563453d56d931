"""Where options lie in a picture: farthest to a side, in a part of it, between two things, nearest to one."""

from map_tools.kinds.concepts import lookup
from modules.visual_place_recognizer.case import (
    LIKELY,
    SURE,
    WEAK,
    Case,
    Solution,
    fits_kind,
    from_edge,
    is_on,
    shape_of,
    shape_of_label,
    shape_of_region,
    spot,
)
from modules.visual_place_recognizer.naming import Scored, unread_options
from modules.visual_place_recognizer.shapes import Shape, Spot
from modules.visual_place_recognizer.written import fitting_written

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
    shape = shape_of_region(region, case)
    if shape is None:
        return case.unanswerable(f"'{region.of}' is not written in the picture.")
    inside = [one for one in case.placed if is_on(one[1], region.sides, shape)]
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


def on_the_way(case: Case) -> Solution | None:
    """Which option makes the way between two things least longer."""
    if case.ask.way is None or case.ask.counts or not case.placed:
        return None
    start, end = (shape_of(name, case) for name in case.ask.way)
    if start is None or end is None:
        return None
    others = _of_the_kind(_but_those_named(case, (start.text, end.text)), case)
    if not others:
        return None
    ends = {"start": (start,), "end": (end,)}.get(case.ask.part, (start, end))
    far = {one[0]: sum(shape.distance_px(spot(one[1])) for shape in ends) for one in others}
    index, label = min(others, key=lambda one: far[one[0]])
    where = f" near its {case.ask.part}" if case.ask.part else ""
    said = f"Of the options {label.text} lies best on the way from {start.text} to {end.text}{where}."
    return case.pick(index, said, LIKELY)


def nearest(case: Case) -> Solution | None:
    """Which option lies nearest to (or farthest from) the thing the question measures from."""
    ask = case.ask
    if ask.counts or not (ask.near or ask.farthest) or not case.question.live_options():
        return None
    anchor = _anchor(case)
    if anchor is None:
        named = next(iter(ask.anchors), "")
        return case.unanswerable(f"'{named}' is not written in the picture.") if named else None
    others = _of_the_kind(_but_those_named(case, (anchor.text,)), case)
    nameless = _nearest_nameless(others, anchor, case)
    if nameless is not None:
        return nameless
    if not others:
        return case.unanswerable("None of the options is written in the picture.")
    far = {index: anchor.distance_px(spot(label)) for index, label in others}
    index, label = (max if ask.farthest else min)(others, key=lambda one: far[one[0]])
    all_read = len(case.placed) == len(case.question.live_options())
    word = "farthest from" if ask.farthest else "nearest to"
    said = f"In the picture {label.text} is {word} {anchor.text}."
    return case.pick(index, said, SURE if all_read else LIKELY)


def _nearest_nameless(others: list[Scored], anchor: Shape, case: Case) -> Solution | None:
    """The option in letters that are not read, where no name was read of the nearest thing of the kind."""
    unread = unread_options(case.question, case.options)
    spots = [
        (marker.x_px, marker.y_px)
        for marker in case.picture.markers
        if not case.ask.categories.isdisjoint(marker.signs)
    ]
    if not unread or not spots or case.ask.farthest:
        return None
    least = min(anchor.distance_px(one) for one in spots)
    if any(anchor.distance_px(spot(label)) <= least for _, label in others):
        return None
    said = f"What is nearest to {anchor.text} has a name in letters that were not read, as has this option."
    if len(unread) == 1:
        return case.pick(unread[0], said, LIKELY)
    warning = f"{len(unread)} options are in such letters; which of them it is, was not read."
    return case.pick(unread[0], said, WEAK).model_copy(update={"warnings": (warning,)})


def _of_the_kind(options: list[Scored], case: Case) -> list[Scored]:
    """The options of the kind asked for, or all where none is known to be; those written to be as asked."""
    fitting = [one for one in options if fits_kind(one[1], case.ask)] or options
    return list(fitting_written(case, fitting)[0])


def _but_those_named(case: Case, names: tuple[str, ...]) -> list[Scored]:
    """The options on the map but for what is measured from."""
    return [one for one in case.placed if one[1].text not in names]


def _anchor(case: Case) -> Shape | None:
    """What the question measures from: by its name, all of a kind ("the station"), or something mentioned."""
    for name in case.ask.anchors:
        shape = shape_of(name, case)
        if shape is not None:
            return shape
    options = [label for _, label in case.placed]
    for label in case.mentioned:
        if label not in options and label.sort != "shield" and lookup(label.text) is None:
            return shape_of_label(label, case)
    return None


def _along(spot: Spot, a: Spot, b: Spot) -> tuple[float, float]:
    """Where a spot lies along the line from a to b and how far off it, as shares of the line's length."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy or 1.0
    x, y = spot[0] - a[0], spot[1] - a[1]
    return (x * dx + y * dy) / square, abs(dx * y - dy * x) / square
