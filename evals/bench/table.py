"""How measured rows are printed."""

from collections.abc import Iterable

from evals.bench.measure import Row


def table(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | measured | at most | |", "| --- | --- | --- | --- |"]
    for row in rows:
        limit = "" if row.limit is None else f"{row.limit:g} {row.unit}"
        lines.append(f"| {row.what} | {row.value:.3g} {row.unit} | {limit} | {'✓' if row.ok else 'missed'} |")
    return "\n".join(lines)
