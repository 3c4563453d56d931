"""Names in a query, each resolved where it stands: a table of the schema, a CTE in reach, a column of one of them.

In PostgreSQL `a.f` is a call of the function f where `a` has no such column, and a table that a CTE of another part of
the query is called after is the system's own. So nothing counts that does not resolve.
"""

from collections.abc import Iterator
from typing import Any

from sqlglot import exp
from sqlglot.errors import OptimizeError
from sqlglot.optimizer.scope import Scope, traverse_scope

from map_tools.errors import QueryError, QueryRefusedError
from map_tools.spatial_db.observations import listing, nearest_tables, unknown_column
from map_tools.spatial_db.port import Schema

_SCHEMAS = frozenset({"", "public"})
_MOST_NESTED = 100
"""So many queries around one are looked at; the parser takes no more."""


def check_names(tree: exp.Query, schema: Schema) -> None:
    """Raises if a name of a query does not resolve.

    Raises:
        QueryRefusedError: A table is none of the schema's.
        QueryError: A column is none of a table in reach; both say what there is.
    """
    try:
        scopes = traverse_scope(tree)
    except OptimizeError as error:
        raise QueryRefusedError(
            "Two tables of one name stand in FROM.", "Give them aliases: pois a, pois b."
        ) from error
    for source in tree.find_all(exp.From, exp.Join, exp.Lateral):
        _check_alias(source if isinstance(source, exp.Lateral) else source.this)
    followed = set[int]()
    for scope in scopes:
        for table in scope.tables:
            if not isinstance(scope.sources.get(table.alias_or_name), Scope):
                _check_table(table, schema)
        for column in scope.columns:
            _check_column(column, scope, schema)
        followed |= {id(node) for node in (*scope.tables, *scope.columns)}
    for node in tree.find_all(exp.Table, exp.Column):
        if id(node) not in followed:
            _check_unfollowed(node, schema)


def _check_alias(source: exp.Expr) -> None:
    """A function in FROM is else called after itself, whatever an outer query calls so."""
    is_table = isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier)
    if not is_table and not isinstance(source, exp.Subquery | exp.Values) and not source.alias:
        raise QueryRefusedError(
            f"{source.sql('postgres')[:60]} in FROM has no name.",
            "Give it one: generate_series(1, 3) AS s(n).",
        )


def _check_unfollowed(node: exp.Expr, schema: Schema) -> None:
    """What stands in no scope: "p.*", a name that the query gave itself, or a table where none is looked for."""
    if isinstance(node, exp.Table):
        _check_table(node, schema)
        return
    if isinstance(node.this, exp.Star):
        return
    own = node.find_ancestor(exp.Select, exp.SetOperation)
    named = {*_chosen(own)} if own is not None else set()
    if node.args.get("table") or _plain(node.this) not in named:
        raise _no_column(node, schema)


def _check_table(table: exp.Table, schema: Schema) -> None:
    if not isinstance(table.this, exp.Identifier):
        return  # a function in FROM; checked as one
    name = _plain(table.this)
    if table.catalog or table.db.lower() not in _SCHEMAS:
        raise QueryRefusedError(
            f"The table {table.sql('postgres')} cannot be read.",
            f"The tables are {listing(entry.name for entry in schema.tables)}.",
        )
    if schema.table(name) is None:
        raise QueryRefusedError(
            f"There is no table {name[:60]}.", f"Did you mean {listing(nearest_tables(name, schema))}?"
        )


def _check_column(column: exp.Column, scope: Scope, schema: Schema) -> None:
    name = _plain(column.this)
    if not column.table:
        known = (name in _columns(alias, source, schema) for alias, source in _in_reach(scope))
        if name not in _aliases(scope.expression) and not any(known):
            raise _no_column(column, schema)
        return
    alias = _folded(column.table)
    source = next((source for own, source in _in_reach(scope) if own == alias), None)
    if source is None or name not in _columns(alias, source, schema):
        raise _no_column(column, schema)


def _no_column(column: exp.Expr, schema: Schema) -> QueryError:
    name = column.sql("postgres")[:60]
    return QueryError(*unknown_column(name, schema))


def _in_reach(scope: Scope | None) -> Iterator[tuple[str, Any]]:
    """The sources that a name may be of, those of the innermost query first."""
    for _ in range(_MOST_NESTED):
        if scope is None:
            return
        yield from ((_folded(alias), source) for alias, source in scope.sources.items())
        scope = scope.parent


def _columns(alias: str, source: Any, schema: Schema) -> set[str]:
    """The columns of a source, and its own name: the whole row, or the value of a function."""
    expression = source.expression if isinstance(source, Scope) else source
    named = (
        {*map(_folded, expression.alias_column_names)} if hasattr(expression, "alias_column_names") else set()
    )
    if isinstance(source, Scope):
        named |= {*map(_folded, source.outer_columns), *_made_by(source, schema)}
    elif isinstance(source.this, exp.Identifier):
        table = schema.table(_plain(source.this))
        named |= {column.name for column in table.columns} if table is not None else set()
    return named | {alias}


def _made_by(source: Scope, schema: Schema) -> set[str]:
    """The columns that a query in FROM, a CTE or a list of values makes."""
    query = source.expression
    if isinstance(query, exp.Lateral):
        query = query.this
    query = query.unnest() if isinstance(query, exp.Subquery) else query
    if isinstance(query, exp.Values):
        first = query.expressions[0]
        size = len(first.expressions) if isinstance(first, exp.Tuple) else 1
        return {f"column{number}" for number in range(1, size + 1)}
    if not isinstance(query, exp.Query):
        return set()
    made = {*_chosen(query)}
    if any(isinstance(one, exp.Star) or isinstance(one.this, exp.Star) for one in query.selects):
        inner = source.set_operation_scopes[0] if source.set_operation_scopes else source
        for alias, further in inner.sources.items():
            made |= _columns(_folded(alias), further, schema)
    return made


def _chosen(query: exp.Expr) -> Iterator[str]:
    """The names of the columns that a query chooses; what it gives no name is called after its function."""
    for one in query.selects if isinstance(query, exp.Query) else ():
        if one.alias or not isinstance(one, exp.Func) or isinstance(one, exp.Anonymous):
            yield _folded(one.alias_or_name)
        else:
            yield _folded(one.sql_name())


def _aliases(query: exp.Expr) -> set[str]:
    """The names that a query gives to what it chooses, which ORDER BY and GROUP BY may use."""
    if isinstance(query, exp.SetOperation):
        return {*_chosen(query)}
    given = query.selects if isinstance(query, exp.Query) else ()
    return {_folded(one.alias) for one in given if isinstance(one, exp.Alias)}


def _plain(name: exp.Expr) -> str:
    """A name as PostgreSQL looks it up: in small letters but for quotation marks."""
    return name.name if isinstance(name, exp.Identifier) and name.quoted else name.name.lower()


def _folded(name: str) -> str:
    return name.lower()
