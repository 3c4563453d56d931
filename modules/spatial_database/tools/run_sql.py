"""GenerateSQL, RefineSQL: prepare and run a query that an agent has written or revised (Geo-ReAct, section 4.1.1).

The preprocessor is deterministic, and every fix is told: fences and words around the query are left out, slips of the
pen are mended outside of quoted texts, and casts are put where a function of PostGIS needs the other spatial type, as
`sql_preparing.toml` declares. What cannot be parsed is left as it is: the database says what is wrong with it.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, ClassVar

from pydantic import Field
from sqlglot import exp

from map_tools.errors import QueryRefusedError
from map_tools.spatial_db.guard.parsing import parse, write
from map_tools.spatial_db.port import Schema, SpatialDatabase
from map_tools.spatial_db.translate.kinds import Kind, Kinds, cast_kind, function_named, name_of
from mapagent.core.rendering import clean
from modules.spatial_database.database import SqlSetting, read_sql, row_lines
from modules.spatial_database.tools.base import Arguments, Concept, Result, Role, SpatialTool

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


_TABLE = re.compile(r"\bFROM\b", re.IGNORECASE)

type Prepare = Callable[[str, Schema], tuple[str, tuple[str, ...]]]
"""The deterministic preprocessor: a query and the schema in, the repaired query and what was mended out."""


class SqlArguments(Arguments):
    """A query."""

    sql: str = Field(min_length=1, description="one SELECT statement in PostGIS dialect")


class SqlResult(Result):
    """The rows of a query.

    Attributes:
        sql: The query that ran, as mended; what it says itself was not found.
        fixes: What was mended, so that an agent can learn from it.
        columns, rows: What it found; `truncated` if there was more.
        lines: The rows as a model reads them.
    """

    sql: str = Field(exclude=True)
    fixes: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    truncated: bool = False
    lines: tuple[str, ...] = Field(default=(), exclude=True)

    def text(self) -> str:
        """The fixes and the rows."""
        return "\n".join(map(clean, (*(f"Mended: {fix}" for fix in self.fixes), *self.lines)))


class GenerateSQL(SpatialTool[SqlArguments, SqlResult]):
    """Runs an agent's first query.

    Args:
        database: Who is asked; its guard lets nothing but reading through.
        prepare: The preprocessor.
        setting: Time-out and row limit.
    """

    name: ClassVar[str] = "GenerateSQL"
    description: ClassVar[str] = (
        "Runs a query you write and returns its rows; small slips are mended and told."
    )
    role: ClassVar[Role] = Role.EXECUTION
    concepts: ClassVar[tuple[Concept, ...]] = ()
    arguments: ClassVar[type[Arguments]] = SqlArguments

    def __init__(self, database: SpatialDatabase, prepare: Prepare, setting: SqlSetting) -> None:
        self._database = database
        self._prepare = prepare
        self._setting = setting

    async def run(self, arguments: SqlArguments) -> SqlResult:
        """Prepares and runs the query.

        Raises:
            QueryRefusedError: It is not allowed, reads no table, or the engine has no equal of it.
            QueryError: The engine could not carry it out, or not in time.
        """
        sql, fixes = self._prepare(arguments.sql, self._database.schema())
        result = await self._database.query(
            sql, timeout_s=self._setting.timeout_s, max_rows=self._setting.max_rows
        )
        if not _TABLE.search(sql):
            raise QueryRefusedError(
                "The query reads no table.", "Select from the tables; nothing else counts."
            )
        return SqlResult(
            sql=sql,
            fixes=fixes,
            columns=result.columns,
            rows=result.rows,
            truncated=result.truncated,
            lines=tuple(row_lines(result)),
        )


class RefineSQL(GenerateSQL):
    """Runs a query that an agent has revised; the path is that of its first one."""

    name: ClassVar[str] = "RefineSQL"
    description: ClassVar[str] = (
        "Runs a revised query after an error or an empty result; small slips are mended and told."
    )
