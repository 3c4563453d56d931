"""Rows that were published, for scale beside ours (tables of accuracy in `papers/mapagent.toml`)."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from pydantic import Field

from evals.report.printed import PrintedTable, paper
from map_tools.types import Frozen

_PAPER = "mapagent"
_OVERALL = "Overall"


class PublishedRow(Frozen):
    """One printed row; all figures in percent.

    Attributes:
        questions: How many the authors asked, and of which map.
        overall: As printed. `categories`: as printed, by our names of the categories.
        recomputed: The overall that follows from the printed categories.
        consistent: True if the printed overall follows from the printed categories, up to rounding.
    """

    suite: str
    method: str
    model: str
    questions: int
    map: str
    overall: float
    categories: Mapping[str, float]
    recomputed: float = Field(ge=0, le=100)
    consistent: bool


def published_rows(suite: str) -> tuple[PublishedRow, ...]:
    """The printed rows of a suite; none for a suite nobody printed."""
    return tuple(row for row in _rows() if row.suite == suite)


@lru_cache(maxsize=1)
def _rows() -> tuple[PublishedRow, ...]:
    return tuple(row for table in paper(_PAPER).tables if table.suite for row in _of_table(table))


def _of_table(table: PrintedTable) -> Iterator[PublishedRow]:
    (check,) = table.checks
    off = table.recomputed()
    for cells in table.rows:
        model, method = table.label(cells)
        figures = table.figures(cells)
        yield PublishedRow(
            suite=table.suite,
            method=method,
            model=model,
            questions=table.questions,
            map=table.map,
            overall=figures[_OVERALL],
            categories={ours: figures[printed] for printed, ours in table.categories.items()},
            recomputed=round(check.expected(figures) or 0.0, 2),
            consistent=((model, method), _OVERALL) not in off,
        )
