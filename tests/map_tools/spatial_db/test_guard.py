"""The guard alone, with no engine behind it that would refuse too: what it lets through, and where its limits are."""

import json
import time
import tomllib
from pathlib import Path

import pytest
import sqlglot

from map_tools.errors import QueryError, QueryRefusedError
from map_tools.spatial_db.guard import checked
from map_tools.spatial_db.guard.parsing import write
from map_tools.spatial_db.port import Schema, Table
from tests.map_tools.spatial_db.world import tables

HERE = Path(__file__).parent
SCHEMA = Schema(tuple(Table(one.name, tuple(one.columns), 8, "geometry") for one in tables()))
HOSTILE = (HERE / "hostile.txt").read_text("utf-8").partition("# broken")[0]
ATTACKS = [json.loads(line) for line in HOSTILE.splitlines() if line and not line.startswith("#")]
SAME = tomllib.loads((HERE / "same.toml").read_text("utf-8"))
POINT = "ST_GeomFromText('POINT(10.0 50.0)', 4326)"
SHAPE = "geometry::geometry"


def allowed(sql: str) -> bool:
    try:
        checked(sql, SCHEMA)
    except (QueryRefusedError, QueryError):
        return False
    return True


def refusal(sql: str) -> str:
    with pytest.raises((QueryRefusedError, QueryError)) as caught:
        checked(sql, SCHEMA)
    return str(caught.value)


def joined(part: str, times: int, before: str = "", after: str = "") -> str:
    return before + " || ".join([part] * times) + after


def test_no_attack_passes() -> None:
    """Whatever the engines would do about it."""
    assert [sql for sql in ATTACKS if allowed(sql)] == []


def test_what_both_engines_answer_passes() -> None:
    assert [name for name, sql in SAME.items() if not allowed(sql.replace("{here}", POINT))] == []


def test_what_passes_is_the_tree_with_names_as_they_are_read() -> None:
    assert checked('SELECT Id AS "N" FROM Pois;', SCHEMA).sql("postgres") == 'SELECT id AS "N" FROM pois'


NAMES = {
    "SELECT P.id FROM pois p": True,
    'SELECT "P".id FROM pois p': False,
    "SELECT ID FROM POIS": True,
    'SELECT id FROM "POIS"': False,
    "SELECT id FROM public.pois": True,
    "SELECT id FROM other.pois": False,
    "SELECT id FROM public.nothing": False,
    "SELECT a.x FROM (SELECT id AS x FROM pois) a": True,
    "SELECT a.id FROM (SELECT id AS x FROM pois) a": False,
    "SELECT p.id FROM pois": False,
    "SELECT park_name FROM pois p, parks q": True,
    "SELECT lake_name FROM pois p, parks q": False,
    "SELECT p.park_name FROM pois p, parks q": False,
    "WITH c(a, b) AS (SELECT id, osm_id FROM pois) SELECT a, b FROM c": True,
    "WITH c(a, b) AS (SELECT id, osm_id FROM pois) SELECT osm_id FROM c": False,
    "WITH c(a) AS (SELECT id, osm_id FROM pois) SELECT a, osm_id FROM c": True,
    "WITH c(a) AS (SELECT id, osm_id FROM pois) SELECT id FROM c": False,
    "SELECT v.column1, v.column2 FROM (VALUES (1, 2)) v": True,
    "SELECT v.column3 FROM (VALUES (1, 2)) v": False,
    "SELECT v.column1 FROM (VALUES (1)) v": True,
    "SELECT v.column2 FROM (VALUES (1)) v": False,
    "SELECT v.column0 FROM (VALUES (1, 2)) v": False,
    "SELECT v.b FROM (VALUES (1, 2)) v(a, b)": True,
    "SELECT v.column1 FROM (VALUES (1, 2)) v(a, b)": False,
    "SELECT l.n FROM pois p, LATERAL (SELECT p.id AS n) l": True,
    "SELECT l.m FROM pois p, LATERAL (SELECT p.id AS n) l": False,
    "SELECT u.id FROM (SELECT id FROM pois UNION SELECT osm_id FROM parks) u": True,
    "SELECT u.osm_id FROM (SELECT id FROM pois UNION SELECT osm_id FROM parks) u": False,
    "SELECT s.n FROM generate_series(1, 3) AS s(n)": True,
    "SELECT s.m FROM generate_series(1, 3) AS s(n)": False,
    "SELECT s FROM generate_series(1, 3) AS s": True,
    "SELECT 1 FROM generate_series(1, 3)": False,
    "SELECT a.poi_name FROM (SELECT * FROM pois) a": True,
    "SELECT a.park_name FROM (SELECT * FROM pois p, parks q) a": True,
    "SELECT a.park_name FROM (SELECT p.* FROM pois p, parks q) a": False,
    "SELECT a.poi_name FROM (SELECT p.* FROM pois p, parks q) a": True,
    "SELECT a.poi_name FROM (SELECT * FROM pois UNION SELECT * FROM pois) a": True,
    "SELECT a.park_name FROM (SELECT * FROM pois UNION SELECT * FROM pois) a": False,
    "SELECT id FROM pois p WHERE EXISTS (SELECT 1 FROM parks q WHERE q.id = p.osm_id)": True,
    "SELECT id FROM pois p WHERE EXISTS (SELECT 1 FROM parks q WHERE q.id = p.park_name)": False,
    "SELECT id FROM pois p WHERE EXISTS (SELECT 1 FROM parks q WHERE q.id = r.id)": False,
    "SELECT id AS n FROM pois ORDER BY n": True,
    "SELECT id AS n FROM pois ORDER BY m": False,
    "SELECT id AS n FROM pois p ORDER BY p.n": False,
    "SELECT amenity AS kind, count(*) FROM pois GROUP BY kind": True,
    "SELECT amenity AS kind FROM pois WHERE pois.kind = 'cafe'": False,
    "SELECT id FROM pois UNION SELECT id FROM parks ORDER BY id": True,
    "SELECT id FROM pois UNION SELECT id FROM parks ORDER BY poi_name": False,
    "SELECT a.count FROM (SELECT count(*) FROM pois) a": True,
    "SELECT a.st_area FROM (SELECT ST_Area(geometry) FROM parks) a": True,
    "SELECT a.st_length FROM (SELECT ST_Area(geometry) FROM parks) a": False,
    "SELECT a.poi_name FROM (SELECT count(*) FROM pois) a": False,
    "SELECT a.size FROM (SELECT ST_Area(geometry) AS size FROM parks) a": True,
    "SELECT a.st_area FROM (SELECT ST_Area(geometry) AS size FROM parks) a": False,
    "SELECT pois.pg_typeof FROM pois": False,
    "WITH parks AS (SELECT id AS n FROM pois) SELECT n FROM parks": True,
    "WITH parks AS (SELECT id AS n FROM pois) SELECT park_name FROM parks": False,
}
"""By PostgreSQL's rules of scope: what a name may be of, where it stands."""


@pytest.mark.parametrize(("sql", "resolves"), NAMES.items())
def test_a_name_counts_where_it_resolves(sql: str, resolves: bool) -> None:
    assert allowed(sql) is resolves


FORMS = {
    "SELECT 1": True,
    "SELECT 1;": True,
    "SELECT 1;;": True,
    "SELECT 1; SELECT 2": False,
    "(SELECT 1)": True,
    "SELECT FROM pois": False,
    "SELECT 1 FROM pois a, parks a": False,
    "SELECT 1 FROM pois JOIN parks pois ON TRUE": False,
    "SELECT 1 FROM pois a JOIN parks b ON TRUE JOIN lakes a ON TRUE": False,
    "SELECT 1 FROM (pois a JOIN parks a ON TRUE)": False,
    "SELECT ST_AsText()": True,  # the engines tell what it lacks
    "SELECT id::text FROM pois": True,
    "SELECT geometry::geometry(Point, 4326) FROM pois": True,
    "SELECT id::regclass FROM pois": False,
    "SELECT id::int[] FROM pois": False,
    f"SELECT ST_Transform({SHAPE}, 3857) FROM pois": True,
    f"SELECT ST_Transform({SHAPE}, -1) FROM pois": True,
    f"SELECT ST_Transform({SHAPE}, '+proj=merc') FROM pois": False,
    f"SELECT ST_Transform({SHAPE}, id) FROM pois": False,
    f"SELECT ST_Transform({SHAPE}) FROM pois": False,
    f"SELECT ST_Transform({SHAPE}, 4326, 3857) FROM pois": False,
    f"SELECT ST_Buffer({SHAPE}, 2) FROM pois": True,
    f"SELECT ST_Buffer({SHAPE}) FROM pois": False,
    f"SELECT ST_Buffer({SHAPE}, 2, 8) FROM pois": False,
}


@pytest.mark.parametrize(("sql", "passes"), FORMS.items())
def test_the_form_of_a_query(sql: str, passes: bool) -> None:
    assert allowed(sql) is passes


def series(*arguments: object) -> str:
    return f"SELECT s.n FROM generate_series({', '.join(map(str, arguments))}) AS s(n)"


def doubled(times: int) -> str:
    steps = ", ".join(f"a{step + 1} AS (SELECT s || s AS s FROM a{step})" for step in range(times))
    return f"WITH a0 AS (SELECT poi_name AS s FROM pois), {steps} SELECT 1 FROM a{times}"


def replaced(function: str, pattern: str, times: int) -> str:
    text = "poi_name"
    for _ in range(times):
        text = f"{function}({text}, '{pattern}', '{'x' * 100}')"
    return f"SELECT {text} FROM pois"


COLLECT = ["string_agg(poi_name, ',')", "array_agg(id)", f"ST_Collect({SHAPE})", f"ST_Union({SHAPE})"]
GATHERED = "WITH a AS (SELECT string_agg(poi_name, ',') AS s FROM pois) SELECT "
BOTH = f"ST_AsText(ST_Collect({SHAPE}, {SHAPE}))"

LIMITS = {
    "characters": ("SELECT 1".ljust(100_000), "SELECT 1".ljust(100_001)),
    "depth": (f"SELECT 1 FROM {'(' * 100}pois{')' * 100}", f"SELECT 1 FROM {'(' * 101}pois{')' * 101}"),
    "depth of CASE": (f"SELECT {'CASE WHEN TRUE THEN ' * 30}1{' END' * 30}", f"SELECT {'CASE ' * 101}1"),
    # an array has six dimensions in PostgreSQL
    "depth of arrays": (f"SELECT {'ARRAY[' * 6}1{']' * 6}", f"SELECT {'ARRAY[' * 40}1{']' * 40}"),
    "depth of brackets": (f"SELECT {'[' * 6}1{']' * 6}", f"SELECT {'[' * 7}1{']' * 7}"),
    # one behind the other is no depth
    "parentheses": (f"SELECT {'+'.join(['(1)'] * 150)}", f"SELECT {'(' * 150}1{')' * 150}"),
    "SELECTs": (" UNION ALL ".join(["SELECT 1"] * 200), " UNION ALL ".join(["SELECT 1"] * 201)),
    "parts": (f"SELECT {','.join('1' * 19_999)}", f"SELECT {','.join('1' * 20_000)}"),
    # two levels are read four times, and a number has its comma: 8 x 12,000 is 96,000 and 8 x 13,000 is 104,000
    "read anew": (
        f"SELECT ARRAY[ARRAY[{','.join('1' * 12_000)}]]",
        f"SELECT ARRAY[ARRAY[{','.join('1' * 13_000)}]]",
    ),
    "series": (series(1, 10_001), series(1, 10_002)),
    "series downwards": (series(10_001, 1, -1), series(10_002, 1, -1)),
    "series below zero": (series(-5_000, 5_000), series(-5_000, 5_001)),
    "step": (series(1, 9, 2), series(1, 9, 0.5)),
    "bounds": (series(1, 9), series(1, "(SELECT max(id) FROM pois)")),
    "collecting": (
        f"SELECT {', '.join(COLLECT)} FROM pois",
        f"SELECT {', '.join(COLLECT)}, array_agg(osm_id) FROM pois",
    ),
    # 2 to the power of 16 is 65,536
    "doubled": (doubled(16), doubled(17)),
    # a collected text counts as a thousand
    "collected": (joined("s", 100, GATHERED, " FROM a"), joined("s", 101, GATHERED, " FROM a")),
    "collected, inside": (
        joined("a.s", 100, f"{GATHERED} (SELECT ", ") FROM a"),
        joined("a.s", 101, f"{GATHERED} (SELECT ", ") FROM a"),
    ),
    "collected, in one part of a union": (
        joined("s", 100, f"{GATHERED} 'a' UNION SELECT ", " FROM a"),
        joined("s", 101, f"{GATHERED} 'a' UNION SELECT ", " FROM a"),
    ),
    "collected, in several columns": (
        GATHERED + ", ".join(["s || s"] * 50) + " FROM a",
        GATHERED + ", ".join(["s || s"] * 51) + " FROM a",
    ),
    # and so does an outline that is written out
    "outline": (
        joined("ST_AsText(geometry)", 100, "SELECT ", " FROM parks"),
        joined("ST_AsText(geometry)", 101, "SELECT ", " FROM parks"),
    ),
    "two outlines": (joined(BOTH, 50, "SELECT ", " FROM parks"), joined(BOTH, 51, "SELECT ", " FROM parks")),
    "two outlines, with digits": (
        joined(f"ST_AsText(ST_Collect({SHAPE}, {SHAPE}), 6)", 50, "SELECT ", " FROM parks"),
        joined(f"ST_AsText(ST_Collect({SHAPE}, {SHAPE}), 6)", 51, "SELECT ", " FROM parks"),
    ),
    # two characters for each: three times as long and no more; 3 to the power of 10 is 59,049
    "replaced by little": (
        replaced("replace", "a", 10).replace("x" * 100, "bb"),
        replaced("replace", "a", 11).replace("x" * 100, "bb"),
    ),
    "replaced by a column": (
        replaced("replace", "a", 2).replace(f"'{'x' * 100}'", "amenity"),
        replaced("replace", "a", 3).replace(f"'{'x' * 100}'", "amenity"),
    ),
    # each place of two characters becomes 100: at most 50 times as long and what was there; 50.5 cubed is 128,788
    "replaced": (replaced("replace", "ab", 2), replaced("replace", "ab", 3)),
    "replaced, one character": (
        f"{GATHERED}replace(s, 'ab', '{'x' * 100}') FROM a",
        f"{GATHERED}replace(s, 'a', '{'x' * 100}') FROM a",
    ),
    "replaced, longer": (replaced("replace", "abc", 3), replaced("replace", "abc", 4)),
    "replaced by a pattern": (replaced("regexp_replace", "abc", 2), replaced("regexp_replace", "abc", 3)),
    "drawn": (
        f"SELECT ST_Intersection({SHAPE}, '{'x' * 20_000}') FROM parks",
        f"SELECT ST_Intersection({SHAPE}, '{'x' * 20_001}') FROM parks",
    ),
    "drawn in parts": (
        f"SELECT ST_Union('{'x' * 10_000}', '{'x' * 10_000}')",
        f"SELECT ST_Union('{'x' * 10_000}', '{'x' * 10_001}')",
    ),
    "drawn lines": (
        f"SELECT ST_Length(ST_MakeLine({SHAPE}, {SHAPE})) FROM pois",
        f"SELECT ST_MakeValid(ST_MakeLine({SHAPE}, {SHAPE})) FROM pois",
    ),
    "drawn, but not laid over anything": (
        f"SELECT ST_Area('{'x' * 20_001}')",
        f"SELECT ST_Area(ST_MakeValid('{'x' * 20_001}'))",
    ),
}


@pytest.mark.parametrize(("just", "over"), LIMITS.values(), ids=LIMITS.keys())
def test_a_limit_is_where_it_is_said_to_be(just: str, over: str) -> None:
    assert allowed(just)
    assert not allowed(over)


DOUBLING = {
    "arrays": "SELECT " + ",".join(["ARRAY[" * 6 + "1" + "]" * 6] * 2_000),
    "a long array": f"SELECT {'ARRAY[' * 6}{','.join('1' * 19_000)}{']' * 6}",
    "types as functions": f"SELECT {'date(' * 22}'2026-01-01'{')' * 22}",
    "casts to arrays": "SELECT " + ",".join(["1::int[" * 6 + "1" + "]" * 6] * 1_800),
    "functions and arrays": "SELECT " + ",".join(["numeric(ARRAY[" * 6 + "1" + "])" * 6] * 60),
    "types with a limit": f"SELECT {'DATE LIMIT(SELECT ' * 18}1{')' * 18}",
}


@pytest.mark.parametrize("sql", DOUBLING.values(), ids=DOUBLING.keys())
def test_what_the_parser_would_read_over_and_over_is_refused_soon(sql: str) -> None:
    """The steps that are allowed take 1 to 2 s on a busy machine; these texts took 6 s to 2 min."""
    begin = time.process_time()
    assert "100000 steps" in refusal(sql)
    assert time.process_time() - begin < 5


TOLD = {
    "SELECT * FROM pois TABLESAMPLE SYSTEM (1)": ("TABLE SAMPLE", "LIMIT"),
    "SELECT pg_sleep(1)": ("pg_sleep", "nothing to wait for"),
    "SELECT repeat('x', 9)": ("repeat", "of no use"),
    "SELECT now()": ("dates",),
    "SELECT foo(1)": ("foo", "PostGIS functions"),
    "SELECT id::json FROM pois": ("JSON", "Cast to text"),
    "SELECT pg_catalog.f(1)": ("pg_catalog", "without its schema"),
    "DELETE FROM pois": ("DELETE", "only be read"),
    "SELECT id\nFROM pois WHERE )": ("line 2", ")"),
    "SELECT 'open": ("quote", "Close"),
    f"SELECT {'abs(' * 99}1{')' * 99}": ("nested too deeply", "calls"),
    f"SELECT {'(' * 101}1{')' * 101}": ("100 levels of parentheses", "fewer"),
    f"SELECT {'ARRAY[' * 7}1{']' * 7}": ("6 levels of brackets", "fewer"),
    "SELECT var_map(1)": ("number of arguments",),
    "SELECT levenshtein_less_equal()": ("number of arguments",),
    "": ("no SQL",),
    " -- nothing": ("no SQL",),
    "SELECT 1\x00": ("NUL",),
    "SELECT * FROM poi": ("poi", "pois"),
    "SELECT * FROM other.pois": ("other.pois", "parks"),
    "SELECT poi_nam FROM pois": ("poi_nam", "poi_name"),
    "SELECT 1 FROM pois a, parks a": ("called a",),
    "SELECT 1 FROM generate_series(1, 3)": ("no name", "AS s(n)"),
    "WITH RECURSIVE a AS (SELECT 1) SELECT * FROM a": ("RECURSIVE",),
    "SELECT FROM pois": ("no columns",),
    "SELECT 1 FROM (pois a JOIN parks a ON TRUE)": ("one name", "aliases"),
    f"SELECT ST_Transform({SHAPE}, '3857') FROM pois": ("coordinate system",),
}


@pytest.mark.parametrize(("sql", "words"), TOLD.items())
def test_what_is_refused_is_said_with_the_remedy(sql: str, words: tuple[str, ...]) -> None:
    told = refusal(sql)
    assert [word for word in words if word not in told] == []


def test_what_is_written_for_an_engine_has_no_comments() -> None:
    tree = checked("SELECT id /* of it */ FROM pois -- all", SCHEMA)
    assert write(tree, "postgres") == write(tree, "duckdb") == "SELECT id FROM pois"


def test_what_an_engine_has_no_words_for_is_refused() -> None:
    with pytest.raises(QueryRefusedError, match="SOUNDEX"):
        write(sqlglot.parse_one("SELECT SOUNDEX('a')", dialect="postgres"), "duckdb")
