"""Typed values of answers as values of programs."""

from datetime import datetime
from typing import Any

from mapagent import answer as typed
from modules.query.values.amount import ANGLE, DURATION, LENGTH, NUMBER, SIZE, Amount
from modules.query.values.moment import ANY_MONDAY, Moment
from modules.query.values.things import Choice, Items, Thing

_DIMENSIONS = {"s": DURATION, "m": LENGTH, "m2": SIZE, "deg": ANGLE}


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
