"""Applies the rules to a query, the innermost parts first.

The columns of its result get the names that PostgreSQL gives them.
"""

from dataclasses import dataclass

from sqlglot import exp

from map_tools.spatial_db.guard.parsing import write
from map_tools.spatial_db.port import Schema
from map_tools.spatial_db.translate import plain_rules, spatial_rules
from map_tools.spatial_db.translate.context import Context
from map_tools.spatial_db.translate.kinds import name_of

RULES = (*spatial_rules.RULES, *plain_rules.RULES)


@dataclass(frozen=True, slots=True)
class Translation:
    """DuckDB SQL, and what a reader of its result should know."""

    sql: str
    notes: tuple[str, ...] = ()


def translated(tree: exp.Query, schema: Schema) -> Translation:
    """A checked PostGIS query as DuckDB SQL.

    Args:
        tree: The query; it is changed.
        schema: The tables.

    Raises:
        QueryRefusedError: Something in it has no equal in DuckDB; says what to write instead.
    """
    name_columns(tree)
    context = Context(tree, schema)
    for node in reversed(list(tree.walk())):  # breadth first, so reversed every part comes before its whole
        for rule in RULES:
            new = rule.apply(node, context) if isinstance(node, rule.node) else None
            if new is not None and new is not node:
                context.kinds.pass_on(node, new)
                node.replace(new)
                break
    return Translation(write(tree, "duckdb"), tuple(context.notes))


_UNNAMED = "?column?"
_TYPED = {"count": "count", "groupconcat": "string_agg", "arrayagg": "array_agg", "strposition": "position"}
"""Functions whose class in sqlglot is called otherwise."""
_TYPES = {
    "decimal": "numeric",
    "int": "int4",
    "bigint": "int8",
    "smallint": "int2",
    "double precision": "float8",
    "real": "float4",
    "boolean": "bool",
}
"""PostgreSQL's own names of types."""


def name_columns(tree: exp.Query) -> None:
    """Adds the names that PostgreSQL chooses where none is given, and writes unquoted ones in small letters.

    See `FigureColname` in PostgreSQL's parse_target.c, described under
    https://www.postgresql.org/docs/15/sql-select.html#SQL-SELECT-LIST.
    """
    for select in tree.find_all(exp.Select):
        for projection in list(select.selects):
            _name(projection)


def _name(projection: exp.Expr) -> None:
    if isinstance(projection, exp.Alias):
        given = projection.args["alias"]
        if isinstance(given, exp.Identifier) and not given.quoted:
            given.set("this", given.name.lower())
        return
    if projection.is_star or (isinstance(projection, exp.Column) and projection.name.islower()):
        return
    name = _chosen(projection)
    projection.replace(exp.Alias(this=projection.copy(), alias=exp.to_identifier(name, quoted=True)))


def _chosen(node: exp.Expr) -> str:
    """The name of an expression."""
    if isinstance(node, exp.Column):
        return node.name if node.this.quoted else node.name.lower()
    if isinstance(node, exp.Paren):
        return _chosen(node.this)
    if isinstance(node, exp.Cast):
        inner = _chosen(node.this)
        target = node.to.sql("postgres").lower().split("(")[0]
        return inner if inner != _UNNAMED else _TYPES.get(target, target)
    if isinstance(node, exp.Subquery):
        first = node.this.selects[0] if isinstance(node.this, exp.Query) and node.this.selects else None
        return _UNNAMED if first is None else first.alias or _chosen(first.unalias())
    if isinstance(node, exp.Case):
        return "case"
    if isinstance(node, exp.Func) and not isinstance(node, exp.Connector):
        name = name_of(node)
        return _TYPED.get(name, name)
    if isinstance(node, exp.Window | exp.Filter | exp.WithinGroup | exp.Dot):
        return _chosen(node.this)
    return _UNNAMED
