"""Solvers that read the steps of one route: what comes after a street, which exit, how many roundabouts."""

from collections.abc import Iterator
from itertools import islice

from map_tools.compute import route_steps
from map_tools.types import Route, RouteStep
from mapagent.answer import Named, OptionPick, Quantity, Solution, Text, Value, YesNo
from mapagent.evidence import Evidence
from modules.names import normalise, same_name
from modules.solvers.common import ranked_as
from modules.solvers.route_case import RouteCase
from modules.solvers.route_select import (
    bare_count,
    feature_count,
    on_street_only,
    route_of,
    steps_onto,
    without_notes,
)
from modules.view import CannotTellError

SIDES = ("left", "right", "straight")
"""Where a step may lead, as options and manoeuvres say it."""


def next_step(case: RouteCase) -> Solution | None:
    """What to do after the street `after`; without one, at the start."""
    if case.intent.after is None:
        return end_step(case)
    found = with_steps(case)
    if found is None:
        return None
    item, route = found
    street = case.intent.after
    later = list(_steps_after_feature(case, route)) or list(_steps_after(route, street))
    if not later:
        raise CannotTellError(f"The route via {route.summary} has no step after {street}.")
    step = later[0]
    ranking: list[Value] = [Text(text=one.instruction, topic="instruction") for one in later]
    ranking += [Named(name=name) for one in (step, *later) for name in one.streets]
    return _instruction(case, item, route, step, ranking)


def end_step(case: RouteCase) -> Solution | None:
    """The first or the last instruction."""
    found = with_steps(case)
    if found is None:
        return None
    item, route = found
    last = case.intent.ask == "last_step"
    step = (route_steps.last_step(route) if last else None) or route.steps[0]
    way = _option_of_word(case, step)
    if way is not None:
        case.trail.claim("step", (item.id,), step.instruction, route=route.summary, after=None)
        return case.answered(way, f"via {route.summary}: {step.instruction}")
    return _instruction(case, item, route, step, [Named(name=name) for name in step.streets])


def _instruction(
    case: RouteCase, item: Evidence, route: Route, step: RouteStep, ranking: list[Value]
) -> Solution:
    after = case.intent.after
    case.trail.claim("step", (item.id,), step.instruction, route=route.summary, after=after)
    where = f"after {after}" if after else "at the end" if case.intent.ask == "last_step" else "at the start"
    words = f"via {route.summary}, {where}: {step.instruction}"
    return case.answered(Text(text=step.instruction, topic="instruction"), words, ranking)


def _steps_after(route: Route, street: str) -> Iterator[RouteStep]:
    """Readings of "after the street": the very next step, what leaves it; again for later stretches."""
    steps = route.steps
    for position in steps_onto(route, street):
        following = steps[position + 1 :]
        yield from following[:1]
        yield from islice((step for step in following if not route_steps.on_street(step, street)), 1)


def _steps_after_feature(case: RouteCase, route: Route) -> Iterator[RouteStep]:
    """The step behind the roundabout, the stairs ... that the question names; of several the `nth`."""
    feature = case.intent.feature
    if feature is None:
        return
    at = [position for position, step in enumerate(route.steps) if feature_count(route_of((step,)), feature)]
    place = ranked_as(at, case.intent.nth or 1)
    if place is not None:
        yield from route.steps[place + 1 :][:1]


def turn_onto(case: RouteCase) -> Solution | None:
    """Which way one turns onto the street `after`: the instruction, or its side if the options are sides."""
    found = with_steps(case)
    if found is None:
        return None
    item, route = found
    street = case.intent.after or ""
    onto = steps_onto(route, street)
    if not onto:
        raise CannotTellError(f"The route via {route.summary} does not lead onto {street}.")
    step = route.steps[onto[0]]
    side = _side(step.maneuver)
    if side is None:
        raise CannotTellError(
            f"The route via {route.summary} makes no turn onto {street}: {step.instruction}"
        )
    case.trail.claim("step", (item.id,), step.instruction, route=route.summary, after=None)
    words = f"via {route.summary}: {step.instruction}"
    instruction = Text(text=step.instruction, topic="instruction")
    return case.answered(_option_of_side(case, side) or instruction, words)


def _option_of_word(case: RouteCase, step: RouteStep) -> OptionPick | None:
    """The option that is a word of the instruction ("South" of "Head south on Mill Rd"), if just one is."""
    said = set(normalise(step.instruction).split())
    options = case.view.question.live_options()
    picks = [OptionPick(index=index, text=text) for index, text in options if normalise(text) in said]
    return picks[0] if len(picks) == 1 else None


def _option_of_side(case: RouteCase, side: str) -> OptionPick | None:
    """The option that names this side, if just one does."""
    picks = [
        OptionPick(index=index, text=text)
        for index, text in case.view.question.live_options()
        if side in normalise(text).split()
    ]
    return picks[0] if len(picks) == 1 else None


def _side(maneuver: str) -> str | None:
    """The side a manoeuvre goes to ("turn-slight-left" → "left"); None if it names none."""
    return next((side for side in SIDES if maneuver.endswith(side)), None)


def neighbour_street(case: RouteCase) -> Solution | None:
    """The street before or after the street `after`."""
    found = with_steps(case)
    if found is None:
        return None
    item, route = found
    streets = _streets_in_turn(route)
    street = case.intent.after
    shift = -1 if case.intent.ask == "previous_street" else 1
    if street is None:
        neighbours = list(streets[-1 if shift < 0 else 0]) if streets else []
    else:
        places = [index for index, names in enumerate(streets) if _bears(names, street)]
        beside = [streets[index + shift] for index in places if 0 <= index + shift < len(streets)]
        neighbours = [name for names in beside for name in names]
    if not neighbours:
        side = "before" if shift < 0 else "after"
        raise CannotTellError(f"The route via {route.summary} has no street {side} {street or 'it'}.")
    case.trail.use(item.id)
    return case.answered(
        Named(name=neighbours[0]),
        f"via {route.summary}: {' → '.join('/'.join(names) for names in streets)}",
        [Named(name=name) for name in neighbours[1:]],
    )


def _streets_in_turn(route: Route) -> list[tuple[str, ...]]:
    """The streets one after another, each with all its names (a road and its number are one street)."""
    found: list[tuple[str, ...]] = []
    for step in route.steps:
        if step.streets and not (found and any(_bears(found[-1], name) for name in step.streets)):
            found.append(step.streets)
    return found


def _bears(names: tuple[str, ...], street: str) -> bool:
    return any(route_steps.same_street(name, street) for name in names)


def arrival_side(case: RouteCase) -> Solution | None:
    """On which side the destination lies, or the place `feature` that one passes, as the steps say."""
    found = with_steps(case)
    if found is None:
        return None
    item, route = found
    place = case.intent.feature
    if place is not None and same_name(place, case.intent.destination):
        place = None
    if place is not None:
        sides = (_passed_on(step, place) for step in route.steps)
        said = next((side for side in sides if side), None)
    else:
        said = next((one for step in reversed(route.steps) if (one := route_steps.arrival_side(step))), None)
    if said is None:
        what = f"{place} lies" if place else "one arrives"
        raise CannotTellError(f"The route via {route.summary} does not say on which side {what}.")
    case.trail.use(item.id)
    side, note = said
    return case.answered(_option_of_side(case, side) or Text(text=side), f"via {route.summary}: {note}")


def _passed_on(step: RouteStep, place: str) -> tuple[str, str] | None:
    """The side on which a step says one passes a place, and the words that say so."""
    names = [name for name in route_steps.landmarks(step) if same_name(place, name)]
    for note in (note for note in step.notes for name in names if name in note):
        side = next((side for side in SIDES[:2] if f" on the {side} " in f" {normalise(note)} "), None)
        if side is not None:
            return side, note
    return None


def count_feature(case: RouteCase) -> Solution | None:
    """How many of a feature the route has (on the street `after`, if given).

    Remarks such as "Go through 1 roundabout" count; the number without them comes next.
    """
    found = with_steps(case)
    if found is None:
        return None
    item, route = found
    feature = case.intent.feature or "step"
    number = feature_count(route, feature, case.intent.after)
    bare = bare_count(route, feature, case.intent.after)
    _claim_count(case, item, route, feature)
    if bare != number and case.view.question.live_options():
        _claim_count(case, item, without_notes(route), feature)
        case.trail.warn(
            f"{number} counts those one only passes through as well; the turns alone make {bare}."
        )
    where = f" on {case.intent.after}" if case.intent.after else ""
    return case.answered(
        Quantity(value=number, unit="count"),
        f"via {route.summary}{where}: {number} × {feature}",
        [Quantity(value=bare, unit="count")],
    )


def has_feature(case: RouteCase) -> Solution | None:
    """Whether the route has a feature."""
    found = with_steps(case)
    if found is None:
        return None
    item, route = found
    feature = case.intent.feature or "turn"
    number = feature_count(route, feature, case.intent.after)
    _claim_count(case, item, route, feature)
    if number == 0 and feature not in route_steps.FEATURES:
        case.trail.warn(f"The instructions do not speak of '{feature}'.")
    return case.answered(YesNo(value=number > 0), f"via {route.summary}: {number} × {feature}")


def _claim_count(case: RouteCase, item: Evidence, route: Route, feature: str) -> None:
    """Claims a count by the instructions it is made of, each as often as it counts."""
    labels = [
        step.instruction
        for step in on_street_only(route, case.intent.after).steps
        for _ in range(feature_count(route_of((step,)), feature))
    ]
    case.trail.claim("count", (item.id,), len(labels), labels=labels)


def landmark(case: RouteCase) -> Solution | None:
    """What one passes at or after the street `after` (anywhere on the route without one)."""
    found = with_steps(case)
    if found is None:
        return None
    item, route = found
    street = case.intent.after
    start = 0
    if street is not None:
        on = steps_onto(route, street)
        if not on:
            raise CannotTellError(f"The route via {route.summary} does not run along {street}.")
        start = on[0]
    passed = [name for step in route.steps[start:] for name in route_steps.landmarks(step)]
    if not passed:
        raise CannotTellError(f"The route via {route.summary} names nothing one passes {_after(street)}.")
    case.trail.use(item.id)
    return case.answered(
        Named(name=passed[0]),
        f"via {route.summary}, {_after(street)}: {', '.join(passed)}",
        [Named(name=name) for name in passed[1:]],
    )


def _after(street: str | None) -> str:
    return f"after {street}" if street else "on the way"


def with_steps(case: RouteCase) -> tuple[Evidence, Route] | None:
    """The route the question is about, with its steps; None while it is being fetched.

    Raises:
        CannotTellError: Its steps are not known.
    """
    found = case.chosen()
    if found is None:
        return None
    item, fact, route = found
    if not route.steps:
        raise CannotTellError(f"The steps of the route via {case.name_of(fact, route)} are not known.")
    return item, route
