"""Vectors of many texts, searched exactly, that remember what they were made of; packed, and kept in files.

The files are written piece by piece, and mapped into memory to be read:

FOLDER/
├── vectors.json    version, model, source, precision, numbers of vectors and dimensions
├── ids.json        what the vectors are of
├── ends.npy        for each id where its vectors end
├── vectors.bin     the vectors' components, row by row
└── scales.bin      int8 only: the scale of each vector (float32)
"""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from map_tools.embed.embedders import Vectors
from map_tools.errors import MapStoreError

_BLOCK_ROWS = 65_536
"""Rows turned to float32 at once: 64 MB of 256 dimensions, whatever the size of the index."""

type Precision = Literal["float16", "int8"]
DTYPES: dict[Precision, type[np.float16] | type[np.int8]] = {"float16": np.float16, "int8": np.int8}
_STEPS = 127
"""Of an int8 on either side of nought; without -128 a vector and its opposite are packed alike."""

SCHEMA_VERSION = 3
_ABOUT, _IDS, _ENDS, _ROWS, _SCALES = "vectors.json", "ids.json", "ends.npy", "vectors.bin", "scales.bin"


@dataclass(frozen=True, slots=True)
class Packed:
    """Many unit vectors in little room: half precision, or one byte for each component.

    Half precision costs at most 2^-11 of each component, so a cosine is right to about 0.001. Bytes have a
    scale for each vector, its greatest component over 127: each component is off by half of it at most. With
    256 components, the greatest of which is rarely over 0.4, a cosine is right to about 0.005.

    Attributes:
        values: Shape (n, dimensions), float16 or int8.
        scales: What the bytes of each vector are multiplied by, shape (n,); None for half precision.
    """

    values: npt.NDArray[np.float16] | npt.NDArray[np.int8]
    scales: npt.NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.values)

    def dot(self, query: Vectors, rows: npt.NDArray[np.int64] | slice) -> npt.NDArray[np.float32]:
        """The dot product of a vector with those of some rows."""
        products: npt.NDArray[np.float32] = self.values[rows].astype(np.float32) @ query
        return products if self.scales is None else products * self.scales[rows]


@dataclass(frozen=True, slots=True)
class IndexData:
    """What an index is made of: ids, how many vectors each has, and the vectors, those of an id together."""

    ids: tuple[str, ...]
    sizes: npt.NDArray[np.int64]
    vectors: Packed


class VectorIndex:
    """Vectors by id, packed (`Packed`) and searched exactly: no candidate is ever missed.

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


class IndexWriter:
    """Writes an index into a new folder; only one batch of vectors stands in memory. A context manager.

    Whoever writes where others read writes beside and moves the folder.

    Args:
        folder: The folder; it must not be there yet.
        model: The embedder's identity.
        source: What the texts were made from (a map's build).
        dimensions: Length of a vector.
        precision: How vectors are packed.

    Raises:
        OSError: The files cannot be written; so do `add` and the end of the `with` block.
    """

    def __init__(
        self, folder: Path, *, model: str, source: str, dimensions: int, precision: Precision = "float16"
    ) -> None:
        self._folder = folder
        self._precision = precision
        self._about = {"schema_version": SCHEMA_VERSION, "model": model, "source": source}
        self._about |= {"precision": precision, "dimensions": dimensions}
        self._ids: list[str] = []
        self._sizes: list[int] = []
        folder.mkdir(parents=True)
        with ExitStack() as files:
            self._rows = files.enter_context((folder / _ROWS).open("wb"))
            self._scales = files.enter_context((folder / _SCALES).open("wb")) if precision == "int8" else None
            self._files = files.pop_all()

    def add(self, ids: Sequence[str], vectors: Vectors, sizes: Sequence[int]) -> None:
        """Appends vectors, those of each id together.

        Args:
            ids: What they are of.
            vectors: Unit vectors, shape (n, dimensions).
            sizes: How many of them each id has, at least one.
        """
        if len(ids) != len(sizes) or sum(sizes) != len(vectors):
            raise ValueError(f"{len(ids)} ids do not share out {len(vectors)} vectors.")
        packed = pack(vectors, self._precision)
        self._rows.write(packed.values.tobytes())
        if self._scales is not None and packed.scales is not None:
            self._scales.write(packed.scales.tobytes())
        self._ids += ids
        self._sizes += sizes

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._files.close()
        if kind is None:
            self._finish()

    def _finish(self) -> None:
        np.save(self._folder / _ENDS, np.cumsum(self._sizes, dtype=np.int64))
        (self._folder / _IDS).write_text(json.dumps(self._ids), "utf-8")
        about = self._about | {"vectors": sum(self._sizes)}
        (self._folder / _ABOUT).write_text(json.dumps(about), "utf-8")


class MixedVectorsError(MapStoreError):
    """Vectors of another model or another map than the one at hand."""

    code = "mixed_vectors"


def most_alike(cosines: npt.NDArray[np.floating], sizes: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
    """The greatest of each group of cosines; `sizes` says how many belong to each, at least one."""
    if not len(sizes):
        return np.zeros(0, np.float64)
    return np.maximum.reduceat(cosines, np.cumsum(sizes) - sizes).astype(np.float64)


def pack(vectors: npt.NDArray[np.floating], precision: Precision) -> Packed:
    """Packs vectors, shape (n, dimensions)."""
    if precision == "float16":
        return Packed(np.asarray(vectors, np.float16))
    scales = np.abs(vectors).max(axis=1, initial=0.0) / _STEPS
    steps = np.divide(
        vectors, scales[:, np.newaxis], out=np.zeros_like(vectors), where=scales[:, np.newaxis] > 0
    )
    return Packed(np.rint(steps).astype(np.int8), scales.astype(np.float32))


def read_index(folder: Path, *, model: str, source: str) -> IndexData:
    """Opens the files of an index; its vectors are mapped into memory, not read.

    Raises:
        MixedVectorsError: It was made with another model or from another map; it is never used here.
        MapStoreError: The folder is missing, damaged or of another version.
    """
    try:
        about = json.loads((folder / _ABOUT).read_text("utf-8"))
        ids = json.loads((folder / _IDS).read_text("utf-8"))
        sizes = np.diff(np.load(folder / _ENDS, allow_pickle=False), prepend=0)
    except (OSError, ValueError) as error:
        raise _damaged(folder) from error
    if not isinstance(about, dict) or about.get("schema_version") != SCHEMA_VERSION:
        raise _damaged(folder)
    for what, wanted in (("model", model), ("source", source)):
        if about.get(what) != wanted:
            raise MixedVectorsError(
                f"The vectors in {folder} are of the {what} '{about.get(what)}', not '{wanted}'.",
                "Delete the folder; it is made again.",
            )
    vectors = _packed(folder, about)
    if len(ids) != len(sizes) or int(sizes.sum()) != len(vectors):
        raise _damaged(folder)
    return IndexData(tuple(ids), sizes, vectors)


def _packed(folder: Path, about: dict[str, Any]) -> Packed:
    try:
        shape = (int(about["vectors"]), int(about["dimensions"]))
        precision = about["precision"]
        scales = _mapped(folder / _SCALES, np.float32, shape[:1]) if precision == "int8" else None
        return Packed(_mapped(folder / _ROWS, DTYPES[precision], shape), scales)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(folder) from error


def _mapped(path: Path, dtype: type[np.generic], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """The array in a file; `ValueError` if the file is shorter or longer."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    if path.stat().st_size != size:
        raise ValueError(f"{path} does not have {size} bytes")
    return np.memmap(path, dtype, mode="r", shape=shape) if size else np.zeros(shape, dtype)


def _damaged(folder: Path) -> MapStoreError:
    return MapStoreError(f"The vectors in {folder} cannot be read.", "Delete the folder; it is made again.")
