"""`python -m benchmarks.history`: what was measured before, and how the last two runs differ.

Every benchmark adds one line of JSON for each run to `bench-results/history.jsonl`: which code, on which
machine, how busy it was, and all figures by name. Absolute times differ between machines and hours, so
nothing is judged by this file; it is for people who look back.
"""

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from pydantic import ValidationError

from evals.runner.identity import code_record
from map_tools.errors import InputFileError
from map_tools.types import Frozen

FILE = Path("bench-results") / "history.jsonl"
FORMAT_VERSION = 1


class Entry(Frozen):
    """One run of a benchmark.

    Attributes:
        id: Unique.
        bench: Which benchmark.
        version, code_sha256, commit: Of this program.
        python, processors, machine: Where.
        load: Processes that wanted to run, in the last minute: above `processors` the machine was busy.
        figures: What was measured; the names tell the units.
    """

    v: int = FORMAT_VERSION
    id: str
    time: datetime
    bench: str
    version: str
    code_sha256: str
    commit: str
    python: str
    processors: int
    machine: str
    load: float
    figures: dict[str, float]


def append(file: Path, bench: str, figures: Mapping[str, float]) -> Entry:
    """Adds a run to the history; the folder is made if need be."""
    code = code_record()
    entry = Entry(
        id=uuid4().hex,
        time=datetime.now(UTC),
        bench=bench,
        version=code["version"],
        code_sha256=code["code_sha256"],
        commit=code["commit"],
        python=code["python"],
        processors=os.cpu_count() or 1,
        machine=platform.machine(),
        load=round(os.getloadavg()[0], 2),
        figures=dict(figures),
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    # One write of one line: two benchmarks that end at once do not tear each other's lines.
    with file.open("a", encoding="utf-8") as stream:
        stream.write(entry.model_dump_json() + "\n")
    return entry


def read(file: Path) -> tuple[Entry, ...]:
    """All runs, oldest first; none where there is no file.

    Raises:
        InputFileError: A line is no entry; the message names it.
    """
    if not file.exists():
        return ()
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple(_entry(file, number, line) for number, line in enumerate(lines, start=1) if line.strip())


def _entry(file: Path, number: int, line: str) -> Entry:
    try:
        return Entry.model_validate(json.loads(line))
    except (ValueError, ValidationError) as error:
        raise InputFileError(
            f"{file}, line {number}: not an entry of the history.", "Delete the line."
        ) from error


def changes(entries: Sequence[Entry], bench: str) -> Iterator[tuple[str, float, float]]:
    """(name, value before, value now) of the figures that the last two runs of a benchmark share."""
    runs = [entry for entry in entries if entry.bench == bench]
    if len(runs) < 2:
        return
    before, now = runs[-2:]
    for name, value in now.figures.items():
        if name in before.figures:
            yield name, before.figures[name], value


def main() -> int:
    """Prints the last two runs of every benchmark beside each other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=FILE)
    entries = read(parser.parse_args().file)
    for bench in dict.fromkeys(entry.bench for entry in entries):
        last = next(entry for entry in reversed(entries) if entry.bench == bench)
        print(f"{bench}: last run {last.time:%Y-%m-%d %H:%M} UTC, load {last.load:g}")
        for name, before, now in changes(entries, bench):
            ratio = f"{now / before:.2f} ×" if before else ""
            print(f"  {name}: {before:g} → {now:g}  {ratio}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
