"""The checks on a parsed query: what it consists of, the names in it, and how large its values can get.

PostgreSQL has no limit of memory for a query: forty CTEs that each double a text took 16 GB. So sizes are estimated on
the tree, in units of an ordinary value of a table: what puts values together has the sum of their sizes, an aggregate
that collects a fixed number of them, and a query at least the size of the largest that it reads from.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from map_tools.errors import QueryRefusedError
from map_tools.spatial_db.guard.scopes import check_names, scopes_of
from map_tools.spatial_db.port import Schema

_MAX_NODES = 20_000
_MAX_SELECTS = 200
"""Following names through 5,000 that UNION joins takes 10 s."""
_MAX_SERIES = 10_000
"""Numbers a generate_series may make."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """The content of `allowed.toml`."""

    syntax: frozenset[str]
    functions: frozenset[str]
    types: frozenset[str]
    hints: dict[str, str]


@lru_cache(maxsize=1)
def allowed() -> Allowed:
    """What SQL may consist of."""
    data: dict[str, Any] = tomllib.loads((files(__package__) / "allowed.toml").read_text("utf-8"))
    return Allowed(
        syntax=frozenset(data["syntax"].split()) | frozenset(data["typed"].split()),
        functions=frozenset(data["functions"].split()),
        types=frozenset(data["types"].split()),
        hints=data["hints"],
    )


def check(tree: exp.Query, schema: Schema) -> None:
    """Raises if a query holds anything that is not allowed, tables that are not in the schema, or could grow too large.

    Raises:
        QueryRefusedError: Says what, and what to write instead.
        QueryError: It names a column that there is not.
    """
    for count, node in enumerate(tree.walk(), start=1):
        if count > _MAX_NODES:
            raise QueryRefusedError(f"The SQL has more than {_MAX_NODES} parts.", "Write it shorter.")
        _check_kind(node)
        for kind, further in _CHECKS.items():
            if isinstance(node, kind):
                further(node)
    if (selects := sum(1 for _ in tree.find_all(exp.Select))) > _MAX_SELECTS:
        raise QueryRefusedError(
            f"The SQL has {selects} SELECTs; {_MAX_SELECTS} are allowed.", "Use VALUES or OR."
        )
    scopes = scopes_of(tree)
    check_names(tree, scopes, schema)
    check_growth(tree, scopes)


def _check_kind(node: exp.Expr) -> None:
    """Syntax and functions."""
    name = type(node).__name__
    if isinstance(node, exp.Anonymous):
        function = node.name.lower()
        if function not in allowed().functions:
            raise _refused_function(function)
    elif name not in allowed().syntax:
        hint = allowed().hints.get(name)
        if isinstance(node, exp.Func):
            raise _refused_function(node.sql_name().lower(), hint)
        raise QueryRefusedError(f"{_spoken(name)} is not allowed here.", hint or "Write a plain SELECT.")


def _refused_function(name: str, hint: str | None = None) -> QueryRefusedError:
    default = "Use PostGIS functions that measure and compare, plain aggregates and text functions."
    return QueryRefusedError(
        f"The function {name[:60]} is not allowed.", hint or allowed().hints.get(name, default)
    )


def _check_select(node: exp.Select) -> None:
    if not node.selects:
        raise QueryRefusedError("A SELECT chooses no columns.", "Name columns, or write SELECT *.")
    begin = node.args.get("from_")
    joined = [join.this for join in node.args.get("joins") or ()]
    names = [source.alias_or_name.lower() for source in ([begin.this] if begin else []) + joined]
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise QueryRefusedError(
            f"Two tables in FROM are called {twice}.", "Give them aliases: pois a, pois b."
        )


def _check_with(node: exp.With) -> None:
    if node.args.get("recursive"):
        raise QueryRefusedError("WITH RECURSIVE is not allowed: it may never end.", "Write plain WITH.")


def _check_cast(node: exp.DataType) -> None:
    name = node.this.name if isinstance(node.this, exp.DataType.Type) else str(node.this)
    if name not in allowed().types and not isinstance(node.parent, exp.DataType):
        raise QueryRefusedError(
            f"A cast to {node.sql('postgres')[:60]} is not allowed.",
            "Cast to text, integer, numeric, double precision, boolean, geometry or geography.",
        )


def _check_dot(node: exp.Dot) -> None:
    raise QueryRefusedError(f"{node.sql('postgres')[:60]} is not allowed.", allowed().hints["Dot"])


def _check_series(node: exp.Expr) -> None:
    bounds = [_whole(node.args.get(part)) for part in ("start", "end")]
    low, high = bounds
    if low is None or high is None or abs(high - low) > _MAX_SERIES:
        raise QueryRefusedError(
            f"generate_series needs two whole numbers at most {_MAX_SERIES} apart.",
            "Count rows of a table instead.",
        )
    step = node.args.get("step")
    if step is not None and not _whole(step):
        raise QueryRefusedError("generate_series needs a whole number as its step.", "Leave the step out.")


def _whole(node: Any) -> int | None:
    if isinstance(node, exp.Neg):
        inner = _whole(node.this)
        return None if inner is None else -inner
    if isinstance(node, exp.Literal) and node.is_int:
        return int(node.name)
    return None


def _check_arguments(node: exp.Anonymous) -> None:
    name, given = node.name.lower(), node.expressions
    if name == "st_transform" and (len(given) != 2 or _whole(given[1]) is None):
        raise QueryRefusedError(
            "ST_Transform takes a geometry and the number of a coordinate system.",  # a text may name a file
            "Write its number: ST_Transform(geometry::geometry, 3857).",
        )
    if name == "st_buffer" and len(given) != 2:
        raise QueryRefusedError(
            "ST_Buffer takes a geometry and a distance.",
            "For 'within a distance' use ST_DWithin(a, b, metres).",
        )


_CHECKS: dict[type[exp.Expr], Callable[[Any], None]] = {
    exp.Select: _check_select,
    exp.With: _check_with,
    exp.DataType: _check_cast,
    exp.Dot: _check_dot,
    exp.GenerateSeries: _check_series,
    exp.Anonymous: _check_arguments,
}


def _spoken(name: str) -> str:
    """The name of a node class as one writes it in SQL: "TableSample" is "TABLE SAMPLE"."""
    return "".join(f" {letter}" if letter.isupper() else letter for letter in name).strip().upper()


MAX_GROWTH = 100_000
"""An ordinary text has about 100 characters, so a value stays at about 10 MB."""
MAX_COLLECTING = 4
"""Aggregates that collect; PostgreSQL ends each at 1 GB."""
MAX_DRAWN_CHARACTERS = 20_000
"""Of outlines that are written out where geometries are laid over each other: some 1,000 points. Two lines of 4,000
random points kept PostGIS 3.3 busy for more than 25 s with 4 GB, whatever its time-out."""
_UNIT = 100
_COLLECTED = 1000
_OUTLINE = 1000

_JOINING = (exp.DPipe, exp.Concat, exp.ConcatWs, exp.Array)
_COLLECTING = (exp.GroupConcat, exp.ArrayAgg)
_JOINING_SHAPES = frozenset({"st_collect", "st_union", "st_makeline"})
"""Aggregates with one argument; with two they join."""
_OUTLINE_TEXTS = frozenset({"st_astext", "st_asewkt", "st_asgeojson"})
_OVERLAYS = frozenset({"st_union", "st_intersection", "st_difference", "st_symdifference", "st_makevalid"})
"""What GEOS does not let be interrupted."""


def check_growth(tree: exp.Query, scopes: Iterable[Scope]) -> None:
    """Raises if a query can make values that are much too large.

    Args:
        tree: The query.
        scopes: Its scopes, inner ones first (sqlglot's `traverse_scope`).

    Raises:
        QueryRefusedError: Says what, and what to write instead.
    """
    collecting = sum(_collects(node) for node in tree.walk())
    if collecting > MAX_COLLECTING:
        raise QueryRefusedError(
            f"{collecting} aggregates collect values; {MAX_COLLECTING} may.", "Count, or return the rows."
        )
    _check_overlays(tree)
    sizes: dict[int, float] = {}
    for scope in scopes:
        largest = max((sizes.get(id(source), 1.0) for source in _read(scope)), default=1.0)
        sizes[id(scope)] = largest * _grown(scope.expression)
        if sizes[id(scope)] > MAX_GROWTH:
            raise QueryRefusedError(
                "Texts, lists or shapes are put together over and over.", "Put together less at once."
            )


def _read(scope: Scope) -> Iterator[object]:
    """What a query reads from: its FROM, the queries inside it, and what outer ones read, which it may name."""
    yield from scope.subquery_scopes
    yield from scope.set_operation_scopes
    around: Scope | None = scope
    while around is not None:
        yield from (source for _, source in around.selected_sources.values())
        around = around.parent


def _grown(query: exp.Expr) -> float:
    """How many times as large as what it reads the values are that one query makes, all of them together."""
    sizes: dict[int, float] = {}
    for node in reversed(list(_own(query))):
        inner = [sizes.get(id(child), 0.0) for child in node.iter_expressions()]
        sizes[id(node)] = _together(inner) if node is query else _size(node, inner)
    return max(1.0, sizes[id(query)])


def _together(inner: list[float]) -> float:
    """The size of what holds several values: what has grown counts each time."""
    return sum(size for size in inner if size > 1) or max(inner, default=0.0)


def _own(query: exp.Expr) -> Iterator[exp.Expr]:
    """A query's nodes without those of queries inside, the outer ones first."""
    return query.walk(bfs=True, prune=lambda node: isinstance(node, exp.Query) and node is not query)


def _size(node: exp.Expr, inner: list[float]) -> float:
    largest = max(inner, default=0.0)
    if isinstance(node, exp.Literal):
        return len(node.name) / _UNIT
    if isinstance(node, exp.Column | exp.Query):
        return 1.0
    if isinstance(node, _COLLECTING):
        return max(1.0, largest) * _COLLECTED
    if isinstance(node, _JOINING):
        return sum(inner)
    if isinstance(node, exp.Replace | exp.RegexpReplace):
        return _replaced(node, inner)
    if isinstance(node, exp.Anonymous):
        return _shape(node, inner)
    return _together(inner)


def _replaced(node: Any, inner: list[float]) -> float:
    """Each place of the text may become the replacement; one of a pattern may hold the text again."""
    characters = 1.0 + _UNIT * _length(node.args.get("replacement"))
    pattern = node.expression
    if isinstance(node, exp.Replace) and isinstance(pattern, exp.Literal):
        characters /= max(1, len(pattern.name))
    return max(inner, default=1.0) * max(1.0, characters)


def _length(replacement: exp.Expr | None) -> float:
    if replacement is None:
        return 0.0
    return len(replacement.name) / _UNIT if isinstance(replacement, exp.Literal) else 1.0


def _shape(node: exp.Anonymous, inner: list[float]) -> float:
    largest = max(inner, default=0.0)
    name = node.name.lower()
    if name in _JOINING_SHAPES:
        return sum(inner) if len(node.expressions) > 1 else max(1.0, largest)
    return max(1.0, largest) * _OUTLINE if name in _OUTLINE_TEXTS else _together(inner)


def _collects(node: exp.Expr) -> bool:
    if isinstance(node, exp.Anonymous):
        return node.name.lower() in _JOINING_SHAPES and len(node.expressions) == 1
    return isinstance(node, _COLLECTING)


def _check_overlays(tree: exp.Query) -> None:
    names = {node.name.lower() for node in tree.find_all(exp.Anonymous)}
    if not names & _OVERLAYS:
        return
    drawn = sum(len(node.name) for node in tree.find_all(exp.Literal) if node.is_string)
    if "st_makeline" in names or drawn > MAX_DRAWN_CHARACTERS:
        raise QueryRefusedError(
            "Lines that the SQL draws itself cannot be laid over other shapes.",
            "Use shapes of the tables, or measure with ST_Distance and ST_DWithin.",
        )
