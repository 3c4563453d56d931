"""What the product promises while servers fail, checked against the runs of a soak."""

from collections.abc import Iterable, Iterator

from evals.chaos.outcome import Fate
from evals.chaos.soak import Run

PROMISED_SHARE = 0.3
"""Up to this share of struck requests the promises hold."""
LOST_POINTS = 0.03
"""So much of the accuracy may go while all faults are such that asking again makes them good."""
NEVER = (Fate.CRASHED, Fate.HUNG, Fate.REFUSED_UNNAMED)


def broken_promises(runs: Iterable[Run]) -> tuple[str, ...]:
    """What was promised and did not hold, a sentence each; empty if all holds."""
    found: list[str] = []
    for run in runs:
        if run.share <= PROMISED_SHARE:
            found += (f"{run.title}: {problem}" for problem in _problems(run))
    return tuple(found)


def _problems(run: Run) -> Iterator[str]:
    fates = run.fates()
    never = [*NEVER, Fate.SILENT] if run.recoverable else list(NEVER)
    for bad in never:
        ids = [name for name, fate in fates.items() if fate is bad]
        if ids:
            yield f"{bad} ({', '.join(ids)})"
    lost = run.usual_accuracy - run.accuracy
    if run.recoverable and lost > LOST_POINTS + 1e-9:
        yield f"accuracy fell by {100 * lost:.1f} points (at most {100 * LOST_POINTS:g})"
