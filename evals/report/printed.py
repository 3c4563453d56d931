"""Tables as papers print them (`papers/NAME.toml`), and what their figures give when worked out again."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, Self

from pydantic import field_validator, model_validator

from map_tools.types import Frozen

PAPERS = ("mapagent", "geo_react", "spatial_rag", "gs_qa")
_FIGURE = re.compile(r"\d+(\.\d+)?%?")
_MEAN_UNITS = 1.5
"""Rounding takes a printed mean of rounded figures at most one unit of its last place away."""


class Check(Frozen):
    """A printed figure that follows from others.

    Attributes:
        row, column: The row or column (exactly one of the two) that follows.
        rule: From the mean or the sum of the others.
        of: Rows or columns it follows from, with their weights (1 if they are a list).
    """

    row: str = ""
    column: str = ""
    rule: Literal["mean", "sum"]
    of: Mapping[str, float]

    @field_validator("of", mode="before")
    @classmethod
    def _weights(cls, value: Any) -> Any:
        return dict.fromkeys(value, 1.0) if isinstance(value, list) else value

    def expected(self, figures: Mapping[str, float]) -> float | None:
        """What the others give; None if one of them is missing."""
        if not self.of.keys() <= figures.keys():
            return None
        total = sum(weight * figures[name] for name, weight in self.of.items())
        return total / sum(self.of.values()) if self.rule == "mean" else total

    def allowed(self, unit: float) -> float:
        """How far from `expected` is still rounding; `unit` is that of the printed figure's last place."""
        return unit * (_MEAN_UNITS if self.rule == "mean" else (len(self.of) + 1) / 2)


class PrintedTable(Frozen):
    """One table, or one part of a table whose parts have columns of their own.

    Attributes:
        number: As printed; parts have a letter behind it. Figures stand for what the text says about them.
        heads: The heads of all columns; the first `labels` of them name a row.
        rows: The cells as printed, "?" where the text of the paper does not tell.
        notes: What the paper says elsewhere that does not agree.
        suite, questions, map, categories: Of tables of accuracy: our suite, how many questions the authors
            asked, of which map, and our names of the columns.
    """

    number: str
    title: str
    heads: tuple[str, ...]
    labels: int
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    suite: str = ""
    questions: int = 0
    map: str = ""
    categories: Mapping[str, str] = {}

    @field_validator("heads", mode="before")
    @classmethod
    def _split_heads(cls, value: str) -> tuple[str, ...]:
        return _cells(value)

    @field_validator("rows", mode="before")
    @classmethod
    def _split_rows(cls, value: str) -> tuple[tuple[str, ...], ...]:
        return tuple(_cells(line) for line in value.strip().splitlines())

    @model_validator(mode="after")
    def _rectangular(self) -> Self:
        for row in self.rows:
            if len(row) != len(self.heads):
                raise ValueError(
                    f"{self.number}: the row {row[0]} has {len(row)} cells, not {len(self.heads)}"
                )
        return self

    @property
    def columns(self) -> tuple[str, ...]:
        """Heads of the columns with figures."""
        return self.heads[self.labels :]

    def label(self, row: Sequence[str]) -> tuple[str, ...]:
        """The cells that name a row."""
        return tuple(row[: self.labels])

    def figures(self, row: Sequence[str]) -> dict[str, float]:
        """The figures of a row by the head of their column, without what is no figure."""
        cells = zip(self.columns, row[self.labels :], strict=True)
        return {name: float(cell.rstrip("%")) for name, cell in cells if _FIGURE.fullmatch(cell)}

    def recomputed(self) -> dict[tuple[tuple[str, ...], str], float]:
        """Figures that do not follow from the others: (label of the row, column) → what does follow."""
        found: dict[tuple[tuple[str, ...], str], float] = {}
        for check in self.checks:
            for row in self.rows:
                if check.column:
                    found |= self._off(check, row, check.column, self.figures(row))
                elif check.row == row[0]:
                    for column in self.columns:
                        found |= self._off(check, row, column, self._down(column))
        return found

    def _down(self, column: str) -> dict[str, float]:
        """The figures of a column by the first cell of their row."""
        return {row[0]: figures[column] for row in self.rows if column in (figures := self.figures(row))}

    def _off(
        self, check: Check, row: Sequence[str], column: str, others: Mapping[str, float]
    ) -> dict[tuple[tuple[str, ...], str], float]:
        printed, expected = self.figures(row).get(column), check.expected(others)
        if printed is None or expected is None:
            return {}
        unit = 10.0 ** -decimals(row[self.heads.index(column)])
        return {(self.label(row), column): expected} if abs(printed - expected) >= check.allowed(unit) else {}


class Paper(Frozen):
    """The tables of one paper that are compared."""

    name: str
    source: str
    tables: tuple[PrintedTable, ...]

    def table(self, number: str) -> PrintedTable:
        """The table of this number."""
        return next(table for table in self.tables if table.number == number)


@lru_cache(maxsize=len(PAPERS))
def paper(name: str) -> Paper:
    """One of `PAPERS`."""
    return Paper.model_validate(
        tomllib.loads((files("evals.report") / "papers" / f"{name}.toml").read_text("utf-8"))
    )


def decimals(cell: str) -> int:
    """How many decimals a printed figure has."""
    return len(cell.rstrip("%").partition(".")[2])


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.split("|"))
