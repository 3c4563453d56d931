"""Rules for what is not spatial but differs between PostgreSQL and DuckDB."""

import re

from sqlglot import exp

from map_tools.spatial_db.duckdb_build import HELPERS
from map_tools.spatial_db.translate.context import Context, Rule, literal_text, refused

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
