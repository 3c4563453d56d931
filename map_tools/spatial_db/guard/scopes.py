"""Names in a query, each resolved where it stands: a table of the schema, a CTE in reach, a column of one of them.

In PostgreSQL `a.f` is a call of the function f where `a` has no such column, and a table that a CTE of another part of
the query is called after is the system's own. So nothing counts that does not resolve.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import OptimizeError
from sqlglot.optimizer.scope import Scope, traverse_scope

from map_tools.errors import QueryError, QueryRefusedError
from map_tools.spatial_db.observations import listing, nearest_tables, unknown_column
from map_tools.spatial_db.port import Schema

_SCHEMAS = frozenset({"", "public"})


def scopes_of(tree: exp.Query) -> list[Scope]:
    """What each part of a query can name, inner parts first.

    Raises:
        QueryRefusedError: Two tables of one name stand in one FROM.
    """
    try:
        scopes = traverse_scope(tree)
        for scope in scopes:
            _ = scope.selected_sources  # worked out when it is asked for; it is this that fails
    except OptimizeError as error:
        raise QueryRefusedError(
            "Two tables of one name stand in FROM.", "Give them aliases: pois a, pois b."
        ) from error
    return scopes


def check_names(tree: exp.Query, scopes: Sequence[Scope], schema: Schema) -> None:
    """Raises if a name of a query does not resolve.

    Raises:
        QueryRefusedError: A table is none of the schema's.
        QueryError: A column is none of a table in reach; both say what there is.
    """
    for source in tree.find_all(exp.From, exp.Join, exp.Lateral):
        _check_alias(source if isinstance(source, exp.Lateral) else source.this)
    names, followed = _Names(schema), set[int]()
    for scope in scopes:
        for table in scope.tables:
            if not isinstance(scope.sources.get(table.alias_or_name), Scope):
                _check_table(table, schema)
        for column in scope.columns:
            if not names.resolves(column, scope):
                raise _no_column(column, schema)
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
    if node.args.get("table") or own is None or node.name not in map(_called, own.selects):
        raise _no_column(node, schema)


def _check_table(table: exp.Table, schema: Schema) -> None:
    if not isinstance(table.this, exp.Identifier):
        return  # a function in FROM; checked as one
    name = table.name
    if table.catalog or table.db not in _SCHEMAS:
        raise QueryRefusedError(
            f"The table {table.sql('postgres')} cannot be read.",
            f"The tables are {listing(entry.name for entry in schema.tables)}.",
        )
    if schema.table(name) is None:
        raise QueryRefusedError(
            f"There is no table {name[:60]}.", f"Did you mean {listing(nearest_tables(name, schema))}?"
        )


def _no_column(column: exp.Expr, schema: Schema) -> QueryError:
    return QueryError(*unknown_column(column.sql("postgres")[:60], schema))


class _Names:
    """What the names of one query may mean.

    Args:
        schema: The tables of the database.
    """

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._known: dict[int, list[str]] = {}

    def resolves(self, column: exp.Column, scope: Scope) -> bool:
        """Whether a column is one of a source in reach; without a table before it also a source, or a given name."""
        name, qualifier = column.name, column.table
        if qualifier:
            found = next((source for alias, source in _in_reach(scope) if alias == qualifier), None)
            return found is not None and name in self._columns(found)
        if name in _given(scope.expression):
            return True
        return any(name == alias or name in self._columns(source) for alias, source in _in_reach(scope))

    def _columns(self, source: Any) -> list[str]:
        """The columns of a source, in order; worked out once, as others may hold all of them over and over."""
        if id(source) not in self._known:
            expression = source.expression if isinstance(source, Scope) else source
            made = self._made_by(source, expression)
            renamed: list[str] = source.outer_columns if isinstance(source, Scope) else []
            renamed = renamed or getattr(expression, "alias_column_names", [])
            self._known[id(source)] = list(dict.fromkeys([*renamed, *made[len(renamed) :]]))
        return self._known[id(source)]

    def _made_by(self, source: Any, expression: exp.Expr) -> list[str]:
        """The columns before they are renamed; that of a function is called as the function is."""
        if isinstance(expression, exp.Table) and isinstance(expression.this, exp.Identifier):
            table = self._schema.table(expression.name)
            return [column.name for column in table.columns] if table is not None else []
        if isinstance(expression, exp.Values):
            first = expression.expressions[0]
            size = len(first.expressions) if isinstance(first, exp.Tuple) else 1
            return [f"column{number}" for number in range(1, size + 1)]
        if isinstance(expression, exp.Lateral) and source.subquery_scopes:
            return self._columns(source.subquery_scopes[0])
        if isinstance(expression, exp.Query):
            first_of = source.set_operation_scopes or [source]
            return [name for one in expression.selects for name in self._chosen(one, first_of[0])]
        return [expression.alias]

    def _chosen(self, one: exp.Expr, scope: Scope) -> list[str]:
        """The columns that a member of a SELECT makes: all of some sources, or one."""
        if not isinstance(one, exp.Star) and not (
            isinstance(one, exp.Column) and isinstance(one.this, exp.Star)
        ):
            return [_called(one)]
        if scope.set_operation_scopes:
            return self._columns(scope)
        wanted = one.table if isinstance(one, exp.Column) else ""
        return [
            name
            for alias, source in _sources(scope)
            if not wanted or alias == wanted
            for name in self._columns(source)
        ]


def _in_reach(scope: Scope | None) -> Iterator[tuple[str, Any]]:
    """The sources that a name may be of, those of the innermost query first."""
    while scope is not None:
        yield from _sources(scope)
        scope = scope.parent


def _sources(scope: Scope) -> Iterator[tuple[str, Any]]:
    """What stands in FROM, by what it is called there."""
    yield from ((alias, source) for alias, (_, source) in scope.selected_sources.items())


def _called(one: exp.Expr) -> str:
    """The name of a column that a query chooses: its alias, its own, or that of its function."""
    if one.alias or not isinstance(one, exp.Func):
        return one.alias_or_name
    return (one.name if isinstance(one, exp.Anonymous) else one.sql_name()).lower()


def _given(query: exp.Expr) -> set[str]:
    """The names that a query gives to what it chooses, which ORDER BY and GROUP BY may use."""
    chosen = query.selects if isinstance(query, exp.Query) else ()
    own = (
        chosen
        if isinstance(query, exp.SetOperation)
        else [one for one in chosen if isinstance(one, exp.Alias)]
    )
    return {*map(_called, own)}
