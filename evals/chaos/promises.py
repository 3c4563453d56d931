"""What the product promises while servers fail, checked against the runs of a soak."""

from collections.abc import Iterable, Iterator

from evals.chaos.outcome import Fate
from evals.chaos.soak import Run

PROMISED_SHARE = 0.3
"""Up to this share of struck requests the promises hold."""
LOST_SHARE = 0.03
"""So much of the accuracy may go while all faults are such that asking again makes them good, or one question
where few are asked."""
LEAST_USUAL = 0.8
"""Where fewer answers are right while nothing fails, a soak proves nothing."""
NEVER = (Fate.CRASHED, Fate.HUNG, Fate.REFUSED_UNNAMED)


def broken_promises(runs: Iterable[Run]) -> tuple[str, ...]:
    """What was promised and did not hold, a sentence each; empty if all holds."""
    found: list[str] = []
    for run in runs:
        if run.share <= PROMISED_SHARE:
            found += (f"{run.title}: {problem}" for problem in _problems(run))
    return tuple(found)


def _problems(run: Run) -> Iterator[str]:
    if not run.share and run.accuracy < LEAST_USUAL:
        yield f"only {run.accuracy:.0%} are right (at least {LEAST_USUAL:.0%}), so the soak proves nothing"
    fates = run.fates()
    never = [*NEVER, Fate.SILENT] if run.recoverable else list(NEVER)
    for bad in never:
        ids = [name for name, fate in fates.items() if fate is bad]
        if ids:
            yield f"{bad} ({', '.join(ids)})"
    lost = run.usual_right - run.right
    allowed = max(1, int(LOST_SHARE * len(run.outcomes)))
    if run.recoverable and lost > allowed:
        yield f"{lost} fewer of {len(run.outcomes)} are right (at most {allowed})"
