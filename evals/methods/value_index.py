"""Finds which values of a database a word of a question is close to: locality-sensitive hashing.

CHESS's information retriever (Talaei et al. 2024, https://arxiv.org/abs/2405.16755, section 3.1) hashes all
values of the database by MinHash over character n-grams (A. Broder, "On the resemblance and containment of
documents", 1997) and compares only those in a common band (A. Rajaraman and J. Ullman, "Mining of Massive
Datasets", section 3.4) by edit distance.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from map_tools.spatial_db.port import SpatialDatabase
from map_tools.text import normalise

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
