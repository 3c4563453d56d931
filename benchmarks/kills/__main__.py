"""`python -m benchmarks.kills EXTRACT`: prints what came of it as JSON; exit code 1 if anything broke."""

import argparse
import json
import platform
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.kills.commands import BatchRun, EvalRun, Ground, MapAdd
from benchmarks.kills.killing import Subject, Toll, kill_often
from benchmarks.kills.writers import ModelReplies, Recordings, Replies, Writer

KILLS = 200
QUESTIONS = 200


def main() -> int:
    """Kills each program its share of times."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kills", description=__doc__)
    parser.add_argument("extract", type=Path, help="the demo extract (.osm.pbf)")
    parser.add_argument("--kills", type=int, default=KILLS, help="of all programs together")
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="of a run of eval and of batch")
    parser.add_argument("--seed", type=int, default=0, help="of the moments and the questions")
    parser.add_argument("--out", type=Path, help="a JSON file to write")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tolls = _tolls(Path(folder), given.extract, given.questions, given.kills, given.seed)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    machine = {"processor": platform.machine(), "python": platform.python_version()}
    record = {"time": now, "machine": machine, "seed": given.seed, "tolls": [asdict(toll) for toll in tolls]}
    text = json.dumps(record, indent=1, ensure_ascii=False)
    if given.out is not None:
        given.out.write_text(f"{text}\n", encoding="utf-8")
    print(text)
    return 1 if any(toll.broken for toll in tolls) else 0


def _tolls(folder: Path, extract: Path, questions: int, kills: int, seed: int) -> list[Toll]:
    ground = Ground(folder, extract, questions, seed)
    subjects: tuple[Callable[[], Subject], ...] = (
        lambda: MapAdd(ground),
        lambda: EvalRun(ground),
        lambda: BatchRun(ground),
        lambda: Writer(Replies(folder), folder),
        lambda: Writer(ModelReplies(folder), folder),
        lambda: Writer(Recordings(folder), folder),
    )
    tolls = []
    for number, subject in enumerate(subjects):
        share = kills * (number + 1) // len(subjects) - kills * number // len(subjects)
        toll = kill_often(subject(), share, seed)
        sys.stderr.write(f"{toll.name}: {toll.killed} kills, {len(toll.broken)} faults\n")
        tolls.append(toll)
    return tolls


if __name__ == "__main__":
    sys.exit(main())
