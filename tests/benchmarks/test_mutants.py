"""Faults are made one at a time, and what the tests of a small program notice of them is known beforehand."""

import subprocess
import sys
from pathlib import Path

from benchmarks.mutants.__main__ import ROOT, targets
from benchmarks.mutants.faults import mutants_of

PROGRAM = '''
"""A program."""
from functools import lru_cache


@lru_cache(maxsize=8)
def larger(a: int, b: int = 7) -> int:
    """The larger one."""
    if a < 0:
        raise ValueError(f"{a + 1} is below zero")
    return a if a > b else b


class Box:
    def size(self) -> int:
        return sum(n for n in (1, 2))


def lost() -> int:
    return 4
'''
TESTS = """
import sums


def test_larger():
    assert (sums.larger(1, 2), sums.larger(2, 1)) == (2, 2)


def test_box():
    assert sums.Box().size() == 3
"""
RUN = """
import sys
from pathlib import Path

import pytest

from benchmarks.mutants.faults import mutants_of
from benchmarks.mutants.running import Runner

folder = Path(sys.argv[1])
sys.path.insert(0, str(folder))
runner = Runner([one.made() for one in mutants_of(folder / "sums.py")])
pytest.main(["-q", "-p", "no:cacheprovider", str(folder)], plugins=[runner])
for trial in runner.trials:
    print(f"@{trial.fate}|{trial.mutant.before}|{trial.mutant.after}")
"""
EXPECTED = [
    # the test never has a number below zero, none that is equal, and does not look at the error
    "survived|a < 0|a <= 0",
    "killed|a < 0|a >= 0",
    "survived|0|1",
    "survived|raise ValueError(f'{a + 1} is below zero')|pass",
    "killed|return a if a > b else b|return None",
    "survived|a > b|a >= b",
    "killed|a > b|a <= b",
    "killed|return sum((n for n in (1, 2)))|return None",
    "killed|1|2",
    "killed|2|3",
    "unreached|4|5",
]


def test_what_becomes_of_each_fault(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "test_sums.py").write_text(TESTS, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    told = [line.removeprefix("@") for line in done.stdout.splitlines() if line.startswith("@")]
    assert told == EXPECTED, done.stdout + done.stderr


def test_every_target_has_faults_and_tests() -> None:
    for target in targets().values():
        assert any(next(mutants_of(file), None) for file in target.files())
        assert [path for path in target.tests if not (ROOT / path).exists()] == []
