"""Solvers that compare routes or modes: which has fewest roundabouts, how much longer, by which mode."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from map_tools.facts import RoutesFact
from map_tools.types import Route, TravelMode
from mapagent.answer import Quantity, Solution, Text, YesNo
from modules.offline.intents import BACK, RouteIntent
from modules.solvers.measures import measure_words
from modules.solvers.route_case import RouteCase
from modules.solvers.route_facts import (
    MODE_WORDS,
    Leg,
    claim_leg,
    claim_sum,
    default_modes,
    find_leg,
)
from modules.solvers.route_select import Ranked, feature_counts, rank_routes, route_along
from modules.view import CannotTellError


def difference(case: RouteCase) -> Solution | None:
    """How much longer one route is than another, or one mode than another.

    Unless the question names both, it is the next best route (or the one `along`) against the best.
    """
    if case.intent.modes:
        return _mode_difference(case)
    if case.intent.against == BACK:
        return _there_and_back(case)
    if case.intent.via:
        return _detour(case)
    found = case.routes(alternatives=True)
    if found is None:
        return None
    item, fact = found
    ranked = rank_routes(fact, case.intent.select)
    if len(ranked.routes) < 2:
        raise CannotTellError(f"Only one route from {fact.origin} to {fact.destination} is at hand.")
    best, other = _compared(fact, ranked, case.intent)
    values = {id(route): value for route, value in ranked.routes}
    for route in (best, other):
        if id(route) not in values:
            raise CannotTellError(f"The route via {case.name_of(fact, route)} cannot be compared.")
    first, second = values[id(best)], values[id(other)]
    gap = abs(second - first)
    unit = case.claim_measures(item, fact, (best, other), ranked.unit)
    more, less = max(first, second), min(first, second)
    case.trail.claim("difference", (item.id,), gap, values=[more, less], unit=unit)
    sides = [
        f"via {case.name_of(fact, route)} {measure_words(value, ranked.unit)}"
        for route, value in ((other, second), (best, first))
    ]
    words = f"{' − '.join(sides)} = {measure_words(gap, ranked.unit)}"
    return case.answered(Quantity(value=gap, unit=ranked.unit), words)


def _there_and_back(case: RouteCase) -> Solution | None:
    """How much longer the way there is than the way back."""
    ends = (case.intent.origin, case.intent.destination)
    pair = [find_leg(case.view, case.book, a, b, case.mode) for a, b in (ends, ends[::-1])]
    legs = [leg for leg in pair if leg is not None]
    if len(legs) < len(pair):
        return None
    unit = "m" if case.intent.select in ("shortest", "longest") else "s"
    values = [leg.measure(unit) for leg in legs]
    known = [value for value in values if value is not None]
    if len(known) < len(legs) or any(leg.turned for leg in legs):
        raise CannotTellError(f"Only one direction between {ends[0]} and {ends[1]} is known.")
    for leg, value in zip(legs, known, strict=True):
        claim_leg(case.trail, leg, value, unit)
    gap = abs(known[0] - known[1])
    values_down = sorted(known, reverse=True)
    case.trail.claim("difference", [leg.evidence_id for leg in legs], gap, values=values_down, unit=unit)
    words = f"there {measure_words(known[0], unit)}, back {measure_words(known[1], unit)}"
    return case.answered(Quantity(value=gap, unit=unit), f"{words}: difference {measure_words(gap, unit)}")


def _detour(case: RouteCase) -> Solution | None:
    """How much longer the way over the stops `via` is than the direct one."""
    intent = case.intent
    stops = (intent.origin, *intent.via, intent.destination)
    direct = find_leg(case.view, case.book, intent.origin, intent.destination, case.mode)
    legs = [find_leg(case.view, case.book, a, b, case.mode) for a, b in pairwise(stops)]
    ready = tuple(leg for leg in legs if leg is not None)
    if direct is None or len(ready) < len(legs):
        return None
    unit = "m" if intent.select in ("shortest", "longest") else "s"
    total, shown = claim_sum(case.trail, ready, unit)
    straight = direct.distance_m if unit == "m" else direct.duration_s
    if straight is None:
        raise CannotTellError(f"How far it is from {direct.origin} to {direct.destination} is not known.")
    claim_leg(case.trail, direct, straight, unit)
    gap = abs(total - straight)
    ids = [leg.evidence_id for leg in (*ready, direct)]
    values = sorted((total, straight), reverse=True)
    case.trail.claim("difference", ids, gap, values=values, unit=f"{unit} (summed)")
    words = f"over {', '.join(intent.via)} {shown}; direct {measure_words(straight, unit)}"
    return case.answered(Quantity(value=gap, unit=unit), f"{words}: difference {measure_words(gap, unit)}")


def _compared(fact: RoutesFact, ranked: Ranked, intent: RouteIntent) -> tuple[Route, Route]:
    """The two routes a difference is asked of; without names, the best and the next or the last."""
    if intent.against in ("slowest", "longest"):
        return ranked.best, ranked.routes[-1][0]
    if intent.along and intent.against:
        return route_along(fact, intent.along), route_along(fact, intent.against)
    return ranked.best, route_along(fact, intent.along) if intent.along else ranked.routes[1][0]


def by_feature(case: RouteCase) -> Solution | None:
    """Which route has fewest or most of a feature; with "most", one without it is no answer."""
    found = case.routes(alternatives=True)
    if found is None:
        return None
    item, fact = found
    detailed = [route for route in fact.routes if route.steps]
    if not detailed:
        raise CannotTellError(f"The steps from {fact.origin} to {fact.destination} are not known.")
    feature = case.intent.feature or "turn"
    most = case.intent.ask == "most"
    wanted = (feature, *case.intent.more_features)
    each = [feature_counts(detailed, one, case.intent.after) for one in wanted]
    counts = [float(sum(of_route)) for of_route in zip(*each, strict=True)]
    liked = _by_measure(fact, case.intent.select, detailed)
    ordered = sorted(
        zip(detailed, counts, strict=True), key=lambda pair: (-pair[1] if most else pair[1], liked(pair[0]))
    )
    if most and ordered[0][1] == 0:
        raise CannotTellError(
            f"No route from {fact.origin} to {fact.destination} has '{"' or '".join(wanted)}'."
        )
    _warn_of_gaps(case, fact, detailed)
    tied = [case.name_of(fact, route) for route, count in ordered if count == ordered[0][1]]
    if len(tied) > 1:
        case.trail.warn(f"These are equal: {', '.join(tied)}; the {case.intent.select} comes first.")
    case.claim_best(item, fact, ordered, "count", "max" if most else "min")
    shown = [f"via {case.name_of(fact, route)} {count:g}" for route, count in ordered]
    values = [case.via(fact, route) for route, _ in ordered]
    return case.answered(values[0], f"number of {' and '.join(wanted)}: {'; '.join(shown)}", values[1:])


def _by_measure(fact: RoutesFact, select: str, routes: Sequence[Route]) -> Callable[[Route], int]:
    """The place of a route in the order of time or length; the source's order where they are not stated."""
    try:
        order: Sequence[Route] = [route for route, _ in rank_routes(fact, select).routes]
    except CannotTellError:
        order = routes
    places = {id(route): place for place, route in enumerate(order)}
    return lambda route: places.get(id(route), len(places))


def _warn_of_gaps(case: RouteCase, fact: RoutesFact, detailed: list[Route]) -> None:
    for route in fact.routes:
        if route not in detailed:
            case.trail.warn(f"The steps of the route via {case.name_of(fact, route)} are not known.")


def best_mode(case: RouteCase) -> Solution | None:
    """The mode that is fastest (or shortest); a mode without a way does not count."""
    legs = _mode_legs(case)
    return None if legs is None else _rank_modes(case, legs)


def _mode_legs(case: RouteCase) -> list[Leg] | None:
    """The way by each of the modes, those without one left out; None while any is being fetched."""
    modes = case.intent.modes or default_modes(case.view)
    legs: list[Leg] = []
    failures: list[CannotTellError] = []
    for mode in modes:
        try:
            leg = find_leg(case.view, case.book, case.intent.origin, case.intent.destination, mode)
        except CannotTellError as failure:
            failures.append(failure)
            continue
        if leg is not None:
            legs.append(leg)
    if case.view.waiting:
        return None
    if not legs:
        raise failures[0]
    for missing in failures:
        case.trail.warn(missing.reason)
    return legs


def _mode_difference(case: RouteCase) -> Solution | None:
    """How much longer one mode takes than the other (or how much longer its way is)."""
    legs = _mode_legs(case)
    if legs is None:
        return None
    measured, unit = _measured(case, legs)
    if len(measured) < 2:
        raise CannotTellError("Only one of the modes is at hand, so there is nothing to compare.")
    values = sorted((value for _, value in measured), reverse=True)
    gap = values[0] - values[-1]
    ids = [leg.evidence_id for leg, _ in measured]
    case.trail.claim("difference", ids, gap, values=[values[0], values[-1]], unit=unit)
    shown = [f"{MODE_WORDS[leg.mode]} {measure_words(value, unit)}" for leg, value in measured]
    words = f"{'; '.join(shown)}: difference {measure_words(gap, unit)}"
    first = mode_text(measured[0][0].mode)  # tells "the bike, by 4 minutes" from "the bus, by 4 minutes"
    return case.answered(Quantity(value=gap, unit=unit), words, [first])


def _measured(case: RouteCase, legs: list[Leg]) -> tuple[list[tuple[Leg, float]], str]:
    """The legs with their times or lengths, best first, all claimed; and the unit."""
    unit = "m" if case.intent.select in ("shortest", "longest") else "s"
    falling = case.intent.select in ("longest", "slowest")
    measured = [(leg, value) for leg in legs if (value := leg.measure(unit)) is not None]
    if not measured:
        raise CannotTellError("The lengths of these ways are not known.")
    measured.sort(key=lambda pair: -pair[1] if falling else pair[1])
    for leg, value in measured:
        claim_leg(case.trail, leg, value, unit)
    return measured, unit


def _rank_modes(case: RouteCase, legs: list[Leg]) -> Solution:
    measured, unit = _measured(case, legs)
    falling = case.intent.select in ("longest", "slowest")
    case.trail.claim(
        "max" if falling else "min",
        [leg.evidence_id for leg, _ in measured],
        measured[0][0].mode.value,
        values={leg.mode.value: value for leg, value in measured},
        unit=unit,
        k=1,
    )
    shown = [f"{MODE_WORDS[leg.mode]} {measure_words(value, unit)}" for leg, value in measured]
    if case.intent.claim is not None:
        return case.answered(YesNo(value=_is_only_first(measured, case.intent.claim)), "; ".join(shown))
    values = [mode_text(leg.mode) for leg, _ in measured]
    return case.answered(values[0], "; ".join(shown), values[1:])


def _is_only_first(measured: list[tuple[Leg, float]], claim: TravelMode) -> bool:
    """Whether this mode comes first and no other equals it.

    Raises:
        CannotTellError: Only one of the modes is at hand.
    """
    if len(measured) < 2:
        raise CannotTellError("Only one of the modes is at hand, so there is nothing to compare.")
    return measured[0][0].mode is claim and measured[0][1] != measured[1][1]


def mode_text(mode: TravelMode) -> Text:
    """A mode as an answer."""
    return Text(text=mode.value, topic="mode")
