"""The vectors of a map's descriptions, made once and kept beside the maps.

    DATA HOME/vectors/
    └── <features>-<versions>/     hash of `features.sqlite`, versions of the descriptions and of the files
        └── <embedding model>/     with "-int8" where a component is a byte
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
from functools import lru_cache, partial
from itertools import batched
from pathlib import Path

import numpy as np

from map_tools.embed.embedders import Embedder
from map_tools.embed.index import SCHEMA_VERSION, IndexWriter, Precision, VectorIndex
from map_tools.errors import MapStoreError
from map_tools.maps.info import FEATURES_FILE, read_info
from map_tools.maps.store import MapStore
from map_tools.types import Place
from modules.recommender.describe import (
    VERSION,
    Bits,
    keys_of,
    semantic_sentences,
    spatial_sentences,
    surroundings_of,
)

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


def folder_of(root: Path, build: Path, embedder: Embedder, precision: Precision = "float16") -> Path:
    """Where the vectors of a map by a model are kept below `root`."""
    name = embedder.identity if precision == "float16" else f"{embedder.identity}-{precision}"
    return root / f"{_source_of(build)}-{SCHEMA_VERSION}" / _UNSAFE.sub("-", name)


def kept_vectors(
    root: Path, build: Path, embedder: Embedder, precision: Precision = "float16"
) -> MapVectors | None:
    """The vectors kept of a map; None if none were made by this model.

    Raises:
        MixedVectorsError: What lies there is of another model or map.
        MapStoreError: It is damaged.
    """
    folder = folder_of(root, build, embedder, precision)
    return _opened(folder, embedder.identity, _source_of(build)) if folder.is_dir() else None


async def make_vectors(
    root: Path, store: MapStore, embedder: Embedder, precision: Precision = "float16"
) -> MapVectors:
    """Embeds both descriptions of all places with a name and a kind, and keeps the vectors.

    They are written beside the folder, which is then moved, so that nobody reads half of it; what is already
    there is kept.

    Raises:
        ProviderError: The service that computes them failed.
        MapStoreError: They cannot be written.
    """
    folder = folder_of(root, store.folder, embedder, precision)
    draft = folder.parent / f".{folder.name}.{secrets.token_hex(4)}"
    try:
        await _write(draft, store, embedder, precision)
        os.rename(draft, folder)  # noqa: PTH104 - Path.rename would do the same
    except OSError as error:
        if not folder.is_dir():
            raise MapStoreError(
                f"The vectors cannot be written to {folder}: {error.strerror}.",
                "Make sure that there is space and that you may write there.",
            ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return _opened(folder, embedder.identity, _source_of(store.folder))


async def _write(draft: Path, store: MapStore, embedder: Embedder, precision: Precision) -> None:
    """Writes the two spaces, some thousand places at a time, and what lies around the places."""
    around = surroundings_of(store)
    kept_rows: list[int] = []
    writer = partial(
        IndexWriter,
        model=embedder.identity,
        source=_source_of(store.folder),
        dimensions=embedder.dimensions,
        precision=precision,
    )
    with writer(draft / _SEMANTIC) as semantic, writer(draft / _SPATIAL) as spatial:
        for rows in batched(store.rows(), _BATCH_PLACES):
            batch = [(row, store.place(row)) for row in rows]
            named = [(row, place) for row, place in batch if place.name and place.categories]
            kept_rows += [row for row, _ in named]
            ids = [place.id for _, place in named]
            await _add(semantic, embedder, ids, [semantic_sentences(place) for _, place in named])
            await _add(spatial, embedder, ids, [_where(place, around[row]) for row, place in named])
    np.save(draft / _AROUND, around[kept_rows])


async def _add(
    space: IndexWriter, embedder: Embedder, ids: Sequence[str], descriptions: Sequence[Sequence[str]]
) -> None:
    """Embeds some descriptions; equal sentences, of which there are many, are embedded once."""
    sentences = [sentence for description in descriptions for sentence in description]
    position = {sentence: number for number, sentence in enumerate(dict.fromkeys(sentences))}
    vectors = await embedder.embed(list(position))
    rows = vectors[[position[sentence] for sentence in sentences]]
    space.add(ids, rows, [len(description) for description in descriptions])


def _where(place: Place, bits: np.uint16) -> tuple[str, ...]:
    return spatial_sentences(place, keys_of(int(bits)))


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
