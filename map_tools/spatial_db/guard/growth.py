"""How much larger than what is in the tables the values of a query can get, bounded before it runs.

PostgreSQL has no limit of memory for a query: forty CTEs that each double a text took 16 GB. So sizes are estimated on
the tree, in units of an ordinary value of a table: what puts values together has the sum of their sizes, an aggregate
that collects a fixed number of them, and a query at least the size of the largest that it reads from.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from map_tools.errors import QueryRefusedError

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
