"""The deterministic preprocessor of queries that models write; every fix is told (Geo-ReAct, section 4.1.1).

Fences and words around the query are left out, slips of the pen are mended outside of quoted texts, and
casts are put where a function of PostGIS needs the other spatial type, as `sql_preparing.toml` declares. What
cannot be parsed is left as it is: the database says what is wrong with it.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from sqlglot import exp

from map_tools.errors import QueryRefusedError
from map_tools.spatial_db.guard.parsing import parse, write
from map_tools.spatial_db.port import Schema
from map_tools.spatial_db.translate.kinds import Kind, Kinds, cast_kind, function_named, name_of
from modules.spatial_database.database import read_sql

FENCED = "only the query itself is run"
TRANSFORMED = "ST_Transform is left out: the columns measure in metres already"
DEGREES_BELOW = 10.0
"""A radius below this is meant in degrees: casting would make metres of it."""

_QUOTED = re.compile(r"('(?:[^']|'')*'|\"(?:[^\"]|\"\")*\")")
_TAKEN = re.compile(r"'(\d+)'")
_CURLY = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "\u00a0": " "})


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip of the pen: what it looks like, what takes its place, how that is told."""

    pattern: re.Pattern[str]
    instead: str
    told: str


@dataclass(frozen=True, slots=True)
class Mending:
    """The content of `sql_preparing.toml`.

    Attributes:
        slips: Slips of the pen.
        types: By a function's name in small letters: its name as PostGIS writes it, and what it takes.
    """

    slips: tuple[Slip, ...]
    types: Mapping[str, tuple[str, Kind]]


def prepared(sql: str, schema: Schema) -> tuple[str, tuple[str, ...]]:
    """The query as mended, and what was mended, in the order it was done."""
    text = read_sql(sql) or sql.strip()
    fixes = [FENCED] if text.rstrip("; \n") != sql.strip().rstrip("; \n") else []
    text = _without_slips(text, fixes)
    try:
        tree = parse(text)
    except QueryRefusedError:
        return text, tuple(fixes)
    casts = tuple(dict.fromkeys((*_without_transforms(tree), *_cast(tree, schema))))
    return (write(tree, "postgres") if casts else text), (*fixes, *casts)


def _without_slips(text: str, fixes: list[str]) -> str:
    """The text with slips mended; quoted texts are taken out meanwhile and put back as they were."""
    quoted: list[str] = []

    def taken(match: re.Match[str]) -> str:
        quoted.append(match[0])
        return f"'{len(quoted) - 1}'"

    text = _QUOTED.sub(taken, text.translate(_CURLY))
    for slip in _mending().slips:
        mended = slip.pattern.sub(slip.instead, text)
        if mended != text:
            fixes.append(slip.told)
        text = mended
    return _TAKEN.sub(lambda match: quoted[int(match[1])], text)


def _without_transforms(tree: exp.Expr) -> Iterator[str]:
    for node in list(tree.find_all(exp.Anonymous)):
        if name_of(node) == "st_transform" and node.expressions:
            node.replace(node.expressions[0].copy())
            yield TRANSFORMED


def _cast(tree: exp.Query, schema: Schema) -> Iterator[str]:
    """Puts casts where a function takes the other type; tells of each."""
    kinds = Kinds(tree, schema)
    for node in list(tree.find_all(exp.Func)):
        name = name_of(node)
        if name not in _mending().types or _is_in_degrees(node, name):
            continue
        shown, wanted = _mending().types[name]
        function = function_named(name)
        for argument in list(node.iter_expressions())[: function.geometries if function else 1]:
            known = kinds.of(argument)
            if known is not None and known.kind is not wanted:
                argument.replace(_as(argument, wanted, kinds))
                yield f"{shown} takes {wanted}: the cast is written"


def _as(argument: exp.Expr, wanted: Kind, kinds: Kinds) -> exp.Expr:
    """The argument as the other type; a cast that was wrong is taken back rather than cast again."""
    if isinstance(argument, exp.Cast) and cast_kind(argument) is not None:
        inner: exp.Expr = argument.this
        known = kinds.of(inner)
        if known is not None and known.kind is wanted:
            return inner.copy()
    return exp.cast(argument.copy(), exp.DataType.build(wanted.value, dialect="postgres"))


def _is_in_degrees(node: exp.Expr, name: str) -> bool:
    """True where the query reckons in degrees: a small radius, or a distance that is multiplied."""
    if isinstance(node.parent, exp.Mul):
        return True
    radius = list(node.iter_expressions())[2:3] if name == "st_dwithin" else []
    return bool(radius) and isinstance(radius[0], exp.Literal) and float(radius[0].name) < DEGREES_BELOW


@lru_cache(maxsize=1)
def _mending() -> Mending:
    data = tomllib.loads((files(__package__) / "sql_preparing.toml").read_text("utf-8"))
    return Mending(
        slips=tuple(
            Slip(re.compile(entry["pattern"], re.IGNORECASE), entry["with"], entry["told"])
            for entry in data["slip"]
        ),
        types={name.lower(): (name, kind) for kind in Kind for name in data["types"][kind].split()},
    )
