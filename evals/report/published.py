"""Rows that were published, for scale beside ours (`evals/published.toml`)."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from pydantic import Field

from map_tools.types import Frozen


class PublishedRow(Frozen):
    """One printed row; all figures in percent.

    Attributes:
        overall: As printed. `categories`: as printed, by our names of the categories.
        recomputed: The overall that follows from the printed categories.
    """

    suite: str
    method: str
    model: str
    overall: float
    categories: Mapping[str, float]
    recomputed: float = Field(ge=0, le=100)

    @property
    def consistent(self) -> bool:
        """True if the printed overall follows from the printed categories, up to rounding."""
        return abs(self.overall - self.recomputed) < ROUNDING


ROUNDING = 0.015
"""Printed figures have two decimals; more than one unit of the last place is no rounding."""


def published_rows(suite: str) -> tuple[PublishedRow, ...]:
    """The printed rows of a suite; none for a suite nobody printed."""
    return tuple(row for row in _rows() if row.suite == suite)


@lru_cache(maxsize=1)
def _rows() -> tuple[PublishedRow, ...]:
    data = tomllib.loads((files("evals") / "published.toml").read_text("utf-8"))
    weights: dict[str, int] = data["questions"]
    total = sum(weights.values())
    rows = []
    for row in data["rows"]:
        shares = {name: row[name] for name in weights}
        recomputed = sum(weights[name] * share for name, share in shares.items()) / total
        rows.append(
            PublishedRow(
                suite=row["suite"],
                method=row["method"],
                model=row["model"],
                overall=row["overall"],
                categories=shares,
                recomputed=round(recomputed, 2),
            )
        )
    return tuple(rows)
