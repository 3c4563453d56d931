"""`python -m evals.bench.ray EXTRACT`: what two workers of a Ray cluster bring over one, as JSON.

The same questions are asked by `mapagent eval` with one worker and with two, by turns, and once more while a
worker is killed. Nothing counts before a tenth of the questions is answered: until then Ray starts and every
worker opens its map. Exit code 1 if results differ, or the gain is below the target.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evals.bench.kills.clusters import kill_a_worker
from evals.bench.kills.commands import ASKED, Ground
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


def measure(ground: Ground, questions: int, runs: int) -> dict[str, Any]:
    """The figures."""
    bench = Bench(ground, questions)
    ways = {
        "local": ("--executor", "local"),
        "one_worker": ("--executor", "ray", "--concurrency", "1"),
        "two_workers": ("--executor", "ray", "--concurrency", "2"),
    }
    rates: dict[str, list[float]] = {name: [] for name in ways}
    summaries = []
    for _ in range(runs):
        for name, flags in ways.items():
            rate, summary = bench.rate(*flags)
            rates[name].append(rate)
            summaries.append(summary)
            sys.stderr.write(f"{name}: {rate:.1f} questions a second\n")
    _, killed = bench.rate(*ways["two_workers"], kill=True)
    medians = {name: statistics.median(values) for name, values in rates.items()}
    return {
        "questions": questions,
        "different": min(DIFFERENT, questions),
        "per_s": {name: round(value, 2) for name, value in medians.items()},
        "all_per_s": {name: [round(value, 2) for value in values] for name, values in rates.items()},
        "gain": round(medians["two_workers"] / medians["one_worker"], 3),
        "target": TARGET,
        "same_summaries": all(summary == summaries[0] for summary in summaries),
        "same_summary_after_a_kill": killed == summaries[0],
    }


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m evals.bench.ray", description=__doc__)
    parser.add_argument("extract", type=Path, help="the demo extract (.osm.pbf)")
    parser.add_argument("--short", action="store_true", help="fewer questions, one run each; no target")
    parser.add_argument("--seed", type=int, default=0, help="of the questions")
    parser.add_argument("--out", type=Path, help="a JSON file to write")
    given = parser.parse_args()
    questions, runs = (SHORT_QUESTIONS, SHORT_RUNS) if given.short else (QUESTIONS, RUNS)
    with tempfile.TemporaryDirectory() as folder:
        ground = Ground(Path(folder), given.extract, min(DIFFERENT, questions), given.seed)
        figures = measure(ground, questions, runs)
    record = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        **figures,
    }
    text = json.dumps(record, indent=1)
    if given.out is not None:
        given.out.write_text(f"{text}\n", encoding="utf-8")
    print(text)
    same = figures["same_summaries"] and figures["same_summary_after_a_kill"]
    return 0 if same and (given.short or figures["gain"] >= TARGET) else 1


if __name__ == "__main__":
    sys.exit(main())
