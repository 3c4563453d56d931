"""Inverted lists in memory-mapped arrays: from a 64-bit key to a sorted list of numbers."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.uint32]
Offsets = npt.NDArray[np.uint64]

_HALF = np.uint64(32)

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
    starts = run_starts(keys)
    return Postings(keys[starts], np.append(starts, len(keys)).astype(np.uint64), numbers)


def text_key(text: str) -> int:
    """A 64-bit hash of a text; it spares the index a vocabulary."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "little")


def packed(keys: npt.NDArray[np.uint32], numbers: Numbers) -> Keys:
    """Pairs of a key of 32 bits and a number as one number each, for `build_packed`."""
    return (keys.astype(np.uint64) << _HALF) | numbers


def build_packed(pairs: Keys) -> Postings:
    """As `build` for `packed` pairs, which are sorted in place: a third of the time and memory."""
    pairs.sort()
    if len(pairs):
        fresh = np.empty(len(pairs), bool)
        fresh[0] = True
        np.not_equal(pairs[1:], pairs[:-1], out=fresh[1:])
        pairs = pairs[fresh]
    keys = (pairs >> _HALF).astype(np.uint32)
    starts = run_starts(keys)
    return Postings(
        keys[starts].astype(np.uint64),
        np.append(starts, len(keys)).astype(np.uint64),
        pairs.astype(np.uint32),
    )


def run_starts(ranked: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """Where each distinct value of an array in order begins; `np.unique` would sort it again."""
    return np.flatnonzero(np.concatenate(([len(ranked) > 0], ranked[1:] != ranked[:-1])))


def counted(lists: Sequence[Numbers]) -> tuple[Numbers, npt.NDArray[np.int64]]:
    """The distinct numbers of several lists, ascending, and in how many lists each occurs."""
    merged = np.sort(np.concatenate(lists)) if lists else EMPTY
    starts = run_starts(merged)
    return merged[starts], np.diff(np.append(starts, len(merged)))


def among(numbers: Numbers, ascending: Numbers) -> npt.NDArray[np.bool_]:
    """Which of some numbers occur in an ascending list."""
    if len(ascending) == 0:
        return np.zeros(len(numbers), np.bool_)
    at = np.searchsorted(ascending, numbers).clip(max=len(ascending) - 1)
    return np.asarray(ascending[at] == numbers, np.bool_)


def once(marks: Numbers) -> npt.NDArray[np.intp]:
    """The places of the first of each distinct mark, ascending; `np.unique` would import masked arrays."""
    order = np.argsort(marks, kind="stable")
    ranked = marks[order]
    fresh = np.ones(len(order), np.bool_)
    fresh[1:] = ranked[1:] != ranked[:-1]
    return np.sort(order[fresh])


def load_array(folder: Path, name: str) -> Any:
    """Maps an array of the index into memory, read-only; the caller knows its type."""
    mapped = np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
    return np.asarray(mapped)  # a plain view of the same memory: the memmap class is slow to index
