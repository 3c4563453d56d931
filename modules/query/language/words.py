"""The meaning of string literals in programs: kinds of places with their properties, measures, times and modes.

Properties among the words for a kind become conditions: "cafe with wifi" is a cafe whose `wifi` is true. A property
that is searched for as a word of the map would be denied wherever nobody has stated it; as a condition it is not
stated, which is told. Where a type stands beside words and numbers, it says what they must be.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count

from map_tools.errors import ProgramError, did_you_mean
from map_tools.kinds import concepts
from map_tools.kinds.category_file import vocabulary
from map_tools.kinds.tag_categories import is_left_out, kind_of_tag, raw_tag
from map_tools.kinds.wanted import field_of, read_wanted, without_properties
from modules.query.language import syntax, types
from modules.query.language.types import MODES, Type
from modules.query.operators.base import Operator, Parameter
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
_MEMBER = "p"
FOOD = "food"
"""The category of all places to eat."""


def check_literal(line: int, parameter: Parameter, text: str) -> None:
    """Checks words against the type of their parameter."""
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
    """Checks that words compared with a quantity or a time denote one."""
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


def with_conditions(program: syntax.Program, operators: Mapping[str, Operator]) -> syntax.Program:
    """The program with `where=` for the properties that its kinds name."""
    highest = max(node.number for one in program.statements for node in syntax.walk(one.expr))
    numbers = count(highest + 1)

    def judged(node: syntax.Argument) -> syntax.Argument:
        if not isinstance(node, syntax.Call) or node.operator not in operators or not node.positional:
            return node
        operator = operators[node.operator]
        kind = node.positional[0]
        takes = operator.plain and operator.plain[0].type.name == "What" and operator.parameter("where")
        if not takes or not isinstance(kind, syntax.String):
            return node
        words, fields = described(kind.text)
        if not fields:
            return node
        return _with(
            replace(node, positional=(replace(kind, text=words), *node.positional[1:])), fields, numbers
        )

    statements = (replace(one, expr=syntax.rebuilt(one.expr, judged)) for one in program.statements)
    return replace(program, statements=tuple(statements))


def _with(node: syntax.Call, fields: tuple[str, ...], numbers: Iterator[int]) -> syntax.Call:
    """A search with its condition, if it has one, and those fields."""
    given = dict(node.keywords)
    told = given.get("where")
    if told is not None and not isinstance(told, syntax.Lambda):
        return node
    member = told.parameter if told is not None else _MEMBER
    tests: list[syntax.Expr] = [
        syntax.Field(next(numbers), node.line, syntax.Name(next(numbers), node.line, member), name)
        for name in fields
    ]
    if told is not None:
        tests.append(told.body)
    body = tests[0] if len(tests) == 1 else syntax.Logic(next(numbers), node.line, "and", tuple(tests))
    where = syntax.Lambda(next(numbers), node.line, member, body)
    return replace(node, keywords=(*((k, v) for k, v in node.keywords if k != "where"), ("where", where)))


def categories_of(words: str) -> tuple[str, ...]:
    """The category ids that words beside a name mean; the words themselves for an id outside the vocabulary."""
    found = concepts.lookup(words, beside=True) or concepts.concept(words)
    if found is not None:
        return found.ids
    return (words.replace(" ", "_"),)


def meaning(words: str) -> tuple[tuple[str, ...], str]:
    """Category ids and a keyword: "italian restaurant" is a kind with a cuisine, "Netto" a name or brand.

    Words that the vocabulary knows wholly, or but for a cuisine, name a kind; a cuisine alone, or a place of it
    ("ramen", "sandwich place"), is wherever one eats; "place" is any; a tag ("cuisine=pizza") is a kind of its own
    unless its value is a category ("amenity=bench"); all others are a name.
    """
    if (tag := raw_tag(words)) is not None:
        return (kind_of_tag(tag),), ""
    wanted = read_wanted(words)
    if wanted.categories and (not wanted.keyword or concepts.cuisine_in(wanted.keyword)):
        return wanted.categories, wanted.keyword or ""
    if wanted.categories and wanted.keyword and words[:1].islower():
        return wanted.categories, wanted.keyword
    if not wanted.categories and not wanted.keyword:
        return (), ""
    if wanted.keyword and not wanted.categories and concepts.is_cuisine(wanted.keyword):
        return (FOOD,), wanted.keyword
    return (), words


def is_loose(words: str) -> bool:
    """Whether words are a kind and something that the vocabulary does not know: "drinking water tap".

    That no place has such words says nothing of whether there is what they mean.
    """
    categories, keyword = meaning(words)
    return bool(categories and keyword) and concepts.cuisine_in(keyword) is None


def is_sparse(words: str) -> bool:
    """Whether maps keep only a few of what words mean: trees that have a name."""
    categories, _ = meaning(words)
    return bool(categories) and all(map(is_left_out, categories))


def described(words: str) -> tuple[str, tuple[str, ...]]:
    """A kind and the fields that are wanted of it: "cafe with wifi" is a cafe whose `wifi` is true.

    Words that are a kind as a whole ("internet cafe"), a name or a cuisine have none.
    """
    if not words[:1].islower() or "=" in words or concepts.lookup(words) is not None:
        return words, ()
    kind, services = without_properties(words)
    if not services or concepts.lookup(kind) is None:
        return words, ()
    return kind, tuple(map(field_of, services))


def suggestion(words: str) -> str:
    """Suggests kinds similar to words that denote none."""
    return did_you_mean(words.casefold(), [word for words in vocabulary().words.values() for word in words])
