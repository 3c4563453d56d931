"""How measured rows are printed, and called in the history."""

from collections.abc import Iterable

from evals.bench.measure import Row


def table(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | measured | at most | |", "| --- | --- | --- | --- |"]
    for row in rows:
        limit = "" if row.limit is None else f"{row.limit:g} {row.unit}"
        lines.append(f"| {row.what} | {row.value:.3g} {row.unit} | {limit} | {'✓' if row.ok else 'missed'} |")
    return "\n".join(lines)


def figures(rows: Iterable[Row]) -> dict[str, float]:
    """The rows for `evals.bench.history`: values by names that tell the units."""
    return {f"{row.what}, {row.unit}": row.value for row in rows}
