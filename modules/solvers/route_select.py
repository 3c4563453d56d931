"""Which of several routes is meant: the fastest, the shortest, the one along a street."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from map_tools.compute import route_steps
from map_tools.facts import RoutesFact
from map_tools.types import Route, RouteLeg, RouteStep
from modules.offline.intents import RouteIntent
from modules.names import SAME_SCORE, normalise, similarity
from modules.solvers.route_facts import route_measure
from modules.view import CannotTellError

_VIA = re.compile(r"^\s*via\s+", re.IGNORECASE)

_COUNTED_EXIT = re.compile(r"\btake the \d+(?:st|nd|rd|th) exit\b", re.IGNORECASE)

_ENDING = re.compile(r"(?:ing|es|ed|e|s)$")
_SHORT = 3
"""The longest word that is compared as it stands."""

_FILLERS = frozenset({"a", "an", "and", "by", "in", "of", "on", "the", "to", "with"})

_ARRIVAL = "arrive_"
"""The features "arrive_left" and "arrive_right": the side the destination lies on."""

ON_THE_WAY = 0.5
"""Share of a route's wanted streets below which the route does not run along them."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """Routes with the measure they were ranked by ("s", "m"), best first."""

    routes: tuple[tuple[Route, float], ...]
    unit: Literal["s", "m"]
    rule: Literal["min", "max"]

    @property
    def best(self) -> Route:
        """The first of the ranking."""
        return self.routes[0][0]


def rank_routes(fact: RoutesFact, select: str) -> Ranked:
    """The routes in the order a question asks for; of equal ones the source's order stands.

    Raises:
        CannotTellError: The routes carry no such measure.
    """
    unit: Literal["s", "m"] = "m" if select in ("shortest", "longest") else "s"
    measured = [(route, value) for route in fact.routes if (value := route_measure(route, unit)) is not None]
    if not measured:
        what = "lengths" if unit == "m" else "travel times"
        raise CannotTellError(f"The routes from {fact.origin} to {fact.destination} have no {what}.")
    falling = select in ("longest", "slowest")
    ordered = sorted(measured, key=lambda pair: -pair[1] if falling else pair[1])
    return Ranked(routes=tuple(ordered), unit=unit, rule="max" if falling else "min")


def keeps_limit(route: Route, intent: RouteIntent) -> bool:
    """True if a route is as long, or takes as long, as the question wants the routes to be."""
    if intent.at_most is None and intent.at_least is None:
        return True
    value = route_measure(route, intent.limit_unit)
    low, high = intent.at_least or 0.0, intent.at_most
    return value is not None and low <= value and (high is None or value <= high)


def chosen_route(fact: RoutesFact, intent: RouteIntent) -> Route:
    """The one route the question is about.

    Raises:
        CannotTellError: No route runs along the streets named.
    """
    if intent.along:
        return route_along(fact, intent.along)
    if len(fact.routes) == 1:
        return fact.routes[0]
    return rank_routes(fact, intent.select).best


def route_along(fact: RoutesFact, along: str) -> Route:
    """The route whose summary is `along`, or that has these streets in its steps.

    Raises:
        CannotTellError: There is no such route.
    """
    wanted = clean_via(along)
    by_name = max(fact.routes, key=lambda route: similarity(clean_via(route.summary), wanted))
    if similarity(clean_via(by_name.summary), wanted) >= SAME_SCORE:
        return by_name
    parts = [part for part in re.split(r"\s+(?:and|then)\s+|\s*[,&]\s*", wanted) if part]
    by_steps = max(fact.routes, key=lambda route: _share_on(route, parts))
    if _share_on(by_steps, parts) > ON_THE_WAY:
        return by_steps
    known = ", ".join(route.summary for route in fact.routes if route.summary)
    raise CannotTellError(
        f"No route from {fact.origin} to {fact.destination} via {wanted} is at hand; there are: {known}."
    )


def runs_along(fact: RoutesFact, street: str) -> bool:
    """True if one of the routes runs along a street (or all of several)."""
    try:
        route_along(fact, street)
    except CannotTellError:
        return False
    return True


def clean_via(text: str) -> str:
    """A route's name without a leading "via"."""
    return _VIA.sub("", text).strip()


def mentions(step: RouteStep, words: str) -> bool:
    """True if a step's instruction or notes speak of `words`, all of them in the order given."""
    wanted = normalise(words)
    return any(f" {wanted} " in f" {normalise(text)} " for text in (step.instruction, *step.notes))


def mentions_all(step: RouteStep, words: str) -> bool:
    """True if a step speaks of each of `words` that has a meaning of its own, in any order."""
    said = {_stem(word) for word in normalise(" ".join((step.instruction, *step.notes))).split()}
    wanted = set(normalise(words).split()) - _FILLERS
    return bool(wanted) and {_stem(word) for word in wanted} <= said


def _stem(word: str) -> str:
    """A verb without its ending, so that "heading west" finds "Head west"."""
    return _ENDING.sub("", word) if len(word) > _SHORT else word


def _share_on(route: Route, streets: list[str]) -> float:
    if not streets:
        return 0.0
    on = sum(any(mentions(step, street) for step in route.steps) for street in streets)
    return on / len(streets)


def feature_count(route: Route, feature: str, street: str | None = None) -> int:
    """How often a route has a feature, on one street only if `street` is given."""
    part = on_street_only(route, street)
    if feature == "street":
        return len(route_steps.streets(part))
    if feature.startswith(_ARRIVAL):
        sides = (route_steps.arrival_side(step) for step in part.steps)
        return sum(side is not None and feature == _ARRIVAL + side[0] for side in sides)
    if feature not in route_steps.FEATURES:
        return feature_counts((part,), feature)[0]
    named = sum(_named_roundabout(step) for step in part.steps) if feature == "roundabout" else 0
    return route_steps.count(part, feature) + named


def feature_counts(routes: Sequence[Route], feature: str, street: str | None = None) -> list[int]:
    """As `feature_count`, for routes that are compared.

    Words that are no known feature are looked for as a phrase, then as a street, then one by one: the first
    reading that fits any of the routes counts for all.
    """
    if feature in route_steps.FEATURES or feature == "street" or feature.startswith(_ARRIVAL):
        return [feature_count(route, feature, street) for route in routes]
    parts = [on_street_only(route, street) for route in routes]
    counts = [0] * len(parts)
    for reads in (mentions, route_steps.on_street, mentions_all):
        counts = [sum(reads(step, feature) for step in part.steps) for part in parts]
        if any(counts):
            break
    return counts


def _named_roundabout(step: RouteStep) -> bool:
    """True for a roundabout that is only called by its name ("At Place Royale, take the 2nd exit").

    Exits of motorways bear numbers ("take exit 22"), those of roundabouts are counted.
    """
    counted = step.roundabout_exit is not None or _COUNTED_EXIT.search(step.instruction) is not None
    return counted and not step.maneuver.startswith("roundabout")


def bare_count(route: Route, feature: str, street: str | None = None) -> int:
    """As `feature_count`, from the manoeuvres alone: remarks beside the instructions do not count."""
    return feature_count(without_notes(route), feature, street)


def without_notes(route: Route) -> Route:
    """The route without the remarks beside its instructions."""
    legs = tuple(
        leg.model_copy(update={"steps": tuple(step.model_copy(update={"notes": ()}) for step in leg.steps)})
        for leg in route.legs
    )
    return route.model_copy(update={"legs": legs})


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
    return route_of(tuple(route.steps[index] for index in steps_onto(route, street)))


def route_of(steps: tuple[RouteStep, ...]) -> Route:
    """Steps as a route of their own."""
    leg = RouteLeg(distance_m=None, duration_s=None, steps=steps)
    return Route(summary="", distance_m=None, duration_s=None, legs=(leg,))
