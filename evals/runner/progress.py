"""How a run goes: running accuracy and money, on one line of a terminal or now and then in a log."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from time import monotonic
from typing import TextIO

from evals.runner.records import Record

LOG_STEPS = 10
"""Lines of a log for a whole run."""
REFRESH_S = 0.2


@dataclass(slots=True)
class Progress:
    """Counts records and tells how far a run is.

    Attributes:
        title: What is running.
        total: Questions in all.
        stream: Where it is told; None for nowhere.
    """

    title: str
    total: int
    stream: TextIO | None
    done: int = 0
    right: int = 0
    cost_usd: float = 0.0
    _start: float = field(default_factory=monotonic)
    _told_at: float = 0.0
    _told_step: int = 0

    def start(self, earlier: Iterable[Record]) -> None:
        """Takes over what an earlier sitting finished."""
        for record in earlier:
            self._count(record)

    def add(self, record: Record) -> None:
        """One more question is finished."""
        self._count(record)
        if self.stream is None:
            return
        if self.stream.isatty():
            self._on_terminal(self.stream)
        else:
            self._in_log(self.stream)

    def line(self) -> str:
        """How far the run is."""
        share = f"{self.right / self.done:.1%}" if self.done else "–"
        return (
            f"{self.title}: {self.done}/{self.total}, right {share}, "
            f"{self.cost_usd:.4f} USD, {monotonic() - self._start:.1f} s"
        )

    def _count(self, record: Record) -> None:
        self.done += 1
        self.right += record.correct
        self.cost_usd += record.cost_usd

    def _on_terminal(self, stream: TextIO) -> None:
        now = monotonic()
        if self.done < self.total and now - self._told_at < REFRESH_S:
            return
        self._told_at = now
        stream.write(f"\r\x1b[K{self.line()}" + ("\n" if self.done == self.total else ""))
        stream.flush()

    def _in_log(self, stream: TextIO) -> None:
        step = self.done * LOG_STEPS // self.total
        if step > self._told_step:
            self._told_step = step
            stream.write(f"{self.line()}\n")
            stream.flush()
