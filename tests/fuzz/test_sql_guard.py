"""SQL made up from a grammar with every door in it: what runs, runs on a real DuckDB file, changing nothing.

Refused texts are refused with a reason. What is answered holds nothing from outside the tables: not the
marker of a file whose path the grammar knows, nor of the environment.
"""

import asyncio
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.errors import ToolError
from map_tools.spatial_db.duckdb_build import build_duckdb
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from tests.fuzz.damage import assert_told
from tests.map_tools.spatial_db.world import tables
from tests.support.cli import snapshot
from tests.support.effort import effort

MARKER = "marker-7c1f-of-a-secret-file"
SECRET_FILE = "secret.csv"
LIMIT_S = 2.0

PIECES = tomllib.loads((Path(__file__).parent / "sql_pieces.toml").read_text(encoding="utf-8"))
NAMES, TABLES, FUNCTIONS, OPERATORS, CASTS, TAILS, OTHERS = (
    st.sampled_from(PIECES[name])
    for name in ("names", "tables", "functions", "operators", "casts", "tails", "statements")
)


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{} {} {}".format, inner, OPERATORS, inner),
        st.builds("{}({})".format, FUNCTIONS, inner),
        st.builds("{}({}, {})".format, FUNCTIONS, inner, inner),
        st.builds("CAST({} AS {})".format, inner, CASTS),
        st.builds("({})::{}".format, inner, CASTS),
        st.builds("CASE WHEN {} THEN {} ELSE {} END".format, inner, inner, inner),
        st.builds("{} IN ({}, {})".format, inner, inner, inner),
        st.builds("(SELECT {} FROM {})".format, inner, TABLES),
        st.builds("EXISTS (SELECT {} FROM {} WHERE {})".format, inner, TABLES, inner),
        st.builds("{} OVER (PARTITION BY {} ORDER BY {})".format, inner, inner, inner),
        st.builds("[{0}, {1}][1]".format, inner, inner),
        st.builds("ARRAY(SELECT {} FROM {})".format, inner, TABLES),
        st.builds("COLUMNS({})".format, inner),
        st.builds("x -> {}".format, inner),
        st.builds("/* {} */ {}".format, inner, inner),
    )


EXPRESSIONS = st.recursive(NAMES, _compound, max_leaves=5)
SELECTS = st.builds(
    "SELECT {} FROM {} WHERE {}{}".format, EXPRESSIONS, TABLES, EXPRESSIONS, TAILS
) | st.builds("SELECT {}, {} AS v FROM {}{}".format, EXPRESSIONS, EXPRESSIONS, TABLES, TAILS)
STATEMENTS = st.one_of(
    SELECTS,
    SELECTS,
    SELECTS,
    st.builds("WITH w AS ({}) SELECT * FROM w, {}".format, SELECTS, TABLES),
    st.builds("WITH RECURSIVE w AS ({} UNION ALL SELECT * FROM w) SELECT * FROM w".format, SELECTS),
    st.builds("WITH w AS (DELETE FROM pois RETURNING id) {}".format, SELECTS),
    st.builds("{} UNION {}".format, SELECTS, SELECTS),
    st.builds("EXPLAIN ANALYZE {}".format, SELECTS),
    st.builds("COPY ({}) TO 'out.csv'".format, SELECTS),
    st.builds("CREATE TABLE stolen AS {}".format, SELECTS),
    st.builds("INSERT INTO pois {}".format, SELECTS),
    OTHERS,
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the database and a file that must not be read."""
    folder = tmp_path_factory.mktemp("guard")
    (folder / SECRET_FILE).write_text(f"id,secret\n1,{MARKER}\n", encoding="utf-8")
    build_duckdb(tables(), folder / "world.duckdb")
    return folder


@pytest.fixture(scope="module")
def database(home: Path) -> Iterator[DuckDBDatabase]:
    """The small world, read-only."""
    opened = DuckDBDatabase.open(home / "world.duckdb")
    yield opened
    opened.close()


@effort(1.5)
@given(STATEMENTS)
def test_what_runs_changes_and_leaks_nothing(
    home: Path, database: DuckDBDatabase, monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv("MAPAGENT_API_KEY", MARKER)
    before = snapshot(home)
    for text in (sql, sql.replace(SECRET_FILE, str(home / SECRET_FILE))):
        try:
            found = asyncio.run(database.query(text, timeout_s=LIMIT_S))
        except ToolError as error:
            assert_told(error)
            said = str(error)
        else:
            said = repr(found.rows)
        assert MARKER not in said
    assert snapshot(home) == before


SIMPLE = st.builds(
    "SELECT {} FROM {} WHERE {}{}".format,
    st.sampled_from(("*", "t.id", "count(*)", "max(t.id) AS m, min(osm_type)")),
    st.sampled_from(("pois t", "parks t", "(SELECT * FROM regions) t", "roads AS t")),
    st.sampled_from(
        ("TRUE", "t.id > 1", "t.id IN (1, 2)", "EXISTS (SELECT 1 FROM pois)", "t.geometry IS NOT NULL")
    ),
    st.sampled_from(("", " LIMIT 3", ";")),
)


@effort()
@given(SIMPLE)
def test_plain_questions_do_run(database: DuckDBDatabase, sql: str) -> None:
    """Or refusing everything would pass the test above."""
    assert asyncio.run(database.query(sql, timeout_s=LIMIT_S)).columns
