"""Error analysis of a whole run."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from evals.errors.stages import stage_of
from evals.runner.folder import read_trace
from evals.runner.records import Record


def stage_counts(folder: Path, records: Iterable[Record]) -> dict[str, int]:
    """How many wrong answers went wrong at each stage, most frequent first."""
    return dict(Counter(stage for _, stage in stages(folder, records)).most_common())


def stages(folder: Path, records: Iterable[Record]) -> list[tuple[str, str]]:
    """(id, stage) of each wrong answer, in the order of the records."""
    return [
        (record.id, stage_of(record, read_trace(folder, record.id)).value)
        for record in records
        if not record.correct
    ]
