"""Programs read back in words: what was understood, statement by statement.

The phrases are the operators' own; the words of literals stand as they were written.
"""

import re
from collections.abc import Mapping

from modules.query.language import syntax
from modules.query.operators.base import Operator

_GIVEN = {"here": "your position", "now": "now", "options": "the options", "picture": "the picture"}
_MODES = {"walk": "on foot", "bike": "by bike", "drive": "by car", "transit": "by public transport"}
_FIELDS = {
    "duration": "the time of",
    "distance": "the length of",
    "legs": "the legs of",
    "travel": "the travel time of",
    "arrive": "the arrival of",
    "depart": "the departure of",
    "order": "the order of",
    "feasible": "whether it works out:",
}
_COMPARATORS = {
    "<": "less than", "<=": "at most", ">": "more than", ">=": "at least", "==": "the same as", "!=": "other than",
    "in": "in", "not in": "not in",
}  # fmt: skip
_SLOT = re.compile(r"\{(\w+)\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


def read_back(program: syntax.Program, operators: Mapping[str, Operator]) -> str:
    """A program in words: one phrase for each statement."""
    reader = _Reader(operators)
    phrases = [
        f"{_words(statement.name)}: {reader.phrase(statement.expr)}"
        if statement.name
        else reader.answer(statement.expr)
        for statement in program.statements
    ]
    return "; ".join(phrases) + "."


def phrase_of(expr: syntax.Argument, operators: Mapping[str, Operator]) -> str:
    """One expression in words."""
    return _Reader(operators).phrase(expr)


def _words(name: str) -> str:
    return name.replace("_", " ")


class _Reader:
    def __init__(self, operators: Mapping[str, Operator]) -> None:
        self._operators = operators

    def answer(self, expr: syntax.Expr) -> str:
        """The last line: the main value and the parts."""
        if not isinstance(expr, syntax.Call):
            return self.phrase(expr)
        if expr.operator != "answer":
            return f"answer: {self.phrase(expr)}"
        values = [self.phrase(value) for value in expr.positional]
        named = [(name, self.phrase(value)) for name, value in expr.keywords]
        main = values[0] if values else next((text for name, text in named if name == "value"), "")
        parts = [f"{_words(name)}: {text}" for name, text in named if name != "value"]
        return f"answer: {', and '.join([main, *parts])}"

    def phrase(self, node: syntax.Argument) -> str:
        """A node in words."""
        match node:
            case syntax.Number():
                return f"{node.value:g}"
            case syntax.String():
                return node.text
            case syntax.Truth():
                return "yes" if node.value else "no"
            case syntax.Name():
                return _GIVEN.get(node.name, _words(node.name))
            case syntax.Listing():
                return ", ".join(map(self.phrase, node.items)) or "nothing"
            case syntax.Lambda():
                return self._of_it(node)
            case syntax.Mapped():
                condition = f" where {self._of_it(node.condition)}" if node.condition is not None else ""
                body = self._of_it(node.body)
                return (
                    f"{self.phrase(node.source)}{condition}"
                    if body == "it"
                    else f"{body} for each of {self.phrase(node.source)}{condition}"
                )
            case syntax.Call():
                return self._call(node)
            case syntax.Field():
                return self._field(node)
            case syntax.Index():
                return f"the {_ordinal(node.at)} of {self.phrase(node.value)}"
            case syntax.Slice():
                return self._slice(node)
            case syntax.Conditional():
                return f"{self.phrase(node.then)} if {self.phrase(node.condition)}, otherwise {self.phrase(node.otherwise)}"
            case syntax.Logic():
                return f" {node.operator} ".join(map(self.phrase, node.items))
            case syntax.Negation():
                return f"not {self.phrase(node.value)}"
            case syntax.Comparison():
                parts = [self.phrase(node.items[0])]
                for comparator, item in zip(node.comparators, node.items[1:], strict=True):
                    parts.append(f"is {_COMPARATORS[comparator]} {self.phrase(item)}")
                return " ".join(parts)
            case syntax.Arithmetic():
                return f"{self.phrase(node.left)} {node.operator} {self.phrase(node.right)}"
            case syntax.Negative():
                return f"minus {self.phrase(node.value)}"

    def _of_it(self, node: syntax.Lambda) -> str:
        """The body of a lambda, its parameter called "it"."""
        told = re.sub(rf"\b{re.escape(_words(node.parameter))}\b", "it", self.phrase(node.body))
        return re.sub(r"\bit's\b", "its", told)

    def _field(self, node: syntax.Field) -> str:
        value = self.phrase(node.value)
        name = _FIELDS.get(node.name, f"the {_words(node.name)} of")
        if value == "it" or (isinstance(node.value, syntax.Name) and len(node.value.name) == 1):
            return f"its {_words(node.name)}" if value == "it" else f"{value}'s {_words(node.name)}"
        return f"{name} {value}"

    def _slice(self, node: syntax.Slice) -> str:
        value = self.phrase(node.value)
        if node.first in {None, 0} and node.last is not None:
            return f"the first {node.last} of {value}"
        return f"a part of {value}"

    def _call(self, node: syntax.Call) -> str:
        operator = self._operators[node.operator]
        given: dict[str, str] = {}
        for parameter, value in zip(operator.plain, node.positional, strict=False):
            given[parameter.name] = self._argument(value, parameter.type.name)
        for name, value in node.keywords:
            found = operator.parameter(name)
            given[name] = self._argument(value, found.type.name if found else "Any")
        return _filled(operator.phrase, given)

    def _argument(self, node: syntax.Argument, wanted: str) -> str:
        text = self.phrase(node)
        return _MODES.get(text, text) if wanted == "Mode" else text


def _filled(template: str, given: Mapping[str, str]) -> str:
    """A template with its slots filled; bracketed parts are left out where a slot of theirs is not given."""

    def part(match: re.Match[str]) -> str:
        return match[1] if all(name in given for name in _SLOT.findall(match[1])) else ""

    return _SLOT.sub(lambda match: given.get(match[1], ""), _OPTIONAL.sub(part, template))


def _ordinal(at: int) -> str:
    if at == -1:
        return "last"
    if at < 0:
        return f"{-at}. from the end"
    names = ("first", "second", "third", "fourth", "fifth")
    return names[at] if at < len(names) else f"{at + 1}th"
