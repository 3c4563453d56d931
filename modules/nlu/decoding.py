"""Decodes a row of tokens (`modules.nlu.rows`) into its program."""

import re
from collections.abc import Iterator, Mapping, Sequence

from mapagent.core.rendering import quoted
from modules.nlu.literals import kind_in
from modules.nlu.rows import (
    ARITHMETIC,
    COMPARATORS,
    FIELD,
    INDEX,
    KEYWORD,
    LITERAL,
    MAP,
    MEMBERS,
    NUMBER,
    NUMBER_ROLE,
    PLACES,
    Literal,
    RowError,
    Token,
    leading,
)
from modules.query.inventory import RESERVED
from modules.query.operators.base import Operator, Parameter

_VARIABLE = re.compile(r"v(\d)")
_QUOTE = '"'


def program_of(tokens: Sequence[Token], operators: Mapping[str, Operator]) -> str:
    """The program of a row of tokens.

    Raises:
        RowError: It is not the row of a program.
    """
    return _Decoder(tokens, operators).program()


class _Decoder:
    """Reads a row from left to right."""

    def __init__(self, tokens: Sequence[Token], operators: Mapping[str, Operator]) -> None:
        self._tokens = tokens
        self._operators = operators
        self._at = 0
        self._names: list[str] = []
        self._depth = 0
        """Number of lambdas around the current token."""
        self._places: dict[str, int] = {}
        """How often each name occurs where a place is wanted."""

    def program(self) -> str:
        lines = []
        while self._peek() == "let":
            self._take()
            value = self._value()
            self._names.append(_name_for(value, [*self._names, *MEMBERS, *self._operators]))
            lines.append(f"{self._names[-1]} = {value}")
        lines.append(self._end())
        if self._at != len(self._tokens):
            raise RowError("the row goes on after its end")
        return self._with_places("\n".join(lines))

    def _end(self) -> str:
        head = self._take()
        if head == "unanswerable":
            return f"unanswerable({quoted(self._words(self._take()))})"
        if head != "answer(":
            raise RowError("no answer")
        values = list(self._until(")"))
        if not values:
            raise RowError("an answer of nothing")
        names = _part_names(values[1:])
        parts = (f"{name}={value}" for name, value in zip(names, values[1:], strict=True))
        return f"answer({', '.join((values[0], *parts))})"

    def _with_places(self, program: str) -> str:
        """The program with places that occur twice set once: looked up once, under a name."""
        lines = []
        for words, times in self._places.items():
            if times > 1 and words != MAP:
                name = _name_for(f"place({quoted(words)})", [*self._names, *MEMBERS, *self._operators])
                self._names.append(name)
                lines.append(f"{name} = place({quoted(words)})")
                program = program.replace(f"place({quoted(words)})", name).replace(quoted(words), name)
        return "\n".join((*lines, program))

    def _take(self) -> Token:
        if self._at >= len(self._tokens):
            raise RowError("the row ends early")
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek(self) -> Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _words(self, head: Token) -> str:
        if isinstance(head, Literal):
            return head.text
        if head.startswith(LITERAL) and head not in COMPARATORS:
            return head.removeprefix(LITERAL)
        raise RowError(f"{head} where words are wanted")

    def _until(self, end: str) -> Iterator[str]:
        while self._peek() != end:
            yield self._value()
        self._take()

    def _value(self, wanted: str = "Any") -> str:  # noqa: C901, PLR0912 (one case for each kind)
        head = self._take()
        if isinstance(head, Literal) and head.role == NUMBER_ROLE:
            return head.text
        if isinstance(head, Literal) or (head.startswith(LITERAL) and head not in COMPARATORS):
            return self._said(self._words(head), wanted)
        if head.startswith(NUMBER):
            return head.removeprefix(NUMBER)
        variable = _VARIABLE.fullmatch(head)
        if variable is not None:
            if int(variable[1]) >= len(self._names):
                raise RowError(f"{head} before it is set")
            return self._names[int(variable[1])]
        if head in {"True", "False", *MEMBERS, *RESERVED}:
            return head
        if head == "[":
            return f"[{', '.join(self._until(']'))}]"
        if head == "map(":
            return self._mapped()
        if head == "place":
            return f"place({self._value('Text')})"
        if head.startswith(FIELD):
            value = self._value("Place")
            return f"{f'place({value})' if value.startswith(_QUOTE) else _bracketed(value)}{head}"
        if head.startswith(INDEX):
            return f"{_bracketed(self._value())}[{head.removeprefix(INDEX)}]"
        if head == "if":
            condition, then, otherwise = self._value(), self._value(wanted), self._value(wanted)
            return f"{_bracketed(then)} if {_bracketed(condition)} else {_bracketed(otherwise)}"
        if head in {"and(", "or("}:
            return f" {head.removesuffix('(')} ".join(map(_bracketed, self._until(")")))
        if head in {"not", "neg"}:
            return f"{'not ' if head == 'not' else '-'}{_bracketed(self._value())}"
        if head in COMPARATORS or head in ARITHMETIC:
            return self._pair(head)
        if head.endswith("("):
            return self._call(head.removesuffix("("))
        raise RowError(f"{head} where a value is wanted")

    def _said(self, words: str, wanted: str) -> str:
        if wanted == "What":
            return quoted(kind_in(words))
        if wanted in PLACES:
            self._places[words] = self._places.get(words, 0) + 1
        return quoted(words)

    def _pair(self, head: str) -> str:
        inside = head in {"in", "not in"}
        left, right = self._value("Place" if inside else "Value"), self._value("Area" if inside else "Value")
        if inside and right.startswith(_QUOTE):
            right = f"area({right})"
        return f"{_bracketed(left)} {head} {_bracketed(right)}"

    def _mapped(self) -> str:
        member, body = self._function()
        source = self._value()
        condition = "" if self._peek() == ")" else f" if {self._function()[1]}"
        if self._take() != ")":
            raise RowError("more than a body, a list and a condition")
        return f"[{body} for {member} in {source}{condition}]"

    def _function(self) -> tuple[str, str]:
        """The parameter of a function, and its body."""
        member = MEMBERS[min(self._depth, 1)]
        self._depth += 1
        body = self._value()
        self._depth -= 1
        return member, body

    def _call(self, name: str) -> str:
        operator = self._operators.get(name)
        if operator is None:
            raise RowError(f"the operator {name}")
        arguments = [self._argument(parameter) for parameter in leading(operator)]
        while self._peek() != ")":
            said = self._take()
            parameter = operator.parameter(said.removesuffix(KEYWORD)) if isinstance(said, str) else None
            if parameter is None:
                raise RowError(f"{said} of {name}")
            arguments.append(f"{parameter.name}={self._argument(parameter)}")
        self._take()
        return f"{name}({', '.join(arguments)})"

    def _argument(self, parameter: Parameter) -> str:
        if parameter.type.name in {"Test", "Key"}:
            member, body = self._function()
            return f"lambda {member}: {body}"
        return self._value(parameter.type.name)


def _bracketed(value: str) -> str:
    """A value, in parentheses if it binds more weakly than a field or a comparison."""
    depth, within = 0, False
    for before, char in zip(f" {value}", value, strict=False):
        if char == _QUOTE and before != "\\":
            within = not within
        elif not within:
            depth += (char in "([") - (char in ")]")
            if char == " " and depth == 0:
                return f"({value})"
    return value


def _name_for(value: str, taken: Sequence[str]) -> str:
    """A name for a value, by the words or the operator that it begins with."""
    words = re.search(r'"([^"]+)"', value) if value.startswith(("place(", "nearest(", "places(")) else None
    plain = re.sub(r"\W+", "_", words[1].lower()).strip("_") if words is not None else ""
    head = re.match(r"[a-z]+", value)
    kind = head[0] if head is not None else ""
    named = plain[:1].isalpha() and plain.isascii()
    name = (plain if named else _RESULTS.get(kind, "x"))[:_NAME_CHARS].strip("_")
    if name in RESERVED or name in _PYTHON or name in taken:
        name = next(f"{name}_{number}" for number in range(2, 40) if f"{name}_{number}" not in taken)
    return name


def _part_names(values: Sequence[str]) -> list[str]:
    """A name for each part of an answer: the field or the operator that it ends or begins with."""
    names: list[str] = []
    for value in values:
        found = re.search(r"\.([a-z_]+)(?:\[[-\d:]+\])*$", value) or re.match(r"\(?([a-z_]\w*)", value)
        name = found[1] if found is not None and found[1] not in _PYTHON else "part"
        if name in names or name == "value":
            name = next(f"{name}_{number}" for number in range(2, 40) if f"{name}_{number}" not in names)
        names.append(name)
    return names


_NAME_CHARS = 20
_RESULTS = {
    "travel": "way", "trip": "day", "nearest": "found", "places": "found", "routes": "ways", "count": "number",
    "distance": "apart", "min": "least", "max": "most",
}  # fmt: skip
"""Names for the values of operators."""
_PYTHON = frozenset(
    {"and", "or", "not", "if", "else", "for", "in", "is", "lambda", "True", "False", "None", "from", "class"}
)
"""Words that cannot be names."""
