"""From a program to the row of tokens that says it (`modules.nlu.rows`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from modules.nlu.rows import (
    ANY_MODE,
    FIELD,
    INDEX,
    KEYWORD,
    LITERAL,
    MEMBERS,
    MODE,
    NUMBER_ROLE,
    PLACES,
    Literal,
    RowError,
    Token,
    leading,
)
from modules.nlu.sharing import statements_of
from modules.query.language import syntax
from modules.query.language.parser import parse
from modules.query.operators.base import Operator
from modules.query.operators.registry import RESERVED

_PLAIN = frozenset({*PLACES.values(), "visit"})
"""Calls that are written out where they stand twice."""


def tokens_of(text: str, operators: Mapping[str, Operator]) -> list[Token]:
    """The row of a program.

    Raises:
        RowError: It uses what rows cannot say.
        ProgramError: It is no program.
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
