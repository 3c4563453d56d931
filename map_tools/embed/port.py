"""What an embedder is."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

type Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors whose dot product is their cosine similarity.

    Attributes:
        identity: Model, version and size: vectors of different identities must never be compared.
        dimensions: Length of a vector.
    """

    identity: str
    dimensions: int

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row for each text, of length 1; a text without a word gives a row of zeros.

        Raises:
            ProviderError: A service that computes the vectors failed.
        """
        ...

    async def close(self) -> None:
        """Frees what it holds."""
        ...


def unit_rows(vectors: npt.NDArray[np.floating]) -> Vectors:
    """The rows scaled to length 1; rows of zeros stay."""
    rows = np.asarray(vectors, np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0), np.float32)
