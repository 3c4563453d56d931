"""Printed cells and our own in one table: ours in rows of their own, or in columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evals.metrics.statistics import mean
from evals.report.comparison.results import ShownRun
from evals.report.printed import PrintedTable, decimals
from evals.report.table import NONE

PUBLISHED = "published"
OURS = "ours"
ROWS_HEAD = "measured by"
NOT_PRINTED = "not printed in the text"
_WITHOUT_MODEL = frozenset({"mapagent", "random", "sort-by-distance", "text-embedding", "spatial-text"})


type Cell = Callable[[ShownRun, str], str]
"""Our cell for the head of a printed column."""
type LabelCell = Callable[[ShownRun, tuple[str, ...]], str]
"""Our cell for the label of a printed row."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its heads and its rows."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One table or figure of a paper.

    Attributes:
        number: As printed.
        grids: What it shows; tables with parts have several.
        notes: Of single figures: printed ones that do not agree, ours that are missing.
    """

    number: str
    grids: tuple[Grid, ...]
    notes: tuple[str, ...] = ()


def rows_grid(table: PrintedTable, own: Iterable[Sequence[str]]) -> Grid:
    """Printed rows, then ours: the same cells, the number of questions and the run's id."""
    printed = [(PUBLISHED, *row, _questions(table), NONE) for row in marked(table)]
    return Grid((ROWS_HEAD, *table.heads, "n", "run"), (*printed, *((OURS, *row) for row in own)))


def own_row(
    run: ShownRun, label: Sequence[str], columns: Iterable[str], cell: Cell, *, n: int | None = None
) -> tuple[str, ...]:
    """A row of ours for `rows_grid`; `n` questions if they are not those the run's figures are over."""
    cells = (cell(run, column) for column in columns)
    return (*label, *cells, str(run.judged if n is None else n), f"`{run.id}`")


def columns_grid(table: PrintedTable, runs: Sequence[ShownRun], cell: LabelCell) -> Grid:
    """The printed columns, then one for each of our runs; `cell` gets the label of a row."""
    labels = (table.label(row) for row in table.rows)
    own = ((cell(run, label) for run in runs) for label in labels)
    rows = tuple((*row, *cells) for row, cells in zip(marked(table), own, strict=True))
    printed = (f"{name} ({PUBLISHED})" for name in table.columns)
    return Grid((*table.heads[: table.labels], *printed, *map(column_head, runs)), rows)


def column_head(run: ShownRun) -> str:
    """The head of a column of ours."""
    return f"{run.label}, n = {run.judged}, `{run.id}` ({OURS})"


def marked(table: PrintedTable) -> list[tuple[str, ...]]:
    """The printed rows; what does not follow from other cells says what would."""
    off = table.recomputed()
    return [tuple(_marked(table, row, position, off) for position in range(len(row))) for row in table.rows]


def text(value: float | None, digits: int, scale: float = 1.0) -> str:
    """A figure with so many decimals; a dash for none."""
    return NONE if value is None else f"{scale * value:.{digits}f}"


def average(values: Iterable[float | None]) -> float | None:
    """The mean of the figures there are."""
    return mean([value for value in values if value is not None])


def not_measured(runs: Iterable[ShownRun], methods: Iterable[str], suite: str = "") -> tuple[str, ...]:
    """A note about the methods without a run (over a suite), and why; none if all have one."""
    missing = sorted(set(methods) - {run.about.method for run in runs})
    if not missing:
        return ()
    over = f" over `{suite}`" if suite else ""
    asking = ", ".join(f"`{name}`" for name in missing if name not in _WITHOUT_MODEL)
    others = ", ".join(f"`{name}`" for name in missing if name in _WITHOUT_MODEL)
    told = "; ".join(filter(None, (asking and f"{asking} (with a language model)", others)))
    return (f"Not measured{over}: {told}: no run is among the committed results.",)


def _questions(table: PrintedTable) -> str:
    return str(table.questions) if table.questions else NONE


def _marked(
    table: PrintedTable,
    row: Sequence[str],
    position: int,
    off: Mapping[tuple[tuple[str, ...], str], float],
) -> str:
    cell = row[position]
    expected = off.get((table.label(row), table.heads[position]))
    return cell if expected is None else f"{cell} (recomputed {expected:.{decimals(cell)}f})"
