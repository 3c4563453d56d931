"""`python -m benchmarks.ray EXTRACT`: what two workers of a Ray cluster bring over one.

The same questions are asked by `mapagent eval` with one worker and with two, by turns, and once more while a
worker is killed. Nothing counts before a tenth of the questions is answered: until then Ray starts and every
worker opens its map. Exit code 1 if results differ, or the gain is below the target.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import history
from benchmarks.kills.commands import ASKED, Ground
from benchmarks.kills.killing import kill_a_worker
from evals.runner.folder import RESULTS_FILE, SUMMARY_FILE

QUESTIONS, SHORT_QUESTIONS = 2000, 200
DIFFERENT = 400
"""Different questions; they are asked over and over."""
RUNS, SHORT_RUNS = 3, 1
TARGET = 1.6
"""Two workers, at least this many times one worker."""
WORKER = "Worker"
POLL_S = 0.02
LONGEST_S = 3600.0


class Bench:
    """Runs the evaluation again and again.

    Args:
        ground: The map.
        questions: How many are asked.
    """

    def __init__(self, ground: Ground, questions: int) -> None:
        self._ground = ground
        self._questions = questions
        self._runs = 0
        self._data = ground.folder / "many.json"
        records = json.loads(ground.dataset.read_text(encoding="utf-8"))
        repeated = [records[n % len(records)] | {"id": n} for n in range(questions)]
        self._data.write_text(json.dumps(repeated), encoding="utf-8")

    def rate(self, *flags: str, kill: bool = False) -> tuple[float, dict[str, Any]]:
        """One run: questions a second after the first tenth, and the summary without the times.

        Args:
            flags: Which executor, how many at once.
            kill: Whether a worker is killed when half of the questions are answered.

        Raises:
            RuntimeError: The run failed.
        """
        self._runs += 1
        out = self._ground.folder / f"run-{self._runs}"
        command: tuple[str | Path, ...] = ("eval", "mapeval-api", "--data", self._data, *ASKED)
        process = self._ground.start(*command, "--out", out, *flags)
        first, begin = _wait_for(out, process, self._questions // 10)
        if kill:
            _wait_for(out, process, self._questions // 2)
            kill_a_worker(process.pid, WORKER)
        last, end = _wait_for(out, process, self._questions)
        if process.wait() != 0:
            raise RuntimeError((self._ground.folder / "log").read_text())
        summary: dict[str, Any] = json.loads((out / SUMMARY_FILE).read_text(encoding="utf-8"))
        return (last - first) / (end - begin), summary | {"latency_s": None}


def _wait_for(out: Path, process: "subprocess.Popen[bytes]", count: int) -> tuple[int, float]:
    """How many questions are answered as soon as that is so many, and when."""
    file = out / RESULTS_FILE
    end = time.monotonic() + LONGEST_S
    while time.monotonic() < end:
        ended = process.poll() is not None
        answered = file.read_bytes().count(b"\n") if file.exists() else 0
        if answered >= count or ended:
            return answered, time.perf_counter()
        time.sleep(POLL_S)
    raise TimeoutError(f"{count} questions were not answered in {LONGEST_S:g} s")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the runs came to.

    Attributes:
        per_s: Questions a second for each way to run them, the median of its runs.
        faults: What a run answered otherwise than the first one.
    """

    per_s: dict[str, float]
    faults: tuple[str, ...]

    @property
    def gain(self) -> float:
        """How many times as fast two workers are as one."""
        return self.per_s["two workers"] / self.per_s["one worker"]


def measure(ground: Ground, questions: int, runs: int) -> Outcome:
    """Asks the questions in each way, by turns, and once more while a worker is killed."""
    bench = Bench(ground, questions)
    ways = {
        "no cluster": ("--executor", "local"),
        "one worker": ("--executor", "ray", "--concurrency", "1"),
        "two workers": ("--executor", "ray", "--concurrency", "2"),
    }
    rates: dict[str, list[float]] = {name: [] for name in ways}
    summaries: list[tuple[str, dict[str, Any]]] = []
    for _ in range(runs):
        for name, flags in ways.items():
            rate, summary = bench.rate(*flags)
            rates[name].append(rate)
            summaries.append((name, summary))
            sys.stderr.write(f"{name}: {rate:.1f} questions a second\n")
    summaries.append(("two workers, one killed", bench.rate(*ways["two workers"], kill=True)[1]))
    _, first = summaries[0]
    faults = dict.fromkeys(f"{name}: other results" for name, summary in summaries if summary != first)
    return Outcome({name: statistics.median(values) for name, values in rates.items()}, tuple(faults))


def main() -> int:
    """Measures, prints and keeps the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ray", description=__doc__)
    parser.add_argument("extract", type=Path, help="the demo extract (.osm.pbf)")
    parser.add_argument("--short", action="store_true", help="fewer questions, one run each; no target")
    parser.add_argument("--seed", type=int, default=0, help="of the questions")
    parser.add_argument("--out", type=Path, default=history.FILE)
    given = parser.parse_args()
    questions, runs = (SHORT_QUESTIONS, SHORT_RUNS) if given.short else (QUESTIONS, RUNS)
    with tempfile.TemporaryDirectory() as folder:
        ground = Ground(Path(folder), given.extract, min(DIFFERENT, questions), given.seed)
        found = measure(ground, questions, runs)
    for name, rate in found.per_s.items():
        print(f"{name}: {rate:.1f} questions a second")
    print(f"gain: {found.gain:.2f} × (at least {TARGET:g})")
    print("\n".join(found.faults))
    figures = {f"{name}, questions a second": rate for name, rate in found.per_s.items()}
    history.append(given.out, "ray, short" if given.short else "ray", figures | {"gain": found.gain})
    return 0 if not found.faults and (given.short or found.gain >= TARGET) else 1


if __name__ == "__main__":
    sys.exit(main())
