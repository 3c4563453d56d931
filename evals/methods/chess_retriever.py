"""CHESS's information retriever: what of the database the words of a question may mean."""

import asyncio
from collections.abc import Iterable, Sequence

from evals.methods.value_index import ValueIndex, ValueMatch
from map_tools.embed import Embedder, VectorIndex
from map_tools.spatial_db.describe import TELLING, common_values, filled_columns
from map_tools.spatial_db.port import SpatialDatabase

MATCHES_A_WORD = 3
MAX_MATCHES = 12
"""Values shown for all words of a question together, the closest first."""
MAX_COLUMNS = 8
"""Columns that retrieval by meaning adds."""


class Retriever:
    """Values by locality-sensitive hashing, columns by the likeness of their descriptions.

    Everything is indexed at the first question of a run.

    Args:
        embedder: Makes the vectors of questions and of the catalogue's entries.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._indexing = asyncio.Lock()
        self._values: ValueIndex | None = None
        self._columns: VectorIndex | None = None

    async def values(self, database: SpatialDatabase, words: Sequence[str]) -> tuple[ValueMatch, ...]:
        """The values closest to any of the words.

        Raises:
            QueryError: The database does not give its values in time.
        """
        async with self._indexing:
            if self._values is None:
                self._values = await ValueIndex.of(database)
        found = [match for word in words for match in self._values.near(word, MATCHES_A_WORD)]
        found.sort(key=lambda match: -match.similarity)
        return tuple(dict.fromkeys(found))[:MAX_MATCHES]

    async def columns(self, database: SpatialDatabase, text: str) -> tuple[str, ...]:
        """The columns, as "table.column", whose descriptions are most like a text.

        Raises:
            QueryError: The database does not describe itself in time.
        """
        async with self._indexing:
            if self._columns is None:
                self._columns = await self._catalogue(database)
        (query,) = await self._embedder.embed([text])
        return tuple(name for name, _ in self._columns.top(query, MAX_COLUMNS))

    async def close(self) -> None:
        """Frees the embedder."""
        await self._embedder.close()

    async def _catalogue(self, database: SpatialDatabase) -> VectorIndex:
        entries: dict[str, str] = {}
        for table in database.schema().tables:
            for column in await filled_columns(database, table):
                known = column in TELLING
                values = await common_values(database, table.name, column) if known else ()
                entries[f"{table.name}.{column}"] = _entry(table.name, column, values)
        vectors = await self._embedder.embed(list(entries.values()))
        return VectorIndex.of(list(entries), vectors)


def _entry(table: str, column: str, values: Iterable[str]) -> str:
    return " ".join((table, column, *values)).replace("_", " ")
