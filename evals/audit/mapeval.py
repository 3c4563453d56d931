"""Defects of MapEval-Textual's file that its own records show."""

from collections import Counter
from pathlib import Path

from evals.audit.finding import Finding
from evals.suites.mapeval_file import MapEvalRecord, read_mapeval

USUAL_OPTIONS = 4


def audit_mapeval(data: Path) -> tuple[Finding, ...]:
    """All findings.

    Raises:
        InputFileError: The file cannot be read.
    """
    records = read_mapeval(data)
    twice = [record for record in records if record.defect]
    few = [record for record in records if len(record.answer.options) != USUAL_OPTIONS]
    contexts = Counter(record.context for record in records)
    shared = [record for record in records if contexts[record.context] > 1]
    return (
        Finding("no_single_option", "The right option is empty or listed twice.", _ids(twice), len(records)),
        Finding("few_options", "There are fewer options than four.", _ids(few), len(records)),
        Finding("shared_context", "Another question has the same context.", _ids(shared), len(records)),
    )


def _ids(records: list[MapEvalRecord]) -> tuple[str, ...]:
    return tuple(str(record.id) for record in records)
