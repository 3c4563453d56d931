"""`python -m evals.bench`: prints the table of docs/benchmarks.md and writes it as JSON."""

import argparse
import json
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from evals.bench import cases
from evals.bench.measure import Row
from evals.bench.table import table


def main() -> int:
    """Runs all cases; exit code 1 if a target is missed (never in the short version)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a smaller map and fewer runs, for CI")
    parser.add_argument("--extract", type=Path, help="a city's .osm.pbf, to measure `map add`")
    parser.add_argument("--out", type=Path, default=Path("bench-results"))
    given = parser.parse_args()
    size, runs = (20_000, 3) if given.short else (cases.MILLION, 11)
    with tempfile.TemporaryDirectory() as folder:
        rows = list(_rows(cases.prepare(Path(folder), size=size, runs=runs), given.extract))
    print(table(rows))
    _write(rows, given.out)
    return 0 if given.short or all(row.ok for row in rows) else 1


def _rows(ground: cases.Ground, extract: Path | None) -> Iterator[Row]:
    for case in (cases.start_up, cases.warm, cases.map_engine, cases.routing):
        for row in case(ground):
            sys.stderr.write(f"{row.what}: {row.value:.3g} {row.unit}\n")
            yield row
    if extract is not None:
        yield from cases.ingest(ground, extract)


def _write(rows: list[Row], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC)
    record = {
        "time": now.isoformat(timespec="seconds"),
        "machine": {"processor": platform.machine(), "python": platform.python_version()},
        "rows": [{**asdict(row), "ok": row.ok} for row in rows],
    }
    file = folder / f"{now:%Y%m%dT%H%M%S}.json"
    file.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
