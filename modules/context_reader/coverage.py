"""How much of a set of texts the reader understands."""

from collections.abc import Iterable
from dataclasses import dataclass

from modules.context_reader.reader import read_text


@dataclass(frozen=True, slots=True)
class Coverage:
    """The share of lines (empty ones do not count) that gave a fact, and the lines that did not.

    `share` is None where there are no lines at all.
    """

    lines: int
    misses: tuple[str, ...]

    @property
    def share(self) -> float | None:
        """Understood lines by all lines, 0 to 1."""
        return 1 - len(self.misses) / self.lines if self.lines else None


def coverage(texts: Iterable[str]) -> Coverage:
    """Reads all texts and counts."""
    readings = [read_text(text) for text in texts]
    return Coverage(
        lines=sum(reading.lines for reading in readings),
        misses=tuple(miss for reading in readings for miss in reading.misses),
    )
