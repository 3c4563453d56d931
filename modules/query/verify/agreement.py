"""Whether two values are the same, a value in words, and whether an answer states the value it is made of."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from map_tools.compute.clocks import parse_clock
from map_tools.types import Place
from mapagent.core import answer as typed
from modules.query.interpreter.running import Outcome
from modules.query.interpreter.showing import shown
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
from modules.query.values.unknown import Unknown, Why

_ROUNDING = 1e-6
_SECOND = timedelta(seconds=1)
_SHOWN = 20
"""Members of a list that an answer writes out."""
_WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
_UNIT_S = {"s": 1.0, "min": 60.0, "h": 3600.0}
_UNIT_M = {"m": 1.0, "km": 1000.0, "mi": 1609.344, "mile": 1609.344, "miles": 1609.344, "ft": 0.3048}
_UNIT_M |= {"feet": 0.3048, "yards": 0.9144}
_UNIT_M2 = {"m²": 1.0, "ha": 1e4, "km²": 1e6}
_NUMBER = re.compile(r"(-?)(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*([a-zA-Z]+²?|°)?")


def wind(degrees: float) -> str:
    """The compass point (of eight) in whose octant a direction lies."""
    return _WINDS[math.floor((degrees % 360 + 22.5) / 45) % 8]


def agree(mine: Any, claimed: Any) -> bool:
    """Whether two values are the same, up to rounding of sums."""
    if mine is claimed:
        return True
    judge = _JUDGES.get(type(mine))
    if judge is None:
        return bool(mine == claimed)
    return type(mine) is type(claimed) and judge(mine, claimed)


def _all(mine: Iterable[Any], claimed: Iterable[Any]) -> bool:
    first, second = tuple(mine), tuple(claimed)
    return len(first) == len(second) and all(map(agree, first, second))


def near(a: float, b: float) -> bool:
    """Whether two numbers are the same, up to rounding of sums."""
    return a == b or abs(a - b) <= _ROUNDING * max(1.0, abs(a), abs(b))


def _same_fields(*names: str) -> Callable[[Any, Any], bool]:
    return lambda a, b: all(agree(getattr(a, name), getattr(b, name)) for name in names)


def _amounts(a: Amount, b: Amount) -> bool:
    unit = a.unit == b.unit if a.dimension == MONEY else True
    return a.dimension == b.dimension and unit and near(a.low, b.low) and near(a.high, b.high)


def _moments(a: Moment, b: Moment) -> bool:
    based = a.base == b.base or (a.base is not None and b.base is not None and abs(a.base - b.base) < _SECOND)
    return abs(a.at - b.at) < _SECOND and (a.whole_day, a.any_day) == (b.whole_day, b.any_day) and based


def _unknowns(a: Unknown, b: Unknown) -> bool:
    """Only "there is none" says something of the map; other reasons are told by whoever failed first."""
    return (a.why is Why.NONE) == (b.why is Why.NONE)


def _lists(a: Items, b: Items) -> bool:
    """Whether two lists are the same; the order of their `unstated` members does not count."""
    if not _same_fields("items", "complete", "searched")(a, b) or len(a.unstated) != len(b.unstated):
        return False
    left = list(b.unstated)
    for one in a.unstated:
        found = next((number for number, other in enumerate(left) if agree(one, other)), None)
        if found is None:
            return False
        del left[found]
    return True


_JUDGES: Mapping[type, Callable[[Any, Any], bool]] = {
    float: near,
    Amount: _amounts,
    Moment: _moments,
    Unknown: _unknowns,
    Bearing: lambda a, b: near(a.degrees, b.degrees),
    tuple: _all,
    Place: lambda a, b: a == b,
    Thing: _same_fields("place", "shape", "role", "extra"),
    Items: _lists,
    Way: _same_fields("origin", "destination", "mode", "via", "avoid", "depart", "arrive", "route", "number"),
    Step: _same_fields("step", "number", "way"),
    Visit: _same_fields("thing", "stay_s", "window", "mode"),
    Stop: _same_fields("thing", "arrive", "begin", "leave", "stay_s", "wait_s"),
    Plan: _same_fields(
        "stops", "legs", "origin", "destination", "depart", "arrive", "travel_s", "stay_s", "wait_s", "distance_m",
        "feasible",
    ),
    Opening: _same_fields("start", "end"),
    Group: _same_fields("key", "items"),
    Finished: _same_fields("value", "parts"),
}  # fmt: skip


def is_united(outcome: Outcome) -> bool:
    """Whether an outcome is told as each of its alternatives is, or lists all that theirs hold."""
    value = outcome.finished.value
    each = [one.finished.value for one in outcome.alternatives]
    if all(agree(one, value) or shown(one) == shown(value) for one in each):
        return True
    if not isinstance(value, Items) or not all(isinstance(one, Items) for one in each):
        return False
    keys = [{getattr(member, "id", told(member)) for member in one} for one in each]
    return {getattr(member, "id", told(member)) for member in value} == set[str]().union(*keys)


def _place_of(value: Thing | Stop | Visit) -> Thing:
    return value if isinstance(value, Thing) else value.thing


def told(value: Any) -> str:  # noqa: C901 (one case for each kind)
    """A value in a few words, for objections."""
    match value:
        case Unknown():
            return (
                f"“{value.reason}”" if value.why is not Why.NONE else f"that there is none (“{value.reason}”)"
            )
        case Amount():
            unit = {LENGTH: "m", DURATION: "s", SIZE: "m²", ANGLE: "°"}.get(value.dimension, value.unit)
            bounds = f"{value.low:g}" if value.exact else f"{value.low:g} to {value.high:g}"
            return f"{bounds} {unit}".strip()
        case Moment():
            return f"{value.at:%a %H:%M}"
        case Thing() | Visit() | Stop():
            return _place_of(value).name or "an unnamed place"
        case Items():
            more = f" and {len(value) - 5} more" if len(value) > 5 else ""
            return f"{len(value)} members: {', '.join(map(told, value.items[:5]))}{more}"
        case Way():
            return f"the way {value.origin.name} → {value.destination.name} by {value.mode.value}"
        case Plan():
            times = f" {told(value.depart)}–{told(value.arrive)}" if value.depart and value.arrive else ""
            return f"{' → '.join(told(stop) for stop in value.stops) or 'no stops'}{times}"
        case Bearing():
            return f"{value.degrees:.0f}°"
        case Choice():
            return value.text
        case Finished():
            return told(value.value)
    return "yes" if value is True else "no" if value is False else str(value)


def says(made: typed.Value | None, text: str | None, value: Any) -> bool:
    """Whether an answer's typed value, and the numbers and names of its text, are those of a value.

    Args:
        made: The typed value.
        text: None where the words are those of an option and not the value's own.
        value: What the last line of the program came to.
    """
    if isinstance(value, Unknown):
        return made is None
    if isinstance(value, Items) and len(value) and all(isinstance(one, Unknown) for one in value):
        return made is None or isinstance(made, typed.Text | typed.NameSet)
    if isinstance(value, Items) and len(value) == 1 and value.complete:
        return says(made, text, value.items[0])
    if isinstance(value, Items):
        if not isinstance(made, typed.NameSet | typed.Sequence):
            return False
        same = len(made.names) == len(value) and all(map(_worded, made.names, value))
        return same and (text is None or _in_order(text, made.names[:_SHOWN]))
    return made is not None and _typed(made, value) and (text is None or _worded(text, value))


def _typed(made: typed.Value, value: Any) -> bool:
    match made, value:
        case typed.Quantity(), Amount():
            units = {LENGTH: "m", DURATION: "s", SIZE: "m2", ANGLE: "deg"}
            unit = "price_level" if value.unit == "price_level" else units.get(value.dimension, "count")
            return near(made.value, value.low) and made.unit == unit
        case typed.ClockTime(), Moment():
            at = _to_minute(value.at)
            days = (at.date() - value.base.date()).days if value.base is not None else 0
            return (made.at, made.day_offset) == (at.time(), days)
        case typed.YesNo(), bool():
            return made.value is value
        case typed.OptionPick(), Choice():
            return (made.index, made.text) == (value.index, value.text)
        case typed.Named(), Thing() | Stop() | Visit():
            thing = _place_of(value)
            return made.name == thing.name and made.place == thing.place
        case typed.Schedule(), Plan():
            return len(made.stops) == len(value.stops) and all(map(_stopped, made.stops, value.stops))
        case typed.Sequence(), Plan():
            return made.names == tuple(stop.thing.name for stop in value.stops)
    return isinstance(made, typed.Text) and _worded(made.text, value)


def _stopped(made: typed.ScheduleStop, stop: Stop) -> bool:
    clocks = ((stop.begin, made.arrive_min), (stop.leave, made.depart_min))
    return made.name == stop.thing.name and all(
        at is not None
        and abs((at.at.hour * 60 + at.at.minute + at.at.second / 60 - told_min + 720) % 1440 - 720) < 1
        for at, told_min in clocks
    )


def _worded(text: str, value: Any) -> bool:
    """Whether words say a value: its number with its unit, its clock, its name. Ways and steps are not compared."""
    body = text.partition(" (")[0]
    match value:
        case Amount():
            return _amount_said(text, value)
        case bool():
            return body.casefold() == ("yes" if value else "no")
        case Moment() if not value.whole_day:
            read = parse_clock(body) or parse_clock(body.partition(" ")[2])
            return read == _to_minute(value.at).time()
        case Thing() | Stop() | Visit():
            return _place_of(value).name in text
        case Bearing():
            return body == wind(value.degrees)
        case Choice() | str():
            return (value.text if isinstance(value, Choice) else value) in text
        case Plan() if value.feasible:
            clocks = ((one.begin, one.leave) if one.begin and one.leave else () for one in value.stops)
            words = [
                (stop.thing.name, *(f"{_to_minute(at.at):%H:%M}" for at in at_both))
                for stop, at_both in zip(value.stops, clocks, strict=True)
            ]
            return _in_order(text, [word for stop in words for word in stop])
    return True


def _in_order(text: str, words: Iterable[str]) -> bool:
    """Whether words follow one another in a text."""
    at = 0
    for word in words:
        found = text.find(word, at)
        if found < 0:
            return False
        at = found + len(word)
    return True


def _amount_said(text: str, value: Amount) -> bool:
    """Whether the first number of a text is an amount as far as it is written; durations have several parts."""
    parts = _NUMBER.findall(text)
    units = {DURATION: _UNIT_S, LENGTH: _UNIT_M, SIZE: _UNIT_M2}.get(value.dimension)
    if not parts or (units is not None and parts[0][2] not in units):
        return False
    said, finest = 0.0, math.inf
    for _, number, unit in [one for one in parts if units and one[2] in units] or parts[:1]:
        factor = units[unit] if units is not None else 1.0
        said += float(number) * factor
        finest = min(finest, factor * 0.1 ** len(number.partition(".")[2]))
        if value.dimension != DURATION:
            break
    step = 0.01 if value.dimension in {NUMBER, MONEY} else finest
    wanted = abs(value.low)
    return abs(said - wanted) <= 0.51 * step + 1e-5 * wanted and (parts[0][0] == "-") == (
        value.low < 0 < said
    )


def _to_minute(at: datetime) -> datetime:
    return (at + timedelta(seconds=30)).replace(second=0, microsecond=0)
