"""Solver for questions about one route: how long, how far, which way, what comes next."""

from collections.abc import Callable
from itertools import pairwise

from map_tools.facts import RoutesFact
from map_tools.types import Route
from mapagent.answer import Quantity, Sequence, Solution, Text, Value, YesNo
from mapagent.evidence import Evidence
from modules.offline.intents import RouteIntent
from modules.solvers import route_compare, route_exits, route_order, route_turns
from modules.solvers.measures import measure_words
from modules.solvers.route_case import RouteCase
from modules.solvers.route_facts import (
    MODE_WORDS,
    Leg,
    claim_sum,
    find_leg,
    known_leg,
    route_measure,
)
from modules.solvers.route_select import chosen_route, keeps_limit, rank_routes
from modules.solvers.route_stretch import stretch
from modules.view import CannotTellError, View


def solve_route(intent: RouteIntent, view: View) -> Solution | None:
    """Answers a question about a route; None while facts are being fetched.

    Raises:
        CannotTellError: The facts do not tell.
    """
    case = RouteCase.of(intent, view)
    return _SOLVERS[intent.ask](case)


def _measure(case: RouteCase) -> Solution | None:
    """Duration or distance of the route, or whether it keeps within a limit."""
    intent = case.intent
    if intent.stretch is not None:
        return stretch(case)
    if intent.via:
        return _measure_stops(case)
    plain = intent.along is None and intent.select == "fastest" and not intent.without
    if plain and not intent.also and case.known_routes() is None:
        leg = known_leg(case.view, case.book, intent.origin, intent.destination, case.mode)
        if leg is not None:
            return _measure_legs(case, (leg,))
    try:
        found = case.routes(alternatives=not plain)
    except CannotTellError:
        if not plain:
            raise
        leg = find_leg(case.view, case.book, intent.origin, intent.destination, case.mode)
        return None if leg is None else _measure_legs(case, (leg,))
    return None if found is None else _measure_route(case, *found)


def _measure_route(case: RouteCase, item: Evidence, fact: RoutesFact) -> Solution:
    route = chosen_route(fact, case.intent)
    unit = _unit(case.intent)
    value = route_measure(route, unit)
    name = case.name_of(fact, route)
    if value is None:
        raise CannotTellError(f"The route via {name} has no {'length' if unit == 'm' else 'time'}.")
    case.claim_measure(item, fact, route, unit)
    others = [
        other for one in fact.routes if one is not route and (other := route_measure(one, unit)) is not None
    ]
    way = f"{fact.origin} → {fact.destination} {MODE_WORDS[fact.mode]} via {name}"
    if case.intent.also:
        return _both(case, item, fact, route)
    return case.answered(
        _value(case.intent, value, unit),
        f"{way}: {measure_words(value, unit)}",
        [_value(case.intent, other, unit) for other in others],
    )


def _both(case: RouteCase, item: Evidence, fact: RoutesFact, route: Route) -> Solution:
    """Time and length of the route in one answer, the one asked first in front."""
    first = _unit(case.intent)
    units = (first, "s" if first == "m" else "m")
    known = [(unit, value) for unit in units if (value := route_measure(route, unit)) is not None]
    if known[1:]:
        case.claim_measure(item, fact, route, known[1][0])
    shown = ", ".join(measure_words(value, unit) for unit, value in known)
    way = f"{fact.origin} → {fact.destination} {MODE_WORDS[fact.mode]} via {case.name_of(fact, route)}"
    return case.answered(Text(text=shown), f"{way}: {shown}")


def _measure_stops(case: RouteCase) -> Solution | None:
    """Duration or distance over stops on the way: the sum of the legs."""
    stops = (case.intent.origin, *case.intent.via, case.intent.destination)
    legs = [find_leg(case.view, case.book, a, b, case.mode) for a, b in pairwise(stops)]
    ready = tuple(leg for leg in legs if leg is not None)
    return _measure_legs(case, ready) if len(ready) == len(legs) else None


def _measure_legs(case: RouteCase, legs: tuple[Leg, ...]) -> Solution:
    unit = _unit(case.intent)
    total, shown = claim_sum(case.trail, legs, unit)
    way = " → ".join([legs[0].origin, *(leg.destination for leg in legs)])
    return case.answered(_value(case.intent, total, unit), f"{way} {MODE_WORDS[case.mode]}: {shown}")


def _unit(intent: RouteIntent) -> str:
    return "m" if intent.ask == "distance" else "s"


def _value(intent: RouteIntent, value: float, unit: str) -> Value:
    if intent.at_most is not None:
        return YesNo(value=value <= intent.at_most)
    if intent.at_least is not None:
        return YesNo(value=value >= intent.at_least)
    return Quantity(value=value, unit=unit)


def _via(case: RouteCase) -> Solution | None:
    """The street(s) the wanted route runs along; the others follow in falling order."""
    found = case.routes(alternatives=True)
    if found is None:
        return None
    item, fact = found
    ranked = rank_routes(fact, case.intent.select)
    kept = [(route, value) for route, value in ranked.routes if keeps_limit(route, case.intent)]
    if not kept:
        raise CannotTellError(f"No route from {fact.origin} to {fact.destination} keeps within that limit.")
    tied = [route for route, value in kept if value == kept[0][1]]
    if len(tied) > 1:
        names = ", ".join(case.name_of(fact, route) for route in tied)
        case.trail.warn(f"These are equal: {names}; the source names them in this order.")
    case.claim_best(item, fact, kept, ranked.unit, ranked.rule)
    shown = [f"via {case.name_of(fact, route)} {measure_words(value, ranked.unit)}" for route, value in kept]
    values = [case.via(fact, route) for route, _ in kept]
    return case.answered(values[0], "; ".join(shown), values[1:])


def _alternatives(case: RouteCase) -> Solution | None:
    found = case.routes(alternatives=True)
    if found is None:
        return None
    item, fact = found
    names = [case.name_of(fact, route) for route in fact.routes if keeps_limit(route, case.intent)]
    case.trail.claim("count", (item.id,), len(names), labels=names)
    return case.answered(Quantity(value=len(names), unit="count"), f"{len(names)} routes: {', '.join(names)}")


def _steps(case: RouteCase) -> Solution | None:
    found = case.chosen()
    if found is None:
        return None
    item, fact, route = found
    instructions = tuple(step.instruction for step in route.steps)
    if not instructions:
        raise CannotTellError(f"The steps of the route via {case.name_of(fact, route)} are not known.")
    case.trail.use(item.id)
    return case.answered(Sequence(names=instructions), f"via {case.name_of(fact, route)}")


_SOLVERS: dict[str, Callable[[RouteCase], Solution | None]] = {
    "duration": _measure,
    "distance": _measure,
    "via": _via,
    "alternatives": _alternatives,
    "steps": _steps,
    "difference": route_compare.difference,
    "fewest": route_compare.by_feature,
    "most": route_compare.by_feature,
    "best_mode": route_compare.best_mode,
    "order": route_order.by_way,
    "next_step": route_turns.next_step,
    "first_step": route_turns.end_step,
    "last_step": route_turns.end_step,
    "turn_onto": route_turns.turn_onto,
    "next_street": route_turns.neighbour_street,
    "previous_street": route_turns.neighbour_street,
    "exit": route_exits.leave_by_exit,
    "arrival_side": route_turns.arrival_side,
    "count": route_turns.count_feature,
    "has": route_turns.has_feature,
    "landmark": route_turns.landmark,
}
