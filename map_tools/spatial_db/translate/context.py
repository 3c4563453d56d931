"""What rules share: knowledge of the query, and short ways to build SQL."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from map_tools.errors import QueryRefusedError
from map_tools.spatial_db.port import Schema
from map_tools.spatial_db.translate.kinds import Kinds
from map_tools.spatial_db.translate.sources import Sources


class Context:
    """One translation on its way."""

    def __init__(self, tree: exp.Query, schema: Schema) -> None:
        self.schema = schema
        self.sources = Sources(tree, schema)
        self.kinds = Kinds(tree, schema)
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        """Adds a note to the result, once."""
        if text not in self.notes:
            self.notes.append(text)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: the node it is for, and a function that gives what takes its place (None: not this one)."""

    node: type[exp.Expr]
    apply: Callable[[Any, Context], exp.Expr | None]


def call(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    """A call of a function, with copies of the arguments."""
    return exp.Anonymous(this=name, expressions=[argument.copy() for argument in arguments])


def both(*conditions: exp.Expr) -> exp.Paren:
    """All conditions, in this order, in parentheses."""
    return exp.Paren(this=exp.and_(*conditions, copy=False, wrap=False))


def between(value: exp.Expr, low: exp.Expr, high: exp.Expr) -> exp.Between:
    """`value BETWEEN low AND high`."""
    return exp.Between(this=value, low=low, high=high)


def refused(what: str, remedy: str) -> QueryRefusedError:
    """The error of something that the embedded database has no equal of."""
    return QueryRefusedError(what, remedy)
