"""Finds where a column of a query comes from: a table, or an expression of an inner query."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sqlglot import exp

from map_tools.spatial_db.port import Schema, Table


@dataclass(frozen=True, slots=True)
class BaseColumn:
    """A column of a table of the database, which goes by `alias` where it is used.

    `alias` is empty if the table is in an inner query, so that its other columns are out of reach.
    """

    alias: str
    table: Table
    name: str


Origin = BaseColumn | exp.Expr
"""A table's column, or the expression that an inner query gives the column's name to."""


class Sources:
    """The tables and inner queries of a query.

    Args:
        tree: The query.
        schema: The tables of the database.
    """

    def __init__(self, tree: exp.Query, schema: Schema) -> None:
        self._schema = schema
        self._ctes = {cte.alias.lower(): cte for cte in tree.find_all(exp.CTE)}

    def of(self, column: exp.Column) -> Origin | None:
        """Where a column comes from; None if that cannot be told (it may be an alias of the same query)."""
        select = column.find_ancestor(exp.Select)
        while select is not None:
            found = self._within(select, column.name.lower(), column.table.lower())
            if found is not None:
                return found
            select = select.find_ancestor(exp.Select)
        return None

    def base_tables(self, select: exp.Select) -> Iterator[BaseColumn]:
        """The database's own tables in FROM, each with its geometry column."""
        for source in _from(select):
            table = self._table(source) if isinstance(source, exp.Table) else None
            if table is not None:
                yield BaseColumn(source.alias_or_name, table, table.geometry or "")

    def _within(self, select: exp.Select, name: str, qualifier: str) -> Origin | None:
        for source in _from(select):
            if qualifier and source.alias_or_name.lower() != qualifier:
                continue
            found = self._in_source(source, name)
            if found is not None:
                return found
        return None

    def _in_source(self, source: exp.Expr, name: str) -> Origin | None:
        if isinstance(source, exp.Table):
            table = self._table(source)
            if table is not None:
                return BaseColumn(source.alias_or_name, table, name) if table.column(name) else None
            cte = self._ctes.get(source.name.lower())
            return self._in_query(cte.this, name, _column_names(cte)) if cte is not None else None
        if isinstance(source, exp.Subquery | exp.Lateral) and source.this is not None:
            inner = source.this.this if isinstance(source.this, exp.Subquery) else source.this
            return self._in_query(inner, name, _column_names(source))
        if isinstance(source, exp.Values) and source.expressions:
            first = source.expressions[0]
            names = _column_names(source)
            return first.expressions[names.index(name)] if name in names else None
        return None

    def _in_query(self, query: exp.Expr, name: str, names: list[str]) -> Origin | None:
        while isinstance(query, exp.SetOperation | exp.Subquery):
            query = query.this
        if not isinstance(query, exp.Select):
            return None
        if name in names and names.index(name) < len(query.selects):
            return query.selects[names.index(name)]
        for projection in query.selects:
            if isinstance(projection, exp.Star):
                found = self._within(query, name, "")
            elif isinstance(projection, exp.Column) and isinstance(projection.this, exp.Star):
                found = self._within(query, name, projection.table.lower())
            else:
                found = projection if projection.alias_or_name.lower() == name else None
            if found is not None:
                return replace(found, alias="") if isinstance(found, BaseColumn) else found
        return None

    def _table(self, source: exp.Table) -> Table | None:
        if source.name.lower() in self._ctes:
            return None
        return self._schema.table(source.name.lower())


def _from(select: exp.Select) -> Iterator[exp.Expr]:
    """What stands in FROM and JOIN."""
    begin = select.args.get("from_") or select.args.get("from")
    if begin is not None:
        yield begin.this
    for join in select.args.get("joins") or ():
        yield join.this
    yield from select.args.get("laterals") or ()


def _column_names(source: exp.Expr) -> list[str]:
    """The names that `AS t(a, b)` gives to columns."""
    alias = source.args.get("alias")
    return [column.name.lower() for column in alias.columns] if isinstance(alias, exp.TableAlias) else []
