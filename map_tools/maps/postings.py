"""Inverted lists in memory-mapped arrays: from a 64-bit key to a sorted list of numbers."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.uint32]
Offsets = npt.NDArray[np.uint64]

EMPTY: Numbers = np.empty(0, np.uint32)


@dataclass(frozen=True, slots=True)
class Postings:
    """Lists of numbers by key; `numbers[offsets[i]:offsets[i + 1]]` belongs to `keys[i]`, both ascending."""

    keys: Keys
    offsets: Offsets
    numbers: Numbers

    def of(self, key: int) -> Numbers:
        """The list of a key, empty if there is none."""
        wanted = np.uint64(key)
        at = int(np.searchsorted(self.keys, wanted))
        if at == len(self.keys) or self.keys[at] != wanted:
            return EMPTY
        return self.numbers[int(self.offsets[at]) : int(self.offsets[at + 1])]

    def save(self, folder: Path, name: str) -> None:
        """Writes three files, `NAME_keys.npy` and so on."""
        np.save(folder / f"{name}_keys.npy", self.keys)
        np.save(folder / f"{name}_offsets.npy", self.offsets)
        np.save(folder / f"{name}_numbers.npy", self.numbers)

    @classmethod
    def load(cls, folder: Path, name: str) -> "Postings":
        """Maps the three files into memory."""
        return cls(
            load_array(folder, f"{name}_keys"),
            load_array(folder, f"{name}_offsets"),
            load_array(folder, f"{name}_numbers"),
        )


def build(keys: Keys, numbers: Numbers) -> Postings:
    """Postings of pairs in any order; equal pairs count once."""
    order = np.lexsort((numbers, keys))
    keys, numbers = keys[order], numbers[order]
    if len(keys):
        fresh = np.empty(len(keys), bool)
        fresh[0] = True
        fresh[1:] = (keys[1:] != keys[:-1]) | (numbers[1:] != numbers[:-1])
        keys, numbers = keys[fresh], numbers[fresh]
    distinct, starts = np.unique(keys, return_index=True)
    return Postings(distinct, np.append(starts, len(keys)).astype(np.uint64), numbers)


def load_array(folder: Path, name: str) -> Any:
    """Maps an array of the index into memory, read-only; the caller knows its type."""
    return np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
