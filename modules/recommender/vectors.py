"""The vectors of a map's descriptions, made once and kept beside the maps.

    DATA HOME/vectors/
    └── <features>-<version>/      hash of the build's `features.sqlite`, version of the descriptions
        └── <embedding model>/
            ├── semantic/          an index of each space; it knows its model and its map, which are
            ├── spatial/           checked on opening
            └── around.npy         what lies around each place, a bit for each kind

A map without kept vectors is served as well: descriptions are then embedded when a wish needs them.
"""

import os
import re
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from map_tools.embed.index import VectorIndex
from map_tools.embed.port import Embedder
from map_tools.errors import MapStoreError
from map_tools.maps.info import FEATURES_FILE, read_info
from map_tools.maps.store import MapStore
from map_tools.types import Place
from modules.recommender.describe import VERSION, semantic_sentences, spatial_sentences
from modules.recommender.surroundings import Bits, keys_of, surroundings_of

FOLDER = "vectors"
_SEMANTIC, _SPATIAL, _AROUND = "semantic", "spatial", "around.npy"
_DIGITS = 16
_BATCH_PLACES = 8192
_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class MapVectors:
    """The two spaces of a map, and what lies around its places.

    Attributes:
        semantic, spatial: Vectors of the descriptions, of the same places in the same order.
        around: Of each of these places, the bits of `surroundings.keys_of`.
    """

    semantic: VectorIndex
    spatial: VectorIndex
    around: Bits

    def around_of(self, place_id: str) -> tuple[str, ...]:
        """The keys of what lies around a place; none for one that is not here."""
        number = self.semantic.number_of(place_id)
        return () if number is None else keys_of(int(self.around[number]))


def folder_of(root: Path, build: Path, embedder: Embedder) -> Path:
    """Where the vectors of a map by a model are kept below `root`."""
    return root / _source_of(build) / _UNSAFE.sub("-", embedder.identity)


def kept_vectors(root: Path, build: Path, embedder: Embedder) -> MapVectors | None:
    """The vectors kept of a map; None if none were made by this model.

    Raises:
        MixedVectorsError: What lies there is of another model or map.
        MapStoreError: It is damaged.
    """
    folder = folder_of(root, build, embedder)
    return _opened(folder, embedder.identity, _source_of(build)) if folder.is_dir() else None


async def make_vectors(root: Path, store: MapStore, embedder: Embedder) -> MapVectors:
    """Embeds both descriptions of all places with a name and a kind, and keeps the vectors.

    Raises:
        ProviderError: The service that computes them failed.
        MapStoreError: They cannot be written.
    """
    around_all = surroundings_of(store)
    ids: list[str] = []
    rows: list[int] = []
    semantic, spatial = _Space(embedder), _Space(embedder)
    for start in range(0, len(store), _BATCH_PLACES):
        batch = [(row, store.place(row)) for row in range(start, min(start + _BATCH_PLACES, len(store)))]
        named = [(row, place) for row, place in batch if place.name and place.categories]
        ids += [place.id for _, place in named]
        rows += [row for row, _ in named]
        await semantic.add([semantic_sentences(place) for _, place in named])
        await spatial.add([_where(place, around_all[row]) for row, place in named])
    source = _source_of(store.folder)
    made = MapVectors(semantic.index(ids, source), spatial.index(ids, source), around_all[rows])
    _save(made, folder_of(root, store.folder, embedder))
    return made


class _Space:
    """One embedding space in the making."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._parts: list[npt.NDArray[np.float16]] = []
        self._sizes: list[int] = []

    async def add(self, descriptions: Sequence[Sequence[str]]) -> None:
        """Embeds some descriptions; equal sentences, of which there are many, are embedded once."""
        sentences = [sentence for description in descriptions for sentence in description]
        position = {sentence: number for number, sentence in enumerate(dict.fromkeys(sentences))}
        vectors = await self._embedder.embed(list(position))
        self._parts.append(vectors[[position[sentence] for sentence in sentences]].astype(np.float16))
        self._sizes += [len(description) for description in descriptions]

    def index(self, ids: Sequence[str], source: str) -> VectorIndex:
        """What was added, under these ids."""
        rows = np.empty((sum(map(len, self._parts)), self._embedder.dimensions), np.float16)
        past = len(rows)
        while (
            self._parts
        ):  # from the end, each part freed as soon as it is copied: a million places are large
            part = self._parts.pop()
            rows[past - len(part) : past] = part
            past -= len(part)
        return VectorIndex(ids, rows, self._sizes, model=self._embedder.identity, source=source)


def _where(place: Place, bits: np.uint16) -> tuple[str, ...]:
    return spatial_sentences(place, keys_of(int(bits)))


def _save(made: MapVectors, folder: Path) -> None:
    """Writes beside the folder and moves, so that nobody reads half of it; what is already there is kept."""
    draft = folder.parent / f".{folder.name}.{secrets.token_hex(4)}"
    try:
        draft.mkdir(parents=True)
        made.semantic.save(draft / _SEMANTIC)
        made.spatial.save(draft / _SPATIAL)
        np.save(draft / _AROUND, made.around)
        os.rename(draft, folder)  # noqa: PTH104 - Path.rename would do the same
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        if not folder.is_dir():
            raise MapStoreError(
                f"The vectors cannot be written to {folder}: {error.strerror}.",
                "Make sure that there is space and that you may write there.",
            ) from error


@lru_cache(maxsize=8)
def _source_of(build: Path) -> str:
    """What names the descriptions of a build: builds with equal features share them."""
    return f"{read_info(build).files[FEATURES_FILE].sha256[:_DIGITS]}-{VERSION}"


@lru_cache(maxsize=2)
def _opened(folder: Path, model: str, source: str) -> MapVectors:
    semantic, spatial = (
        VectorIndex.load(folder / space, model=model, source=source) for space in (_SEMANTIC, _SPATIAL)
    )
    try:
        around = np.load(folder / _AROUND, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise _damaged(folder) from error
    if not len(semantic) == len(spatial) == len(around):
        raise _damaged(folder)
    return MapVectors(semantic, spatial, around)


def _damaged(folder: Path) -> MapStoreError:
    return MapStoreError(f"The vectors in {folder} cannot be read.", "Delete the folder; it is made again.")
