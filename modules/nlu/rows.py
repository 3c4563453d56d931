"""Programs as short rows of tokens, as the network writes them, and from a program to its row.

A row is in prefix form: an operator, a field or a comparison stands before what it is applied to; what may have
any number of parts ends in ")" or "]". Words of a question are literals with the role that they play; all else is
a token of a fixed set. A program has one form among those that say the same: what it uses twice is set once, all else
stands in place. The way back is `modules.nlu.decoding`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from modules.query.inventory import RESERVED
from modules.query.language import syntax
from modules.query.language.parser import parse
from modules.query.operators.base import Operator, Parameter

MAP = "<map>"
"""Stands for the name of the whole map."""
ANY_MODE = "any"
"""Stands for the mode of travel if a question names none."""
MODE = "Mode"
"""The type of modes of travel."""
NUMBER_ROLE = "N"
"""The role of numbers without a unit."""
LITERAL, NUMBER, FIELD, INDEX, KEYWORD = "=", "#", ".", "@", "="
"""The first character of tokens of these kinds; for a keyword, the last one."""
PLACES: Mapping[str, str] = {"Place": "place", "Area": "area", "Line": "line"}
"""Types, and the operators that look words up where such a type is wanted."""
COMPARATORS = ("<", "<=", ">", ">=", "==", "!=", "in", "not in")
ARITHMETIC = ("+", "-", "*", "/")
MEMBERS = ("p", "q")
"""Names of lambda parameters, by nesting depth."""
_PLAIN = frozenset({*PLACES.values(), "visit"})
"""Operators whose calls are written out each time, not set to a name."""


@dataclass(frozen=True, slots=True)
class Literal:
    """Words in quotation marks, and the type that is wanted where they stand."""

    role: str
    text: str


type Token = str | Literal


class RowError(Exception):
    """A program that has no row of tokens, or a row that is not a program."""


def leading(operator: Operator) -> list[Parameter]:
    """The parameters that each call in a row has, without their names: required ones, and the mode of travel."""
    return [one for one in operator.plain if one.required or one.type.name == MODE]


def tokens_of(text: str, operators: Mapping[str, Operator]) -> list[Token]:
    """The row of a program.

    Raises:
        RowError: It uses what rows cannot express.
        ProgramError: It is not a program.
    """
    return _Encoder(operators).program(parse(text))


@dataclass
class _Encoder:
    operators: Mapping[str, Operator]
    made: list[Token] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    def program(self, program: syntax.Program) -> list[Token]:
        statements = statements_of(program, _PLAIN)
        for name, value in statements[:-1]:
            self.made.append("let")
            self._value(value, "Any", {})
            self.names[name] = name
        last = statements[-1][1]
        if not isinstance(last, syntax.Call):
            raise RowError("no answer")
        if last.operator == "unanswerable":
            return [*self.made, "unanswerable", _literal(last.positional[0])]
        self.made.append("answer(")
        for part in (*last.positional, *(part for _, part in last.keywords)):
            self._value(part, "Any", {})
        return [*self.made, ")"]

    def _values(self, nodes: Sequence[syntax.Argument], wanted: str, bound: Mapping[str, str]) -> None:
        for node in nodes:
            self._value(node, wanted, bound)

    def _value(self, node: syntax.Argument, wanted: str, bound: Mapping[str, str]) -> None:  # noqa: C901, PLR0912 (one case for each kind)
        add = self.made.append
        match node:
            case syntax.Number():
                add(Literal(NUMBER_ROLE, f"{node.value:g}"))
            case syntax.String():
                add(Literal(wanted, node.text))
            case syntax.Truth():
                add(str(node.value))
            case syntax.Name():
                add(self._name(node.name, bound))
            case syntax.Listing():
                add("[")
                self._values(node.items, "Place" if wanted == "List" else wanted, bound)
                add("]")
            case syntax.Lambda():
                self._value(node.body, "Any", {**bound, node.parameter: MEMBERS[min(len(bound), 1)]})
            case syntax.Mapped():
                add("map(")
                member = {**bound, node.body.parameter: MEMBERS[min(len(bound), 1)]}
                self._value(node.body.body, "Any", member)
                self._value(node.source, "Any", bound)
                if node.condition is not None:
                    self._value(node.condition.body, "Any", member)
                add(")")
            case syntax.Call():
                self._call(node, wanted, bound)
            case syntax.Field():
                add(f"{FIELD}{node.name}")
                self._value(node.value, "Place", bound)
            case syntax.Index():
                add(f"{INDEX}{node.at}")
                self._value(node.value, "Any", bound)
            case syntax.Slice():
                first, last = ("" if one is None else one for one in (node.first, node.last))
                add(f"{INDEX}{first}:{last}")
                self._value(node.value, "Any", bound)
            case syntax.Conditional():
                add("if")
                self._value(node.condition, "Any", bound)
                self._values((node.then, node.otherwise), wanted, bound)
            case syntax.Logic():
                add(f"{node.operator}(")
                self._values(node.items, "Any", bound)
                add(")")
            case syntax.Negation() | syntax.Negative():
                add("not" if isinstance(node, syntax.Negation) else "neg")
                self._value(node.value, "Any", bound)
            case syntax.Comparison():
                self._comparison(node, bound)
            case syntax.Arithmetic():
                add(node.operator)
                self._values((node.left, node.right), "Value", bound)

    def _name(self, name: str, bound: Mapping[str, str]) -> str:
        found = bound.get(name) or self.names.get(name) or (name if name in RESERVED else None)
        if found is None:
            raise RowError(f"the name {name}")
        return found

    def _comparison(self, node: syntax.Comparison, bound: Mapping[str, str]) -> None:
        """`a < b < c` is `a < b and b < c`."""
        pairs = list(zip(node.items, node.comparators, node.items[1:], strict=False))
        if len(pairs) > 1:
            self.made.append("and(")
        for left, comparator, right in pairs:
            self.made.append(comparator)
            inside = comparator in {"in", "not in"}
            self._value(left, "Place" if inside else "Value", bound)
            self._value(right, "Area" if inside else "Value", bound)
        if len(pairs) > 1:
            self.made.append(")")

    def _call(self, node: syntax.Call, wanted: str, bound: Mapping[str, str]) -> None:
        words = _looked_up(node)
        if words is not None and (wanted in PLACES or (node.operator == "place" and wanted == "Any")):
            self.made += [Literal(wanted, words)] if wanted in PLACES else ["place", Literal("Place", words)]
            return
        operator = self.operators.get(node.operator)
        if operator is None:
            raise RowError(f"the operator {node.operator}")
        given = dict(zip((one.name for one in operator.plain), node.positional, strict=False))
        given |= dict(node.keywords)
        first = leading(operator)
        self.made.append(f"{operator.name}(")
        for parameter in first:
            if parameter.name in given:
                self._value(given[parameter.name], parameter.type.name, bound)
            else:
                self.made.append(Literal(MODE, ANY_MODE))
        for parameter in operator.parameters:
            if parameter.name in given and parameter not in first:
                self.made.append(f"{parameter.name}{KEYWORD}")
                self._value(given[parameter.name], parameter.type.name, bound)
        self.made.append(")")


def _looked_up(node: syntax.Call) -> str | None:
    """The words of a call that only looks them up."""
    if node.operator not in PLACES.values() or node.keywords or len(node.positional) != 1:
        return None
    words = node.positional[0]
    return words.text if isinstance(words, syntax.String) else None


def _literal(node: syntax.Argument) -> str:
    if not isinstance(node, syntax.String):
        raise RowError("a reason that is computed")
    return f"{LITERAL}{node.text}"


def statements_of(program: syntax.Program, plain: frozenset[str]) -> list[tuple[str, syntax.Expr]]:
    """The values that a program sets, with the names v0, v1 and so on, and its answer, whose name is empty.

    Args:
        program: The program.
        plain: Operators whose calls are as short as a name: they are written out each time.
    """
    values: dict[str, syntax.Expr] = {}
    for statement in program.statements:
        value = _unnumbered(statement.expr, values)
        if statement.name is not None:
            values[statement.name] = value
    made = [("", _unnumbered(program.answer.expr, values))]
    while (found := _repeated(made, plain)) is not None:
        name = f"v{len(made) - 1}"
        first = next(number for number, (_, value) in enumerate(made) if found in set(syntax.walk(value)))
        named = syntax.Name(0, 0, name)
        made = [(one, _replaced(value, found, named)) for one, value in made]
        made.insert(first, (name, found))
    made = _in_order(made)
    new = {name: f"v{number}" for number, (name, _) in enumerate(made[:-1])}
    return [
        (new.get(name, ""), syntax.rebuilt(value, lambda node: _renamed(node, new))) for name, value in made
    ]


def _in_order(made: list[tuple[str, syntax.Expr]]) -> list[tuple[str, syntax.Expr]]:
    """Values in the order in which the answer first needs them."""
    values = dict(made)
    found: dict[str, None] = {}

    def need(name: str) -> None:
        for used in syntax.names_in(values[name]):
            if used in values and used not in found:
                need(used)
        found[name] = None

    need("")
    return [(name, values[name]) for name in found]


def _unnumbered(expr: syntax.Expr, values: dict[str, syntax.Expr]) -> Any:
    """A tree without node numbers and lines, so that like parts are equal, and with names replaced by their values."""

    def changed(node: Any) -> Any:
        if isinstance(node, syntax.Name) and node.name in values:
            return values[node.name]
        return replace(node, number=0, line=0)

    return syntax.rebuilt(expr, changed)


def _repeated(made: list[tuple[str, syntax.Expr]], plain: frozenset[str]) -> syntax.Expr | None:
    """The largest part that occurs twice, the first one of equals."""
    counted: Counter[Any] = Counter()
    for _, value in made:
        counted.update(
            node for node in syntax.walk(value) if _worth_a_name(node, plain, {name for name, _ in made})
        )
    repeated = [node for node, times in counted.items() if times > 1]
    return max(repeated, key=lambda node: sum(1 for _ in syntax.walk(node)), default=None)


def _worth_a_name(node: Any, plain: frozenset[str], names: set[str]) -> bool:
    if isinstance(node, syntax.Call):
        worth = node.operator not in plain
    elif isinstance(node, syntax.Field | syntax.Index):
        worth = any(isinstance(part, syntax.Call) for part in syntax.walk(node))
    else:
        worth = isinstance(node, syntax.Mapped | syntax.Arithmetic)
    return worth and set(syntax.names_in(node)) <= RESERVED | names


def _replaced(value: Any, part: syntax.Expr, name: syntax.Name) -> Any:
    return syntax.rebuilt(value, lambda node: name if node == part else node)


def _renamed(node: Any, new: dict[str, str]) -> Any:
    if isinstance(node, syntax.Name) and node.name in new:
        return replace(node, name=new[node.name])
    return node
