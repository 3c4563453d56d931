"""A soak as a table and as JSON."""

import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from evals.chaos.faults import FaultCard, ServerKind, fault_cards
from evals.chaos.outcome import Fate
from evals.chaos.soak import Run

_COLUMNS: Mapping[str, Fate] = {
    "refused, loss named": Fate.REFUSED,
    "refused, not named": Fate.REFUSED_UNNAMED,
    "wrong, flagged": Fate.FLAGGED,
    "wrong, not flagged": Fate.SILENT,
    "hung": Fate.HUNG,
    "crashed": Fate.CRASHED,
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
    counts = Counter(run.fates().values())
    asked = len(run.outcomes)
    cells = (
        run.way,
        f"{run.share:.0%}{'' if run.recoverable else ' and lies'}" if run.share else "none",
        f"{sum(run.struck.values())} of {run.requests}",
        str(asked),
        f"{counts[Fate.RIGHT]} ({run.accuracy:.1%})",
        *(str(counts[fate]) for fate in _COLUMNS.values()),
        f"{max(outcome.seconds for outcome in run.outcomes.values()):.0f} s",
    )
    return f"| {' | '.join(cells)} |"


def _record(run: Run) -> dict[str, Any]:
    fates = run.fates()
    return {
        "way": run.way,
        "share": run.share,
        "recoverable": run.recoverable,
        "asked": len(run.outcomes),
        "accuracy": round(run.accuracy, 4),
        "fates": dict(Counter(fate.value for fate in fates.values())),
        "ids": {
            fate.value: [name for name, one in fates.items() if one is fate]
            for fate in Fate
            if fate is not Fate.RIGHT
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
