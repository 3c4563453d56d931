"""The fields of values: what cited evidence states of places, and what ways, trips, times and amounts have."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from map_tools.compute import route_steps
from map_tools.compute.clocks import format_clock
from map_tools.compute.route_replies import read_step
from map_tools.facts import TravelFact
from map_tools.kinds.concepts import is_ground, label_of
from map_tools.text import canonical_street, is_number, normalise
from map_tools.types import Hours, Place, Route, RouteStep, is_of_no_map, tells_own
from modules.query.interpreter.address_line import address_parts
from modules.query.language.types import MODE_NAMES
from modules.query.values.amount import DURATION, LENGTH, NUMBER, SIZE, UNITS, Amount
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
    point,
)  # fmt: skip
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import measuring
from modules.query.verify.agreement import wind
from modules.query.verify.cited import WIDEST_M, Cited, Fault, asked_time, best_route, measured
from modules.query.verify.computing import read_amount
from modules.query.verify.timing import later

_STREET_WITHIN_M = 100.0
_OF_ADDRESS = frozenset({"street", "city", "postcode", "housenumber"})


def stated(place: Place, name: str) -> Any:
    """What a place states of a field or of a key of the map; None if nothing."""
    plain = {"reviews": "rating_count", "price": "price_level"}.get(name, name)
    if plain in {"address", "phone", "website", "email", "rating", "rating_count", "price_level"}:
        value = getattr(place, plain)
        if plain == "price_level" and value is None:
            return _tag(place, name)
        return Amount.of(float(value)) if isinstance(value, int | float) else value
    if name == "opening_hours":
        return None if place.hours is None else place.hours.text
    if name in {"lat", "lng"}:
        return None if place.location is None else Amount.of(getattr(place.location, name))
    if name == "location":
        return None if place.location is None else point(place.location)
    if name == "kind":
        return label_of(place.categories[0]) if place.categories else None
    found = (place.name or None) if name == "name" else _tag(place, name)
    if found is None and name.removeprefix("addr:") in _OF_ADDRESS and place.address:
        # How an address is taken apart is the reading of words, of which there is one.
        told = address_parts(place.address).get(name.removeprefix("addr:"))
        words = place.address.split(",")[0].split()
        first = " ".join(word for word in words if not word[0].isdigit()) or None
        return first if told is None and name == "street" else told
    return found


def _tag(place: Place, name: str) -> Any:
    service = {
        "vegan": "serves_vegan", "vegetarian": "serves_vegetarian", "dog": "dogs", "internet_access": "wifi",
        "reservation": "reservable",
    }.get(name, name)  # fmt: skip
    offered = _keyed(place.services, service, service)
    if offered is None:
        same = [value for other, value in place.services.items() if _served(other) == _served(service)]
        offered = same[0] if same else None
    if offered is not None:
        return offered
    key = {
        "street": "addr:street",
        "city": "addr:city",
        "district": "addr:suburb",
        "postcode": "addr:postcode",
        "housenumber": "addr:housenumber",
    }
    text = _keyed(place.attributes, key.get(name, name), name)
    if text is not None:
        return _typed(key.get(name, name), text)
    diet = place.attributes.get(f"diet:{name}") if name in {"vegan", "vegetarian"} else None
    return None if diet is None else diet in {"yes", "only"}


def _served(key: str) -> list[str]:
    """What a service serves, whether its key says so or not, one or many."""
    words = [word.rstrip("s") for word in normalise(key).split()]
    return sorted(word for word in words if word not in {"serve", "food"}) or words


def _keyed(table: Mapping[str, Any], key: str, name: str) -> Any:
    """The value of a key, else of one that is spelt alike."""
    if key in table:
        return table[key]
    return next((value for other, value in table.items() if normalise(other) == normalise(name)), None)


def _typed(key: str, text: str) -> Any:
    """A tag as yes or no, a number, an amount, or words."""
    if text in {"yes", "no"}:
        return text == "yes"
    words = {"description", "note", "name", "operator", "brand", "inscription", "opening_hours", "phone"}
    if key in words or key.startswith(("addr:", "name", "ref")):
        return text
    if key in {"rating", "reviews", "stars", "capacity"}:
        return _first_number(text)
    try:
        number = float(text)
    except ValueError:
        return read_amount(text) or text
    return Amount.of(number, LENGTH if key in {"height", "width", "length", "ele"} else NUMBER)


def _first_number(text: str) -> Amount | str:
    """The only number of a text, or the first of "4 of 5"; words and signs behind it are left out."""
    spaced = "".join(char if char.isdigit() or char in ".," else " " for char in text.strip()).split()
    scaled = len(spaced) == 2 and ("/" in text or " of " in text)
    if text.strip()[:1].isdigit() and (len(spaced) == 1 or scaled):
        try:
            return Amount.of(float(spaced[0].replace(",", ".")))
        except ValueError:
            return text
    return text


def place_field(thing: Thing, name: str, cited: Cited) -> Any:
    """A field of a place: as it is known, else as its details tell."""
    special = dict(thing.extra)
    if name in special:
        return special[name]
    if tells_own(thing.id) and name in {"lat", "lng", "location"}:
        return Unknown(Why.NOT_STATED, f"The position of {thing.name} stays with its owner.")
    is_long = thing.is_shaped or is_ground(thing.place.categories)
    if name in {"size", "perimeter"} or (name == "length" and is_long):
        return _extent(thing, name, cited)
    found = stated(thing.place, name)
    details = cited.details(thing) if found is None and not is_of_no_map(thing.id) else None
    found = stated(details, name) if details is not None else found
    found = _street_near(thing, cited) if found is None and name == "address" else found
    if found is None and name == "length" and not is_of_no_map(thing.id):
        drawn = _extent(thing, name, cited)
        found = None if isinstance(drawn, Unknown) else drawn
    return Unknown(Why.NOT_STATED, f"The {name} of {thing.name} is not stated.") if found is None else found


def _street_near(thing: Thing, cited: Cited) -> str | None:
    """The nearest street, if it is listed and near enough to be the one that a place stands at."""
    fact = cited.listed("street", thing.reference, WIDEST_M)
    first = fact.items[0] if fact is not None and fact.items else None
    near = first is not None and first.distance_m is not None and first.distance_m <= _STREET_WITHIN_M
    return first.place.name or None if near and first is not None else None


def _extent(thing: Thing, name: str, cited: Cited) -> Any:
    told = thing.place.extent if thing.shape is None else None
    worked_out = None if told is None else {"size": told.area_m2, "length": told.length_m}.get(name)
    if worked_out is not None:
        return Amount.of(worked_out, SIZE if name == "size" else LENGTH)
    shape = cited.shape(thing)
    if name != "length" and (shape is None or shape.kind != "area"):
        wide = cited.namesake(thing)
        shape = None if wide is None else cited.shape(wide)
    if shape is not None and shape.kind == ("line" if name == "length" else "area"):
        value = measuring.size_m2(shape) if name == "size" else measuring.length_m(shape)
        return Amount.of(value, SIZE if name == "size" else LENGTH)
    return Unknown(Why.NOT_STATED, f"{thing.name} has no {name}.")


def hours_of(thing: Thing, cited: Cited) -> Hours | Unknown:
    """The opening hours that are told of a place."""
    details = cited.details(thing) if thing.place.hours is None and not is_of_no_map(thing.id) else None
    found = thing.place.hours if details is None else details.hours
    return (
        Unknown(Why.NOT_STATED, f"The opening hours of {thing.name} are not stated.")
        if found is None
        else found
    )


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
