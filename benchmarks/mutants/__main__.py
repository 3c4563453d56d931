"""`python -m benchmarks.mutants`: puts faults into a part of the code and says which of them no test noticed."""

import argparse
import os
import random
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest

from benchmarks.mutants.faults import mutants_of
from benchmarks.mutants.running import Fate, Runner, Trial

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Target:
    """A part of the code, by the patterns of its files, and the tests that belong to it."""

    sources: list[str]
    tests: list[str]
    warm: list[str]

    def files(self) -> list[Path]:
        """Its files, in order."""
        return sorted(path for pattern in self.sources for path in ROOT.glob(pattern))


def targets() -> dict[str, Target]:
    """The content of `targets.toml`."""
    table = tomllib.loads((files(__package__) / "targets.toml").read_text("utf-8"))
    return {name: Target(row["sources"], row["tests"], row.get("warm", [])) for name, row in table.items()}


def tried(target: Target, sample: int, seed: int) -> list[Trial]:
    """What becomes of a random sample of a target's mutants."""
    candidates = [one for file in target.files() for one in mutants_of(file)]
    chosen = random.Random(seed).sample(candidates, min(sample, len(candidates)))  # noqa: S311
    print(f"{len(candidates)} mutants; {len(chosen)} with seed {seed}", flush=True)
    modules = [partial(import_module, _module(file)) for file in target.files()]
    warm = [getattr(import_module(module), name) for module, name in (one.split(":") for one in target.warm)]
    runner = Runner([one.made() for one in chosen], [*modules, *warm], _tell)
    arguments = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider"]
    status = pytest.main([*arguments, *(str(ROOT / one) for one in target.tests)], plugins=[runner])
    if status != pytest.ExitCode.OK:
        raise SystemExit(int(status))
    return runner.trials


def _module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _tell(trial: Trial) -> None:
    mutant = trial.mutant
    where = f"{mutant.function.file.relative_to(ROOT)}:{mutant.line} {mutant.function.name}"
    print(
        f"\n{trial.fate}: {where}\n    {mutant.before}\n    {mutant.after or 'nothing'}  {trial.test}",
        flush=True,
    )


def main() -> None:
    """Tries a target."""
    known = targets()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("target", choices=known, help="the part of the code")
    parser.add_argument("--sample", type=int, default=60, help="how many mutants of it")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    given = parser.parse_args()
    trials = tried(known[given.target], given.sample, given.seed)
    counts = Counter(trial.fate for trial in trials)
    noticed = counts[Fate.KILLED] + counts[Fate.ENDLESS]
    told = ", ".join(f"{counts[fate]} {fate}" for fate in Fate)
    used_s = sum(os.times()[:4])
    print(
        f"\n{given.target}: {told}; {100 * noticed / len(trials):.0f} % noticed, {used_s:.0f} s of a processor"
    )


if __name__ == "__main__":
    main()
