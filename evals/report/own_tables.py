"""The tables that suites have beside those every suite has."""

from collections.abc import Sequence

from evals.report.recommend.tables import recommend_tables
from evals.report.runs import FinishedRun
from evals.report.spatial.tables import Table, spatial_tables


def own_tables(suite: str, runs: Sequence[FinishedRun]) -> tuple[Table, ...]:
    """The suite's own tables for some runs; none for suites without."""
    return (*spatial_tables(suite, runs), *recommend_tables(suite, runs))
