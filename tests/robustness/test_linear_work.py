"""Twice the text is twice the work, whatever it says: lines of code that run are counted, and no clock is looked at."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType

import pytest

from modules.context_reader.world import TextProvider

ROOT = str(Path(__file__).resolve().parents[2])
TOOL = sys.monitoring.PROFILER_ID
UNITS = 400
MOST = 2.4
"""What twice the text may cost: twice as much, and what sorting adds."""

PIECES = (
    "a\n",
    "(",
    "via X ",
    "12 km 3 h 14:30 ",
    "The museum is 5 minutes on foot from the hotel. It opens at 9 and closes at 17. ",
    "Museum: Mon-Fri 9-17, Sat 10-18, ",
    "Museum (52.1, 4.3) ",
    "Museum | 4.5 | 9-17\n",
    "- Café Solbær: rated 4.5, open 9-17\n",
    "# Café\n\n",
    "Mill  Quay  Fort\n",
    "Mill    4.5   9-17\n",
    "from,to,min\n",
    '"a": {"b": [',
    "Café Solbær, Café Rød, ",
    "from A to B from ",
    "…“’—",
    "\t;\t,",
    "not ",
)


@pytest.fixture(autouse=True)
def _one_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """The learned marks read a bounded number of windows: that is no question here, and takes long."""
    monkeypatch.setattr("modules.nlu.marks.MOST_WINDOWS", 1)


@contextmanager
def counted() -> Iterator[Callable[[], int]]:
    """Counts the lines of this project that run in the block."""
    count = 0

    def on_line(code: CodeType, _: int) -> object:
        nonlocal count
        if not code.co_filename.startswith(ROOT) or "/.venv" in code.co_filename:
            return sys.monitoring.DISABLE
        count += 1
        return None

    sys.monitoring.use_tool_id(TOOL, "lines")
    sys.monitoring.register_callback(TOOL, sys.monitoring.events.LINE, on_line)
    sys.monitoring.set_events(TOOL, sys.monitoring.events.LINE)
    try:
        yield lambda: count
    finally:
        sys.monitoring.set_events(TOOL, 0)
        sys.monitoring.register_callback(TOOL, sys.monitoring.events.LINE, None)
        sys.monitoring.free_tool_id(TOOL)


def work(text: str) -> int:
    with counted() as lines:
        TextProvider(text)
    return lines()


@pytest.mark.parametrize("piece", PIECES)
def test_reading_a_text(piece: str) -> None:
    TextProvider(piece)  # what is read once is no work of a text
    once, twice = work(piece * UNITS), work(piece * 2 * UNITS)
    assert twice <= MOST * once


def test_numbered_lines_are_different_places() -> None:
    def text(lines: int) -> str:
        return "".join(f"Café {number}: open 9-17, 5 minutes from Inn {number}\n" for number in range(lines))

    TextProvider(text(2))
    assert work(text(400)) <= MOST * work(text(200))
