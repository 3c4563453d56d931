"""CHESS: four agents that retrieve, prune the schema, write candidates and test them (Talaei et al. 2024).

Paper: https://arxiv.org/abs/2405.16755, as Geo-ReAct uses it (section 5.2). 1) The information retriever
takes keywords from the question, finds values by locality-sensitive hashing and columns by the likeness of
their descriptions; 2) the schema selector leaves the tables and columns the question needs; 3) the candidate
generator writes queries and revises them when they fail or find nothing; 4) the unit tester writes tests and
takes the candidate that passes most of them.

Necessarily changed: at most six calls of the model, so one call selects the schema, both candidates come in
one reply, they are revised once, and tests are written and judged in one reply.
"""

import re
from collections.abc import Sequence

from evals.methods.chess_retriever import Retriever
from evals.methods.chess_schema import selected, selection_text
from evals.methods.loop import Attempt
from evals.methods.sql_desk import SQL_TOKENS, Execution, SqlDesk, SqlMethod
from map_tools.embed import Embedder, EmbedSetting, open_embedder
from modules.spatial_database.sql_text import queries_in

MAX_CANDIDATES = 2
MAX_KEYWORDS = 8
KEYWORD_TOKENS = 120
NO_CANDIDATE = "No query could be read."

_EDGES = " \t-*•\"'`.,[]0123456789)"
_VERDICTS = re.compile(r"candidate\s+(\d+)\s*[:\-]([^\n]*)", re.IGNORECASE)
_PASSED = re.compile(r"\bpass(?:ed|es)?\b", re.IGNORECASE)


class Chess(SqlMethod):
    """The method `chess`.

    Args:
        embedder: Makes the vectors of the database's catalogue; default: the best one installed.
    """

    name = "chess"

    def __init__(self, embedder: Embedder | None = None) -> None:
        super().__init__()
        self._retriever = Retriever(embedder or open_embedder(EmbedSetting()))

    async def work(self, attempt: Attempt, sql: SqlDesk) -> str:
        """Retrieves, selects, generates, tests, answers."""
        attempt.note(await self._relevant(attempt, sql))
        candidates = await _candidates(attempt, sql)
        best = await _tested(attempt, sql, candidates)
        attempt.note(f"Query:\n{best.sql}\nResult:\n{sql.show(best)}")
        return await attempt.conclude("sql_answer")

    async def close(self) -> None:
        """Frees the embedder."""
        await self._retriever.close()

    async def _relevant(self, attempt: Attempt, sql: SqlDesk) -> str:
        """The part of the schema that the question needs, in words."""
        question = attempt.asking.task.question.text
        words = keywords(await attempt.ask("chess_keywords", max_tokens=KEYWORD_TOKENS))
        matches = await self._retriever.values(sql.database, words)
        columns = await self._retriever.columns(sql.database, " ".join((question, *words)))
        told = [*(f"{match.column} = {match.value!r}" for match in matches), *columns]
        reply = await attempt.ask("chess_schema", schema=sql.described, retrieved="\n".join(told))
        always = (*(match.column for match in matches), *columns)
        schema = sql.database.schema()
        return selection_text(selected(reply, schema, always), schema, matches)


async def _candidates(attempt: Attempt, sql: SqlDesk) -> tuple[Execution, ...]:
    """Different queries with what they brought; revised once if none brought anything."""
    reply = await attempt.ask("chess_candidates", max_tokens=MAX_CANDIDATES * SQL_TOKENS)
    ran = [await sql.run(query) for query in dict.fromkeys(queries_in(reply)[:MAX_CANDIDATES])]
    if any(one.useful for one in ran):
        return tuple(ran)
    for one in ran:
        attempt.note(f"Query:\n{one.sql}\nResult:\n{sql.show(one)}")
    revised = queries_in(await attempt.ask("chess_revise", max_tokens=SQL_TOKENS))
    return (*ran, *[await sql.run(query) for query in revised[-1:]])


async def _tested(attempt: Attempt, sql: SqlDesk, candidates: Sequence[Execution]) -> Execution:
    """The candidate that passes most of the model's tests; there is nothing to test where all agree."""
    useful = [one for one in candidates if one.useful]
    if not useful:
        return candidates[-1] if candidates else Execution("", problem=NO_CANDIDATE)
    if all(_same_rows(one, useful[0]) for one in useful):
        return useful[0]
    told = "\n".join(
        f"Candidate {number}:\n{one.sql}\n{sql.show(one)}" for number, one in enumerate(useful, start=1)
    )
    attempt.note(told)
    passed = verdicts(await attempt.ask("chess_tests"), len(useful))
    return useful[passed.index(max(passed))]


def _same_rows(one: Execution, other: Execution) -> bool:
    return one.result is not None and other.result is not None and one.result.rows == other.result.rows


def keywords(reply: str) -> tuple[str, ...]:
    """The keywords of a reply that lists them, by commas or lines."""
    parts = (part.strip(_EDGES) for part in re.split(r"[,;\n]", reply))
    return tuple(dict.fromkeys(part for part in parts if part))[:MAX_KEYWORDS]


def verdicts(reply: str, count: int) -> list[int]:
    """How many tests each candidate passes, from lines such as "Candidate 1: pass, fail, pass"."""
    passed = [0] * count
    for number, judged in _VERDICTS.findall(reply):
        if 1 <= int(number) <= count:
            passed[int(number) - 1] = len(_PASSED.findall(judged))
    return passed
