"""Vectors of a map's semantic descriptions, made once and kept beside the maps.

    DATA HOME/vectors/
    └── <features of the map>/        first digits of the hash of the build's `features.sqlite`
        └── <embedding model>/        vectors.npy, ids.json, vectors.json (model and map, checked on opening)

A map without kept vectors is served as well: descriptions are then embedded when a wish needs them.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from map_tools.embed.index import VectorIndex
from map_tools.embed.port import Embedder
from map_tools.maps.info import FEATURES_FILE, read_info
from map_tools.maps.store import MapStore
from map_tools.types import Place
from modules.recommender.describe import semantic_description
from modules.recommender.score import Floats

FOLDER = "vectors"
_DIGITS = 16
_BATCH_PLACES = 8192
_UNSAFE = re.compile(r"[^\w.-]+")


@runtime_checkable
class HasBuild(Protocol):
    """A provider whose map is a build on this machine."""

    @property
    def build(self) -> Path:
        """Folder of the build, which never changes."""
        ...


class SemanticSpace:
    """The space of semantic descriptions.

    Args:
        embedder: Makes the vectors of wishes, and of descriptions that are not kept.
        kept: Vectors of the map's descriptions by the same model, if there are any.
    """

    def __init__(self, embedder: Embedder, kept: VectorIndex | None = None) -> None:
        self._embedder = embedder
        self._kept = kept

    async def cosines(self, wanted: str, places: Sequence[Place]) -> Floats:
        """f_k of equation 9 for each place; all 0 where nothing is wanted of it."""
        if self._kept is None or not all(place.id in self._kept for place in places):
            return await text_cosines(self._embedder, wanted, [semantic_description(one) for one in places])
        if not wanted:
            return np.zeros(len(places), np.float64)
        (query,) = await self._embedder.embed([wanted])
        return self._kept.cosines(query, [place.id for place in places])


async def text_cosines(embedder: Embedder, wanted: str, texts: Sequence[str]) -> Floats:
    """The cosine of each text with the one wanted; all 0 where nothing is wanted."""
    if not wanted:
        return np.zeros(len(texts), np.float64)
    vectors = await embedder.embed([wanted, *texts])
    return np.asarray(vectors[1:] @ vectors[0], np.float64)


def folder_of(root: Path, build: Path, embedder: Embedder) -> Path:
    """Where the vectors of a map by a model are kept below `root`."""
    return root / _features_of(build) / _UNSAFE.sub("-", embedder.identity)


def kept_vectors(root: Path, build: Path, embedder: Embedder) -> VectorIndex | None:
    """The vectors kept of a map; None if none were made by this model.

    Raises:
        MixedVectorsError: What lies there is of another model or map.
        MapStoreError: It is damaged.
    """
    folder = folder_of(root, build, embedder)
    return _opened(folder, embedder.identity, _features_of(build)) if folder.is_dir() else None


async def make_vectors(root: Path, store: MapStore, embedder: Embedder) -> VectorIndex:
    """Embeds the semantic descriptions of all places with a name, and keeps the vectors.

    Raises:
        ProviderError: The service that computes them failed.
        MapStoreError: They cannot be written.
    """
    ids: list[str] = []
    parts = []
    for start in range(0, len(store), _BATCH_PLACES):
        rows = range(start, min(start + _BATCH_PLACES, len(store)))
        places = [place for place in map(store.place, rows) if place.name and place.categories]
        ids += [place.id for place in places]
        vectors = await embedder.embed([semantic_description(place) for place in places])
        parts.append(vectors.astype(np.float16))
    rows_made = np.concatenate(parts) if parts else np.zeros((0, embedder.dimensions), np.float16)
    index = VectorIndex(ids, rows_made, model=embedder.identity, source=_features_of(store.folder))
    index.save(folder_of(root, store.folder, embedder))
    return index


@lru_cache(maxsize=8)
def _features_of(build: Path) -> str:
    """What names the places of a build: builds with equal features share it."""
    return read_info(build).files[FEATURES_FILE].sha256[:_DIGITS]


@lru_cache(maxsize=2)
def _opened(folder: Path, model: str, source: str) -> VectorIndex:
    return VectorIndex.load(folder, model=model, source=source)
