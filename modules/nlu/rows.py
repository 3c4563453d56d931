"""Programs as short rows of tokens, as the network writes them, and back.

A row is in prefix form: an operator, a field or a comparison stands before what it is applied to; what may have
any number of parts ends in ")" or "]". Words of a question are literals with the role that they play; all else is
a token of a fixed set. Names that a program uses once stand where they are used; a name of a place that stands
twice is set once.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from modules.query.operators.base import Operator, Parameter

MAP = "<map>"
"""Stands for the name of the whole map."""
ANY_MODE = "any"
"""Stands for the means of travel where a question names none."""
MODE = "Mode"
"""The type of means of travel."""
NUMBER_ROLE = "N"
"""The role of numbers without a unit."""
LITERAL, NUMBER, FIELD, INDEX, KEYWORD = "=", "#", ".", "@", "="
"""What tokens of these kinds begin with; a keyword ends in it."""
PLACES: Mapping[str, str] = {"Place": "place", "Area": "area", "Line": "line"}
"""Types, and the operators that words become by where such a thing is wanted."""
COMPARATORS = ("<", "<=", ">", ">=", "==", "!=", "in", "not in")
ARITHMETIC = ("+", "-", "*", "/")
MEMBERS = ("p", "q")
"""What the members of a list are called, and those of a list within."""


@dataclass(frozen=True, slots=True)
class Literal:
    """Words in quotation marks, and the type that is wanted where they stand."""

    role: str
    text: str


type Token = str | Literal


class RowError(Exception):
    """A program that no row of tokens says, or a row that is no program."""


def leading(operator: Operator) -> list[Parameter]:
    """The parameters that each call of a row has, without their names: those it needs, and the means of travel."""
    return [one for one in operator.plain if one.required or one.type.name == MODE]
