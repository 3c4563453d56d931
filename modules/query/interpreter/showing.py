"""Values in words and as the typed values of answers."""

from datetime import datetime, time
from typing import Any

from map_tools.compute.distances import format_distance
from map_tools.compute.durations import format_duration
from map_tools.compute.geodesy import WINDS, angle_between, wind, wind_name
from map_tools.compute.route_steps import step_text
from mapagent import answer as typed
from modules.query.values.amount import ANGLE, DURATION, LENGTH, MONEY, NUMBER, SIZE, Amount
from modules.query.values.moment import Moment
from modules.query.values.things import (
    Bearing, Choice, Finished, Group, Items, Opening, Plan, Step, Stop, Thing, Visit, Way,
)  # fmt: skip
from modules.query.values.unknown import Unknown, Why

MOST = 20
"""Members of a list that are written out; the rest is counted."""
_M2_PER_HA = 1e4
_M2_PER_KM2 = 1e6


def shown(value: Any) -> str:
    """A value in words."""
    match value:
        case Unknown():
            return value.reason
        case bool():
            return "yes" if value else "no"
        case str():
            return value
        case Choice():
            return value.text
        case Thing():
            return value.name
        case Amount():
            return amount_text(value)
        case Moment():
            return moment_text(value)
        case Bearing():
            return wind_name(wind(value.degrees))
        case Way():
            return way_text(value)
        case Step():
            return step_text(value.step)
        case Plan():
            return plan_text(value)
        case Stop() | Visit():
            return value.thing.name
        case Opening():
            return f"{moment_text(value.start)}–{moment_text(value.end)}"
        case Group():
            return f"{shown(value.key)}: {shown(value.items)}"
        case Items():
            return list_text(value)
        case Finished():
            return shown(value.value)
    return str(value)


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
    """A time; with its day where that is not the day it was reckoned from."""
    if moment.whole_day:
        return f"{moment.at:%a %d %b %Y}"
    clock = f"{_rounded(moment.at):%H:%M}"
    if moment.base is None or moment.any_day:
        return clock
    days = (moment.at.date() - moment.base.date()).days
    return clock if days == 0 else f"{clock} (+{days} d)" if days == 1 else f"{moment.at:%a} {clock}"


def _rounded(at: datetime) -> datetime:
    from datetime import timedelta

    return at + timedelta(seconds=30) if at.second >= 30 else at


def way_text(way: Way) -> str:
    """A way by its ends, and its streets and measures where they are known."""
    route = way.route
    if route is None:
        return f"{way.origin.name} → {way.destination.name}"
    parts = [f"via {route.summary}" if route.summary else ""]
    parts.append(format_duration(route.duration_s) if route.duration_s is not None else "")
    parts.append(format_distance(route.distance_m) if route.distance_m is not None else "")
    ferry = [warning for warning in route.warnings if "ferr" in warning.casefold()]
    return ", ".join(part for part in (*ferry[:1], *parts) if part)


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
    """The members of a list; what was left out is said."""
    if not items.items:
        if items.unstated:
            return f"none of which it is stated ({len(items.unstated)} not stated)"
        return f"none{'. ' + items.around if items.around else ''}"
    told = "; " if any(isinstance(one, Items | Way | Plan | Step) for one in items) else ", "
    text = told.join(shown(one) for one in items.items[:MOST])
    more = len(items) - MOST
    left = [f"{more} more"] if more > 0 else []
    left += [] if items.complete else ["the list was cut"]
    left += [f"{len(items.unstated)} not stated"] if items.unstated else []
    return text + (f" ({', '.join(left)})" if left else "")


def typed_value(value: Any) -> typed.Value | None:
    """A value as answers carry it; None where it is not known."""
    match value:
        case Unknown() | None:
            return None
        case bool():
            return typed.YesNo(value=value)
        case str():
            return typed.Text(text=value)
        case Choice():
            return typed.OptionPick(index=value.index, text=value.text)
        case Thing():
            return typed.Named(name=value.name, place=value.place)
        case Amount():
            return _typed_amount(value)
        case Moment():
            return _typed_moment(value)
        case Bearing():
            return typed.Text(text=wind_name(wind(value.degrees)), topic="direction")
        case Step():
            return typed.Text(text=value.step.instruction, topic="instruction")
        case Way():
            route = value.route
            return typed.Text(text=route.summary if route and route.summary else way_text(value), topic="via")
        case Plan():
            return _typed_plan(value)
        case Stop() | Visit():
            return typed.Named(name=value.thing.name, place=value.thing.place)
        case Opening():
            return typed.Text(text=shown(value), topic="hours")
        case Group():
            return typed.Text(text=shown(value))
        case Items():
            return _typed_list(value)
    return typed.Text(text=shown(value))


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
    return ()


def _typed_amount(value: Amount) -> typed.Value:
    if not value.exact:
        if value.dimension == NUMBER and value.high != float("inf"):
            return typed.Quantity(value=value.low, unit="count")
        return typed.Text(text=amount_text(value))
    units = {LENGTH: "m", DURATION: "s", SIZE: "m2", ANGLE: "deg", NUMBER: "count"}
    unit = units.get(value.dimension)
    if unit is None:
        return typed.Text(text=amount_text(value))
    return typed.Quantity(value=value.value, unit=unit)


def _typed_moment(moment: Moment) -> typed.Value:
    if moment.whole_day:
        return typed.Text(text=moment_text(moment), topic="day")
    at = _rounded(moment.at)
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
    return typed.NameSet(names=tuple(shown(one) for one in items))


def is_none(value: Any) -> bool:
    """Whether the answer is that there is none: a complete search or list without (such) a member."""
    if isinstance(value, Unknown):
        return value.why is Why.NONE
    return isinstance(value, Items) and not value.items and value.complete and not value.unstated
