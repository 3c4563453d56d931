"""The fields of values: what is looked up, fetched or computed when a program writes `value.name`."""

from collections.abc import Callable, Mapping
from typing import Any

from map_tools.compute import route_steps, shapes
from map_tools.compute.clocks import format_clock
from map_tools.compute.geodesy import wind, wind_name
from map_tools.compute.route_replies import read_step
from map_tools.facts import NearbyFact
from map_tools.kinds.concepts import ADDRESSED
from map_tools.types import Ride, Route, is_of_no_map, is_own, tells_own
from modules.query.interpreter.coercion import coerced
from modules.query.interpreter.context import Context, DetailsRequest, SearchRequest, unknown_of
from modules.query.interpreter.needs import (
    area_called_so,
    best_route,
    duration_of,
    is_large,
    length_of,
    measure,
    shape_of,
    times_of,
)
from modules.query.interpreter.stated import stated
from modules.query.language.types import MODE_NAMES, PLACE
from modules.query.values.algebra import ValueTypeError, called
from modules.query.values.amount import (
    DURATION,
    LENGTH,
    SIZE,
    UNITS,
    Amount,
)  # fmt: skip
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

STREET_WITHIN_M = 100.0
"""A street farther off is not the one that a place stands at."""
POSITIONS = frozenset({"lat", "lng", "location"})
"""Fields that disclose where a place is: those of the user's own places stay private."""
_SIZES = frozenset({"size", "perimeter", "length"})


def field_of(value: Any, name: str, context: Context) -> Any:
    """The field of a value.

    Raises:
        ValueTypeError: Values of this type have no such field.
        Waiting: It is still to be fetched.
    """
    if isinstance(value, Choice):
        if name == "text":
            return value.text
        if name == "letter":
            return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value.index]
    if isinstance(value, Choice | str):
        value = coerced(value, PLACE, context)
        if isinstance(value, Unknown):
            return value
    for kind, getter in _GETTERS.items():
        if isinstance(value, kind):
            return getter(value, name, context)
    if value is context.situation.picture:
        return value.field(name)
    raise ValueTypeError(f"{called(value)} has no `{name}`")


def place_field(thing: Thing, name: str, context: Context) -> Any:
    """A field of a place: as known, else from its details; what is not stated is Unknown, never False."""
    special = dict(thing.extra)
    if name in special:
        return special[name]
    if name in POSITIONS and tells_own(thing.id):
        own = "is" if is_own(thing.id) else "is made from"
        return Unknown(Why.NOT_STATED, f"Where {thing.name} is, is not told: it {own} a place of your own.")
    if name in _SIZES and (name != "length" or is_large(thing)):
        return _size(thing, name, context)
    found = stated(thing.place, name)
    if found is None and not context.situation.full and _has_details(thing):
        reply = context.need(DetailsRequest(thing.reference))
        found = None if reply.fact is None else stated(reply.fact.place, name)
        if found is None and reply.failure is not None:
            return unknown_of(reply.failure)
    if found is None and name == "address" and context.situation.bounded:
        found = _street_near(thing, context)
    if found is not None:
        return found
    if name == "length" and _has_details(thing):  # a cable car, a bridge: as long as it is drawn
        drawn = _size(thing, name, context)
        if not isinstance(drawn, Unknown) or drawn.why not in {Why.NOT_STATED, Why.UNSUPPORTED}:
            return drawn
    return Unknown(Why.NOT_STATED, f"The {name.replace('_', ' ')} of {thing.name} is not stated.")


def _street_near(thing: Thing, context: Context) -> str | None:
    """The nearest street, if it is near enough to be that of the place; used if a map states no address."""
    if thing.place.location is None or not _has_details(thing) or is_large(thing):
        return None
    reply = context.need(
        SearchRequest(what="street", categories=ADDRESSED, keyword="", center=thing.reference, limit=1)
    )
    if not isinstance(reply.fact, NearbyFact) or not reply.fact.items:
        return None
    nearest = reply.fact.items[0]
    if nearest.distance_m is None or nearest.distance_m > STREET_WITHIN_M or not nearest.place.name:
        return None
    context.assume(f"the map states no address of {thing.name}; {nearest.place.name} is the nearest street")
    return nearest.place.name


def _has_details(thing: Thing) -> bool:
    return not is_of_no_map(thing.id)


def _size(thing: Thing, name: str, context: Context) -> Any:
    told = _told_size(thing, name)
    if told is not None:
        return told
    shape = shape_of(thing, context)
    if name != "length" and (isinstance(shape, Unknown) or shape.kind != "area"):
        shape = area_called_so(thing, context) or shape
    if isinstance(shape, Unknown):
        return shape
    if name == "length":
        if shape.kind == "line":
            return Amount.of(shapes.length_m(shape), LENGTH)
    elif shape.kind == "area":
        measure = shapes.area_m2 if name == "size" else shapes.perimeter_m
        return Amount.of(measure(shape), SIZE if name == "size" else LENGTH)
    return Unknown(Why.NOT_STATED, f"{thing.name} has no {name}.")


def _told_size(thing: Thing, name: str) -> Amount | None:
    """The area or length that the source has worked out."""
    extent = thing.place.extent if thing.shape is None else None
    if extent is None:
        return None
    if name == "size" and extent.area_m2 is not None:
        return Amount.of(extent.area_m2, SIZE)
    return Amount.of(extent.length_m, LENGTH) if name == "length" and extent.length_m is not None else None


def way_field(way: Way, name: str, context: Context) -> Any:
    """A field of a way."""
    match name:
        case "origin" | "destination":
            return getattr(way, name)
        case "mode":
            return MODE_NAMES[way.mode.value]
        case "duration":
            return duration_of(way, context)
        case "distance" | "length":
            return length_of(way, context)
        case "depart" | "arrive":
            return _clock(way, name, context)
        case "fare":
            return Unknown(Why.NOT_STATED, "No fare is stated.")
    route = best_route(way, context)
    return route if isinstance(route, Unknown) else _route_field(way, route, name)


def _clock(way: Way, name: str, context: Context) -> Any:
    if times_of(way, context):
        return _by_timetable(way, name, context)
    given = way.depart if name == "depart" else way.arrive
    if given is not None:
        return given
    other = way.arrive if name == "depart" else way.depart
    if other is None:
        return Unknown(Why.NOT_STATED, "The program gives no time of departure; write depart= or arrive=.")
    duration = duration_of(way, context)
    if isinstance(duration, Unknown):
        return duration
    return other.after(duration.value if name == "arrive" else -duration.value)


def _by_timetable(way: Way, name: str, context: Context) -> Any:
    """The time at which one leaves or arrives by the timetable, which may be later than requested."""
    found = measure(way, context)
    if isinstance(found, Unknown):
        return found
    if found.depart_at is None or found.arrive_at is None:
        return Unknown(Why.NOT_STATED, "When it leaves and arrives is not stated.")
    leaves, comes = (moment.replace(tzinfo=None) for moment in (found.depart_at, found.arrive_at))
    return Moment(leaves) if name == "depart" else Moment(comes, base=leaves)


def _route_field(way: Way, route: Route, name: str) -> Any:
    steps = tuple(Step(step, number, way) for number, step in enumerate(route.steps))
    match name:
        case "steps":
            return Items(steps) if steps else Unknown(Why.NOT_STATED, "The steps of the way are not stated.")
        case "turns":
            return Items(tuple(step for step in steps if not isinstance(_turn(step), Unknown)))
        case "streets":
            return Items(route_steps.streets(route))
        case "summary" | "name":
            return route.summary or Unknown(Why.NOT_STATED, "The way has no name.")
        case "transfers" if route.depart_at is not None:
            return Amount.of(max(sum(step.step.ride is not None for step in steps) - 1, 0))
        case "toll" | "ferry":
            said = any(name in warning.casefold() for warning in route.warnings)
            return said or (
                route_steps.has(route, name)
                if steps
                else Unknown(Why.NOT_STATED, "The steps are not stated.")
            )
        case "warnings":
            return Items(route.warnings)
    return Unknown(Why.NOT_STATED, f"The {name} of the way is not stated.")


def step_field(step: Step, name: str, _context: Context) -> Any:  # noqa: C901 (one case for each field)
    """A field of a manoeuvre."""
    told = step.step
    match name:
        case "text":
            notes = f" ({'; '.join(told.notes)})" if told.notes else ""
            return told.instruction + notes
        case "street":
            return told.streets[0] if told.streets else Unknown(Why.NOT_STATED, "The step names no street.")
        case "streets":
            return Items(told.streets)
        case "turn":
            return _turn(step)
        case "distance" | "duration":
            value = told.distance_m if name == "distance" else told.duration_s
            dimension = LENGTH if name == "distance" else DURATION
            return (
                Unknown(Why.NOT_STATED, f"The {name} of a step is not stated.")
                if value is None
                else Amount.of(value, dimension)
            )
        case "exit":
            number = told.roundabout_exit
            if number is not None:
                return Amount.of(number)
            return route_steps.numbered_exit(told) or Unknown(Why.NOT_STATED, "The step names no exit.")
        case "mode":
            return "walk" if told.maneuver == "walk" else MODE_NAMES[step.way.mode.value]
        case "line" | "headsign" | "stops" | "depart" | "arrive" if told.ride is not None:
            return _ride_field(told.ride, name)
        case "maneuver":
            return told.maneuver or read_step(told.instruction).maneuver or "straight"
        case "landmarks":
            return Items(route_steps.landmarks(told))
        case "side":
            side = route_steps.arrival_side(told)
            return side[0] if side else Unknown(Why.NOT_STATED, "The step tells no side.")
    return Unknown(Why.NOT_STATED, f"The {name} of a step is not stated.")


def _ride_field(ride: Ride, name: str) -> Any:
    match name:
        case "stops":
            return Amount.of(ride.stops)
        case "depart":
            return Moment(ride.depart_at.replace(tzinfo=None))
        case "arrive":
            return Moment(ride.arrive_at.replace(tzinfo=None), base=ride.depart_at.replace(tzinfo=None))
    return getattr(ride, name) or Unknown(Why.NOT_STATED, f"The {name} of the ride is not stated.")


def _turn(step: Step) -> Any:
    """left, right, u-turn or roundabout; anything else goes on without a turn."""
    maneuver = step.step.maneuver or read_step(step.step.instruction).maneuver
    if maneuver.startswith("turn-"):
        return "left" if maneuver.endswith("left") else "right"
    if maneuver.startswith("uturn"):
        return "u-turn"
    if maneuver.startswith("roundabout") and maneuver != "roundabout-exit":
        return "roundabout"
    return Unknown(Why.NONE, "The step goes straight on.")


def _plan_field(plan: Plan, name: str, _context: Context) -> Any:  # noqa: C901 (one case for each field)
    match name:
        case "origin" | "destination":
            return getattr(plan, name)
        case "depart" | "arrive":
            moment = getattr(plan, name)
            if moment is not None:
                return moment
            reason = "; ".join(plan.problems) or "The program gives no time of departure."
            return Unknown(Why.NONE if plan.problems else Why.NOT_STATED, reason)
        case "duration":
            return Amount.of(plan.travel_s + plan.stay_s + plan.wait_s, DURATION)
        case "travel" | "stay" | "wait":
            return Amount.of(getattr(plan, f"{name}_s"), DURATION)
        case "distance":
            if plan.distance_m is None:
                return Unknown(Why.NOT_STATED, "The lengths of the ways are not stated.")
            return Amount.of(plan.distance_m, LENGTH)
        case "order":
            return Items(tuple(stop.thing for stop in plan.stops))
        case "visits":
            return Items(plan.stops)
        case "legs":
            return Items(plan.legs)
        case "feasible":
            return (
                Unknown(Why.NOT_STATED, "; ".join(plan.warnings)) if plan.feasible is None else plan.feasible
            )
        case "problems":
            return Items(plan.problems)
    raise ValueTypeError(f"a trip has no `{name}`")


def _stop_field(stop: Stop, name: str, context: Context) -> Any:
    match name:
        case "place":
            return stop.thing
        case "arrive" | "begin" | "leave":
            moment = getattr(stop, name)
            return (
                Unknown(Why.NOT_STATED, "The program gives no time of departure.")
                if moment is None
                else moment
            )
        case "stay" | "wait":
            return Amount.of(getattr(stop, f"{name}_s"), DURATION)
    return field_of(stop.thing, name, context)


def _visit_field(visit: Visit, name: str, context: Context) -> Any:
    if name == "stay":
        return Amount.of(visit.stay_s, DURATION)
    return visit.thing if name == "place" else field_of(visit.thing, name, context)


def _opening_field(span: Opening, name: str, _context: Context) -> Any:
    if name == "duration":
        return Amount.of((span.end.at - span.start.at).total_seconds(), DURATION)
    if name in {"start", "end"}:
        return getattr(span, name)
    raise ValueTypeError(f"a span has no `{name}`")


def _moment_field(moment: Moment, name: str, _context: Context) -> Any:
    match name:
        case "date":
            return moment.day.isoformat()
        case "day":
            return WEEKDAYS[moment.day.weekday()]
        case "clock":
            return format_clock(moment.at)
    raise ValueTypeError(f"a time has no `{name}`")


def _amount_field(amount: Amount, name: str, _context: Context) -> Any:
    if name in UNITS:
        dimension, size = UNITS[name]
        if dimension == amount.dimension:
            return Amount(amount.low / size, amount.high / size)
    raise ValueTypeError(f"{called(amount)} has no `{name}`")


def _items_field(items: Items, name: str, _context: Context) -> Any:
    if name == "complete":
        return items.complete
    if name == "unstated":
        return Items(items.unstated)
    raise ValueTypeError(
        f"`.{name}` of a list: one of them `xs[0].{name}`, all of them `[x.{name} for x in xs]`"
    )


def _bearing_field(bearing: Bearing, name: str, _context: Context) -> Any:
    if name == "name":
        return wind_name(wind(bearing.degrees))
    if name == "degrees":
        return Amount.of(bearing.degrees)
    raise ValueTypeError(f"a direction has no `{name}`")


def _group_field(group: Group, name: str, _context: Context) -> Any:
    if name in {"key", "items"}:
        return getattr(group, name)
    raise ValueTypeError(f"a group has no `{name}`")


def _thing_field(thing: Thing, name: str, context: Context) -> Any:
    return place_field(thing, name, context)


_GETTERS: Mapping[type, Callable[[Any, str, Context], Any]] = {
    Thing: _thing_field,
    Way: way_field,
    Step: step_field,
    Plan: _plan_field,
    Stop: _stop_field,
    Visit: _visit_field,
    Opening: _opening_field,
    Moment: _moment_field,
    Amount: _amount_field,
    Items: _items_field,
    Bearing: _bearing_field,
    Group: _group_field,
}
