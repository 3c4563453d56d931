"""Methods over the rows of a spatial database: Text-to-SQL, RAISE, RAG.

Text-to-SQL writes one query in a single pass. RAISE is a ReAct agent that explores schema and data before it answers
(Granado et al. 2025). RAG answers from the ten records most similar to the question.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from typing import Any

from evals.methods.agents import STOP, finish
from evals.methods.database import SQL_TOKENS, Execution, SqlDesk, SqlMethod, database_of
from evals.methods.loop import Episode, run_agent
from evals.methods.reading import json_objects
from evals.ports import EvalContext, Task
from map_tools.embed.embedders import Embedder, EmbedSetting, open_embedder
from map_tools.embed.index import VectorIndex
from map_tools.errors import QueryError
from map_tools.spatial_db.describe import ColumnStatistics, column_statistics
from map_tools.spatial_db.duckdb_build import KINDS
from map_tools.spatial_db.observations import listing, nearest_tables
from map_tools.spatial_db.port import SpatialDatabase, Table, Value
from mapagent.core.answer import Answer
from mapagent.core.ports import RequestContext
from modules.spatial_database.database import read_sql

MAX_RECORDS = 1_000_000
"""Of one table: 512 MB of vectors; the tables of GS-QA's published extract have at most 91,927 rows."""
TIMEOUT_S = 600.0
_ADDRESS = ("addr_street", "addr_city", "addr_state", "addr_postcode", "addr_country")
"""Address columns, in the order an address is written (GS-QA's evaluator joins the first four)."""


async def record_texts(database: SpatialDatabase) -> tuple[str, ...]:
    """One text for each row that has a name, each text once.

    A text holds a record's name, its kind and its address, and no coordinates (GS-QA, section 4.3).

    Raises:
        QueryError: The database does not answer in time.
    """
    texts: dict[str, None] = {}
    for table in database.schema().tables:
        name = name_column(table)
        if name is not None:
            texts |= dict.fromkeys(await _texts_of(database, table, name))
    return tuple(texts)


def name_column(table: Table) -> str | None:
    """The column that holds the names of a table's features; None if it has none."""
    names = (column.name for column in table.columns)
    return next((name for name in names if name == "name" or name.endswith("_name")), None)


async def _texts_of(database: SpatialDatabase, table: Table, name: str) -> Iterator[str]:
    kinds = [kind for kind in KINDS if table.column(kind)]
    address = [part for part in _ADDRESS if table.column(part)]
    columns = ", ".join(f'"{column}"' for column in (name, *kinds, *address))
    result = await database.query(
        f"""SELECT {columns} FROM {table.name} WHERE "{name}" <> '' ORDER BY "{name}\"""",  # noqa: S608
        timeout_s=TIMEOUT_S,
        max_rows=MAX_RECORDS,
    )
    return (_text(table.name, row, len(kinds)) for row in result.rows)


def _text(table: str, row: Sequence[Value], kinds: int) -> str:
    """A record such as "Old Mill; museum; Quay Lane, Fernport, CA"."""
    name, *rest = row
    kind = " ".join(str(value) for value in rest[:kinds] if value) or table
    address = ", ".join(str(value) for value in rest[kinds:] if value)
    return "; ".join(part for part in (str(name), kind.replace("_", " "), address) if part)


NO_QUERY = "No query could be read."


class TextToSql(SqlMethod):
    """The method `text-to-sql`.

    GS-QA's second baseline (Saeedan et al., section 4.2, figure 4), as Geo-ReAct uses it (section 5.1):
    schema and PostGIS conventions stand in the system prompt, the model writes one query in a fenced block,
    an error is recorded and never fed back, and the rows are put before the model for an answer.

    Necessarily changed: the answer is read by the suite's own reader instead of by a second model that turns
    it into JSON; numbers may be written in digits and unrounded, for GS-QA's fourth rule (words, rounded to
    tens) makes small counts wrong.
    """

    name = "text-to-sql"

    async def work(self, episode: Episode, sql: SqlDesk) -> str:
        """Writes a query, runs it, answers."""
        query = read_sql(await episode.ask("text_to_sql_query", max_tokens=SQL_TOKENS))
        found = await sql.run(query) if query else Execution("", problem=NO_QUERY)
        episode.note(f"Query:\n{query}\nResult:\n{sql.show(found)}")
        return await episode.conclude("sql_answer")


NO_ACTION = "No action could be read. Write Action: GenerateSQL[SELECT ...] or Action: Finish[answer]."
REPEATED = "This was done before; its observation stands above."
MAX_COLUMNS = 12
"""Columns whose statistics are shown at once; those without any value are left out first."""

_ACTION = re.compile(r"Action(?:\s+\d+)?\s*:\s*(\w+)\s*([\[(:]?)", re.IGNORECASE)
_CLOSING = {"[": "]", "(": ")"}
_WRITING = frozenset({"generatesql", "refinesql"})


class Raise(SqlMethod):
    """The method `raise`.

    Paper: https://arxiv.org/abs/2506.01273, as Geo-ReAct uses it (section 5.3): thought, action, observation
    with the four actions GenerateSQL, RefineSQL, InspectSchema and Finish; the rows of the last query that
    ran go into the answer where the agent does not finish by itself.

    Necessarily changed: six calls of the model instead of ten, the last of which answers; a repeated action
    ends the acting, since the same query gives the same rows.
    """

    name = "raise"

    async def work(self, episode: Episode, sql: SqlDesk) -> str:
        """Acts until it finishes, repeats itself or has one call left for the answer."""
        done: set[str] = set()
        number = 0
        while episode.calls_left > 1:
            number += 1
            reply = await episode.ask("raise_step", max_tokens=SQL_TOKENS, stop=STOP, number=str(number))
            episode.note(reply)
            answer = finish(reply)
            if answer is not None:
                return answer
            action = _action(reply)
            if action in done:
                episode.note(f"Observation {number}: {REPEATED}")
                break
            done.add(action)
            episode.note(f"Observation {number}: {await _observation(action, sql)}")
        return await episode.conclude("sql_answer")


def _action(reply: str) -> str:
    """The name of the action in one line, and below it what it is done to; empty if there is none.

    Generating and refining do the same to the database, so a query is repeated whatever it is called.
    """
    found = _ACTION.search(reply)
    if found is None:
        return ""
    rest, name = reply[found.end() :], found[1].lower()
    end = rest.rfind(_CLOSING[found[2]]) if found[2] in _CLOSING else -1
    words = rest if end < 0 else rest[:end]
    return f"sql\n{read_sql(words)}" if name in _WRITING else f"{name}\n{words.strip()}"


async def _observation(action: str, sql: SqlDesk) -> str:
    kind, _, words = action.partition("\n")
    if kind == "sql" and words:
        return sql.show(await sql.run(words))
    if kind == "inspectschema":
        return await inspected(words, sql)
    return NO_ACTION


async def inspected(words: str, sql: SqlDesk) -> str:
    """The statistics of the columns that a call of InspectSchema names."""
    arguments: dict[str, Any] = next(iter(json_objects(words)), {})
    schema = sql.database.schema()
    name = str(arguments.get("table") or words.strip(" \n[]()\"'"))
    table = schema.table(name)
    if table is None:
        return f"There is no table {name[:60]}. Did you mean {listing(nearest_tables(name, schema))}?"
    listed = arguments.get("columns")
    columns = [str(column) for column in listed] if isinstance(listed, list) else []
    try:
        found = await column_statistics(sql.database, table, columns, timeout_s=sql.setting.timeout_s)
    except QueryError as error:
        return str(error)
    told = [one for one in found if columns or one.null_share < 1][:MAX_COLUMNS]
    return "\n".join(map(_told, told))


def _told(column: ColumnStatistics) -> str:
    distinct = "" if column.distinct is None else f", {column.distinct} different values"
    common = f", often {', '.join(map(repr, column.common))}" if column.common else ""
    return f"{column.name} ({column.type}): {column.null_share:.0%} null{distinct}{common}"


TOP = 10
"""Records shown (GS-QA, section 4.3)."""


class Rag:
    """The method `rag`.

    GS-QA's third baseline (Saeedan et al., section 4.3, figure 5): every record of the reference database is
    embedded as a text of name, kind and address, and the ten nearest to the question are put before the
    model.

    Necessarily changed: the embedding model is the installed one (`map_tools.embed`), not Nomic's; the search
    is exact where theirs is approximate; the Wikipedia pages beside the records are not published.

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

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        """Answers one task; the records are embedded before the first one.

        Raises:
            UsageError: There is no model or no database.
            QueryError: The database does not give its records in time.
        """
        index = await self._indexed(database_of(self.name, context))

        async def work(episode: Episode) -> str:
            records = await self._nearest(index, task.question.text)
            episode.note("\n".join(("Records:", *records)))
            return await episode.conclude("rag_answer")

        return await run_agent(
            work, method=self.name, task=task, context=context, request_context=request_context, fixed={}
        )

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
