"""Values in words and as the typed values of answers."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from map_tools.compute.distances import format_distance
from map_tools.compute.durations import format_duration
from map_tools.compute.geodesy import wind, wind_name
from map_tools.compute.route_steps import step_text, uses_ferry
from map_tools.ids import tells_own
from map_tools.types import Place
from modules.query.interpreter.stated import kind_of, street_of
from modules.query.values.amount import ANGLE, DURATION, LENGTH, MONEY, NUMBER, SIZE, Amount
from modules.query.values.moment import Moment
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
from modules.query.values.unknown import Unknown

MOST = 20
"""Members of a list that are written out; the rest is counted."""
_M2_PER_HA = 1e4
_M2_PER_KM2 = 1e6


def shown(value: Any) -> str:
    """A value in words."""
    telling = _WORDS.get(type(value))
    return str(value) if telling is None else telling(value)


def place_text(candidate: Place) -> str:
    """A place with what tells it from others of its name: kind and address, else its position."""
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
    """A time; with its day where that is not the day it was reckoned from."""
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
    """The members of a list; what was left out is said."""
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
