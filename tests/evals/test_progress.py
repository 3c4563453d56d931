"""How a run is told: one line that is written over on a terminal, ten lines in a log."""

import io
import re

import pytest

from evals.runner import run
from evals.runner.records import Record
from evals.runner.run import Progress


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that the test sets, in seconds; a machine that has been up for a while."""
    now = [5000.0]
    monkeypatch.setattr(run, "monotonic", lambda: now[0])
    return now


def record(number: int, *, correct: bool = True) -> Record:
    return Record(id=str(number), category="a", correct=correct, cost_usd=0.01)


def started(total: int, stream: io.StringIO, clock: list[float]) -> Progress:
    return Progress("town react", total, stream, _start=clock[0])


@pytest.mark.usefixtures("clock")
def test_nothing_is_told_to_nobody() -> None:
    silent = Progress("town react", 2, None)
    silent.add(record(1))
    assert silent.done == 1


def test_share_money_and_time(clock: list[float]) -> None:
    told = started(8, io.StringIO(), clock)
    assert told.line() == "town react: 0/8, right –, 0.0000 USD, 0.0 s"
    told.start([record(1), record(2, correct=False)])
    told.add(record(3))
    clock[0] += 12.5
    assert told.line() == "town react: 3/8, right 66.7%, 0.0300 USD, 12.5 s"


def test_a_log_has_a_line_for_each_tenth(clock: list[float]) -> None:
    log = io.StringIO()
    told = started(200, log, clock)
    for number in range(200):
        told.add(record(number))
    counts = re.findall(r"^town react: (\d+)/200", log.getvalue(), re.MULTILINE)
    assert counts == [str(20 * step) for step in range(1, 11)]


def test_a_terminal_shows_one_line_now_and_then_and_its_end(clock: list[float]) -> None:
    screen = Screen()
    told = started(4, screen, clock)
    for number, wait_s in enumerate((0.1, 0.05, 0.2, 0.05)):
        clock[0] += wait_s
        told.add(record(number))
    shown = screen.getvalue().split("\r\x1b[K")
    assert [line.partition(",")[0] for line in shown] == [
        "",
        "town react: 1/4",
        "town react: 3/4",
        "town react: 4/4",
    ]
    assert screen.getvalue().count("\n") == 1
    assert screen.getvalue().endswith(" s\n")
