"""How things are measured: medians of repeated runs, in this process or in fresh ones."""

import asyncio
import resource
import statistics
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from time import perf_counter


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
    """Median wall time of a fresh process of this Python running `-m mapagent.faces.cli.main ARGUMENTS`."""

    def once() -> None:
        subprocess.run(
            [sys.executable, "-m", "mapagent.faces.cli.main", *arguments],
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
    command = [sys.executable, "-c", _WATCH, sys.executable, "-m", "mapagent.faces.cli.main", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=dict(environment))
    seconds, peak = done.stdout.split()
    return float(seconds), float(peak)


def run_async[T](work: Awaitable[T]) -> T:
    """Runs a coroutine to its end."""

    async def main() -> T:
        return await work

    return asyncio.run(main())
