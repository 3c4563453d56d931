"""How things are measured: medians of repeated runs, in this process or in fresh ones, and counts of work.

Times differ from machine to machine and from hour to hour; counts of lines and calls of this project's code do not,
as long as the Python version and the seed of its hashes are the same. What compiled libraries do inside a call is
not seen.
"""

import asyncio
import resource
import statistics
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from types import CodeType


@dataclass(frozen=True)
class Row:
    """One line of the table. `limit` is the most it may be, in the same unit; None where none is set."""

    what: str
    value: float
    unit: str
    limit: float | None
    runs: int
    detail: str = ""

    @property
    def ok(self) -> bool:
        """True if the target is met (or there is none)."""
        return self.limit is None or self.value <= self.limit


def peak_mb() -> float:
    """The most memory that this process has had so far (Linux counts in KiB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def median_s(action: Callable[[], object], runs: int) -> float:
    """Median wall time of an action, after one run to warm up."""
    action()
    times = []
    for _ in range(runs):
        start = perf_counter()
        action()
        times.append(perf_counter() - start)
    return statistics.median(times)


async def median_async_s(action: Callable[[], Awaitable[object]], runs: int) -> float:
    """As `median_s`, for a coroutine function."""
    await action()
    times = []
    for _ in range(runs):
        start = perf_counter()
        await action()
        times.append(perf_counter() - start)
    return statistics.median(times)


def median_process_s(arguments: list[str], runs: int, environment: Mapping[str, str]) -> float:
    """Median wall time of a fresh process of this Python running `-m mapagent.interfaces.cli.main ARGUMENTS`."""

    def once() -> None:
        subprocess.run(
            [sys.executable, "-m", "mapagent.interfaces.cli.main", *arguments],
            check=True,
            capture_output=True,
            env=dict(environment),
        )

    return median_s(once, runs)


_WATCH = """
import resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
seconds = time.perf_counter() - start
print(seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
"""


def time_and_peak(arguments: list[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Wall seconds, and peak memory in MB of the largest process, of one fresh `mapagent ARGUMENTS`.

    A small process of its own does the watching: the peak of a child also counts what it was forked from.
    """
    command = [sys.executable, "-c", _WATCH, sys.executable, "-m", "mapagent.interfaces.cli.main", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=dict(environment))
    seconds, peak = done.stdout.split()
    return float(seconds), float(peak)


def run_async[T](work: Awaitable[T]) -> T:
    """Runs a coroutine to its end."""

    async def main() -> T:
        return await work

    return asyncio.run(main())


def table(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | measured | at most | |", "| --- | --- | --- | --- |"]
    for row in rows:
        limit = "" if row.limit is None else f"{row.limit:g} {row.unit}"
        lines.append(f"| {row.what} | {row.value:.3g} {row.unit} | {limit} | {'✓' if row.ok else 'missed'} |")
    return "\n".join(lines)


def figures(rows: Iterable[Row]) -> dict[str, float]:
    """The rows for `benchmarks.history`: values by names that tell the units."""
    return {f"{row.what}, {row.unit}": row.value for row in rows}


PACKAGES = ("map_tools", "mapagent", "modules", "evals", "benchmarks")
TOOL = 4
"""An id that Python leaves to anybody (https://docs.python.org/3/library/sys.monitoring.html)."""


@dataclass
class Counts:
    """What was executed: lines, and calls that were made from them."""

    lines: int = 0
    calls: int = 0


@contextmanager
def counted() -> Iterator[Counts]:
    """Counts while the body runs, in all threads.

    Raises:
        ValueError: Something is being counted already.
    """
    counts = Counts()
    roots = tuple(_roots())
    events = sys.monitoring.events

    def is_own(code: CodeType) -> bool:
        return code.co_filename.startswith(roots) and code.co_filename != __file__

    def line(code: CodeType, number: int) -> object:  # noqa: ARG001
        if not is_own(code):
            return sys.monitoring.DISABLE
        counts.lines += 1
        return None

    def call(code: CodeType, offset: int, function: object, argument: object) -> object:  # noqa: ARG001
        if not is_own(code):
            return sys.monitoring.DISABLE
        counts.calls += 1
        return None

    sys.monitoring.use_tool_id(TOOL, "mapagent benchmarks")
    try:
        sys.monitoring.register_callback(TOOL, events.LINE, line)
        sys.monitoring.register_callback(TOOL, events.CALL, call)
        sys.monitoring.set_events(TOOL, events.LINE | events.CALL)
        yield counts
    finally:
        sys.monitoring.set_events(TOOL, events.NO_EVENTS)
        sys.monitoring.register_callback(TOOL, events.LINE, None)
        sys.monitoring.register_callback(TOOL, events.CALL, None)
        sys.monitoring.free_tool_id(TOOL)
        sys.monitoring.restart_events()


def _roots() -> Iterator[str]:
    """The folders of this project's packages."""
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            yield f"{Path(spec.origin).parent}/"
