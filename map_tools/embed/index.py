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

SCHEMA_VERSION = 1
_ABOUT, _IDS, _ROWS = "vectors.json", "ids.json", "vectors.npy"
_BLOCK_ROWS = 65_536
"""Rows turned to float32 at once: 64 MB of 256 dimensions, whatever the size of the index."""


class MixedVectorsError(MapStoreError):
    """Vectors of another model or another map than the one at hand."""

    code = "mixed_vectors"


class VectorIndex:
    """Vectors by id, kept as float16 and searched exactly (no candidate is ever missed).

    Half precision costs at most 2^-11 of each component, so a cosine is right to about 0.001; a million
    vectors of 256 dimensions take 512 MB.

    Args:
        ids: What each row is of.
        rows: Unit vectors, one for each id.
        model: The embedder's identity.
        source: What the texts were made from (a map's build).
    """

    def __init__(
        self, ids: Sequence[str], rows: npt.NDArray[np.floating], *, model: str, source: str
    ) -> None:
        if len(ids) != len(rows):
            raise ValueError(f"{len(ids)} ids for {len(rows)} vectors.")
        self.ids = tuple(ids)
        self.model = model
        self.source = source
        self._rows: npt.NDArray[np.float16] = np.asarray(rows, np.float16)
        self._row_of = {identifier: row for row, identifier in enumerate(self.ids)}

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, identifier: str) -> bool:
        return identifier in self._row_of

    def cosines(self, query: Vectors, ids: Sequence[str]) -> npt.NDArray[np.float64]:
        """The cosine of a unit query vector with the vectors of these ids.

        Raises:
            KeyError: An id is not in the index.
        """
        rows = [self._row_of[identifier] for identifier in ids]
        return np.asarray(self._rows[rows].astype(np.float32) @ query, np.float64)

    def top(self, query: Vectors, k: int) -> list[tuple[str, float]]:
        """The k best ids with their cosines, best first; equal ones in the order of the index."""
        scores = np.concatenate(
            [
                self._rows[start : start + _BLOCK_ROWS].astype(np.float32) @ query
                for start in range(0, len(self.ids), _BLOCK_ROWS)
            ]
            or [np.zeros(0, np.float32)]
        )
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
        except (OSError, ValueError) as error:
            raise _damaged(folder) from error
        if (
            not isinstance(about, dict)
            or about.get("schema_version") != SCHEMA_VERSION
            or len(ids) != len(rows)
        ):
            raise _damaged(folder)
        for what, wanted in (("model", model), ("source", source)):
            if about.get(what) != wanted:
                raise MixedVectorsError(
                    f"The vectors in {folder} are of the {what} '{about.get(what)}', not '{wanted}'.",
                    "Delete the folder; it is made again.",
                )
        return cls(ids, rows, model=model, source=source)


def _damaged(folder: Path) -> MapStoreError:
    return MapStoreError(f"The vectors in {folder} cannot be read.", "Delete the folder; it is made again.")
