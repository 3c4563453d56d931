"""Vectors of many texts, searched exactly, that remember what they were made of."""

import json
import os
import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from map_tools.embed.port import Vectors
from map_tools.errors import MapStoreError

SCHEMA_VERSION = 2
_ABOUT, _IDS, _ROWS, _ENDS = "vectors.json", "ids.json", "vectors.npy", "ends.npy"
_BLOCK_ROWS = 65_536
"""Rows turned to float32 at once: 64 MB of 256 dimensions, whatever the size of the index."""


class MixedVectorsError(MapStoreError):
    """Vectors of another model or another map than the one at hand."""

    code = "mixed_vectors"


class VectorIndex:
    """Vectors by id, kept as float16 and searched exactly (no candidate is ever missed).

    An id may have several vectors, of the sentences of one text: the one that is most alike counts.

    Half precision costs at most 2^-11 of each component, so a cosine is right to about 0.001; a million
    vectors of 256 dimensions take 512 MB.

    Args:
        ids: What each row is of.
        rows: Unit vectors, those of each id together, in the order of the ids.
        sizes: How many of them each id has, at least one; None: one each.
        model: The embedder's identity.
        source: What the texts were made from (a map's build).
    """

    def __init__(
        self,
        ids: Sequence[str],
        rows: npt.NDArray[np.floating],
        sizes: Sequence[int] | None = None,
        *,
        model: str,
        source: str,
    ) -> None:
        ends = np.cumsum([1] * len(ids) if sizes is None else sizes, dtype=np.int64)
        if len(ends) != len(ids) or (ends[-1] if len(ends) else 0) != len(rows):
            raise ValueError(f"{len(ids)} ids do not share out {len(rows)} vectors.")
        self.ids = tuple(ids)
        self._ends: npt.NDArray[np.int64] = ends
        self.model = model
        self.source = source
        self._rows: npt.NDArray[np.float16] = np.asarray(rows, np.float16)
        self._number_of = {identifier: number for number, identifier in enumerate(self.ids)}

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
        return most_alike(self._rows[rows].astype(np.float32) @ query, sizes)

    def top(self, query: Vectors, k: int) -> list[tuple[str, float]]:
        """The k best ids with their cosines, best first; equal ones in the order of the index."""
        scores = np.concatenate(
            [
                self._rows[start : start + _BLOCK_ROWS].astype(np.float32) @ query
                for start in range(0, len(self._rows), _BLOCK_ROWS)
            ]
            or [np.zeros(0, np.float32)]
        )
        scores = most_alike(scores, np.diff(self._ends, prepend=0))
        best = np.argsort(-scores, kind="stable")[:k]
        return [(self.ids[row], float(scores[row])) for row in best]

    def save(self, folder: Path) -> None:
        """Writes the index; it is made beside the folder and moved, so that nobody reads half of it.

        An index that is already there is kept: the same model and source give the same vectors.
        """
        draft = folder.parent / f".{folder.name}.{secrets.token_hex(4)}"
        try:
            draft.mkdir(parents=True)
            np.save(draft / _ROWS, self._rows)
            np.save(draft / _ENDS, self._ends)
            (draft / _IDS).write_text(json.dumps(self.ids), "utf-8")
            about = {"schema_version": SCHEMA_VERSION, "model": self.model, "source": self.source}
            (draft / _ABOUT).write_text(json.dumps(about), "utf-8")
            os.rename(draft, folder)  # noqa: PTH104 - Path.rename would do the same
        except OSError as error:
            shutil.rmtree(draft, ignore_errors=True)
            if not (folder / _ABOUT).is_file():
                raise MapStoreError(
                    f"The vectors cannot be written to {folder}: {error.strerror}.",
                    "Make sure that there is space and that you may write there.",
                ) from error

    @classmethod
    def load(cls, folder: Path, *, model: str, source: str) -> "VectorIndex":
        """Opens an index; its vectors are mapped into memory, not read.

        Raises:
            MixedVectorsError: It was made with another model or from another map; it is never used here.
            MapStoreError: The folder is missing, damaged or of another version.
        """
        try:
            about = json.loads((folder / _ABOUT).read_text("utf-8"))
            ids = json.loads((folder / _IDS).read_text("utf-8"))
            rows = np.load(folder / _ROWS, mmap_mode="r", allow_pickle=False)
            sizes = np.diff(np.load(folder / _ENDS, allow_pickle=False), prepend=0)
        except (OSError, ValueError) as error:
            raise _damaged(folder) from error
        whole = len(ids) == len(sizes) and int(sizes.sum()) == len(rows)
        if not isinstance(about, dict) or about.get("schema_version") != SCHEMA_VERSION or not whole:
            raise _damaged(folder)
        for what, wanted in (("model", model), ("source", source)):
            if about.get(what) != wanted:
                raise MixedVectorsError(
                    f"The vectors in {folder} are of the {what} '{about.get(what)}', not '{wanted}'.",
                    "Delete the folder; it is made again.",
                )
        return cls(ids, rows, sizes.tolist(), model=model, source=source)


def most_alike(cosines: npt.NDArray[np.floating], sizes: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
    """The greatest of each group of cosines; `sizes` says how many belong to each, at least one."""
    if not len(sizes):
        return np.zeros(0, np.float64)
    return np.maximum.reduceat(cosines, np.cumsum(sizes) - sizes).astype(np.float64)


def _damaged(folder: Path) -> MapStoreError:
    return MapStoreError(f"The vectors in {folder} cannot be read.", "Delete the folder; it is made again.")
