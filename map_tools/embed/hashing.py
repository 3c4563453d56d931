"""An embedder that needs nothing: words and their parts hashed into a vector.

Feature hashing with signs (K. Weinberger et al., "Feature Hashing for Large Scale Multitask Learning",
ICML 2009, https://arxiv.org/abs/0902.2206), with the character n-grams that let "romantic" and "romance"
share features (P. Bojanowski et al., "Enriching Word Vectors with Subword Information", TACL 2017). It knows
no synonyms: it is what remains where no model is installed.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np

from map_tools.embed.port import Vectors, unit_rows
from map_tools.kinds.phrases import fold, singular

_WORD = re.compile(r"[^\W_]+")
_GRAM_CHARS = (3, 4)
_GRAM_WEIGHT = 0.25
"""A part of a word counts less than the word: a whole word in common must outweigh a chance ending."""
_SIGN_BIT = 1 << 31


class HashingEmbedder:
    """Hashes words and character n-grams (`Embedder`).

    Args:
        dimensions: Length of the vectors.
    """

    def __init__(self, dimensions: int = 512) -> None:
        self.dimensions = dimensions
        self.identity = f"hashing-1-{dimensions}"

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row for each text."""
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word, times in Counter(map(singular, _WORD.findall(fold(text)))).items():
                for hashed, weight in _features(word):
                    sign = -1.0 if hashed & _SIGN_BIT else 1.0
                    row[hashed % self.dimensions] += sign * weight * (1.0 + np.log(times))
        return unit_rows(rows)

    async def close(self) -> None:
        """Holds nothing."""


@lru_cache(maxsize=16_384)
def _features(word: str) -> tuple[tuple[int, float], ...]:
    """The hashes of a word and of its parts, each with its weight."""
    return ((crc32(word.encode()), 1.0), *((crc32(gram.encode()), _GRAM_WEIGHT) for gram in _grams(word)))


def _grams(word: str) -> Iterator[str]:
    marked = f"<{word}>"
    for size in _GRAM_CHARS:
        yield from (marked[start : start + size] for start in range(len(marked) - size + 1))
