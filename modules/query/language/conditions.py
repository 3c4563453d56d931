"""Properties among the words for a kind become conditions: "cafe with wifi" is a cafe whose `wifi` is true.

A property that is searched for as a word of the map would be denied wherever nobody has stated it; as a condition
it is not stated, which is told.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count

from modules.query.interpreter.kinds import described
from modules.query.language import syntax
from modules.query.operators.base import Operator

_MEMBER = "p"


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
