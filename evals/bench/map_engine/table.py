"""The figures as Markdown tables: engines beside each other, and how each grows with the map."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from evals.bench.map_engine.engines import OURS

type Measured = Mapping[int, Mapping[str, Mapping[str, float]]]
"""Figures by size, engine and name."""

_SHOWN = ("ingest s", "ingest peak MB", "open s", "memory MB")
_TASKS = ("name", "misspelt name", "nearby", "route", "matrix", "SQL templates")
SMALLEST = 0.01
"""Of what is smaller (in its own unit) no ratio is given: the clock's own jitter is measured."""


def table(measured: Measured) -> str:
    """All figures; times also as multiples of our embedded engine's in the same run."""
    lines = [
        "| features | what | engine | measured | times ours | processor | times ours | right |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for size, engines in measured.items():
        ours = engines.get(OURS, {})
        for what, name in _rows():
            for engine, figures in engines.items():
                if name in figures:
                    lines.append(f"| {size:,} | {what} | {engine} | {_row(figures, ours, what, name)} |")
    return "\n".join(lines) + "\n"


def growth(measured: Measured) -> str:
    """How many times as long or as large each figure of our engines is at one size as at the size before."""
    lines = ["| engine | what | from | to | grows |", "| --- | --- | --- | --- | --- |"]
    for before, now in pairwise(measured):
        for engine, figures in measured[now].items():
            old = measured[before].get(engine, {})
            for what, name in (*_rows(), *((f"{task}, processor", f"{task} cpu ms") for task in _TASKS)):
                if name in figures and old.get(name, 0.0) >= SMALLEST:
                    times = figures[name] / old[name]
                    lines.append(f"| {engine} | {what} | {before:,} | {now:,} | {times:.2f} × |")
    return "\n".join(lines) + "\n"


def _rows() -> Iterator[tuple[str, str]]:
    """What is shown, and the name of its figure."""
    for name in _SHOWN:
        yield name.rpartition(" ")[0], name
    for task in _TASKS:
        yield task, f"{task} ms"


def _row(figures: Mapping[str, float], ours: Mapping[str, float], what: str, name: str) -> str:
    value, unit = figures[name], name.rpartition(" ")[2]
    right, processor = figures.get(f"{what} right"), f"{what} cpu {unit}"
    return " | ".join(
        (
            f"{value:.3g} {unit}",
            _ratio(figures, ours, name),
            f"{figures[processor]:.3g} {unit}" if processor in figures else "",
            _ratio(figures, ours, processor),
            "" if right is None else f"{right:.0%}",
        )
    )


def _ratio(figures: Mapping[str, float], ours: Mapping[str, float], name: str) -> str:
    return f"{figures[name] / ours[name]:.1f}" if name in figures and ours.get(name, 0.0) >= SMALLEST else ""
