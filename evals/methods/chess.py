"""CHESS: four agents that retrieve, prune the schema, write candidates and test them (Talaei et al. 2024).

Paper: https://arxiv.org/abs/2405.16755, as Geo-ReAct uses it (section 5.2). 1) The information retriever
takes keywords from the question, finds values by locality-sensitive hashing and columns by the likeness of
their descriptions; 2) the schema selector leaves the tables and columns the question needs; 3) the candidate
generator writes queries and revises them when they fail or find nothing; 4) the unit tester writes tests and
takes the candidate that passes most of them.

Necessarily changed: at most six calls of the model, so one call selects the schema, both candidates come in
one reply, they are revised once, and tests are written and judged in one reply.

The information retriever (section 3.1) hashes all
values of the database by MinHash over character n-grams (A. Broder, "On the resemblance and containment of
documents", 1997) and compares only those in a common band (A. Rajaraman and J. Ullman, "Mining of Massive
Datasets", section 3.4) by edit distance.
"""

import asyncio
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evals.methods.database import SQL_TOKENS, Execution, SqlDesk, SqlMethod
from evals.methods.loop import Episode
from evals.methods.reading import json_objects
from evals.methods.sql import name_column
from map_tools.embed.embedders import Embedder, EmbedSetting, open_embedder
from map_tools.embed.index import VectorIndex
from map_tools.spatial_db.describe import TELLING, common_values, filled_columns
from map_tools.spatial_db.port import Schema, SpatialDatabase, Table
from map_tools.text import normalise
from modules.spatial_database.database import queries_in

GRAM = 3
"""Characters of an n-gram."""
BANDS, ROWS = 32, 2
"""Values of Jaccard similarity s share a band with probability 1 - (1 - s^ROWS)^BANDS: 0.996 at s = 0.4,
which a word of seven letters has with one wrong letter inside."""
MIN_SIMILARITY = 0.6
"""Least normalised edit similarity of a value that counts as meant."""
NOT_MEANT = ("url", "website", "phone", "email", "date", "hours", "description", "wiki", "ids", "number")
"""Parts of names of columns whose values nobody names in a question; CHESS leaves such columns out too."""
MAX_VALUES = 500_000
"""Different values of one column."""
TIMEOUT_S = 600.0
_PRIME = (1 << 31) - 1
_TEXT = "text"


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """A value of the database that is close to a word.

    Attributes:
        column: Where it stands, as "table.column".
        value: As it is written there.
        similarity: 0 to 1, by edit distance without regard to case.
    """

    column: str
    value: str
    similarity: float


class ValueIndex:
    """All values of the text columns of a database, by their hash bands.

    Args:
        values: Pairs of "table.column" and a value.
    """

    def __init__(self, values: Iterable[tuple[str, str]]) -> None:
        self._values = list(values)
        numbers = np.random.default_rng(0).integers(1, _PRIME, (2, BANDS * ROWS), np.uint64)
        self._factors, self._offsets = numbers
        self._buckets: dict[tuple[int, bytes], list[int]] = defaultdict(list)
        for number, (_, value) in enumerate(self._values):
            for band in self._bands(value):
                self._buckets[band].append(number)

    @classmethod
    async def of(cls, database: SpatialDatabase) -> "ValueIndex":
        """The index of a database.

        Raises:
            QueryError: The database does not give its values in time.
        """
        pairs: list[tuple[str, str]] = []
        for table in database.schema().tables:
            for column in table.columns:
                if column.type == _TEXT and not any(part in column.name for part in NOT_MEANT):
                    result = await database.query(
                        f'SELECT DISTINCT "{column.name}" FROM {table.name}'  # noqa: S608
                        f' WHERE "{column.name}" IS NOT NULL ORDER BY 1',
                        timeout_s=TIMEOUT_S,
                        max_rows=MAX_VALUES,
                    )
                    pairs += ((f"{table.name}.{column.name}", str(value)) for (value,) in result.rows)
        return cls(pairs)

    def near(self, word: str, most: int = 5) -> tuple[ValueMatch, ...]:
        """The values closest to a word, the closest first."""
        from rapidfuzz.distance import Levenshtein

        wanted = normalise(word)
        candidates = {number for band in self._bands(word) for number in self._buckets.get(band, ())}
        matches = []
        for number in candidates:
            column, value = self._values[number]
            similarity = Levenshtein.normalized_similarity(wanted, normalise(value))
            if similarity >= MIN_SIMILARITY:
                matches.append(ValueMatch(column, value, similarity))
        matches.sort(key=lambda match: (-match.similarity, match.column, match.value))
        return tuple(matches[:most])

    def _bands(self, text: str) -> Iterator[tuple[int, bytes]]:
        """The bands of a text's signature; none for a text without letters."""
        hashes = np.array([_hash(gram) for gram in _grams(text)], np.uint64)
        if not len(hashes):
            return
        signature: npt.NDArray[np.uint64] = (
            (hashes[:, None] * self._factors + self._offsets) % np.uint64(_PRIME)
        ).min(axis=0)
        for band, part in enumerate(signature.reshape(BANDS, ROWS)):
            yield band, part.tobytes()


def _grams(text: str) -> set[str]:
    told = f" {normalise(text)} "
    return {told[start : start + GRAM] for start in range(len(told) - GRAM + 1)}


def _hash(gram: str) -> int:
    digest = hashlib.blake2b(gram.encode(), digest_size=4).digest()
    return int.from_bytes(digest) % _PRIME


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


type Selection = Mapping[str, frozenset[str]]
"""The chosen columns of each chosen table."""


def selected(reply: str, schema: Schema, always: Iterable[str]) -> Selection:
    """What a reply such as `{"pois": ["amenity"]}` chooses, as far as it exists.

    Ids, names and geometries are never left out, nor are the columns of `always` ("table.column") in chosen
    tables. A reply that chooses no table at all leaves the schema whole.
    """
    chosen: dict[str, frozenset[str]] = {}
    found: dict[str, Any] = next(iter(json_objects(reply)), {})
    kept = frozenset(always)
    for table in schema.tables:
        listed = found.get(table.name)
        if isinstance(listed, list):
            wanted = {str(column) for column in listed}
            chosen[table.name] = frozenset(
                column.name
                for column in table.columns
                if column.name in wanted or f"{table.name}.{column.name}" in kept
            ) | frozenset(_needed(table))
    return chosen or {table.name: frozenset(one.name for one in table.columns) for table in schema.tables}


def selection_text(selection: Selection, schema: Schema, matches: Iterable[ValueMatch]) -> str:
    """The chosen part of the schema, with the values that words of the question may mean."""
    lines = [
        f"Table {table.name}: {', '.join(_typed(table, selection[table.name]))}"
        for table in schema.tables
        if table.name in selection
    ]
    lines += [
        f"  {match.column} has the value {match.value!r}"
        for match in matches
        if match.column.partition(".")[0] in selection
    ]
    return "\n".join(lines)


def _needed(table: Table) -> Iterator[str]:
    yield from (name for name in ("id", name_column(table), table.geometry) if name and table.column(name))


def _typed(table: Table, names: frozenset[str]) -> Iterator[str]:
    for column in table.columns:
        if column.name in names:
            yield column.name if column.type == "text" else f"{column.name} ({column.type})"


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

    async def work(self, episode: Episode, sql: SqlDesk) -> str:
        """Retrieves, selects, generates, tests, answers."""
        episode.note(await self._relevant(episode, sql))
        candidates = await _candidates(episode, sql)
        best = await _tested(episode, sql, candidates)
        episode.note(f"Query:\n{best.sql}\nResult:\n{sql.show(best)}")
        return await episode.conclude("sql_answer")

    async def close(self) -> None:
        """Frees the embedder."""
        await self._retriever.close()

    async def _relevant(self, episode: Episode, sql: SqlDesk) -> str:
        """The part of the schema that the question needs, in words."""
        question = episode.asking.task.question.text
        words = keywords(await episode.ask("chess_keywords", max_tokens=KEYWORD_TOKENS))
        matches = await self._retriever.values(sql.database, words)
        columns = await self._retriever.columns(sql.database, " ".join((question, *words)))
        told = [*(f"{match.column} = {match.value!r}" for match in matches), *columns]
        reply = await episode.ask("chess_schema", schema=sql.described, retrieved="\n".join(told))
        always = (*(match.column for match in matches), *columns)
        schema = sql.database.schema()
        return selection_text(selected(reply, schema, always), schema, matches)


async def _candidates(episode: Episode, sql: SqlDesk) -> tuple[Execution, ...]:
    """Different queries with what they brought; revised once if none brought anything."""
    reply = await episode.ask("chess_candidates", max_tokens=MAX_CANDIDATES * SQL_TOKENS)
    ran = [await sql.run(query) for query in dict.fromkeys(queries_in(reply)[:MAX_CANDIDATES])]
    if any(one.useful for one in ran):
        return tuple(ran)
    for one in ran:
        episode.note(f"Query:\n{one.sql}\nResult:\n{sql.show(one)}")
    revised = queries_in(await episode.ask("chess_revise", max_tokens=SQL_TOKENS))
    return (*ran, *[await sql.run(query) for query in revised[-1:]])


async def _tested(episode: Episode, sql: SqlDesk, candidates: Sequence[Execution]) -> Execution:
    """The candidate that passes most of the model's tests; there is nothing to test where all agree."""
    useful = [one for one in candidates if one.useful]
    if not useful:
        return candidates[-1] if candidates else Execution("", problem=NO_CANDIDATE)
    if all(_same_rows(one, useful[0]) for one in useful):
        return useful[0]
    told = "\n".join(
        f"Candidate {number}:\n{one.sql}\n{sql.show(one)}" for number, one in enumerate(useful, start=1)
    )
    episode.note(told)
    passed = verdicts(await episode.ask("chess_tests"), len(useful))
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
