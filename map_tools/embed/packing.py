"""Many unit vectors in little room: half precision, or one byte for each component."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from map_tools.embed.port import Vectors

type Precision = Literal["float16", "int8"]

DTYPES: dict[Precision, type[np.float16] | type[np.int8]] = {"float16": np.float16, "int8": np.int8}
_STEPS = 127
"""Of an int8 on either side of nought; without -128 a vector and its opposite are packed alike."""


@dataclass(frozen=True, slots=True)
class Packed:
    """Packed vectors.

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


def pack(vectors: npt.NDArray[np.floating], precision: Precision) -> Packed:
    """Packs vectors, shape (n, dimensions)."""
    if precision == "float16":
        return Packed(np.asarray(vectors, np.float16))
    scales = np.abs(vectors).max(axis=1, initial=0.0) / _STEPS
    steps = np.divide(
        vectors, scales[:, np.newaxis], out=np.zeros_like(vectors), where=scales[:, np.newaxis] > 0
    )
    return Packed(np.rint(steps).astype(np.int8), scales.astype(np.float32))
