"""Programs read back in words: what was understood, statement by statement.

The phrases are the operators' own. A name that is used once stands as what it is, so that short programs read as
one sentence; names of places stand as they were found.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from map_tools.concepts import lookup
from map_tools.modes import TOLD
from modules.query.language import syntax
from modules.query.operators.base import Operator

_GIVEN = {"here": "your position", "now": "now", "options": "the options", "picture": "the picture"}
_FIELDS = {
    "duration": "the time of", "distance": "the length of", "travel": "the travel time of",
    "arrive": "the arrival of", "depart": "the departure of", "leave": "the end of",
    "location": "the position of", "rating": "the rating of",
}  # fmt: skip
_CLAUSES = {
    "wifi": "has wifi", "wheelchair": "is accessible by wheelchair", "outdoor_seating": "has seats outside",
    "takeaway": "has takeaway", "delivery": "delivers", "vegan": "has vegan food",
    "vegetarian": "has vegetarian food", "dog": "takes dogs", "elevator": "has a lift", "feasible": "works out",
}  # fmt: skip
"""Fields that are yes or no, where they stand as a condition."""
_COMPARATORS = {
    "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least", "==": "is",
    "!=": "is not", "in": "is in", "not in": "is not in",
}  # fmt: skip
_ENDS = frozenset({"answer", "unanswerable"})
_LOOK_UPS = frozenset({"place", "area", "line", "mark"})
_SLOT = re.compile(r"\{(\w+)(\|\w+)?\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


def read_back(
    program: syntax.Program,
    operators: Mapping[str, Operator],
    *,
    found: Mapping[str, str] | None = None,
    assumed: Sequence[str] = (),
) -> str:
    """A program in words.

    Args:
        program: The program.
        operators: By name.
        found: The names under which places were found, by the words of the program.
        assumed: What was taken for granted, which is told at the end.
    """
    reader = _Reader(operators, found or {})
    phrases = []
    for statement in program.statements:
        if statement.name is None:
            phrases.append(reader.answer(statement.expr))
        elif not reader.inlined(statement, program):
            phrases.append(f"{_words(statement.name)}: {reader.phrase(statement.expr)}")
    told = f" (assumed: {'; '.join(assumed)})" if assumed else ""
    # a list that is chosen from brings an article of its own: "the options", "the pairs of …"
    words = "; ".join(phrases).replace("the the ", "the ")
    return f"{words}{told}".rstrip(".") + "."


def phrase_of(expr: syntax.Argument, operators: Mapping[str, Operator]) -> str:
    """One expression in words."""
    return _Reader(operators, {}).phrase(expr)


def _words(name: str) -> str:
    return name.replace("_", " ")


@dataclass
class _Reader:
    operators: Mapping[str, Operator]
    found: Mapping[str, str]
    inline: dict[str, str] = field(default_factory=dict)
    """Names that stand as what they are."""
    bound: list[str] = field(default_factory=list)
    """Parameters of the lambdas around, the innermost last."""

    def inlined(self, statement: syntax.Statement, program: syntax.Program) -> bool:
        """Whether a statement's name stands as what it is: a place looked up, or a name that is used once."""
        name, expr = statement.name or "", statement.expr
        looked_up = isinstance(expr, syntax.Call) and expr.operator in _LOOK_UPS and not expr.keywords
        uses = Counter(one for other in program.statements for one in _uses(other.expr))
        if not looked_up and uses[name] != 1:
            return False
        self.inline[name] = self.phrase(expr)
        return True

    def answer(self, expr: syntax.Expr) -> str:
        """The last line: the main value and the parts."""
        if not isinstance(expr, syntax.Call) or expr.operator != "answer":
            return self.phrase(expr)
        values = [self.phrase(value) for value in expr.positional]
        named = [(name, self.phrase(value)) for name, value in expr.keywords]
        main = values[0] if values else next((text for name, text in named if name == "value"), "")
        parts = [_part(_words(name), text) for name, text in named if name != "value"]
        return "; ".join([main, *parts])

    def phrase(self, node: syntax.Argument) -> str:  # noqa: C901, PLR0912 (one case for each kind)
        """A node in words."""
        match node:
            case syntax.Number():
                return f"{node.value:g}"
            case syntax.String():
                return self.found.get(node.text, node.text)
            case syntax.Truth():
                return "yes" if node.value else "no"
            case syntax.Name():
                return self._name(node.name)
            case syntax.Listing():
                return ", ".join(map(self.phrase, node.items)) or "nothing"
            case syntax.Lambda():
                return self._of_it(node)
            case syntax.Mapped():
                return self._mapped(node)
            case syntax.Call():
                return self._call(node)
            case syntax.Field():
                return self._field(node)
            case syntax.Index():
                return f"the {_ordinal(node.at)} of {self.phrase(node.value)}"
            case syntax.Slice():
                return self._slice(node)
            case syntax.Conditional():
                then, otherwise = self.phrase(node.then), self.phrase(node.otherwise)
                return f"{then} if {self._clause(node.condition)}, otherwise {otherwise}"
            case syntax.Logic():
                return f" {node.operator} ".join(map(self._clause, node.items))
            case syntax.Negation():
                return f"not ({self._clause(node.value)})"
            case syntax.Comparison():
                parts = [self.phrase(node.items[0])]
                for comparator, item in zip(node.comparators, node.items[1:], strict=True):
                    parts.append(f"{_COMPARATORS[comparator]} {self.phrase(item)}")
                return " ".join(parts)
            case syntax.Arithmetic():
                left, right = (self._term(one, node.operator) for one in (node.left, node.right))
                return f"{left} {node.operator} {right}"
            case syntax.Negative():
                return f"minus {self.phrase(node.value)}"

    def _term(self, node: syntax.Expr, operator: str) -> str:
        """A term of a sum or product, in brackets where it is worked out first."""
        text = self.phrase(node)
        lower = isinstance(node, syntax.Arithmetic) and (operator in "*/" or operator == "-")
        return f"({text})" if lower else text

    def _name(self, name: str) -> str:
        if name in self.bound:
            return "it" if name == self.bound[-1] else "that one"
        return self.inline.get(name) or _GIVEN.get(name, _words(name))

    def _of_it(self, node: syntax.Lambda, *, condition: bool = True) -> str:
        """The body of a lambda, its parameter called "it"."""
        self.bound.append(node.parameter)
        text = self._clause(node.body) if condition else self.phrase(node.body)
        self.bound.pop()
        return text

    def _mapped(self, node: syntax.Mapped) -> str:
        condition = f" where {self._of_it(node.condition)}" if node.condition is not None else ""
        body, source = self._of_it(node.body, condition=False), self.phrase(node.source)
        return f"{source}{condition}" if body == "it" else f"{body}, for each of {source}{condition}"

    def _clause(self, node: syntax.Argument) -> str:
        """A condition: a field that is yes or no says so by itself."""
        field = _fact_as_field(node)
        if isinstance(field, syntax.Field):
            return f"{self.phrase(field.value)} {_CLAUSES.get(field.name, f'has {_words(field.name)}')}"
        return self.phrase(node).removeprefix("whether ")

    def _field(self, node: syntax.Field) -> str:
        value = self.phrase(node.value)
        if node.name in _CLAUSES:
            return f"whether {value} {_CLAUSES[node.name]}"
        if value == "it":
            return f"its {_words(node.name)}"
        if value.startswith("the way ") and node.name in {"duration", "distance"}:
            return (
                f"the {'time' if node.name == 'duration' else 'length of the way'} {value[len('the way ') :]}"
            )
        return f"{_FIELDS.get(node.name, f'the {_words(node.name)} of')} {value}"

    def _slice(self, node: syntax.Slice) -> str:
        value = self.phrase(node.value)
        if node.first in {None, 0} and node.last is not None:
            return f"the first {node.last} of {value}"
        return f"a part of {value}"

    def _call(self, node: syntax.Call) -> str:
        field = _fact_as_field(node)
        if isinstance(field, syntax.Field) and field.name in _CLAUSES:
            return self._field(field)
        operator = self.operators[node.operator]
        given: dict[str, str] = {}
        for parameter, value in zip(operator.plain, node.positional, strict=False):
            given[parameter.name] = self._argument(value, parameter.type.name)
        for name, value in node.keywords:
            known = operator.parameter(name)
            given[name] = self._argument(value, known.type.name if known else "Any")
        return _filled(operator.phrase, given)

    def _argument(self, node: syntax.Argument, wanted: str) -> str:
        text = self.phrase(node)
        return TOLD.get(text, text) if wanted == "Mode" else text


def _fact_as_field(node: syntax.Argument) -> syntax.Argument:
    """`fact(place, "key")` as `place.key`, which means the same; all else as it is."""
    match node:
        case syntax.Call(operator="fact", positional=(of, syntax.String(text=key)), keywords=()) if (
            isinstance(of, syntax.Name | syntax.Call | syntax.Field | syntax.Index)
        ):
            return syntax.Field(node.number, node.line, of, key)
    return node


def _uses(expr: syntax.Expr) -> list[str]:
    return [node.name for node in syntax.walk(expr) if isinstance(node, syntax.Name)]


def _part(name: str, text: str) -> str:
    return text if name in text else f"{name}: {text}"


def _filled(template: str, given: Mapping[str, str]) -> str:
    """A template with its slots filled.

    Of a bracketed part that form is told, of those between slashes, whose slots are all given; none if none is.
    `{slot|many}` is the slot in the plural.
    """

    def part(match: re.Match[str]) -> str:
        forms = (
            form for form in match[1].split("/") if all(name in given for name, _ in _SLOT.findall(form))
        )
        return next(forms, "")

    def slot(match: re.Match[str]) -> str:
        text = given.get(match[1], "")
        return _many(text) if match[2] else text

    return _SLOT.sub(slot, _OPTIONAL.sub(part, template))


def _many(words: str) -> str:
    """The plural of a kind; words that are no kind are a name."""
    return f"all {words}" if "=" in words or _kind_of(words) is None else _plural(words)


def _kind_of(words: str) -> object:
    """The kind that words are, or that their last word is ("italian restaurant"); a name is none."""
    return lookup(words) or (lookup(words.rpartition(" ")[2]) if words.islower() else None)


def _plural(word: str) -> str:
    if word.endswith(("s", "x", "ch", "sh")):
        return word if word.endswith("s") and not word.endswith("ss") else f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def _ordinal(at: int) -> str:
    if at == -1:
        return "last"
    if at < 0:
        return f"{-at}th from the end"
    names = ("first", "second", "third", "fourth", "fifth")
    return names[at] if at < len(names) else f"{at + 1}th"
