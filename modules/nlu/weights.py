"""The file of the trained reader: its arrays, its tokens and pieces.

An array `a/b/c` is of the table `a/b`; tables whose keys are numbers are lists. A matrix in eight bits comes with
`a/b/c:scale`, a factor for each column (`scripts/reader/pack.py` writes them).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

import numpy as np

FILE = "reader.npz"
SCALE, ABOUT, SEPARATOR = ":scale", "about", "/"
WORDS = "encoder/words"
"""The vectors of the pieces stay in eight bits: a question needs a few rows of them."""


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained network.

    Attributes:
        arrays: Its weights, in nested tables.
        tokens: The decoder's tokens, by id.
        pieces: The encoder's pieces, by id; empty in a file that uses the encoder of another.
    """

    arrays: Mapping[str, Any]
    tokens: tuple[str, ...]
    pieces: tuple[str, ...]


@lru_cache(maxsize=1)
def trained() -> Trained:
    """The reader that comes with this version; read once."""
    with (files("modules.nlu.data") / FILE).open("rb") as file:
        return load(file)


def load(file: IO[bytes] | Path) -> Trained:
    """A packed reader."""
    with np.load(file, allow_pickle=False) as packed:
        return _unpacked(packed)


def _unpacked(packed: Mapping[str, Any]) -> Trained:
    """The content of a reader's file."""
    about = json.loads(bytes(packed[ABOUT]).decode("utf-8"))
    root: dict[str, Any] = {}
    for name in packed:
        if name == ABOUT or name.endswith(SCALE):
            continue
        array, scale = packed[name], packed.get(f"{name}{SCALE}")
        if name == WORDS:
            _put(root, f"{name}_scale".split(SEPARATOR), scale)
        elif scale is not None:
            array = np.multiply(array, scale, dtype=np.float32)  # without a copy in between
        _put(root, name.split(SEPARATOR), array)
    return Trained(_listed(root), tuple(about["tokens"]), tuple(about.get("pieces", ())))


def _put(root: dict[str, Any], path: list[str], array: Any) -> None:
    for name in path[:-1]:
        root = root.setdefault(name, {})
    root[path[-1]] = array


def _listed(table: Any) -> Any:
    """Tables whose keys are numbers as lists."""
    if not isinstance(table, dict):
        return table
    if table and all(name.isdigit() for name in table):
        return [_listed(table[name]) for name in sorted(table, key=int)]
    return {name: _listed(value) for name, value in table.items()}
