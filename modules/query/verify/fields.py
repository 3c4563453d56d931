"""The fields of values: of ways and their steps, of trips, spans, moments and amounts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from map_tools.compute import route_steps
from map_tools.compute.clocks import format_clock
from map_tools.compute.route_replies import read_step
from map_tools.compute.street_names import canonical_street, is_number
from map_tools.facts import TravelFact
from map_tools.types import Route, RouteStep
from modules.query.language.types import MODE_NAMES
from modules.query.values.amount import DURATION, LENGTH, UNITS, Amount
from modules.query.values.moment import WEEKDAYS, Moment
from modules.query.values.things import (
    Bearing,
    Choice,
    Group,
    Items,
    Opening,
    Plan,
    Step,
    Stop,
    Thing,
    Visit,
    Way,
)  # fmt: skip
from modules.query.values.unknown import Unknown, Why
from modules.query.verify.agreement import wind
from modules.query.verify.cited import Cited, Fault, asked_time, best_route, measured
from modules.query.verify.stated import place_field
from modules.query.verify.timing import later


def way_amount(way: Way, name: str, cited: Cited) -> Amount | Unknown | Fault:
    """The `duration_s` or `distance_m` of a way."""
    found = measured(way, cited)
    if isinstance(found, Unknown | Fault):
        return found
    value = getattr(found, name)
    if value is None and isinstance(found, TravelFact) and name == "distance_m":
        route = best_route(way, cited)
        value = route.distance_m if isinstance(route, Route) else None
    for parts in (found.legs, found.steps) if isinstance(found, Route) and value is None else ():
        told: list[float | None] = [getattr(part, name) for part in parts]
        if told and None not in told and value is None:
            value = sum(one for one in told if one is not None)
    if value is None:
        return Unknown(Why.NOT_STATED, f"The {name[:-2]} of the way is not stated.")
    return Amount.of(value, DURATION if name == "duration_s" else LENGTH)


def way_field(way: Way, name: str, cited: Cited) -> Any:
    """A field of a way."""
    if name in {"origin", "destination"}:
        return getattr(way, name)
    if name in {"duration", "distance", "length"}:
        return way_amount(way, "duration_s" if name == "duration" else "distance_m", cited)
    if name in {"depart", "arrive"}:
        other = way.arrive if name == "depart" else way.depart
        own = getattr(way, name)
        if any(asked_time(way, cited)):
            return _by_timetable(measured(way, cited), name)
        seconds = way_amount(way, "duration_s", cited) if own is None and other is not None else None
        if own is not None or not isinstance(seconds, Amount) or other is None:
            return own or seconds or Unknown(Why.NOT_STATED, "No time is given.")
        return later(other, seconds.low if name == "arrive" else -seconds.low)
    if name in {"mode", "fare"}:
        return MODE_NAMES[way.mode.value] if name == "mode" else Unknown(Why.NOT_STATED, "No fare is stated.")
    route = best_route(way, cited)
    return _route_field(way, route, name) if isinstance(route, Route) else route


def _by_timetable(found: TravelFact | Route | Unknown | Fault, name: str) -> Any:
    """When a timetable lets one leave, or be there."""
    if isinstance(found, Unknown | Fault):
        return found
    if found.arrive_at is None or found.depart_at is None:
        return Unknown(Why.NOT_STATED, "Its times are not stated.")
    clocks = [datetime.combine(one.date(), one.time()) for one in (found.depart_at, found.arrive_at)]
    return Moment(clocks[0]) if name == "depart" else Moment(clocks[1], base=clocks[0])


def _route_field(way: Way, route: Route, name: str) -> Any:
    steps = tuple(Step(step, number, way) for number, step in enumerate(route.steps))
    match name:
        case "steps" if steps:
            return Items(steps)
        case "turns":
            return Items(tuple(step for step in steps if _turn(step.step)))
        case "streets":
            return Items(tuple(_streets(route.steps)))
        case "summary" | "name" if route.summary:
            return route.summary
        case "toll" | "ferry":
            if any(name in warning.casefold() for warning in route.warnings):
                return True
            # What counts as a toll or a ferry in the words of a step is the text readers' business.
            return (
                route_steps.has(route, name)
                if steps
                else Unknown(Why.NOT_STATED, "The steps are not stated.")
            )
        case "warnings":
            return Items(route.warnings)
        case "transfers" if route.depart_at is not None:
            rides = [step.ride for step in route.steps if step.ride is not None]
            return Amount.of(len(rides) - 1 if rides else 0)
    return Unknown(Why.NOT_STATED, f"The {name} of the way is not stated.")


def _streets(steps: Iterable[RouteStep]) -> Iterator[str]:
    """The streets of a way as one passes them; a road's number does not make two streets one."""
    current: set[str] = set()
    for step in steps:
        names = [name for name in step.streets if not is_number(name)] or list(step.streets)
        if names:
            called = {canonical_street(name) for name in names}
            if not called & current:
                yield names[0]
            current = called


def _maneuver(step: RouteStep) -> str:
    return step.maneuver or read_step(step.instruction).maneuver


def _turn(step: RouteStep) -> str:
    """left, right, u-turn or roundabout; empty where one goes straight on."""
    maneuver = _maneuver(step)
    if maneuver.startswith("turn-"):
        return "left" if maneuver.endswith("left") else "right"
    if maneuver.startswith("roundabout") and maneuver != "roundabout-exit":
        return "roundabout"
    return "u-turn" if maneuver.startswith("uturn") else ""


def _step_field(step: Step, name: str, _cited: Cited) -> Any:
    told = step.step
    notes = f" ({'; '.join(told.notes)})" if told.notes else ""
    exit_ = told.roundabout_exit
    values: dict[str, Any] = {
        "text": told.instruction + notes,
        "street": told.streets[0] if told.streets else None,
        "streets": Items(told.streets),
        "distance": None if told.distance_m is None else Amount.of(told.distance_m, LENGTH),
        "duration": None if told.duration_s is None else Amount.of(told.duration_s, DURATION),
        "exit": route_steps.numbered_exit(told) if exit_ is None else Amount.of(exit_),
        "mode": "walk" if told.maneuver == "walk" else MODE_NAMES[step.way.mode.value],
        **_ride_fields(told),
        "maneuver": _maneuver(told) or "straight",
        "landmarks": Items(route_steps.landmarks(told)),
        "side": (route_steps.arrival_side(told) or (None,))[0],
    }
    if name == "turn":
        return _turn(told) or Unknown(Why.NONE, "The step goes straight on.")
    value = values.get(name)
    return Unknown(Why.NOT_STATED, f"The {name} of a step is not stated.") if value is None else value


def _ride_fields(step: RouteStep) -> dict[str, Any]:
    """What a step by public transport tells of its ride."""
    ride = step.ride
    if ride is None:
        return {}
    leaves, comes = (datetime.combine(one.date(), one.time()) for one in (ride.depart_at, ride.arrive_at))
    return {
        "line": ride.line or None,
        "headsign": ride.headsign or None,
        "stops": Amount.of(ride.stops),
        "depart": Moment(leaves),
        "arrive": Moment(comes, base=leaves),
    }


def _plan_field(plan: Plan, name: str, _cited: Cited) -> Any:
    if name in {"travel", "stay", "wait"}:
        return Amount.of(getattr(plan, f"{name}_s"), DURATION)
    if name == "duration":
        return Amount.of(plan.travel_s + plan.stay_s + plan.wait_s, DURATION)
    if name == "distance" and plan.distance_m is not None:
        return Amount.of(plan.distance_m, LENGTH)
    lists = {"order": tuple(stop.thing for stop in plan.stops), "visits": plan.stops}
    lists |= {"legs": plan.legs, "problems": plan.problems}
    if name in lists:
        return Items(lists[name])
    value = getattr(plan, f"{name}_m" if name == "distance" else name)
    clock = name in {"depart", "arrive"} and plan.problems
    return Unknown(Why.NONE if clock else Why.NOT_STATED, "It is not known.") if value is None else value


def _stop_field(stop: Stop, name: str, cited: Cited) -> Any:
    if name in {"arrive", "begin", "leave"}:
        return getattr(stop, name) or Unknown(Why.NOT_STATED, "The program gives no time of departure.")
    if name in {"stay", "wait"}:
        return Amount.of(getattr(stop, f"{name}_s"), DURATION)
    return stop.thing if name == "place" else place_field(stop.thing, name, cited)


def _visit_field(visit: Visit, name: str, cited: Cited) -> Any:
    if name == "stay":
        return Amount.of(visit.stay_s, DURATION)
    return visit.thing if name == "place" else place_field(visit.thing, name, cited)


def _opening_field(span: Opening, name: str, _cited: Cited) -> Any:
    seconds = (span.end.at - span.start.at).total_seconds()
    return Amount.of(seconds, DURATION) if name == "duration" else getattr(span, name)


def _moment_field(moment: Moment, name: str, _cited: Cited) -> Any:
    if name == "clock":
        return format_clock(moment.at)
    return moment.at.date().isoformat() if name == "date" else WEEKDAYS[moment.at.weekday()]


def _amount_field(amount: Amount, name: str, _cited: Cited) -> Any:
    dimension, size = UNITS[name]
    if dimension != amount.dimension:
        return Fault(f"no {name} of a {amount.kind}")
    return Amount(amount.low / size, amount.high / size)


def field_of(value: Any, name: str, cited: Cited) -> Any:
    """A field of any value but words."""
    match value:
        case Thing():
            return place_field(value, name, cited)
        case Way():
            return way_field(value, name, cited)
        case Items():
            return value.complete if name == "complete" else Items(value.unstated)
        case Bearing():
            return wind(value.degrees) if name == "name" else Amount.of(value.degrees)
        case Group():
            return getattr(value, name)
        case Choice():
            return value.text if name == "text" else chr(ord("A") + value.index)
    getter = _GETTERS.get(type(value))
    if getter is not None:
        return getter(value, name, cited)
    if value is cited.situation.picture:
        return value.field(name)
    return Fault(f"no {name} of such a value")


_GETTERS: Mapping[type, Callable[[Any, str, Cited], Any]] = {
    Step: _step_field, Plan: _plan_field, Stop: _stop_field, Visit: _visit_field, Opening: _opening_field,
    Moment: _moment_field, Amount: _amount_field,
}  # fmt: skip
