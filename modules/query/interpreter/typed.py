"""Values of programs as typed values of answers and back, and what else says the same, for options."""

import calendar
from collections.abc import Callable, Mapping
from datetime import datetime, time
from typing import Any

from map_tools.compute.geodesy import WINDS, angle_between, wind_name
from mapagent.core import answer as typed
from modules.query.interpreter.showing import (
    amount_text,
    list_text,
    moment_text,
    plan_text,
    rounded,
    shown,
    way_text,
)
from modules.query.language.types import MODE_NAMES
from modules.query.values.amount import ANGLE, DURATION, LENGTH, NUMBER, SIZE, Amount
from modules.query.values.moment import ANY_MONDAY, WEEKDAYS, Moment
from modules.query.values.things import (
    Bearing,
    Choice,
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

_UNITS = {LENGTH: "m", DURATION: "s", SIZE: "m2", ANGLE: "deg", NUMBER: "count"}


_DAYS = dict(zip(WEEKDAYS, calendar.day_name, strict=True))
_SCALES = frozenset({"price_level"})
"""Units of numbers that options may tell in words."""
_DIMENSIONS = {unit: dimension for dimension, unit in _UNITS.items() if dimension != NUMBER}


def typed_value(value: Any) -> typed.Value | None:
    """A value as answers carry it; None where it is not known."""
    if value is None or isinstance(value, Unknown):
        return None
    typing = _TYPED.get(type(value))
    return typed.Text(text=shown(value)) if typing is None else typing(value)


def readings(value: Any) -> tuple[typed.Value, ...]:
    """Further values that say the same in other words: they decide between options where the first does not."""
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
        return typed.Text(text=plan_text(plan))
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
    """A typed value as programs have it."""
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
