"""Applies the rules to a query, the innermost parts first."""

from dataclasses import dataclass

from sqlglot import exp

from map_tools.spatial_db.guard.parsing import write
from map_tools.spatial_db.port import Schema
from map_tools.spatial_db.translate import plain_rules, spatial_rules
from map_tools.spatial_db.translate.context import Context
from map_tools.spatial_db.translate.names import name_columns

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
