"""What `mapagent eval report` does."""

from argparse import Namespace
from pathlib import Path

from evals.report.own_tables import own_tables
from evals.report.published import published_rows
from evals.report.runs import FinishedRun, by_suite, find_runs
from evals.report.table import aligned, paired_rows, published_table_rows, run_rows
from map_tools.errors import InputFileError


def report(given: Namespace) -> str:
    """The tables as text; with --html also writes the page.

    Raises:
        InputFileError: A folder holds no run, a run's file is damaged, or the page cannot be written.
    """
    runs = find_runs(given.folders)
    parts = [_text(suite, members) for suite, members in by_suite(runs).items()]
    if given.html is not None:
        from evals.report.page import page

        _write(given.html, page(runs), "--html")
        parts.append(f"The page is in {given.html}.")
    return "\n".join(parts)


def _text(suite: str, runs: list[FinishedRun]) -> str:
    categories = sorted({name for run in runs for name in run.summary["by_category"]})
    header, *rows = run_rows(runs, categories)
    printed = published_table_rows(published_rows(suite), categories)
    parts = [f"{suite}\n", aligned([header, *rows, *printed])]
    pairs = paired_rows(runs)
    if len(pairs) > 1:
        parts.append("\nPaired, exact McNemar test\n\n" + aligned(pairs))
    parts += [f"\n{table.title}\n\n{aligned(table.rows)}" for table in own_tables(suite, runs)]
    parts += [
        f"\n{run.label}: {len(run.records)} of {run.run.items} questions done."
        for run in runs
        if not run.complete
    ]
    return "\n".join(parts) + "\n"


def compare(given: Namespace) -> str:
    """Writes the page of the whole comparison, from committed results or from folders of runs.

    Raises:
        InputFileError: There are no results, a file is damaged, or the page cannot be written.
    """
    from evals.report.comparison.page import page
    from evals.report.comparison.results import read_results

    runs = read_results(given.folders)
    _write(given.comparison, page(runs), "--comparison")
    return f"The comparison with {len(runs)} runs is in {given.comparison}."


def _write(path: Path, text: str, option: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputFileError(
            f"The page {path} cannot be written: {error.strerror}.",
            f"Name a file you may write with {option}.",
        ) from error
