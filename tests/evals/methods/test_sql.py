"""Text-to-SQL, RAISE and RAG over a spatial database."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from evals.methods.sql import TOP, Rag, Raise, TextToSql, record_texts
from evals.ports import Method, UsesDatabase
from map_tools.embed.embedders import HashingEmbedder, Vectors
from map_tools.errors import ConfigError, LimitError, UsageError
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from mapagent.core.answer import Status
from mapagent.core.ports import RequestContext
from modules.spatial_database.database import queries_in, read_sql
from tests.evals.methods.context import run, task
from tests.support.chat import ScriptedModel

NEAREST = task("Which hotel is nearest to North Cafe?")
SQL = (
    "SELECT b.poi_name FROM pois a, pois b WHERE a.poi_name = 'North Cafe' AND b.tourism = 'hotel' "
    "ORDER BY ST_Distance(a.geometry, b.geometry) LIMIT 1"
)
METHODS: tuple[Method, ...] = (TextToSql(), Raise())


def queries(request_context: RequestContext) -> list[dict[str, Any]]:
    """The attributes of the queries in the trace."""
    return [span.attributes for span in request_context.trace.spans if span.name == "sql"]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_needs_model_and_database(method: Method, sql_world: DuckDBDatabase) -> None:
    assert isinstance(method, UsesDatabase)
    with pytest.raises(UsageError, match="needs a language model"):
        run(method, NEAREST, None, database=sql_world)
    with pytest.raises(UsageError, match="needs a spatial database"):
        run(method, NEAREST, ScriptedModel())


def test_one_query_one_answer(sql_world: DuckDBDatabase) -> None:
    model = ScriptedModel(f"Here it is:\n```sql\n{SQL};\n```", "Answer: Southwest Inn")
    answer, request_context = run(TextToSql(), NEAREST, model, database=sql_world)
    assert (answer.status, answer.text) == (Status.ANSWERED, "Southwest Inn")
    assert request_context.ledger.llm_calls == 2
    (query,) = queries(request_context)
    assert (query["rows"], query["error"]) == (1, "")
    assert "1. Southwest Inn" in model.prompt(2)
    system = model.asked[0][0].text
    assert "Table pois, 8 rows: id (bigint), osm_id (bigint), osm_type, poi_name" in system
    assert "pois.amenity is often 'cafe', 'restaurant'" in system
    assert model.asked[1][0] == model.asked[0][0]


def test_an_error_is_recorded_and_never_fed_back(sql_world: DuckDBDatabase) -> None:
    model = ScriptedModel("```sql\nSELECT nam FROM pois\n```", "Unanswerable")
    answer, request_context = run(TextToSql(), NEAREST, model, database=sql_world)
    assert answer.status is Status.UNANSWERABLE
    assert [query["error"] for query in queries(request_context)] == ["query"]
    assert "There is no column nam here." in model.prompt(2)
    assert model.left == 0


def test_hostile_sql_is_refused(sql_world: DuckDBDatabase) -> None:
    model = ScriptedModel("```sql\nWITH x AS (DELETE FROM pois RETURNING 1) SELECT 1\n```", "Unanswerable")
    _, request_context = run(TextToSql(), NEAREST, model, database=sql_world)
    assert [query["error"] for query in queries(request_context)] == ["query_refused"]


def test_a_reply_without_sql_is_told(sql_world: DuckDBDatabase) -> None:
    model = ScriptedModel("I cannot do that.", "Unanswerable")
    answer, request_context = run(TextToSql(), NEAREST, model, database=sql_world)
    assert answer.status is Status.UNANSWERABLE
    assert queries(request_context) == []
    assert "No query could be read." in model.prompt(2)


def test_rows_are_limited_as_set(sql_world: DuckDBDatabase) -> None:
    model = ScriptedModel("SELECT poi_name FROM pois ORDER BY id", "Answer: North Cafe")
    run(
        TextToSql(),
        NEAREST,
        model,
        database=sql_world,
        modules={"spatial_database": {"sql": {"max_rows": 2}}},
    )
    assert "1. North Cafe\n2. East Cafe\n(there are more rows)" in model.prompt(2)


def test_a_wrong_setting_is_named(sql_world: DuckDBDatabase) -> None:
    with pytest.raises(ConfigError, match="max_rows"):
        run(
            TextToSql(),
            NEAREST,
            ScriptedModel(),
            database=sql_world,
            modules={"spatial_database": {"sql": {"max_rows": 0}}},
        )


def test_raise_inspects_refines_and_finishes(sql_world: DuckDBDatabase) -> None:
    model = ScriptedModel(
        'Thought 1: how?\nAction 1: InspectSchema[{"table": "pois", "columns": ["tourism"]}]',
        "Thought 2: so.\nAction 2: GenerateSQL[SELECT poi_name FROM pois WHERE tourism = 'inn']",
        f"Thought 3: hotel.\nAction 3: RefineSQL[{SQL}]",
        "Thought 4: there.\nAction 4: Finish[Southwest Inn]",
    )
    answer, request_context = run(Raise(), NEAREST, model, database=sql_world)
    assert answer.text == "Southwest Inn"
    assert "Observation 1: tourism (text): 88% null, 1 different values, often 'hotel'" in model.prompt(2)
    assert "Observation 2: The query ran and found no rows." in model.prompt(3)
    assert "Observation 3: poi_name\n1. Southwest Inn" in model.prompt(4)
    assert queries(request_context)[-1]["sql"] == SQL


def test_raise_ends_on_a_repeated_query_and_answers_from_the_rows(sql_world: DuckDBDatabase) -> None:
    model = ScriptedModel(
        f"Action 1: GenerateSQL[{SQL}]", f"Action 2: RefineSQL[{SQL}]", "Answer: Southwest Inn"
    )
    answer, request_context = run(Raise(), NEAREST, model, database=sql_world)
    assert answer.text == "Southwest Inn"
    assert len(queries(request_context)) == 1
    assert "This was done before" in model.prompt(3)


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("InspectSchema[pio]", "There is no table pio. Did you mean pois?"),
        ('InspectSchema[{"table": "pois", "columns": ["cuisin"]}]', "Did you mean pois.cuisine?"),
        ("Look[around]", "No action could be read."),
        ("GenerateSQL[]", "No action could be read."),
        ("InspectSchema[regions]", "region_name (text): 0% null, 2 different values"),
    ],
)
def test_raise_is_told_what_is_wrong(sql_world: DuckDBDatabase, action: str, told: str) -> None:
    model = ScriptedModel(f"Action 1: {action}", "Action 2: Finish[Unanswerable]")
    answer, _ = run(Raise(), NEAREST, model, database=sql_world)
    assert told in model.prompt(2)
    assert answer.status is Status.UNANSWERABLE


def test_a_spent_budget_ends_the_question(sql_world: DuckDBDatabase) -> None:
    model = ScriptedModel(f"Action 1: GenerateSQL[{SQL}]", LimitError("The budget is spent."))
    answer, request_context = run(Raise(), NEAREST, model, database=sql_world)
    assert answer.status is Status.LIMIT
    assert len(queries(request_context)) == 1


@pytest.mark.parametrize(
    ("reply", "query"),
    [
        ("```sql\nSELECT 1;\n```", "SELECT 1;"),
        ("```\nwith a as (select 1) select * from a\n```", "with a as (select 1) select * from a"),
        ("The query is SELECT 1; it finds all.", "SELECT 1"),
        ("```sql\nSELECT 1", "SELECT 1"),
        ("```sql\nSELECT 1\n```\nbetter:\n```sql\nSELECT 2\n```", "SELECT 2"),
        ("```\nnothing\n```", ""),
        ("no idea", ""),
    ],
)
def test_reads_the_query(reply: str, query: str) -> None:
    assert read_sql(reply) == query


def test_reads_all_queries_in_their_order() -> None:
    assert queries_in("```sql\nSELECT 1\n```\nor\n```sql\nSELECT 2\n```") == ("SELECT 1", "SELECT 2")


ASKED = task("Where is Southwest Inn, the hotel?")


def test_the_nearest_records_stand_before_the_model(sql_world: DuckDBDatabase) -> None:
    model = ScriptedModel("Answer: Southwest Inn")
    answer, request_context = run(Rag(HashingEmbedder()), ASKED, model, database=sql_world)
    assert (answer.status, answer.text) == (Status.ANSWERED, "Southwest Inn")
    assert request_context.ledger.llm_calls == 1
    records = model.prompt(1).partition("Records:\n")[2].splitlines()
    assert records[0] == "Southwest Inn; hotel"
    assert len([line for line in records if ";" in line]) == TOP


def test_a_record_is_name_kind_and_address_without_position(sql_world: DuckDBDatabase) -> None:
    texts = asyncio.run(record_texts(sql_world))
    assert {"North Cafe; cafe", "Twin Park; park", "Long River; river", "Middle; regions"} <= set(texts)
    assert not any("POINT" in text or "50." in text for text in texts)
    assert len(texts) == len(set(texts))


def test_records_are_embedded_once(sql_world: DuckDBDatabase) -> None:
    embedder = _Counting()
    method = Rag(embedder)
    for _ in range(2):
        run(method, ASKED, ScriptedModel("Unanswerable"), database=sql_world)
    assert embedder.sizes == [embedder.sizes[0], 1, 1]


def test_needs_a_database() -> None:
    with pytest.raises(UsageError, match="needs a spatial database"):
        run(Rag(HashingEmbedder()), ASKED, ScriptedModel())


class _Counting(HashingEmbedder):
    """Counts how many texts it is given at once."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.sizes.append(len(texts))
        return await super().embed(texts)
