"""What a value becomes where another type is wanted: words become places, times, amounts."""

from typing import Any

from map_tools.kinds.concepts import is_street
from modules.query.interpreter.context import Context
from modules.query.interpreter.showing import shown
from modules.query.language.types import MODES, PLACE_LIKE, Type
from modules.query.values.algebra import ValueTypeError, called
from modules.query.values.amount import (
    ANGLE,
    DURATION,
    LENGTH,
    MONEY,
    NUMBER,
    SIZE,
    Amount,
    is_measure,
    parse_amount,
)
from modules.query.values.moment import Moment, is_month, parse_moment
from modules.query.values.things import Bearing, Choice, Items, Stop, Thing, Visit, Way, What
from modules.query.values.unknown import Unknown, Why

_DIMENSIONS = {"Length": LENGTH, "Duration": DURATION, "Size": SIZE, "Angle": ANGLE, "Money": MONEY}
_ORDERS = frozenset({"fixed", "free"})


def coerced(value: Any, wanted: Type, context: Context) -> Any:
    """The value as the wanted type.

    Raises:
        Waiting: A name is still to be looked up.
        ValueTypeError: The value cannot be that.
    """
    name = wanted.name
    if isinstance(value, Unknown) or name in {"Any", "Item", "Same", "Fact", "Test", "Key"}:
        return value
    if name in PLACE_LIKE - {"Route", "Stop"}:
        return _place(value, name, context)
    if name in _DIMENSIONS:
        return _measure(value, name)
    if name == "List":
        return _list(value, wanted, context)
    special = _SPECIAL.get(name)
    return special(value, context) if special is not None else value


def _place(value: Any, name: str, context: Context) -> Any:
    if (
        name == "Area"
        and isinstance(value, Thing)
        and value.shape is None
        and is_street(value.place.categories)
    ):
        return context.calls.look_up("area", {"name": value.reference})
    if isinstance(value, Thing) or (name == "Line" and isinstance(value, Way)):
        return value
    if isinstance(value, Stop | Visit):
        return value.thing
    if isinstance(value, Choice | str):
        text = value.text if isinstance(value, Choice) else value
        named = "mark" if context.situation.only_picture else "place"
        operator = {"Area": "area", "Line": "line", "Mark": "mark"}.get(name, named)
        return context.calls.look_up(operator, {"name": text} if operator != "mark" else {"label": text})
    if isinstance(value, Items):
        raise ValueTypeError("one place is wanted here and this is a list; take one of it: `[0]`")
    raise ValueTypeError(f"a place is wanted here, and this is {called(value)}")


def _measure(value: Any, name: str) -> Amount:
    text = value.text if isinstance(value, Choice) else value
    found = parse_amount(text) if isinstance(text, str) else value
    if isinstance(found, Amount) and found.dimension == _DIMENSIONS[name]:
        if name in {"Length", "Duration"} and not is_measure(found):
            raise ValueTypeError(f"a {name.lower()} above 0 is wanted here, and this is {shown(found)}")
        return found
    if isinstance(found, Amount) and found.dimension == NUMBER:
        raise ValueTypeError(f'a {name.lower()} needs its unit: "{found.low:g} …"')
    raise ValueTypeError(f"a {name.lower()} is wanted here, and this is {called(value)}")


def _time(value: Any, context: Context) -> Any:
    if isinstance(value, Moment):
        return value
    text = value.text if isinstance(value, Choice) else value
    if isinstance(text, str):
        found = parse_moment(text, context.situation.now)
        if found is not None:
            if is_month(text):
                context.assume(f"“{text}” is judged by {found.at:%A, %d %B %Y}")
            return found
        if parse_moment(text, _SOME_TIME) is not None:
            return Unknown(Why.UNSUPPORTED, f"“{text}” needs the present day; give it with --at ISO.")
        raise ValueTypeError(
            f'“{text}” is no time; write "10:00", "Sun 20:00", "Fri", "2026-12-25 18:00" or "today"'
        )
    raise ValueTypeError(f"a time is wanted here, and this is {called(value)}")


def _mode(value: Any, _context: Context) -> str:
    text = value.text if isinstance(value, Choice) else value
    mode = MODES.get(text.casefold()) if isinstance(text, str) else None
    if mode is None:
        raise ValueTypeError(
            f'{called(value)} is no mode of travel; there are "walk", "bike", "drive", "transit"'
        )
    return mode


def _order(value: Any, _context: Context) -> str:
    if value not in _ORDERS:
        raise ValueTypeError('an order is "fixed" or "free"')
    return str(value)


def _what(value: Any, _context: Context) -> What:
    if isinstance(value, What):
        return value
    if isinstance(value, str):
        return What(text=value)
    if isinstance(value, Choice):
        return What(text=value.text)
    if isinstance(value, Items):
        return What(things=value)
    raise ValueTypeError(f"a kind of place or a list is wanted here, and this is {called(value)}")


def _number(value: Any, _context: Context) -> Amount:
    if isinstance(value, str):
        try:
            return Amount.of(float(value.replace(",", "")))
        except ValueError:
            raise ValueTypeError(f"a number is wanted here, and this is {called(value)}") from None
    if isinstance(value, Amount) and value.dimension == NUMBER:
        return value
    raise ValueTypeError(f"a number is wanted here, and this is {called(value)}")


def _text(value: Any, _context: Context) -> str:
    if isinstance(value, Choice):
        return value.text
    if isinstance(value, Thing):
        return value.name
    if isinstance(value, str):
        return value
    raise ValueTypeError(f"words are wanted here, and this is {called(value)}")


def _yes_no(value: Any, _context: Context) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueTypeError(f"True or False is wanted here, and this is {called(value)}")


def _quantity(value: Any, _context: Context) -> Any:
    found = parse_amount(value) if isinstance(value, str) else value
    if isinstance(found, Amount | Bearing):
        return found
    raise ValueTypeError(f"an amount is wanted here, and this is {called(value)}")


def _list(value: Any, wanted: Type, context: Context) -> Any:
    if wanted.lenient and not isinstance(value, Items):
        return Items((value,))
    if not isinstance(value, Items):
        raise ValueTypeError(f"a list is wanted here, and this is {called(value)}")
    if wanted.of is None or wanted.of.name == "Any":
        return value
    members = [coerced(member, wanted.of, context) for member in value]
    return value.like(members)


_SPECIAL = {
    "Time": _time,
    "Mode": _mode,
    "Order": _order,
    "What": _what,
    "Number": _number,
    "Text": _text,
    "YesNo": _yes_no,
    "Quantity": _quantity,
}
_SOME_TIME = parse_moment("2025-03-03 12:00", None).at  # type: ignore[union-attr]
