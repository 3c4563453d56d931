"""Vectors of many texts, searched exactly, that remember what they were made of."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from map_tools.embed.index_files import IndexData, read_index
from map_tools.embed.packing import pack
from map_tools.embed.port import Vectors

_BLOCK_ROWS = 65_536
"""Rows turned to float32 at once: 64 MB of 256 dimensions, whatever the size of the index."""


class VectorIndex:
    """Vectors by id, packed (`map_tools.embed.packing`) and searched exactly: no candidate is ever missed.

    An id may have several vectors, of the sentences of one text: the one that is most alike counts. A million
    vectors of 256 dimensions take 512 MB in half precision and 260 MB in bytes.

    Args:
        data: The ids and their vectors.
    """

    def __init__(self, data: IndexData) -> None:
        self.ids = data.ids
        self._ends: npt.NDArray[np.int64] = np.cumsum(data.sizes, dtype=np.int64)
        self._vectors = data.vectors
        self._number_of = {identifier: number for number, identifier in enumerate(self.ids)}

    @classmethod
    def of(cls, ids: Sequence[str], vectors: Vectors) -> Self:
        """An index in memory of one vector for each id; shape (ids, dimensions)."""
        return cls(IndexData(tuple(ids), np.ones(len(ids), np.int64), pack(vectors, "float16")))

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, identifier: str) -> bool:
        return identifier in self._number_of

    def number_of(self, identifier: str) -> int | None:
        """The place of an id among the ids; None if it is not in the index."""
        return self._number_of.get(identifier)

    def cosines(self, query: Vectors, ids: Sequence[str]) -> npt.NDArray[np.float64]:
        """The cosine of a unit query vector with the vectors of these ids.

        Raises:
            KeyError: An id is not in the index.
        """
        numbers = np.array([self._number_of[identifier] for identifier in ids], np.int64)
        if not len(numbers):
            return np.zeros(0, np.float64)
        firsts = np.where(numbers > 0, self._ends[numbers - 1], 0)
        sizes = self._ends[numbers] - firsts
        starts = np.cumsum(sizes) - sizes
        rows = np.repeat(firsts - starts, sizes) + np.arange(sizes.sum())
        return most_alike(self._vectors.dot(query, rows), sizes)

    def top(self, query: Vectors, k: int) -> list[tuple[str, float]]:
        """The k best ids with their cosines, best first; equal ones in the order of the index."""
        scores = np.concatenate(
            [
                self._vectors.dot(query, slice(start, start + _BLOCK_ROWS))
                for start in range(0, len(self._vectors), _BLOCK_ROWS)
            ]
            or [np.zeros(0, np.float32)]
        )
        scores = most_alike(scores, np.diff(self._ends, prepend=0))
        best = np.argsort(-scores, kind="stable")[:k]
        return [(self.ids[row], float(scores[row])) for row in best]

    @classmethod
    def load(cls, folder: Path, *, model: str, source: str) -> Self:
        """Opens an index that `IndexWriter` wrote; its vectors are mapped into memory, not read.

        Raises:
            MixedVectorsError: It was made with another model or from another map; it is never used here.
            MapStoreError: The folder is missing, damaged or of another version.
        """
        return cls(read_index(folder, model=model, source=source))


def most_alike(cosines: npt.NDArray[np.floating], sizes: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
    """The greatest of each group of cosines; `sizes` says how many belong to each, at least one."""
    if not len(sizes):
        return np.zeros(0, np.float64)
    return np.maximum.reduceat(cosines, np.cumsum(sizes) - sizes).astype(np.float64)
