"""Texts as vectors: the embedding port, its implementations, and an exact index over vectors."""

from map_tools.embed.index import MixedVectorsError, VectorIndex
from map_tools.embed.open import EmbedSetting, open_embedder
from map_tools.embed.port import Embedder, Vectors, unit_rows

__all__ = [
    "EmbedSetting",
    "Embedder",
    "MixedVectorsError",
    "VectorIndex",
    "Vectors",
    "open_embedder",
    "unit_rows",
]
