"""A soak as a table and as JSON, and whether it keeps what the product promises while servers fail."""

import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from benchmarks.chaos.faults import FaultCard, ServerKind, fault_cards
from benchmarks.chaos.soak import Run, RunOutcome

_COLUMNS: Mapping[str, RunOutcome] = {
    "refused, loss named": RunOutcome.REFUSED,
    "refused, not named": RunOutcome.REFUSED_UNNAMED,
    "wrong, flagged": RunOutcome.FLAGGED,
    "wrong, not flagged": RunOutcome.SILENT,
    "hung": RunOutcome.HUNG,
    "crashed": RunOutcome.CRASHED,
}


def run_table(runs: Sequence[Run]) -> str:
    """The runs as a Markdown table: how many questions ended how."""
    head = ["way", "faults", "struck", "asked", "right", *_COLUMNS, "slowest"]
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    return "\n".join((*lines, *map(_row, runs)))


def fault_table() -> str:
    """The faults as a Markdown table: what each looks like and what the product must make of it."""
    lines = ["| fault | what the server does | map | model | what the product does |", f"|{' --- |' * 5}"]
    for card in fault_cards():
        servers = (_kind(card, server) for server in ServerKind)
        lines.append(f"| `{card.kind}` | {card.looks} | {' | '.join(servers)} | {card.must} |")
    return "\n".join(lines)


def as_json(runs: Sequence[Run], broken: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The whole soak, JSON-ready."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {"processor": platform.machine(), "python": platform.python_version()},
        "settings": dict(settings),
        "broken_promises": list(broken),
        "runs": list(map(_record, runs)),
    }


def _row(run: Run) -> str:
    counts = Counter(run.run_outcomes().values())
    asked = len(run.outcomes)
    cells = (
        run.way,
        f"{run.share:.0%}{'' if run.recoverable else ' and lies'}" if run.share else "none",
        f"{sum(run.struck.values())} of {run.requests}",
        str(asked),
        f"{counts[RunOutcome.RIGHT]} ({run.accuracy:.1%})",
        *(str(counts[run_outcome]) for run_outcome in _COLUMNS.values()),
        f"{max(outcome.seconds for outcome in run.outcomes.values()):.0f} s",
    )
    return f"| {' | '.join(cells)} |"


def _record(run: Run) -> dict[str, Any]:
    run_outcomes = run.run_outcomes()
    return {
        "way": run.way,
        "share": run.share,
        "recoverable": run.recoverable,
        "asked": len(run.outcomes),
        "accuracy": round(run.accuracy, 4),
        "fates": dict(Counter(run_outcome.value for run_outcome in run_outcomes.values())),
        "ids": {
            run_outcome.value: [name for name, one in run_outcomes.items() if one is run_outcome]
            for run_outcome in RunOutcome
            if run_outcome is not RunOutcome.RIGHT
        },
        "requests": run.requests,
        "struck": {kind.value: count for kind, count in sorted(run.struck.items())},
        "seconds": round(run.seconds, 1),
        "slowest_s": round(max(outcome.seconds for outcome in run.outcomes.values()), 1),
    }


def _kind(card: FaultCard, server: ServerKind) -> str:
    if server not in card.strikes:
        return "–"
    return "recoverable" if server in card.recoverable else "a lie"


PROMISED_SHARE = 0.3
"""Up to this share of struck requests the promises hold."""
LOST_SHARE = 0.03
"""So much of the accuracy may go while all faults are such that asking again makes them good, or one question
where few are asked."""
LEAST_USUAL = 0.8
"""Where fewer answers are right while nothing fails, a soak proves nothing."""
NEVER = (RunOutcome.CRASHED, RunOutcome.HUNG, RunOutcome.REFUSED_UNNAMED)


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
    run_outcomes = run.run_outcomes()
    never = [*NEVER, RunOutcome.SILENT] if run.recoverable else list(NEVER)
    for bad in never:
        ids = [name for name, run_outcome in run_outcomes.items() if run_outcome is bad]
        if ids:
            yield f"{bad} ({', '.join(ids)})"
    lost = run.usual_right - run.right
    allowed = max(1, int(LOST_SHARE * len(run.outcomes)))
    if run.recoverable and lost > allowed:
        yield f"{lost} fewer of {len(run.outcomes)} are right (at most {allowed})"
