"""RAG: the ten records most similar to the question, and an answer from them.

GS-QA's third baseline (Saeedan et al., section 4.3, figure 5): every record of the reference database is
embedded as a text of name, kind and address, and the ten nearest to the question are put before the model.

Necessarily changed: the embedding model is the installed one (`map_tools.embed`), not Nomic's; the search is
exact where theirs is approximate; the Wikipedia pages beside the records are not published.
"""

import asyncio

from evals.methods.loop import Attempt, run_agent
from evals.methods.records import record_texts
from evals.methods.sql_desk import database_of
from evals.ports import Desk, Task
from map_tools.embed import Embedder, EmbedSetting, VectorIndex, open_embedder
from map_tools.spatial_db.port import SpatialDatabase
from mapagent.answer import Answer
from mapagent.ports import Account

TOP = 10
"""Records shown (GS-QA, section 4.3)."""


class Rag:
    """The method `rag`.

    Args:
        embedder: Makes the vectors; default: the best one installed.
    """

    name = "rag"
    uses_database = True

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder or open_embedder(EmbedSetting())
        self._indexing = asyncio.Lock()
        self._texts: tuple[str, ...] = ()
        self._index: VectorIndex | None = None

    async def answer(self, task: Task, desk: Desk, account: Account) -> Answer:
        """Answers one task; the records are embedded before the first one.

        Raises:
            UsageError: There is no model or no database.
            QueryError: The database does not give its records in time.
        """
        index = await self._indexed(database_of(self.name, desk))

        async def work(attempt: Attempt) -> str:
            records = await self._nearest(index, task.question.text)
            attempt.note("\n".join(("Records:", *records)))
            return await attempt.conclude("rag_answer")

        return await run_agent(work, method=self.name, task=task, desk=desk, account=account, fixed={})

    async def close(self) -> None:
        """Frees the embedder."""
        await self._embedder.close()

    async def _nearest(self, index: VectorIndex, question: str) -> list[str]:
        (query,) = await self._embedder.embed([question])
        return [self._texts[int(number)] for number, _ in index.top(query, TOP)]

    async def _indexed(self, database: SpatialDatabase) -> VectorIndex:
        async with self._indexing:
            if self._index is None:
                self._texts = await record_texts(database)
                vectors = await self._embedder.embed(self._texts)
                ids = [str(number) for number in range(len(self._texts))]
                self._index = VectorIndex.of(ids, vectors)
        return self._index
