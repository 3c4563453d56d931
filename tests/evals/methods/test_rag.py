"""The method `rag` with scripted words over a small database."""

import asyncio
from collections.abc import Sequence

import pytest

from evals.methods.sql import TOP, Rag, record_texts
from map_tools.embed.hashing import HashingEmbedder
from map_tools.embed.port import Vectors
from map_tools.errors import UsageError
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from mapagent.answer import Status
from tests.evals.methods.desk import run, task
from tests.support.scripted_model import ScriptedModel

ASKED = task("Where is Southwest Inn, the hotel?")


def test_the_nearest_records_stand_before_the_model(sql_world: DuckDBDatabase) -> None:
    model = ScriptedModel("Answer: Southwest Inn")
    answer, account = run(Rag(HashingEmbedder()), ASKED, model, database=sql_world)
    assert (answer.status, answer.text) == (Status.ANSWERED, "Southwest Inn")
    assert account.ledger.llm_calls == 1
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
