"""Finding names that are like a query: trigram lists sort out the candidates, a string measure ranks them.

The idea of trigram look-up: https://www.postgresql.org/docs/current/pgtrgm.html.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from map_tools.maps.postings import (
    Keys,
    Numbers,
    Offsets,
    Postings,
    build,
    build_packed,
    counted,
    load_array,
    packed,
    text_key,
)
from map_tools.maps.search.names import likeness

_LEAST_POSTINGS = 60_000
"""The rarest trigrams of a query are read until so many numbers are, ..."""
_POSTINGS_SHARE = 4
"""... or one for so many names: the common ones tell little, but the rarest of a misspelt name are its slips.

With 4.7 million names the first limit alone found 43 of 120 misspelt ones, both find all
(docs/benchmarks.md).
"""
_MIN_TRIGRAMS = 4
_MAX_CHARS = 120
_CANDIDATES = 60
"""How many candidates each of the two rankings passes on to the string measure."""
_BLOCK = 50_000
"""The trigrams of so many names are worked out at a time: what it takes beside them is a hundred bytes a letter."""
_CODE_BITS = 21
"""A Unicode code point needs 21 bits, so that three fit 64 bits."""
_MIXER = np.uint64(0x9E3779B97F4A7C15)
"""Multiplier of Fibonacci hashing, 2^64 divided by the golden ratio (Knuth, TAOCP 3, section 6.4)."""


@dataclass(frozen=True, slots=True)
class NameHit:
    """A name that fits a query: its number in the index, and its likeness from 0 to 1."""

    name: int
    score: float


@dataclass(frozen=True, slots=True)
class NameIndex:
    """All distinct canonical names of a map, their trigrams and the rows that bear them."""

    text: npt.NDArray[np.uint8]
    offsets: Offsets
    sizes: npt.NDArray[np.uint8]
    row_offsets: Offsets
    row_numbers: Numbers
    trigrams: Postings
    hashes: Postings

    def __len__(self) -> int:
        return len(self.sizes)

    def name(self, number: int) -> str:
        """The canonical name with this number."""
        return bytes(self.text[int(self.offsets[number]) : int(self.offsets[number + 1])]).decode("utf-8")

    def rows(self, number: int) -> Numbers:
        """The rows that bear this name."""
        return self.row_numbers[int(self.row_offsets[number]) : int(self.row_offsets[number + 1])]

    def exact(self, name: str) -> int | None:
        """The number of exactly this canonical name."""
        return next(
            (int(number) for number in self.hashes.of(text_key(name)) if self.name(number) == name), None
        )

    def search(self, query: str, *, at_least: float) -> list[NameHit]:
        """The names like this query (in canonical form), best first."""
        hits = [
            NameHit(number, score)
            for number in self._candidates(query)
            if (score := likeness(query, self.name(number))) >= at_least
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.name))

    def _candidates(self, query: str) -> list[int]:
        """Names that share most trigrams with the query, as seen from the query and from both sides."""
        if not query or not len(self):
            return []
        lists = sorted((self.trigrams.of(key) for key in _keys(query)), key=len)
        most = max(_LEAST_POSTINGS, len(self) // _POSTINGS_SHARE)
        total = 0
        taken: list[Numbers] = []
        for numbers in lists:
            if len(taken) >= _MIN_TRIGRAMS and total + len(numbers) > most:
                break
            taken.append(numbers)
            total += len(numbers)
        names, counts = counted(taken)
        if len(names) == 0:
            return []
        good = counts >= int(counts.max()) // 3
        names, counts = names[good], counts[good]
        shared = counts / len(taken)
        both = 2 * counts / (len(taken) + self.sizes[names])
        best = sorted({*_top(shared + both / 4).tolist(), *_top(both).tolist()})
        taken_names: list[int] = names[best].tolist()
        return taken_names

    def save(self, folder: Path) -> None:
        """Writes the arrays."""
        for what in ("text", "offsets", "sizes", "row_offsets", "row_numbers"):
            np.save(folder / f"name_{what}.npy", getattr(self, what))
        self.trigrams.save(folder, "trigram")
        self.hashes.save(folder, "name_hash")

    @classmethod
    def load(cls, folder: Path) -> "NameIndex":
        """Maps the arrays into memory."""
        return cls(
            text=load_array(folder, "name_text"),
            offsets=load_array(folder, "name_offsets"),
            sizes=load_array(folder, "name_sizes"),
            row_offsets=load_array(folder, "name_row_offsets"),
            row_numbers=load_array(folder, "name_row_numbers"),
            trigrams=Postings.load(folder, "trigram"),
            hashes=Postings.load(folder, "name_hash"),
        )


def build_names(names: Sequence[str], bearers: Numbers, rows: Numbers) -> NameIndex:
    """The index of distinct canonical names.

    Args:
        names: The names, by number.
        bearers: Numbers of names, one for each time a name is borne.
        rows: The row that bears it, each beside its name's number.
    """
    encoded = [name.encode("utf-8") for name in names]
    trigrams = build_packed(_all_trigrams(names))
    keys = np.fromiter((text_key(name) for name in names), np.uint64, len(names))
    order = np.argsort(bearers, kind="stable")
    return NameIndex(
        text=np.frombuffer(b"".join(encoded), np.uint8),
        offsets=_offsets([len(name) for name in encoded]),
        sizes=np.bincount(trigrams.numbers, minlength=len(names)).clip(0, 255).astype(np.uint8),
        row_offsets=_offsets(np.bincount(bearers, minlength=len(names)).tolist()),
        row_numbers=rows[order],
        trigrams=trigrams,
        hashes=build(keys, np.arange(len(names), dtype=np.uint32)),
    )


def _all_trigrams(names: Sequence[str]) -> Keys:
    """The trigrams of all names, each packed with the number of the name it belongs to; some stand twice."""
    blocks = [_trigrams(names[first : first + _BLOCK], first) for first in range(0, len(names), _BLOCK)]
    return np.concatenate(blocks) if blocks else np.empty(0, np.uint64)


def _trigrams(names: Sequence[str], first: int) -> Keys:
    padded = [f" {name[:_MAX_CHARS]} " for name in names]
    lengths = np.fromiter((len(text) for text in padded), np.int64, len(padded))
    codes = np.frombuffer("".join(padded).encode("utf-32-le"), np.uint32)
    owners = np.repeat(np.arange(first, first + len(padded), dtype=np.uint32), lengths)
    within = owners[:-2] == owners[2:]
    return packed(_pack(codes)[within], owners[:-2][within])


def _keys(text: str) -> set[int]:
    """The distinct trigrams of a text; `np.unique` would import masked arrays, half of a cold look-up."""
    codes = np.frombuffer(f" {text[:_MAX_CHARS]} ".encode("utf-32-le"), np.uint32)
    return set(_pack(codes).tolist())


def _pack(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """A 32-bit hash of each three neighbouring code points; that two share one does no harm to a ranking."""
    wide = codes.astype(np.uint64)
    packed = (wide[:-2] << np.uint64(2 * _CODE_BITS)) | (wide[1:-1] << np.uint64(_CODE_BITS)) | wide[2:]
    return ((packed * _MIXER) >> np.uint64(32)).astype(np.uint32)


def _offsets(lengths: Sequence[int]) -> Offsets:
    ends = np.cumsum(np.asarray(lengths, np.uint64), dtype=np.uint64)
    return np.concatenate([np.zeros(1, np.uint64), ends])


def _top(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    if len(scores) <= _CANDIDATES:
        return np.arange(len(scores))
    return np.argpartition(-scores, _CANDIDATES)[:_CANDIDATES]
