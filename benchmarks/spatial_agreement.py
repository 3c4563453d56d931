"""`python -m benchmarks.spatial_agreement`: does the embedded database answer as PostGIS does?

Runs every gold query of GS-QA three times: as it stands in PostGIS (psycopg alone, nothing of ours), through
our PostGIS database, and through the embedded one. Answers agree if they have the same columns and the same
rows in any order, numbers within a millionth.
"""

import argparse
import asyncio
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from map_tools.errors import ToolError
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from map_tools.spatial_db.port import QueryResult, SpatialDatabase
from map_tools.spatial_db.postgis_db import PostgisDatabase

ALL_ROWS = 1_000_000
RELATIVE = 1e-6
ABSOLUTE = 1e-5
"""A hundredth of a millimetre, for distances near zero."""


def same(left: object, right: object) -> bool:
    """Whether two values of results are the same."""
    if isinstance(left, int | float) and isinstance(right, int | float) and not isinstance(left, bool):
        return math.isclose(left, right, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    return left == right


def differences(expected: QueryResult, found: QueryResult) -> str | None:
    """How a result differs from another in one phrase; None if it does not."""
    if expected.columns != found.columns:
        return f"columns {found.columns} instead of {expected.columns}"
    if len(expected.rows) != len(found.rows):
        return f"{len(found.rows)} rows instead of {len(expected.rows)}"
    for left, right in zip(_in_order(expected.rows), _in_order(found.rows), strict=True):
        for column, a, b in zip(expected.columns, left, right, strict=True):
            if not same(a, b):
                return f"{column} is {b} instead of {a}"
    return None


def _in_order(rows: Iterable[Sequence[Any]]) -> list[Sequence[Any]]:
    return sorted(rows, key=lambda row: [_key(value) for value in row])


def _key(value: object) -> tuple[int, float, str]:
    if isinstance(value, bool) or value is None:
        return (0, float(bool(value)), "")
    if isinstance(value, int | float):
        return (1, float(f"{value:.5g}"), "")
    return (2, 0.0, str(value))


def gold(path: Path) -> list[Mapping[str, Any]]:
    """The questions of a GS-QA file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


async def compare(
    sql: str, reference: QueryResult, database: SpatialDatabase, *, timeout_s: float = 120
) -> str | None:
    """How a database's answer to a query differs from the reference; None if it does not."""
    try:
        found = await database.query(sql, timeout_s=timeout_s, max_rows=ALL_ROWS)
    except ToolError as error:
        return f"{type(error).__name__}: {error}"
    return differences(reference, found)


def reference(dsn: str, sql: str) -> QueryResult:
    """The answer of PostGIS to the text as it stands."""
    import psycopg

    from map_tools.spatial_db.port import plain_rows

    with psycopg.connect(dsn) as connection:
        types = connection.execute(
            "SELECT oid FROM pg_type WHERE typname IN ('geometry', 'geography')"
        ).fetchall()
        cursor = connection.execute(sql.encode())
        described = cursor.description or []
        spatial = frozenset(n for n, column in enumerate(described) if (column.type_code,) in types)
        rows = plain_rows(cursor.fetchall(), spatial)
    return QueryResult(tuple(column.name for column in described), rows, truncated=False, sql_run=sql)


async def _run(questions: Iterable[Mapping[str, Any]], dsn: str, embedded: Path) -> int:
    databases: list[SpatialDatabase] = [PostgisDatabase.open(dsn), DuckDBDatabase.open(embedded)]
    agreed: Counter[str] = Counter()
    empty = count = 0
    for question in questions:
        expected = reference(dsn, question["sql"])
        count += 1
        empty += all(value in {None, 0} for row in expected.rows for value in row)
        for database in databases:
            difference = await compare(question["sql"], expected, database)
            agreed[database.name] += difference is None
            if difference is not None:
                print(f"{question['template']} {question['id']} {database.name}: {difference}")
    for database in databases:
        right = agreed[database.name]
        print(f"{database.name}: {right} of {count} agree with PostGIS ({empty} are empty or zero)")
        database.close()
    return 0 if all(agreed[database.name] == count for database in databases) else 1


def main() -> int:
    """Exit code 1 if any answer differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", type=Path, required=True, help="GS-QA's dev.jsonl")
    parser.add_argument(
        "--dsn", required=True, help="a PostGIS with the world loaded, as a role that only reads"
    )
    parser.add_argument("--embedded", type=Path, required=True, help="the same world as a DuckDB file")
    parser.add_argument("--template", help="only this template")
    given = parser.parse_args()
    questions = [entry for entry in gold(given.gold) if given.template in {None, entry["template"]}]
    return asyncio.run(_run(questions, given.dsn, given.embedded))


if __name__ == "__main__":
    sys.exit(main())
