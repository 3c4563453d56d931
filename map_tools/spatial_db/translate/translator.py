"""Applies the rules to a query, the innermost parts first; those for what is not spatial are here.

The columns of its result get the names that PostgreSQL gives them.
"""

import re
from dataclasses import dataclass

from sqlglot import exp

from map_tools.spatial_db.duckdb_build import HELPERS
from map_tools.spatial_db.guard.parsing import write
from map_tools.spatial_db.port import Schema
from map_tools.spatial_db.translate import spatial_rules
from map_tools.spatial_db.translate.context import Context, Rule, literal_text, refused
from map_tools.spatial_db.translate.kinds import name_of

_WORD_EDGES = re.compile(r"\\[mMy]")
_FOREIGN_PATTERN = re.compile(r"\\[bBAZ]|\(\?[=!<]|\[\[[:.=<>]|\\[0-9]")
"""What PostgreSQL's regular expressions mean otherwise, or DuckDB's do not have
(https://www.postgresql.org/docs/15/functions-matching.html, https://github.com/google/re2/wiki/Syntax)."""


def unlimited_numeric(node: exp.Cast, context: Context) -> exp.Expr | None:  # noqa: ARG001
    """`::numeric` has no fixed scale in PostgreSQL, but three decimals in DuckDB; a double is nearer."""
    if node.to.this is exp.DataType.Type.DECIMAL and not node.to.expressions:
        return exp.Cast(this=node.this.copy(), to=exp.DataType.build("DOUBLE"))
    return None


def all_columns(node: exp.Star, context: Context) -> exp.Expr | None:
    """`*` leaves helper columns out."""
    qualified = isinstance(node.parent, exp.Column)
    select = node.parent.parent if qualified and node.parent is not None else node.parent
    if not isinstance(select, exp.Select) or node.args.get("except_"):
        return None
    wanted = node.parent.table.lower() if qualified and isinstance(node.parent, exp.Column) else ""
    tables = [
        base for base in context.sources.base_tables(select) if not wanted or base.alias.lower() == wanted
    ]
    if not any(base.table.is_points for base in tables):
        return None
    return exp.Star(except_=[exp.to_identifier(name) for name in HELPERS])


def public_table(node: exp.Table, context: Context) -> exp.Expr | None:  # noqa: ARG001
    """`public.pois` is `pois`."""
    if not node.db:
        return None
    plain = node.copy()
    plain.set("db", None)
    return plain


def backslash_in_like(node: exp.Like, context: Context) -> exp.Expr | None:  # noqa: ARG001
    """A backslash escapes in PostgreSQL's LIKE without being declared."""
    pattern = literal_text(node.expression)
    if pattern is None or "\\" not in pattern or isinstance(node.parent, exp.Escape):
        return None
    return exp.Escape(this=node.copy(), expression=exp.Literal.string("\\"))


def like_any(node: exp.Like, context: Context) -> exp.Expr | None:  # noqa: ARG001
    """`x ILIKE ANY (ARRAY[...])` is one comparison or another; DuckDB compares with single patterns only."""
    if not isinstance(node.expression, exp.Any | exp.All):
        return None
    array = node.expression.this
    while isinstance(array, exp.Paren):
        array = array.this
    if not isinstance(array, exp.Array | exp.Tuple) or not array.expressions:
        raise refused("LIKE ANY needs a written-out array here.", "Write ARRAY['%a%', '%b%'], or OR.")
    each = [type(node)(this=node.this.copy(), expression=pattern.copy()) for pattern in array.expressions]
    combine = exp.or_ if isinstance(node.expression, exp.Any) else exp.and_
    return exp.Paren(this=combine(*each, copy=False, wrap=False))


def pattern_match(node: exp.RegexpLike | exp.RegexpILike, context: Context) -> exp.Expr | None:  # noqa: ARG001
    """`~` and `~*`: the regular expressions are of two makes."""
    pattern = _re2(node.expression)
    if pattern == literal_text(node.expression):
        return None
    changed = node.copy()
    changed.set("expression", exp.Literal.string(pattern))
    return changed


def pattern_replace(node: exp.RegexpReplace, context: Context) -> exp.Expr | None:  # noqa: ARG001
    """regexp_replace: the same."""
    pattern = _re2(node.expression)
    if pattern == literal_text(node.expression):
        return None
    changed = node.copy()
    changed.set("expression", exp.Literal.string(pattern))
    return changed


def pattern_part(node: exp.Substring, context: Context) -> exp.Expr | None:  # noqa: ARG001
    """`substring(x from 'pattern')`: the first group, or the whole match; NULL if there is none."""
    start = node.args.get("start")
    if start is None or literal_text(start) is None:
        return None
    pattern = _re2(start)
    try:
        group = 1 if re.compile(pattern).groups else 0
    except re.error as error:
        raise refused(f"'{pattern}' is not a regular expression.", "Write a simpler pattern.") from error
    found = exp.Anonymous(
        this="regexp_extract",
        expressions=[node.this.copy(), exp.Literal.string(pattern), exp.Literal.number(group)],
    )
    return exp.Nullif(this=found, expression=exp.Literal.string(""))


def _re2(node: exp.Expr) -> str:
    """A PostgreSQL pattern in DuckDB's syntax."""
    pattern = literal_text(node)
    if pattern is None:
        raise refused("A regular expression must be written out here.", "Write it as a text, or use ILIKE.")
    if _FOREIGN_PATTERN.search(pattern):
        raise refused(
            f"The regular expression '{pattern[:60]}' has no equal here, or means something else.",
            r"Use \y for the edge of a word, or ILIKE.",
        )
    return _WORD_EDGES.sub(r"\\b", pattern)


def similar_to(node: exp.SimilarTo, context: Context) -> None:  # noqa: ARG001
    """SQL's own patterns, which DuckDB takes for regular expressions."""
    raise refused("SIMILAR TO has no equal here.", "Use ILIKE, or ~* with a regular expression.")


def series(node: exp.GenerateSeries, context: Context) -> None:  # noqa: ARG001
    """Among the columns DuckDB gives one list instead of many rows."""
    if not isinstance(node.parent, exp.Table):
        raise refused(
            "generate_series stands in FROM only here.", "Write FROM generate_series(1, 10) AS s(n)."
        )


RULES = (
    *spatial_rules.RULES,
    Rule(exp.Cast, unlimited_numeric),
    Rule(exp.Star, all_columns),
    Rule(exp.Table, public_table),
    Rule(exp.Like, like_any),
    Rule(exp.ILike, like_any),
    Rule(exp.Like, backslash_in_like),
    Rule(exp.ILike, backslash_in_like),
    Rule(exp.RegexpLike, pattern_match),
    Rule(exp.RegexpILike, pattern_match),
    Rule(exp.RegexpReplace, pattern_replace),
    Rule(exp.Substring, pattern_part),
    Rule(exp.SimilarTo, similar_to),
    Rule(exp.GenerateSeries, series),
)


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
