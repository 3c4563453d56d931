"""The files of a vector index: written piece by piece, mapped into memory to be read.

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
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from map_tools.embed.packing import DTYPES, Packed, Precision, pack
from map_tools.embed.port import Vectors
from map_tools.errors import MapStoreError

SCHEMA_VERSION = 3
_ABOUT, _IDS, _ENDS, _ROWS, _SCALES = "vectors.json", "ids.json", "ends.npy", "vectors.bin", "scales.bin"


class MixedVectorsError(MapStoreError):
    """Vectors of another model or another map than the one at hand."""

    code = "mixed_vectors"


@dataclass(frozen=True, slots=True)
class IndexData:
    """What an index is made of: ids, how many vectors each has, and the vectors, those of an id together."""

    ids: tuple[str, ...]
    sizes: npt.NDArray[np.int64]
    vectors: Packed


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
