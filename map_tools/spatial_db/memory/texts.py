"""Texts as arrays that can be mapped into memory: a column of a table, and a list of strings."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from map_tools.maps.postings import load_array

Codes = npt.NDArray[np.int32]
Rows = npt.NDArray[np.int64]
NO_TEXT = -1
"""The code of a row without a value."""


@dataclass(frozen=True, slots=True)
class TextList:
    """Strings one after another in one block of bytes."""

    bytes_: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, number: int) -> str:
        start = int(self.ends[number - 1]) if number else 0
        return bytes(self.bytes_[start : int(self.ends[number])]).decode("utf-8")

    def all(self) -> list[str]:
        """All strings in order."""
        return [self[number] for number in range(len(self))]

    def save(self, folder: Path, name: str) -> None:
        """Writes two arrays."""
        np.save(folder / f"{name}_bytes.npy", self.bytes_)
        np.save(folder / f"{name}_ends.npy", self.ends)

    @classmethod
    def load(cls, folder: Path, name: str) -> "TextList":
        """Maps the arrays into memory."""
        return cls(load_array(folder, f"{name}_bytes"), load_array(folder, f"{name}_ends"))

    @classmethod
    def of(cls, texts: Iterable[str]) -> "TextList":
        """Packs strings."""
        encoded = [text.encode("utf-8") for text in texts]
        ends = np.cumsum([len(text) for text in encoded], dtype=np.uint64)
        return cls(np.frombuffer(b"".join(encoded), np.uint8), np.asarray(ends, np.uint64))


class TextColumn:
    """A column: one code a row, and the distinct values in alphabetical order.

    Args:
        codes: Number of each row's value, `NO_TEXT` where it has none.
        values: The distinct values.
    """

    def __init__(self, codes: Codes, values: TextList) -> None:
        self.codes = codes
        self.values = values
        self._fitting: dict[tuple[str, str], npt.NDArray[np.bool_]] = {}

    def __len__(self) -> int:
        return len(self.codes)

    def text(self, row: int) -> str | None:
        """The value of a row."""
        code = int(self.codes[row])
        return None if code == NO_TEXT else self.values[code]

    def row_of(self, value: str) -> int | None:
        """The first row with exactly this value; None if there is none."""
        code = bisect_left(self.values, value)
        if code == len(self.values) or self.values[code] != value:
            return None
        rows = np.flatnonzero(self.codes == code)
        return int(rows[0]) if len(rows) else None

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """How many rows have each value."""
        return np.bincount(self.codes[self.codes != NO_TEXT], minlength=len(self.values))

    @cached_property
    def folded(self) -> tuple[str, ...]:
        """The distinct values in small letters."""
        return tuple(value.casefold() for value in self.values.all())

    def fitting(self, key: tuple[str, str], fits: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
        """For each code whether its value (in small letters) fits; worked out once for each key.

        The last entry is that of `NO_TEXT`, which fits never.
        """
        known = self._fitting.get(key)
        if known is None:
            known = self._fitting[key] = np.array([*map(fits, self.folded), False], np.bool_)
        return known

    def save(self, folder: Path, name: str) -> None:
        """Writes the column's arrays."""
        np.save(folder / f"{name}_codes.npy", self.codes)
        self.values.save(folder, name)

    @classmethod
    def load(cls, folder: Path, name: str) -> "TextColumn":
        """Maps the arrays into memory."""
        return cls(load_array(folder, f"{name}_codes"), TextList.load(folder, name))

    @classmethod
    def of(cls, texts: Sequence[Any]) -> "TextColumn":
        """Makes a column of values; None stays none, numbers are written out."""
        distinct = sorted({str(text) for text in texts if text is not None})
        number = {text: code for code, text in enumerate(distinct)}
        codes = [NO_TEXT if text is None else number[str(text)] for text in texts]
        return cls(np.asarray(codes, np.int32), TextList.of(distinct))
