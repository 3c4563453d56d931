"""Follow-ups: programs that use the names of earlier programs of a conversation, made whole.

A name that a program uses and does not set is that of the latest earlier program that sets it; `result` is the value of
the last answer. The statements that they need are put before the program, so that it can be read, checked, verified
and told like any other; what they say of `now` and `here` is worked out anew.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from map_tools.errors import ProgramError
from mapagent.core.rendering import quoted
from modules.query.inventory import RESERVED
from modules.query.language import syntax
from modules.query.language.parser import parse

RESULT = "result"
_GIVEN = RESERVED - {RESULT}
_TERNARY, _OR, _AND, _NOT, _COMPARISON, _SUM, _TERM, _UNARY, _ATOM = range(9)
"""How tightly the forms bind, as the grammar has them (`program.lark`)."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A program made whole.

    Attributes:
        program: The program, parsed.
        lines: Which line of the follow-up each of its lines was; 0 for what was put before. Empty where nothing was.
    """

    program: syntax.Program
    lines: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The program as written."""
        return self.program.text

    def blamed(self, error: ProgramError) -> ProgramError:
        """An error with the line that the asker knows."""
        known = 0 < error.line <= len(self.lines)
        return ProgramError(self.lines[error.line - 1], error.problem, error.remedy) if known else error


def linked(text: str, earlier: Sequence[str]) -> Linked:
    """A program with what it needs of earlier ones before it.

    Args:
        text: The program.
        earlier: Those of the conversation, in order.

    Raises:
        ProgramError: It has not the form of a program, or asks for the last answer where there is none.
    """
    program = parse(text)
    own = {one.name for one in program.statements}
    used = dict.fromkeys(name for one in program.statements for name in syntax.names_in(one.expr))
    wanted = [name for name in used if name not in own | _GIVEN]
    if not wanted:
        return Linked(program)
    before = [parse(one) for one in earlier]
    linker = _Linker(before, {*own, *(name for one in (program, *before) for name in _bound(one))})
    names = {name: found for name in wanted if (found := linker.place(name)) is not None}
    if RESULT in wanted and RESULT not in names:
        raise ProgramError(
            0, f"`{RESULT}` is the last answer's value, and there is none.", "Ask for it anew."
        )
    if not names:
        return Linked(program)
    put = linker.lines
    said = [_line(one, names) for one in program.statements]
    lines = (*(0 for _ in put), *(one.line for one in program.statements))
    return Linked(parse("\n".join((*put, *said))), lines)


class _Linker:
    """Gathers the statements that names of earlier programs need."""

    def __init__(self, earlier: Sequence[syntax.Program], taken: set[str | None]) -> None:
        self._earlier = earlier
        self._taken = {*taken, RESULT}
        self._put: dict[str, str] = {}
        """What each new name is set to."""
        self._known: dict[tuple[int, str], str] = {}

    @property
    def lines(self) -> list[str]:
        """What is put before the program."""
        return [f"{name} = {value}" for name, value in self._put.items()]

    def place(self, name: str) -> str | None:
        """What an earlier name is called here, once its statement is put; None if there is no such name."""
        for number in reversed(range(len(self._earlier))):
            if name == RESULT:
                end = self._earlier[number].answer.expr
                if isinstance(end, syntax.Call) and end.operator == "answer" and end.positional:
                    return self._value(number, end.positional[0])
            elif self._sets(number, name) is not None:
                return self._statement(number, name)
        return None

    def _sets(self, number: int, name: str) -> syntax.Argument | None:
        statements = self._earlier[number].statements
        return next((one.expr for one in statements if one.name == name), None)

    def _value(self, number: int, expr: syntax.Argument) -> str:
        """The name of a value that may have had none."""
        if isinstance(expr, syntax.Name) and self._sets(number, expr.name) is not None:
            return self._statement(number, expr.name)
        return self._named("earlier", self._written(number, expr))

    def _statement(self, number: int, name: str) -> str:
        expr = self._sets(number, name)
        if (number, name) not in self._known and expr is not None:
            self._known[number, name] = self._named(name, self._written(number, expr))
        return self._known[number, name]

    def _written(self, number: int, expr: syntax.Argument) -> str:
        """An expression of an earlier program, behind the statements that it needs."""
        used = [name for name in syntax.names_in(expr) if self._sets(number, name) is not None]
        return written(expr, {name: self._statement(number, name) for name in used})

    def _named(self, wish: str, value: str) -> str:
        """The name of a value: one that has it already, else the one wished for, else that with a number."""
        for known, held in self._put.items():
            if held == value:
                return known
        name, number = wish, 1
        while name in self._taken:
            number += 1
            name = f"{wish}_{number}"
        self._taken.add(name)
        self._put[name] = value
        return name


def _bound(program: syntax.Program) -> Iterator[str]:
    """The names that lambdas bind, which would hide others of that name."""
    for statement in program.statements:
        for node in syntax.walk(statement.expr):
            if isinstance(node, syntax.Lambda):
                yield node.parameter


def _line(statement: syntax.Statement, names: Mapping[str, str]) -> str:
    value = written(statement.expr, names)
    comment = f"  # {statement.comment}" if statement.comment else ""
    return f"{statement.name} = {value}{comment}" if statement.name else value + comment


def written(node: syntax.Argument, names: Mapping[str, str] | None = None) -> str:
    """An expression as text that is parsed to the same again.

    Args:
        node: The expression.
        names: What names that it does not bind itself are called instead.
    """
    return _written(node, names or {}, _TERNARY)


def _written(node: syntax.Argument, names: Mapping[str, str], least: int) -> str:
    text, level = _form(node, names)
    return text if level >= least else f"({text})"


def _form(node: syntax.Argument, names: Mapping[str, str]) -> tuple[str, int]:  # noqa: C901, PLR0912 (one case for each form)
    """The text of a node, and how tightly it binds."""

    def part(below: syntax.Argument, least: int = _TERNARY) -> str:
        return _written(below, names, least)

    match node:
        case syntax.Number():
            return _number(node.value), _ATOM
        case syntax.String():
            return quoted(node.text, cut=False), _ATOM
        case syntax.Truth():
            return str(node.value), _ATOM
        case syntax.Name():
            return names.get(node.name, node.name), _ATOM
        case syntax.Listing():
            return f"[{', '.join(map(part, node.items))}]", _ATOM
        case syntax.Lambda():
            body = _written(node.body, _without(names, node.parameter), _TERNARY)
            return f"lambda {node.parameter}: {body}", _TERNARY
        case syntax.Mapped():
            return f"[{_mapping(node, names)}]", _ATOM
        case syntax.Call():
            given = [*map(part, node.positional), *(f"{name}={part(value)}" for name, value in node.keywords)]
            return f"{node.operator}({', '.join(given)})", _ATOM
        case syntax.Field():
            return f"{part(node.value, _ATOM)}.{node.name}", _ATOM
        case syntax.Index():
            return f"{part(node.value, _ATOM)}[{node.at}]", _ATOM
        case syntax.Slice():
            first, last = ("" if one is None else str(one) for one in (node.first, node.last))
            return f"{part(node.value, _ATOM)}[{first}:{last}]", _ATOM
        case syntax.Conditional():
            then, condition = part(node.then, _OR), part(node.condition, _OR)
            return f"{then} if {condition} else {part(node.otherwise)}", _TERNARY
        case syntax.Logic():
            level = _AND if node.operator == "and" else _OR
            return f" {node.operator} ".join(part(one, level + 1) for one in node.items), level
        case syntax.Negation():
            return f"not {part(node.value, _NOT)}", _NOT
        case syntax.Comparison():
            return " ".join(_compared(node, names)), _COMPARISON
        case syntax.Arithmetic():
            level = _SUM if node.operator in "+-" else _TERM
            return f"{part(node.left, level)} {node.operator} {part(node.right, level + 1)}", level
        case syntax.Negative():
            return f"-{part(node.value, _UNARY)}", _UNARY


def _compared(node: syntax.Comparison, names: Mapping[str, str]) -> Iterator[str]:
    yield _written(node.items[0], names, _SUM)
    for comparator, item in zip(node.comparators, node.items[1:], strict=True):
        yield comparator
        yield _written(item, names, _SUM)


def _mapping(node: syntax.Mapped, names: Mapping[str, str]) -> str:
    parameter = node.body.parameter
    inner = _without(names, parameter)
    text = f"{written(node.body.body, inner)} for {parameter} in {_written(node.source, names, _OR)}"
    return text if node.condition is None else f"{text} if {_written(node.condition.body, inner, _OR)}"


def _without(names: Mapping[str, str], bound: str) -> Mapping[str, str]:
    return {name: found for name, found in names.items() if name != bound}


def _number(value: float) -> str:
    """A number without a unit, never with an exponent."""
    return format(Decimal(repr(value)), "f").removesuffix(".0")
