"""`python -m benchmarks`: prints the first table of docs/benchmarks.md and keeps the figures."""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import cases, history
from benchmarks.measure import Row, figures, table


def main() -> int:
    """Runs all cases; exit code 1 if a target is missed (never in the short version)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a smaller map and fewer runs, for CI")
    parser.add_argument("--extract", type=Path, help="a city's .osm.pbf, to measure `map add`")
    parser.add_argument("--out", type=Path, default=history.FILE)
    given = parser.parse_args()
    size, runs = (20_000, 3) if given.short else (cases.MILLION, 11)
    with tempfile.TemporaryDirectory() as folder:
        rows = list(_rows(cases.prepare(Path(folder), size=size, runs=runs), given.extract))
    print(table(rows))
    history.append(given.out, "short" if given.short else "mapagent", figures(rows))
    return 0 if given.short or all(row.ok for row in rows) else 1


def _rows(ground: cases.Ground, extract: Path | None) -> Iterator[Row]:
    for case in (cases.start_up, cases.warm, cases.map_engine, cases.routing):
        for row in case(ground):
            sys.stderr.write(f"{row.what}: {row.value:.3g} {row.unit}\n")
            yield row
    if extract is not None:
        yield from cases.ingest(ground, extract)


if __name__ == "__main__":
    sys.exit(main())
