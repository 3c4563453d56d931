"""Questions about the steps of a route, answered by counting, looking up and comparing words: no model, no guessing."""

import re
from functools import lru_cache

from map_tools.compute.route_replies import read_step
from map_tools.compute.scanning import alternatives, find_numbers, load
from map_tools.errors import UnknownNameError
from map_tools.text import SAME_SCORE, canonical_street, is_number, normalise, same_street, similarity
from map_tools.types import Route, RouteLeg, RouteStep

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
_VIA = re.compile(r"^\s*via\s+", re.IGNORECASE)
_COUNTED_EXIT = re.compile(r"\btake the \d+(?:st|nd|rd|th) exit\b", re.IGNORECASE)
_ENDING = re.compile(r"(?:ing|es|ed|e|s)$")
_SHORT = 3
"""The longest word that is compared as it stands."""

_FILLERS = frozenset({"a", "an", "and", "by", "in", "of", "on", "the", "to", "with"})
_ARRIVES_ON = "arrive_"
"""The features "arrive_left" and "arrive_right": the side the destination lies on."""

_NOT_ALL = 0.99
"""The most that names which differ in a word are alike."""

_MOSTLY = 0.5
"""Share of the streets wanted below which a route does not run along them."""


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


def likeness(route: Route, streets: str) -> float:
    """How much what a route is called is like these streets, from 0 to 1; 1 only for these streets and no others."""
    wanted, summary = normalise(_VIA.sub("", streets)), normalise(_VIA.sub("", route.summary))
    if not summary or summary == wanted:
        return float(bool(summary))
    return min(similarity(summary, wanted), _NOT_ALL)


def along_streets(route: Route, streets: str) -> bool:
    """Whether a route is known by these streets ("Harbour Road and A3"), or runs along most of them."""
    if likeness(route, streets) >= SAME_SCORE:
        return True
    wanted = _VIA.sub("", streets).strip()
    parts = [part for part in re.split(r"\s+(?:and|then)\s+|\s*[,&]\s*", wanted) if part]
    on = sum(any(on_street(step, part) or mentioned(step, part) for step in route.steps) for part in parts)
    return bool(parts) and on / len(parts) > _MOSTLY


def mentioned(step: RouteStep, words: str) -> bool:
    """Whether a step's instruction or notes speak of some words, all of them in their order."""
    wanted = normalise(words)
    return any(f" {wanted} " in f" {normalise(text)} " for text in (step.instruction, *step.notes))


def feature_count(route: Route, feature: str, street: str | None = None) -> int:
    """How often a route has a feature (one of `FEATURES`, "street", "arrive_left"), on one street if given.

    Any other words are looked for as a phrase, then as a street, then one by one.
    """
    part = on_street_only(route, street)
    if feature == "street":
        return len(streets(part))
    if feature.startswith(_ARRIVES_ON):
        sides = (arrival_side(step) for step in part.steps)
        return sum(side is not None and feature == _ARRIVES_ON + side[0] for side in sides)
    if feature in FEATURES:
        named = sum(_named_roundabout(step) for step in part.steps) if feature == "roundabout" else 0
        return count(part, feature) + named
    for reads in (mentioned, on_street, _spoken_of):
        found = sum(reads(step, feature) for step in part.steps)
        if found:
            return found
    return 0


def steps_onto(route: Route, street: str) -> tuple[int, ...]:
    """Indices of the steps that lead onto a street; of "A/B" those that bear most of its names."""
    parts = [part.strip() for part in street.split("/") if part.strip()]
    found = find_steps(route, street)
    named = [
        sum(any(same_street(part, name) for name in route.steps[index].streets) for part in parts)
        for index in found
    ]
    return tuple(index for index, count in zip(found, named, strict=True) if count == max(named))


def on_street_only(route: Route, street: str | None) -> Route:
    """The route with only those of its steps that lead onto a street; the route itself without one."""
    if street is None:
        return route
    leg = RouteLeg(
        distance_m=None,
        duration_s=None,
        steps=tuple(route.steps[index] for index in steps_onto(route, street)),
    )
    return Route(summary="", distance_m=None, duration_s=None, legs=(leg,))


def without_notes(route: Route) -> Route:
    """The route without the remarks beside its instructions ("Go through 1 roundabout")."""
    legs = tuple(
        leg.model_copy(update={"steps": tuple(step.model_copy(update={"notes": ()}) for step in leg.steps)})
        for leg in route.legs
    )
    return route.model_copy(update={"legs": legs})


def _spoken_of(step: RouteStep, words: str) -> bool:
    """Whether a step speaks of each of the words that has a meaning of its own, in any order."""
    said = {_stem(word) for word in normalise(" ".join((step.instruction, *step.notes))).split()}
    wanted = set(normalise(words).split()) - _FILLERS
    return bool(wanted) and {_stem(word) for word in wanted} <= said


def _stem(word: str) -> str:
    """A verb without its ending, so that "heading west" finds "Head west"."""
    return _ENDING.sub("", word) if len(word) > _SHORT else word


def _named_roundabout(step: RouteStep) -> bool:
    """Whether it is a roundabout that is only called by its name ("At Place Royale, take the 2nd exit").

    Exits of motorways bear numbers ("take exit 22"), those of roundabouts are counted.
    """
    counted = step.roundabout_exit is not None or _COUNTED_EXIT.search(step.instruction) is not None
    return counted and not step.maneuver.startswith("roundabout")


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
