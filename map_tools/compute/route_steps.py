"""Questions about the steps of a route, answered by counting and looking up: no model, no guessing."""

import re
from functools import lru_cache

from map_tools.compute.numbers import find_numbers
from map_tools.compute.scanning import alternatives, load
from map_tools.compute.step_reader import plain_text, read_step
from map_tools.compute.street_names import canonical_street, is_number, same_street
from map_tools.errors import UnknownNameError
from map_tools.text import normalise
from map_tools.types import Route, RouteStep

__all__ = [
    "FEATURES",
    "arrival_side",
    "count",
    "find_steps",
    "first_step",
    "has",
    "landmarks",
    "last_step",
    "next_step_after",
    "numbered_exit",
    "on_street",
    "plain_text",
    "previous_step_before",
    "read_step",
    "roundabout_exit",
    "same_street",
    "step_text",
    "streets",
    "uses_ferry",
]

FEATURES = (
    "step",
    "turn",
    "left_turn",
    "right_turn",
    "uturn",
    "roundabout",
    "stairs",
    "toll",
    "ferry",
    "highway",
)
"""What `count` can count. A slight or sharp turn is a turn; keeping left or right, merging, leaving by an
exit, and going round a roundabout are not. A roundabout one merely "goes through" counts as one."""

_LANDMARK_NOTE = re.compile(r"^Pass by (?P<name>.+?)(?: ?\((?:on|in|at) [^()]*\))?$", re.IGNORECASE)
_LANDMARK_IN_STEP = (
    re.compile(r"^(?:At|After|Past) (?P<name>[^,]+), ", re.IGNORECASE),
    re.compile(
        r" (?:at|after|past) (?P<name>.+?)(?= (?:onto|on|to stay|to continue|toward|towards)\b|[,(]|$)"
    ),
)
_NUMBERED_EXIT = re.compile(r"\btake (?:the )?exit (?P<name>\d+[A-Z]?)\b", re.IGNORECASE)
_ARRIVAL = re.compile(r"\b(?:destination|arriv\w+)\b[^.]*\b(?P<side>left|right)\b", re.IGNORECASE)
_GENERIC = re.compile(r"(?:the|a|an|your) (?:\d|[a-z])", re.IGNORECASE)


def find_steps(route: Route, street: str) -> tuple[int, ...]:
    """Indices of the steps that lead onto the street; if none does, of those that mention it ("toward X")."""
    steps = route.steps
    name = canonical_street(street)
    exact = tuple(i for i, step in enumerate(steps) if name in map(canonical_street, step.streets))
    on = exact or tuple(i for i, step in enumerate(steps) if on_street(step, street))
    if on:
        return on
    wanted = f" {normalise(street)} "
    return tuple(
        i for i, step in enumerate(steps) if wanted.strip() and wanted in f" {normalise(step_text(step))} "
    )


def on_street(step: RouteStep, street: str) -> bool:
    """True if one is on the street after the step; "Faisal Ave/Islamabad Expy" is one by any of its names."""
    wanted = {street, *street.split("/")}
    return any(same_street(one, name) for one in wanted for name in step.streets)


def next_step_after(route: Route, street: str) -> RouteStep | None:
    """The step that follows the one that leads onto the street (or that speaks of these words)."""
    found = find_steps(route, street)
    return route.steps[found[0] + 1] if found and found[0] + 1 < len(route.steps) else None


def previous_step_before(route: Route, street: str) -> RouteStep | None:
    """The step just before the one that leads onto the street (or that speaks of these words)."""
    found = find_steps(route, street)
    return route.steps[found[0] - 1] if found and found[0] > 0 else None


def first_step(route: Route) -> RouteStep | None:
    """The first step; None if the route has no steps."""
    return route.steps[0] if route.steps else None


def last_step(route: Route) -> RouteStep | None:
    """The last step that is a movement: "Arrive at your destination" is none."""
    moving = [step for step in route.steps if step.maneuver != "arrive"]
    return moving[-1] if moving else None


def count(route: Route, feature: str) -> int:
    """How many of a feature (`FEATURES`) the route has.

    Raises:
        UnknownNameError: No such feature.
    """
    if feature not in FEATURES:
        raise UnknownNameError(f"Routes have no feature '{feature}'.", f"Known are: {', '.join(FEATURES)}.")
    return sum(_occurrences(step, feature) for step in route.steps)


def has(route: Route, feature: str) -> bool:
    """True if the route has the feature at all."""
    return count(route, feature) > 0


def uses_ferry(route: Route) -> bool:
    """True if a warning or a step of the route speaks of a ferry."""
    return any("ferry" in warning.casefold() for warning in route.warnings) or has(route, "ferry")


def roundabout_exit(route: Route, street: str | None = None) -> int | None:
    """The exit taken at the roundabout that leads onto the street, or else lies on it.

    Without a street: at the first roundabout. None if no such roundabout states its exit.
    """
    numbered = [i for i, step in enumerate(route.steps) if step.roundabout_exit is not None]
    if street is None:
        return route.steps[numbered[0]].roundabout_exit if numbered else None
    found = find_steps(route, street)
    leading = next((i for i in numbered if i in found), None)
    on_it = next((i for i in numbered if i - 1 in found), None)
    chosen = leading if leading is not None else on_it
    return None if chosen is None else route.steps[chosen].roundabout_exit


def numbered_exit(step: RouteStep) -> str | None:
    """The number of the motorway exit a step takes ("Take exit 103A toward Main St" → "103A")."""
    found = _NUMBERED_EXIT.search(step.instruction)
    return found["name"].upper() if found else None


def arrival_side(step: RouteStep) -> tuple[str, str] | None:
    """The side the destination lies on, and the words that say so; None if the step does not speak of it."""
    for words in (*step.notes, step.instruction):
        found = _ARRIVAL.search(words)
        if found:
            return found["side"].lower(), words
    return None


def streets(route: Route) -> tuple[str, ...]:
    """The streets in the order travelled, each once until one leaves it.

    A step is on one street, whatever that is called beside its name. A number ("99A") that several streets
    share does not make them one.
    """
    names: list[str] = []
    current: set[str] = set()
    for step in route.steps:
        if step.streets:
            own = [name for name in step.streets if not is_number(name)] or list(step.streets)
            called = {canonical_street(name) for name in own}
            if called.isdisjoint(current):
                names.append(own[0])
            current = called
    return tuple(names)


def landmarks(step: RouteStep) -> tuple[str, ...]:
    """Places the step names on the way: "Pass by X (on the left)", "Turn left at X", "After X, ..."."""
    matches = [_LANDMARK_NOTE.match(note) for note in step.notes]
    matches += [pattern.search(step.instruction) for pattern in _LANDMARK_IN_STEP]
    names = (match["name"].strip(" .") for match in matches if match)
    return tuple(dict.fromkeys(name for name in names if name and not _GENERIC.match(name)))


def step_text(step: RouteStep) -> str:
    """A step in one line, with its notes in brackets."""
    return f"{step.instruction} ({'; '.join(step.notes)})" if step.notes else step.instruction


def _occurrences(step: RouteStep, feature: str) -> int:
    maneuver = step.maneuver or read_step(step.instruction).maneuver
    if feature == "step":
        return int(maneuver != "arrive")
    if feature == "roundabout":
        return int(maneuver.startswith("roundabout") and maneuver != "roundabout-exit") + _passed_roundabouts(
            step
        )
    if feature == "uturn":
        return int(maneuver.startswith("uturn"))
    if feature.endswith("turn"):
        side = feature.removesuffix("turn").strip("_")
        return int(maneuver.startswith("turn-") and maneuver.endswith(side))
    return int(
        maneuver.startswith(feature) or _feature_words(feature).search(step_text(step).lower()) is not None
    )


def _passed_roundabouts(step: RouteStep) -> int:
    """Roundabouts of notes such as "Go through 2 roundabouts"."""
    total = 0
    for note in step.notes:
        mention = re.search(r"go through (?P<count>.+?) roundabouts?\b", note, re.IGNORECASE)
        if mention:
            numbers = find_numbers(mention["count"])
            total += int(numbers[0].value) if numbers else 1
    return total


@lru_cache(maxsize=8)
def _feature_words(feature: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{alternatives(load('route_steps')['features'][feature])})\b")
