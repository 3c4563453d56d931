"""Which exit to take: of a roundabout, counted, or of a motorway, numbered."""

from map_tools.compute import route_steps
from map_tools.types import Route, RouteStep
from mapagent.answer import OptionPick, Quantity, Solution, Text, Value
from mapagent.evidence import Evidence
from modules.solvers.common import ranked_as
from modules.solvers.route_case import RouteCase
from modules.solvers.route_select import steps_onto
from modules.solvers.route_turns import with_steps
from modules.view import CannotTellError


def leave_by_exit(case: RouteCase) -> Solution | None:
    """Which exit to take: of the roundabout on (or onto) the street `after`, else of a motorway.

    Where no street tells which of them is meant, the numbered exits come after the counted one.

    Raises:
        CannotTellError: The steps name no such exit.
    """
    found = with_steps(case)
    if found is None:
        return None
    item, route = found
    step = _roundabout(case, route)
    numbered = _numbered(case, route)
    if step is None and not numbered:
        place = f" at {case.intent.after}" if case.intent.after else ""
        raise CannotTellError(f"The route via {route.summary} names no exit{place}.")
    values = [value for one in numbered for value in (*_options_of(case, one), *_number_values(one))]
    if step is not None and step.roundabout_exit is not None:
        counted = step.roundabout_exit
        first = Text(text=f"{ordinal(counted)} exit", topic="instruction")
        others = values if case.intent.after is None else []
        return _answered(case, item, route, step, [first, Quantity(value=counted, unit="count"), *others])
    return _answered(case, item, route, numbered[0], values)


def _answered(
    case: RouteCase, item: Evidence, route: Route, step: RouteStep, values: list[Value]
) -> Solution:
    case.trail.claim("step", (item.id,), step.instruction, route=route.summary, after=None)
    return case.answered(values[0], f"via {route.summary}: {step.instruction}", values[1:])


def _roundabout(case: RouteCase, route: Route) -> RouteStep | None:
    """The roundabout asked about; None if there is none such."""
    after, nth = case.intent.after, case.intent.nth
    if nth is not None:
        return ranked_as(_roundabouts(route, after), nth)
    number = route_steps.roundabout_exit(route, after)
    return next((one for one in route.steps if one.roundabout_exit == number), None) if number else None


def _roundabouts(route: Route, street: str | None) -> list[RouteStep]:
    """The roundabouts whose exit is counted, in order; with a street those that lead onto it or lie on it."""
    steps = route.steps
    counted = [index for index, step in enumerate(steps) if step.roundabout_exit is not None]
    if street is not None:
        on = set(steps_onto(route, street))
        counted = [index for index in counted if index in on or index - 1 in on]
    return [steps[index] for index in counted]


def _numbered(case: RouteCase, route: Route) -> list[RouteStep]:
    """The steps that take a numbered exit (after the street `after`)."""
    if case.intent.nth is not None:
        return []
    steps = route.steps
    if case.intent.after is not None:
        on = steps_onto(route, case.intent.after)
        steps = steps[on[0] :] if on else ()
    return [step for step in steps if route_steps.numbered_exit(step) is not None]


def _number_values(step: RouteStep) -> list[Value]:
    """A numbered exit as an answer: in words, and as a number if it is one."""
    name = route_steps.numbered_exit(step) or ""
    number = [Quantity(value=int(name), unit="count")] if name.isdecimal() else []
    return [Text(text=f"exit {name}"), *number]


def _options_of(case: RouteCase, step: RouteStep) -> list[Value]:
    """The option that is this exit's number to the letter ("12B", not "12")."""
    name = route_steps.numbered_exit(step)
    options = case.view.question.live_options()
    picks = [OptionPick(index=at, text=text) for at, text in options if _bare(text) == name]
    return list(picks) if len(picks) == 1 else []


def _bare(option: str) -> str:
    """The number in an option: "Exit 12b" → "12B"."""
    return option.strip().upper().removeprefix("EXIT").strip()


def ordinal(number: int) -> str:
    """1 → "1st"."""
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
