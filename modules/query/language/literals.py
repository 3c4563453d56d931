"""Words and numbers that a program writes out, where the type beside them says what they must be."""

from map_tools.errors import ProgramError
from modules.query.language import syntax, types
from modules.query.language.types import MODES, Type
from modules.query.operators.base import Parameter
from modules.query.values.amount import is_measure, parse_amount, price_level_of
from modules.query.values.moment import is_time

UNIT_OF = {"Length": "m", "Duration": "min", "Size": "ha", "Angle": "deg", "Money": "EUR"}
"""A unit of each measure."""
_KINDS = {
    "Length": "length",
    "Duration": "duration",
    "Size": "area",
    "Angle": "angle",
    "Money": "amount of money",
}


def check_literal(line: int, parameter: Parameter, text: str) -> None:
    """Words where the type of the parameter says what they must be."""
    name = parameter.type.name
    if name in UNIT_OF:
        found = parse_amount(text)
        if found is None or found.kind != _KINDS[name]:
            raise ProgramError(
                line, f"“{text}” is no {name.lower()}.", f'Write it with its unit: "5 {UNIT_OF[name]}".'
            )
        if name in {"Length", "Duration"} and not is_measure(found):
            raise ProgramError(
                line, f"`{parameter.name}` is “{text}”, and must be above 0.", f'Write "5 {UNIT_OF[name]}".'
            )
    if name == "Time" and not is_time(text):
        raise ProgramError(
            line, f"“{text}” is no time.", 'Write "10:00", "Sun 20:00", "Fri", "2026-12-25 18:00" or "today".'
        )
    if name == "Mode" and text.casefold() not in MODES:
        raise ProgramError(
            line, f"“{text}” is no mode of travel.", 'There are "walk", "bike", "drive", "transit".'
        )
    if name == "Order" and text not in {"fixed", "free"}:
        raise ProgramError(line, f"“{text}” is no order.", 'Write "fixed" or "free".')
    if name in {"YesNo", "Number", "Trip", "Route", "Visit", "Direction"}:
        raise ProgramError(line, f"`{parameter.name}` is a {name}, and “{text}” is words.")


def check_compared(line: int, one: Type, literal: syntax.Expr, other: Type, _expr: syntax.Expr) -> None:
    """Words beside a quantity or a time must be one."""
    if not isinstance(literal, syntax.String):
        return
    text = literal.text
    if other.name in UNIT_OF and parse_amount(text) is None:
        raise ProgramError(
            line,
            f"“{text}” is no {other.name.lower()}.",
            f'Write it with its unit: "5 {UNIT_OF[other.name]}".',
        )
    if other.name == "Time" and not is_time(text) and parse_amount(text) is None:
        raise ProgramError(line, f"“{text}” is no time.", 'Write "10:00" or "Sun 20:00".')
    if other.name == "Number" and one == types.TEXT and price_level_of(text) is None:
        try:
            float(text)
        except ValueError:
            raise ProgramError(
                line, f"a number is compared with the words “{text}”.", "Write the number."
            ) from None
