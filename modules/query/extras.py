"""What accompanies an answer: notes on ways and walks, what was counted, the planned trip, constructed shapes."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from map_tools.clock import local_zone
from map_tools.compute.measures import format_distance, format_duration
from map_tools.compute.route_replies import hard_path, quickest, remarkable
from map_tools.compute.route_steps import has
from map_tools.facts import RoutesFact, TravelFact
from map_tools.types import TOLD, Route, Shape, TravelMode
from mapagent.core.answer import Trip, TripLeg, TripVisit
from mapagent.core.ports import Run
from modules.query.interpreter.context import CellRequest, Facts, RoutesRequest
from modules.query.interpreter.fetching import fetches, replies
from modules.query.interpreter.running import Caller, Outcome
from modules.query.interpreter.showing import rounded
from modules.query.language import syntax
from modules.query.language.types import MODE_NAMES
from modules.query.situation import zone_of
from modules.query.values.amount import Amount
from modules.query.values.moment import Moment
from modules.query.values.things import Finished, Items, Plan, Thing, Way

MOST_WAYS = 3
"""Ways with a ferry, or a path of a grade, that are named; the rest is counted."""
MUCH_LONGER = 1.3
"""A walk is noted if it is this many times as long as the straight line."""
MOST_WALKED_M = 10_000.0
"""The walk between places farther apart is not noted."""

type _Way = tuple[str, str, TravelMode, tuple[str, ...], tuple[str, ...]]
"""Both ends of a way, its mode, its stops and what it avoids."""


def remarks(outcome: Outcome) -> tuple[str, ...]:
    """Sentences on the ways that include a ferry or a mountain path, if the answer rests on them or measures them.

    Ways that were only compared, such as those to all candidates, are left out.
    """
    remarked = set(_remarked(outcome.facts))
    ways: dict[str, dict[str, None]] = {what: {} for what, _ in sorted(remarked)}
    for way in _ways(outcome) if remarked else ():
        name = f"{way.origin.name} → {way.destination.name} {TOLD[MODE_NAMES[way.mode.value]]}"
        for what, named in ways.items():
            if (what, _key(way)) in remarked:
                named[name] = None
    return tuple(
        f"{what[:1].upper()}{what[1:]} is part of {_some(list(named))}."
        for what, named in ways.items()
        if named
    )


def _some(named: list[str]) -> str:
    more = f" and {len(named) - MOST_WAYS} more" if len(named) > MOST_WAYS else ""
    return f"{'; '.join(named[:MOST_WAYS])}{more}"


async def walks(outcome: Outcome, caller: Caller, statement: int) -> tuple[str, ...]:
    """A sentence for each straight line that the answer states and that is much shorter than the walk.

    Only a map on this machine is asked, and only about places between which the program asks for no way.

    Args:
        outcome: Outcome of the program.
        caller: Makes the map-tool calls.
        statement: The statement that they are charged to.
    """
    lines = _lines(outcome) if outcome.situation.bounded and not outcome.situation.text else {}
    made = fetches(lines)
    if not made or len(made) > caller.left() or caller.rounds_spent() is not None:
        return ()
    caller.begin_round()
    found = await asyncio.gather(*(caller.call(statement, fetch.call) for fetch in made))
    told = {
        request: reply.fact
        for fetch, evidence in zip(made, found, strict=True)
        for request, reply in replies(fetch, evidence).items()
    }
    return tuple(
        f"On foot it is {format_distance(fact.distance_m)} from {fact.origin_name} to {fact.destination_name}"
        f"{', by ferry in part' if fact.ferry else ''} ({format_duration(fact.duration_s)})"
        f"{f', over {hard_path(fact.path_grade)}' if fact.path_grade else ''}."
        for request, straight_m in lines.items()
        if isinstance(fact := told.get(request), TravelFact)
        and fact.duration_s is not None
        and fact.distance_m is not None
        and fact.distance_m > MUCH_LONGER * straight_m
    )


def _remarked(facts: Facts) -> Iterator[tuple[str, _Way]]:
    """What is part of ways, and of which, unless a warning of the route says so."""
    for request, reply in facts.known.items():
        match request, reply.fact:
            case CellRequest(), TravelFact(ferry=ferry, path_grade=grade):
                way: _Way = request.origin, request.destination, request.mode, (), ()
                yield from ((what, way) for what in remarkable(ferry=ferry, path_grade=grade))
            case RoutesRequest(), RoutesFact(routes=routes) if routes and _is_silent(quickest(routes)):
                way = request.origin, request.destination, request.mode, request.via, request.avoid
                yield from ((what, way) for what in remarkable(ferry=True))


def _is_silent(route: Route) -> bool:
    """Whether a route takes a ferry and has no warning of its own that says so."""
    return has(route, "ferry") and not any("ferry" in warning.casefold() for warning in route.warnings)


def _key(way: Way) -> _Way:
    stops = tuple(stop.reference for stop in way.via)
    return way.origin.reference, way.destination.reference, way.mode, stops, way.avoid


def _ways(outcome: Outcome) -> Iterator[Way]:
    """The ways that are told, those of told amounts, and those that the program takes outside of its lambdas."""
    told = list(_members(_given(outcome)))
    amounts = {id(one) for one in told if isinstance(one, Amount)}
    paths = {node.path for node in outcome.derivation if id(node.result) in amounts} | {()}
    for one in (*told, *(node.result for node in outcome.derivation if node.path in paths)):
        yield from (one,) if isinstance(one, Way) else one.legs if isinstance(one, Plan) else ()


def _lines(outcome: Outcome) -> dict[CellRequest, float]:
    """The walks between places whose straight line is told, each with its length in metres."""
    told = {id(one) for one in _given(outcome)}
    asked = {
        frozenset((request.origin, request.destination))
        for request in outcome.facts.known
        if isinstance(request, CellRequest | RoutesRequest)
    }
    return {
        CellRequest(a.reference, b.reference, TravelMode.WALKING): length.value
        for length, a, b in outcome.lines
        if id(length) in told
        and 0 < length.value <= MOST_WALKED_M
        and frozenset((a.reference, b.reference)) not in asked
    }


def _given(outcome: Outcome) -> tuple[Any, ...]:
    return outcome.finished.value, *(value for _, value in outcome.finished.parts)


def _members(values: Iterable[Any]) -> Iterator[Any]:
    for one in values:
        if isinstance(one, Items):
            yield from _members(one)
        else:
            yield one


def counted(program: syntax.Program, outcome: Outcome) -> Items | None:
    """The members that a "yes" rests on: those of the list whose count the main value compares.

    "Is there a bakery on this street?" also wants to know which; None if a part of the answer lists some already.
    """
    if outcome.finished.value is not True or any(
        isinstance(part, Items) for _, part in outcome.finished.parts
    ):
        return None
    ends = program.answer.expr
    node = ends.positional[0] if isinstance(ends, syntax.Call) and ends.positional else ends
    named = {one.name: one.expr for one in program.statements if one.name}
    node = named.get(node.name, node) if isinstance(node, syntax.Name) else node
    counts = node.items if isinstance(node, syntax.Comparison) else ()
    lists = [one.positional[0] for one in counts if isinstance(one, syntax.Call) and one.operator == "count"]
    found = _value_of(lists[0], outcome) if len(lists) == 1 else None
    return found if isinstance(found, Items) and len(found) else None


def _value_of(node: syntax.Argument, outcome: Outcome) -> Any:
    """What a part of the program outside of its lambdas came to."""
    if isinstance(node, syntax.Name):
        return outcome.values.get(node.name)
    return next((one.result for one in outcome.reached() if one.node == node.number), None)


def planned_trip(outcome: Outcome, run: Run, *, dated: bool) -> Trip | None:
    """The trip of an outcome; None if there is none, or it is not feasible.

    It is the main value or a part; else the last trip that the program planned as an intermediate value, such as
    to say when it ends or how long it is.

    Args:
        outcome: Outcome of the program.
        run: Its run, which gives the time zone; failing that, it is the zone of the trip's first place.
        dated: Whether the day is a calendar date; else a weekday means that of any week, and times are left out.
    """
    finished = outcome.finished
    given = (finished.value, *(value for _, value in finished.parts))
    # Plans within a lambda are those of other cases, such as each of several starts.
    on_the_way = (node.result for node in reversed(outcome.derivation) if not node.path)
    plan = next((one for one in (*given, *on_the_way) if isinstance(one, Plan) and one.feasible), None)
    return None if plan is None else _told(plan, zone_of(run), dated=dated)


def made_shapes(finished: Finished) -> Mapping[str, Shape]:
    """The areas and lines that a program constructed and returns, by the ids of their places."""
    values = (finished.value, *(value for _, value in finished.parts))
    return {
        thing.id: Shape(kind="line" if thing.role == "line" else "area", wkt=thing.shape)
        for thing in _things(values)
        if thing.shape is not None
    }


def _things(values: Iterable[Any]) -> Iterator[Thing]:
    for value in values:
        if isinstance(value, Thing):
            yield value
        elif isinstance(value, Items):
            yield from _things(value)


def _told(plan: Plan, zone: str | None, *, dated: bool) -> Trip:
    first = plan.origin.place.location
    if zone is None and first is not None and plan.depart is not None:
        zone = local_zone(first)
    clock = None if zone is None else ZoneInfo(zone)
    return Trip(
        visits=tuple(
            TripVisit(
                place=stop.thing.place,
                begin=_at(stop.begin, clock) if dated else None,
                end=_at(stop.leave, clock) if dated else None,
            )
            for stop in plan.stops
        ),
        legs=tuple(
            TripLeg(origin=leg.origin.place, destination=leg.destination.place, mode=leg.mode)
            for leg in plan.legs
        ),
    )


def _at(moment: Moment | None, clock: ZoneInfo | None) -> datetime | None:
    """A time as it is shown, to the minute; None if its day is not known."""
    if moment is None or moment.any_day or moment.whole_day:
        return None
    return rounded(moment.at).replace(second=0, microsecond=0, tzinfo=clock)
