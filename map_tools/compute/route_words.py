"""Routes and steps by words: which streets they run along, and how often they have what a word names."""

import re

from map_tools.compute import route_steps
from map_tools.text import SAME_SCORE, normalise, similarity
from map_tools.types import Route, RouteLeg, RouteStep

_VIA = re.compile(r"^\s*via\s+", re.IGNORECASE)
_COUNTED_EXIT = re.compile(r"\btake the \d+(?:st|nd|rd|th) exit\b", re.IGNORECASE)
_ENDING = re.compile(r"(?:ing|es|ed|e|s)$")
_SHORT = 3
"""The longest word that is compared as it stands."""
_FILLERS = frozenset({"a", "an", "and", "by", "in", "of", "on", "the", "to", "with"})
_ARRIVAL = "arrive_"
"""The features "arrive_left" and "arrive_right": the side the destination lies on."""
_NOT_ALL = 0.99
"""The most that names which differ in a word are alike."""
_MOSTLY = 0.5
"""Share of the streets wanted below which a route does not run along them."""


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
    on = sum(
        any(route_steps.on_street(step, part) or mentioned(step, part) for step in route.steps)
        for part in parts
    )
    return bool(parts) and on / len(parts) > _MOSTLY


def mentioned(step: RouteStep, words: str) -> bool:
    """Whether a step's instruction or notes speak of some words, all of them in their order."""
    wanted = normalise(words)
    return any(f" {wanted} " in f" {normalise(text)} " for text in (step.instruction, *step.notes))


def feature_count(route: Route, feature: str, street: str | None = None) -> int:
    """How often a route has a feature (`route_steps.FEATURES`, "street", "arrive_left"), on one street if given.

    Any other words are looked for as a phrase, then as a street, then one by one.
    """
    part = on_street_only(route, street)
    if feature == "street":
        return len(route_steps.streets(part))
    if feature.startswith(_ARRIVAL):
        sides = (route_steps.arrival_side(step) for step in part.steps)
        return sum(side is not None and feature == _ARRIVAL + side[0] for side in sides)
    if feature in route_steps.FEATURES:
        named = sum(_named_roundabout(step) for step in part.steps) if feature == "roundabout" else 0
        return route_steps.count(part, feature) + named
    for reads in (mentioned, route_steps.on_street, _spoken_of):
        found = sum(reads(step, feature) for step in part.steps)
        if found:
            return found
    return 0


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


def steps_onto(route: Route, street: str) -> tuple[int, ...]:
    """Indices of the steps that lead onto a street; of "A/B" those that bear most of its names."""
    parts = [part.strip() for part in street.split("/") if part.strip()]
    found = route_steps.find_steps(route, street)
    named = [
        sum(any(route_steps.same_street(part, name) for name in route.steps[index].streets) for part in parts)
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
