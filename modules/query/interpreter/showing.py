"""Values in words and as the typed values of answers, and back; for options also what else says the same."""

import calendar
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Any

from map_tools.compute.geodesy import WINDS, angle_between, wind, wind_name
from map_tools.compute.measures import format_distance, format_duration
from map_tools.compute.route_steps import step_text, uses_ferry
from map_tools.types import Place, tells_own
from mapagent.core import answer as typed
from modules.query.interpreter.stated import kind_of, street_of
from modules.query.language.types import MODE_NAMES
from modules.query.values.amount import ANGLE, DURATION, LENGTH, MONEY, NUMBER, SIZE, Amount
from modules.query.values.moment import ANY_MONDAY, WEEKDAYS, Moment
from modules.query.values.things import (
    Bearing,
    Choice,
    Finished,
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

MOST = 20
"""Members of a list that are written out; the rest is counted."""
_M2_PER_HA = 1e4
_M2_PER_KM2 = 1e6
_UNITS = {LENGTH: "m", DURATION: "s", SIZE: "m2", ANGLE: "deg", NUMBER: "count"}
_DAYS = dict(zip(WEEKDAYS, calendar.day_name, strict=True))
_SCALES = frozenset({"price_level"})
"""Units of numbers that options may tell in words."""
_DIMENSIONS = {unit: dimension for dimension, unit in _UNITS.items() if dimension != NUMBER}


def shown(value: Any) -> str:
    """A value in words."""
    telling = _WORDS.get(type(value))
    return str(value) if telling is None else telling(value)


def place_text(candidate: Place) -> str:
    """A place with what distinguishes it from others of its name: kind and address, else its position."""
    kind = kind_of(candidate) or ""
    where = candidate.address or _position(candidate) or ""
    details = ", ".join(part for part in (kind, where) if part)
    return f"{candidate.name} ({details})" if details else candidate.name


def amount_text(value: Amount) -> str:
    """An amount with its unit; with bounds as "at least 3" or "2 to 5"."""
    if not value.exact:
        least = _exact_text(value.low, value)
        if value.high == float("inf"):
            return f"at least {least}"
        points = f" ({value.open_points})" if value.open_points else ""
        if value.dimension == NUMBER and points:
            return least + points
        return f"{least} to {_exact_text(value.high, value)}{points}"
    return _exact_text(value.value, value)


def _exact_text(number: float, value: Amount) -> str:
    sign, size = ("-", -number) if number < 0 else ("", number)
    if value.dimension == LENGTH:
        return sign + format_distance(size)
    if value.dimension == DURATION:
        return sign + format_duration(size)
    if value.dimension == SIZE:
        return sign + _size_text(size)
    if value.dimension == ANGLE:
        return f"{number:.0f}°"
    if value.dimension == MONEY:
        return f"{number:.2f} {value.unit}"
    return f"{round(number, 2):g}" if value.dimension == NUMBER or number else "0"


def _size_text(square_m: float) -> str:
    if square_m >= _M2_PER_KM2:
        return f"{square_m / _M2_PER_KM2:.2f} km²"
    return f"{square_m / _M2_PER_HA:.1f} ha" if square_m >= _M2_PER_HA else f"{square_m:.0f} m²"


def moment_text(moment: Moment) -> str:
    """A time, with its day if that differs from the day it was calculated from."""
    if moment.whole_day:
        return f"{moment.at:%a %d %b %Y}"
    clock = f"{rounded(moment.at):%H:%M}"
    if moment.base is None or moment.any_day:
        return clock
    days = (moment.at.date() - moment.base.date()).days
    return clock if days == 0 else f"{clock} (+{days} d)" if days == 1 else f"{moment.at:%a} {clock}"


def rounded(at: datetime) -> datetime:
    """A time to the nearest minute, as clocks are told."""
    return at + timedelta(seconds=30) if at.second >= 30 else at


def way_text(way: Way) -> str:
    """A way by its ends, a ferry first, and its streets and measures where they are known."""
    route = way.route
    if route is None:
        return f"{way.origin.name} → {way.destination.name}"
    parts = ["uses a ferry" if uses_ferry(route) else "", f"via {route.summary}" if route.summary else ""]
    parts.append(format_duration(route.duration_s) if route.duration_s is not None else "")
    parts.append(format_distance(route.distance_m) if route.distance_m is not None else "")
    told = ", ".join(part for part in parts if part)
    return f"{way.origin.name} → {way.destination.name}: {told}" if not route.summary else told


def plan_text(plan: Plan) -> str:
    """A trip stop by stop."""
    if plan.feasible is False:
        return f"not possible: {'; '.join(plan.problems)}"
    stops = []
    for stop in plan.stops:
        times = f" {moment_text(stop.begin)}–{moment_text(stop.leave)}" if stop.begin and stop.leave else ""
        stops.append(stop.thing.name + times)
    end = f"; back at {moment_text(plan.arrive)}" if plan.arrive and plan.destination == plan.origin else ""
    return " → ".join(stops) + end


def list_text(items: Items) -> str:
    """The members of a list, and how many were left out."""
    if not items.items:
        if items.unstated:
            return f"none that is stated to fulfil it (not stated of {len(items.unstated)})"
        return f"none{'. ' + items.around if items.around else ''}"
    away = {} if items.part else items.away
    parted = away or any(isinstance(one, Items | Group | Way | Plan | Step) for one in items)
    members = items.items[:MOST]
    words = zip(names_apart(members), members, strict=True)
    text = ("; " if parted else ", ").join(f"{name}{_far(one, away)}" for name, one in words)
    more = len(items) - MOST
    left = [f"{more} more"] if more > 0 else []
    left += [] if items.complete else [f"the list is cut at {len(items)}"]
    left += [f"{len(items.unstated)} not stated"] if items.unstated else []
    return text + (f" ({', '.join(left)})" if left else "")


def _far(member: Any, away: Mapping[str, float]) -> str:
    return f", {format_distance(away[member.id])}" if isinstance(member, Thing) and member.id in away else ""


def names_apart(members: Sequence[Any]) -> list[str]:
    """The members in words; places of one name with what else is known of them: street, kind, position."""
    words = [shown(one) for one in members]
    for more in (street_of, kind_of, _position):
        for word in [word for word, times in Counter(words).items() if times > 1]:
            twins = [number for number, each in enumerate(words) if each == word]
            told = {
                number: more(members[number].place) for number in twins if isinstance(members[number], Thing)
            }
            if len(set(told.values())) > 1:
                words = [
                    f"{each} ({told[number]})" if told.get(number) else each
                    for number, each in enumerate(words)
                ]
    return words


def _position(place: Place) -> str | None:
    return None if place.location is None or tells_own(place.id) else str(place.location)


def _opening_text(span: Opening) -> str:
    return f"{moment_text(span.start)}–{moment_text(span.end)}"


def _group_text(group: Group) -> str:
    key = "not stated" if isinstance(group.key, Unknown) else shown(group.key)
    return f"{key}: {shown(group.items)}"


_WORDS: Mapping[type, Callable[[Any], str]] = {
    Unknown: lambda unknown: unknown.reason,
    bool: lambda truth: "yes" if truth else "no",
    Choice: lambda option: option.text,
    Thing: lambda thing: thing.name,
    Amount: amount_text,
    Moment: moment_text,
    Bearing: lambda bearing: wind_name(wind(bearing.degrees)),
    Way: way_text,
    Step: lambda step: step_text(step.step),
    Plan: plan_text,
    Stop: lambda stop: stop.thing.name,
    Visit: lambda visit: visit.thing.name,
    Opening: _opening_text,
    Group: _group_text,
    Items: list_text,
    Finished: lambda finished: shown(finished.value),
}


def typed_value(value: Any) -> typed.Value | None:
    """A value as answers carry it; None where it is not known."""
    if value is None or isinstance(value, Unknown):
        return None
    typing = _TYPED.get(type(value))
    return typed.Text(text=shown(value)) if typing is None else typing(value)


def readings(value: Any) -> tuple[typed.Value, ...]:
    """Further values that state the same differently: they decide between options if the first does not."""
    match value:
        case Step():
            streets = [typed.Named(name=name) for name in value.step.streets]
            maneuver = value.step.maneuver.rpartition("-")[2]
            return (
                *streets,
                *([typed.Text(text=maneuver)] if maneuver in {"left", "right", "straight"} else []),
            )
        case Bearing():
            offs = {name: angle_between(value.degrees, number * 45.0) for number, name in enumerate(WINDS)}
            near = sorted((name for name in WINDS if offs[name] <= 67.5), key=lambda name: offs[name])
            return tuple(typed.Text(text=wind_name(name), topic="direction") for name in near)
        case Items() if value.items and len(value.items) > 1:
            names = tuple(shown(one) for one in value)
            return (typed.Sequence(names=names),)
        case Items() if len(value.items) == 1:
            return readings(value.items[0])
        case Plan():
            return (typed.Sequence(names=tuple(stop.thing.name for stop in value.stops)),)
        case Way():
            return _of_way(value)
    return ()


def _of_way(way: Way) -> tuple[typed.Value, ...]:
    """What else tells a way: its ends, its mode, its time and its length."""
    route = way.route
    measures = [(route.duration_s, "s"), (route.distance_m, "m")] if route is not None else []
    return (
        typed.Sequence(names=(way.origin.name, way.destination.name)),
        typed.Text(text=MODE_NAMES[way.mode.value], topic="mode"),
        *(typed.Quantity(value=amount, unit=unit) for amount, unit in measures if amount is not None),
    )


def _typed_amount(value: Amount) -> typed.Value:
    if not value.exact:
        if value.dimension == NUMBER and value.high != float("inf"):
            return typed.Quantity(value=value.low, unit="count")
        return typed.Text(text=amount_text(value))
    unit = value.unit if value.unit in _SCALES else _UNITS.get(value.dimension)
    if unit is None:
        return typed.Text(text=amount_text(value))
    return typed.Quantity(value=value.value, unit=unit)


def _typed_moment(moment: Moment) -> typed.Value:
    if moment.whole_day:
        return typed.Text(text=moment_text(moment), topic="day")
    at = rounded(moment.at)
    offset = (at.date() - moment.base.date()).days if moment.base is not None else 0
    return typed.ClockTime(at=time(at.hour, at.minute), day_offset=offset)


def _typed_plan(plan: Plan) -> typed.Value:
    if plan.feasible is False:
        return typed.Text(text=plan_text(plan), topic="impossible")
    if (
        all(stop.begin is not None and stop.leave is not None for stop in plan.stops)
        and plan.depart is not None
    ):
        midnight = plan.depart.at.replace(hour=0, minute=0, second=0, microsecond=0)
        return typed.Schedule(
            stops=tuple(
                typed.ScheduleStop(
                    name=stop.thing.name,
                    arrive_min=(stop.begin.at - midnight).total_seconds() / 60,  # type: ignore[union-attr]
                    depart_min=(stop.leave.at - midnight).total_seconds() / 60,  # type: ignore[union-attr]
                )
                for stop in plan.stops
            )
        )
    return typed.Sequence(names=tuple(stop.thing.name for stop in plan.stops))


def _typed_list(items: Items) -> typed.Value:
    if len(items) == 1 and items.complete:
        return typed_value(items.items[0]) or typed.Text(text=list_text(items))
    return typed.NameSet(names=tuple(_DAYS.get(name, name) for name in map(shown, items)))


def is_none(value: Any) -> bool:
    """Whether the answer is that there is none: a complete search or list without (such) a member."""
    if isinstance(value, Unknown):
        return value.why is Why.NONE
    return isinstance(value, Items) and not value.items and value.complete and not value.unstated


def _typed_way(way: Way) -> typed.Value:
    named = way.route is not None and way.route.summary
    return typed.Text(text=named or way_text(way), topic="via")


def _typed_stop(stop: Stop | Visit) -> typed.Value:
    return typed.Named(name=stop.thing.name, place=stop.thing.place)


_TYPED: Mapping[type, Callable[[Any], typed.Value]] = {
    bool: lambda truth: typed.YesNo(value=truth),
    str: lambda text: typed.Text(text=text, topic="mode" if text in MODE_NAMES.values() else ""),
    Choice: lambda option: typed.OptionPick(index=option.index, text=option.text),
    Thing: lambda thing: typed.Named(name=thing.name, place=thing.place),
    Amount: _typed_amount,
    Moment: _typed_moment,
    Bearing: lambda bearing: typed.Text(text=shown(bearing), topic="direction"),
    Step: lambda step: typed.Text(text=step.step.instruction, topic="instruction"),
    Way: _typed_way,
    Plan: _typed_plan,
    Stop: _typed_stop,
    Visit: _typed_stop,
    Opening: lambda span: typed.Text(text=shown(span), topic="hours"),
    Items: _typed_list,
}


def value_of(value: typed.Value) -> Any:
    """The program value of a typed value."""
    match value:
        case typed.Quantity():
            return Amount.of(value.value, _DIMENSIONS.get(value.unit, NUMBER))
        case typed.ClockTime():
            return Moment(datetime.combine(ANY_MONDAY, value.at), any_day=True)
        case typed.YesNo():
            return value.value
        case typed.Named():
            return value.name if value.place is None else Thing(value.place)
        case typed.Text():
            return value.text
        case typed.OptionPick():
            return Choice(value.index, value.text)
        case typed.Sequence() | typed.NameSet():
            return Items(value.names)
        case typed.Schedule():
            return Items(tuple(stop.name for stop in value.stops))
