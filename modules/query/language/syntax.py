"""The tree of a program. Every node is immutable and has a number: its place in the program, from 0."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Node:
    """What all nodes have.

    Attributes:
        number: Its place in the program, in the order of the text; unique within a program.
        line: The line it begins on, from 1.
    """

    number: int
    line: int


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A number without a unit."""

    value: float


@dataclass(frozen=True, slots=True)
class String(Node):
    """Words in quotation marks; what they mean (a place, a time, an amount) depends on where they stand."""

    text: str


@dataclass(frozen=True, slots=True)
class Truth(Node):
    """`True` or `False`."""

    value: bool


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name that was set before, or one that is always there (`here`, `now`, `options`, `picture`)."""

    name: str


@dataclass(frozen=True, slots=True)
class Listing(Node):
    """A list written out."""

    items: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Lambda(Node):
    """A function of one thing; stands only as an argument, or for the two halves of a comprehension."""

    parameter: str
    body: "Expr"


@dataclass(frozen=True, slots=True)
class Mapped(Node):
    """`[body for parameter in source if condition]`."""

    body: Lambda
    source: "Expr"
    condition: Lambda | None


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A call of an operator."""

    operator: str
    positional: tuple["Argument", ...]
    keywords: tuple[tuple[str, "Argument"], ...]


@dataclass(frozen=True, slots=True)
class Field(Node):
    """`value.name`."""

    value: "Expr"
    name: str


@dataclass(frozen=True, slots=True)
class Index(Node):
    """`value[at]`, negative numbers from the end."""

    value: "Expr"
    at: int


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """`value[first:last]`."""

    value: "Expr"
    first: int | None
    last: int | None


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """`then if condition else otherwise`."""

    condition: "Expr"
    then: "Expr"
    otherwise: "Expr"


@dataclass(frozen=True, slots=True)
class Logic(Node):
    """`a and b and c`, or with `or`."""

    operator: Literal["and", "or"]
    items: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Negation(Node):
    """`not value`."""

    value: "Expr"


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    """`first < second <= third`: each comparator stands between two neighbours of `items`."""

    items: tuple["Expr", ...]
    comparators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """`left + right` and the like."""

    operator: Literal["+", "-", "*", "/"]
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True)
class Negative(Node):
    """`-value`."""

    value: "Expr"


type Expr = (
    Number
    | String
    | Truth
    | Name
    | Listing
    | Mapped
    | Call
    | Field
    | Index
    | Slice
    | Conditional
    | Logic
    | Negation
    | Comparison
    | Arithmetic
    | Negative
)
type Argument = Expr | Lambda


@dataclass(frozen=True, slots=True)
class Statement:
    """A line of a program.

    Attributes:
        name: What its value is called afterwards; None for the last line, the answer.
        expr: What is worked out.
        comment: The subgoal in words, as written behind or above the line; empty if nothing is.
        line: The line it begins on, from 1.
    """

    name: str | None
    expr: Expr
    comment: str
    line: int


@dataclass(frozen=True, slots=True)
class Program:
    """A parsed program.

    Attributes:
        statements: In order; the last one has no name and is the answer.
        text: As written.
        nodes: How many nodes it has.
    """

    statements: tuple[Statement, ...]
    text: str
    nodes: int

    @property
    def answer(self) -> Statement:
        """The last statement."""
        return self.statements[-1]


def children(node: Argument) -> Iterator[Argument]:
    """The parts of a node, in the order of the text."""
    match node:
        case Listing() | Logic() | Comparison():
            yield from node.items
        case Lambda():
            yield node.body
        case Mapped():
            yield from filter(None, (node.body, node.source, node.condition))
        case Call():
            yield from node.positional
            yield from (value for _, value in node.keywords)
        case Field() | Index() | Slice() | Negation() | Negative():
            yield node.value
        case Conditional():
            yield from (node.then, node.condition, node.otherwise)
        case Arithmetic():
            yield from (node.left, node.right)


def walk(node: Argument) -> Iterator[Argument]:
    """A node and all below it, in the order of the text."""
    yield node
    for part in children(node):
        yield from walk(part)


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A tree in which every node is what `change` makes of it; parts before what holds them."""

    def part(below: Any) -> Any:
        return rebuilt(below, change)

    match node:
        case Listing() | Logic() | Comparison():
            node = replace(node, items=tuple(map(part, node.items)))
        case Lambda():
            node = replace(node, body=part(node.body))
        case Mapped():
            condition = None if node.condition is None else part(node.condition)
            node = replace(node, body=part(node.body), source=part(node.source), condition=condition)
        case Call():
            keywords = tuple((name, part(value)) for name, value in node.keywords)
            node = replace(node, positional=tuple(map(part, node.positional)), keywords=keywords)
        case Field() | Index() | Slice() | Negation() | Negative():
            node = replace(node, value=part(node.value))
        case Conditional():
            node = replace(
                node, condition=part(node.condition), then=part(node.then), otherwise=part(node.otherwise)
            )
        case Arithmetic():
            node = replace(node, left=part(node.left), right=part(node.right))
    return change(node)


def names_in(node: Argument, bound: frozenset[str] = frozenset()) -> Iterator[str]:
    """The names a node uses that no lambda of its own binds."""
    match node:
        case Name():
            if node.name not in bound:
                yield node.name
        case Lambda():
            yield from names_in(node.body, bound | {node.parameter})
        case _:
            for part in children(node):
                yield from names_in(part, bound)
