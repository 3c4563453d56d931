"""Texts as vectors: the embedding port, its implementations, and an exact index over vectors."""

from map_tools.embed.index import VectorIndex
from map_tools.embed.index_files import IndexWriter, MixedVectorsError
from map_tools.embed.open import EmbedSetting, open_embedder
from map_tools.embed.port import Embedder, Vectors, unit_rows

__all__ = [
    "EmbedSetting",
    "Embedder",
    "IndexWriter",
    "MixedVectorsError",
    "VectorIndex",
    "Vectors",
    "open_embedder",
    "unit_rows",
]
