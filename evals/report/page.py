"""`mapagent eval report`: one self-contained page about runs, the comparison with the papers, or all suites.

The page has tables, plots, paired tests, stages of errors, and a list to browse: each question with plan, calls,
evidence and answer, if traces were kept. No script.
"""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from evals.report.own_tables import own_tables
from evals.report.plots import Interval, Point, intervals_plot, scatter_plot
from evals.report.runs import FinishedRun, by_suite, find_runs, stage_counts, stage_of
from evals.report.table import (
    STRICT,
    PublishedRow,
    aligned,
    paired_rows,
    published_rows,
    published_table_rows,
    run_rows,
)
from evals.runner.folder import read_trace
from evals.runner.records import Record
from map_tools.errors import InputFileError
from mapagent.core.question import LETTERS

MAX_EVIDENCE = 40
MAX_CHARS = 400


def browse(run: FinishedRun) -> str:
    """A list of `<details>`; wrong answers first, as they are what one looks for."""
    ordered = sorted(run.records, key=lambda record: record.correct)
    return "\n".join(_question(run, record) for record in ordered)


def _question(run: FinishedRun, record: Record) -> str:
    trace = read_trace(run.path, record.id)
    verdict = "right" if record.correct else "wrong"
    stage = "" if record.correct else stage_of(record, trace).value
    head = " · ".join(filter(None, (record.id, record.category, record.status, record.error, stage)))
    body = "".join(_body(trace)) if trace else "<p>No trace was kept.</p>"
    mark = "✓" if record.correct else "✗"
    return (
        f'<details class="question {verdict}">'
        f'<summary><span class="{verdict}" title="{verdict}">{mark}</span> '
        f"{escape(head)}</summary>{body}</details>"
    )


def _body(trace: Mapping[str, Any]) -> Iterator[str]:
    answer = trace.get("answer") or {}
    yield f"<p><strong>{_cut(trace.get('question', ''))}</strong></p>"
    yield _options(trace, answer)
    if trace.get("error"):
        yield f"<p>Error: {_cut(trace['error']['message'])}</p>"
    if answer:
        told = answer.get("text") or answer.get("reason") or ""
        head = f"Answer ({answer['status']}, confidence {answer['confidence']:.2f})"
        yield f"<p>{escape(head)}: {_cut(told)}</p>"
        yield _paragraph(answer.get("explanation", ""))
        yield _list(
            "Plan", [f"{step['id']}: {step['subgoal']} [{step['module']}]" for step in answer["plan"]]
        )
    yield _list("Calls", list(_calls(trace.get("spans", ()))))
    if answer:
        yield _list("Evidence", _evidence(answer["evidence"]))


def _options(trace: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    chosen, gold = answer.get("option_index"), trace.get("gold")
    rows = []
    for index, text in enumerate(trace.get("options", ())):
        notes = [note for note, there in (("chosen", index == chosen), ("right", index == gold)) if there]
        rows.append(f"<li>{LETTERS[index]}. {_cut(text)}{_marks(notes)}</li>")
    if not trace.get("answerable", True):
        rows.append(f"<li>Unanswerable{_marks(['right'])}</li>")
    return f'<ul class="options">{"".join(rows)}</ul>' if rows else ""


def _marks(notes: Sequence[str]) -> str:
    return "".join(f" <em>({note})</em>" for note in notes)


def _calls(spans: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for span in spans:
        attributes = span["attributes"]
        took_ms = ((span["end_s"] or span["start_s"]) - span["start_s"]) * 1000
        if span["name"] == "tool":
            words = ", ".join(f"{key}={value}" for key, value in attributes.get("arguments", {}).items())
            call = f"{attributes.get('tool', '')}({words})"
            yield f"{call}: {attributes.get('facts', 0)} facts, {took_ms:.1f} ms"
        elif span["name"] == "model":
            yield f"model {attributes.get('label', '')}: {took_ms:.0f} ms"


def _evidence(items: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = [f"{item['id']} [{item['tool']}] {item['fact']}" for item in items[:MAX_EVIDENCE]]
    left = len(items) - len(lines)
    return [*lines, f"… and {left} more"] if left else lines


def _list(title: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    return f"<h4>{title}</h4><ul>{''.join(f'<li>{_cut(line)}</li>' for line in lines)}</ul>"


def _paragraph(text: str) -> str:
    return f"<p>{_cut(text)}</p>" if text else ""


def _cut(text: Any) -> str:
    words = str(text)
    return escape(words if len(words) <= MAX_CHARS else f"{words[:MAX_CHARS]}…")


OVERALL = "overall"
SHOWN_PUBLISHED = "MapAgent"
"""The published method that the plots show; the table has all rows."""

_HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>mapagent: evaluation</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
{style}</style></head>"""
_BODY = """<body><a class="skip" href="#main">Skip to the figures</a><h1>mapagent: evaluation</h1>
<nav aria-label="Suites"><ul>{links}</ul></nav>
<main id="main">{sections}</main></body></html>
"""


def page(runs: Sequence[FinishedRun]) -> str:
    """The whole page as HTML."""
    style = (files("evals.report") / "page.css").read_text("utf-8")
    groups = by_suite(runs)
    links = "".join(f'<li><a href="#{escape(name)}">{escape(name)}</a></li>' for name in groups)
    sections = "\n".join(_section(name, members) for name, members in groups.items())
    return _HEAD.format(style=style) + _BODY.format(links=links, sections=sections)


def _section(suite: str, runs: Sequence[FinishedRun]) -> str:
    return f'<section id="{escape(suite)}">{"".join(_parts(suite, runs))}</section>'


def _parts(suite: str, runs: Sequence[FinishedRun]) -> Iterator[str]:
    categories = sorted({name for run in runs for name in run.summary["by_category"]})
    printed = published_rows(suite)
    header, *rows = run_rows(runs, categories)
    yield f"<h2>{escape(suite)}</h2>{_provenance(runs)}"
    yield _table([header, *rows], published_table_rows(printed, categories))
    yield f"<p>{STRICT}</p>"
    if printed:
        yield (
            f"<p>Published rows were measured by their authors over all {printed[0].questions} questions "
            "with their models and maps; they are for scale. “Recomputed” is the overall that follows "
            "from the printed categories.</p>"
        )
    yield "<h3>Accuracy by category, 95 % intervals (Wilson)</h3>"
    yield intervals_plot(f"{suite}: accuracy by category", _intervals(runs, printed, categories))
    yield _legend(runs, printed)
    yield from _costs(suite, runs)
    pairs = paired_rows(runs)
    if len(pairs) > 1:
        yield f"<h3>Paired: exact McNemar test on common questions</h3>{_table(pairs)}"
    for table in own_tables(suite, runs):
        yield f"<h3>{escape(table.title)}</h3>{_table(table.rows)}"
    yield _stages(runs)
    for run in runs:
        yield f"<h3>Questions: {escape(run.label)}</h3>{browse(run)}"


def _provenance(runs: Sequence[FinishedRun]) -> str:
    lines = (
        f"{run.label}: protocol {run.run.protocol}, {len(run.records)} of {run.run.items} questions, "
        f"map {run.run.provider or 'none'}, version {run.run.version}, "
        f"commit {run.run.commit[:12] or 'unknown'}, "
        f"code {run.run.code_sha256[:12]}, data {run.run.data_sha256[:12]}"
        for run in runs
    )
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"


def _table(rows: Sequence[Sequence[str]], published: Sequence[Sequence[str]] = ()) -> str:
    header, *body = rows
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in header)
    own = "".join(f"<tr>{_cells(row)}</tr>" for row in body)
    printed = "".join(f'<tr class="published">{_cells(row)}</tr>' for row in published)
    return (
        f'<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{own}{printed}</tbody></table></div>"
    )


def _cells(row: Sequence[str]) -> str:
    return "".join(f"<td>{escape(cell)}</td>" for cell in row)


def _intervals(
    runs: Sequence[FinishedRun], printed: Sequence[PublishedRow], categories: Sequence[str]
) -> list[Interval]:
    shown = [row for row in printed if row.method == SHOWN_PUBLISHED]
    marks: list[Interval] = []
    for name in (OVERALL, *categories):
        for number, run in enumerate(runs):
            figures = run.summary if name == OVERALL else run.summary["by_category"].get(name)
            if figures and figures["accuracy"] is not None:
                marks.append(Interval(name, number, run.label, figures["accuracy"], *figures["ci95"]))
        for number, row in enumerate(shown, len(runs)):
            percentage = row.recomputed if name == OVERALL else row.categories.get(name)
            if percentage is not None:
                marks.append(Interval(name, number, _label(row), percentage / 100, hollow=True))
    return marks


def _legend(runs: Sequence[FinishedRun], printed: Sequence[PublishedRow]) -> str:
    labels = [run.label for run in runs]
    labels += [_label(row) for row in printed if row.method == SHOWN_PUBLISHED]
    items = (f'<li class="s{number % 8}">{escape(label)}</li>' for number, label in enumerate(labels))
    return f'<ul class="legend">{"".join(items)}</ul>'


def _label(row: PublishedRow) -> str:
    return f"{row.method} · {row.model} (published, hollow)"


def _costs(suite: str, runs: Sequence[FinishedRun]) -> Iterator[str]:
    """Accuracy against time, and against money or, where nothing was paid, tokens."""
    timed = [(run, run.summary["latency_s"]["p50"]) for run in runs if run.records]
    yield "<h3>Accuracy against latency and cost</h3>"
    yield scatter_plot(f"{suite}: accuracy against latency", "s a question (median)", _points(timed))
    if any(run.summary["cost_usd"] for run in runs):
        paid = [(run, run.summary["cost_usd"] / len(run.records)) for run in runs if run.records]
        yield scatter_plot(f"{suite}: accuracy against cost", "USD a question", _points(paid))
    elif any(run.summary["tokens_mean"] for run in runs):
        tokens = [(run, run.summary["tokens_mean"]) for run in runs if run.records]
        yield scatter_plot(f"{suite}: accuracy against tokens", "tokens a question", _points(tokens))


def _points(runs: Sequence[tuple[FinishedRun, float]]) -> list[Point]:
    return [
        Point(value, run.summary["accuracy"], number, run.label) for number, (run, value) in enumerate(runs)
    ]


def _stages(runs: Sequence[FinishedRun]) -> str:
    counted = {run.label: stage_counts(run.path, run.records) for run in runs}
    names = sorted({stage for counts in counted.values() for stage in counts})
    if not names:
        return ""
    rows = [["method", "wrong", *names]]
    for label, counts in counted.items():
        rows.append([label, str(sum(counts.values())), *(str(counts.get(name, 0)) for name in names)])
    return f"<h3>Where wrong answers went wrong</h3>{_table(rows)}"


def report(given: Namespace) -> str:
    """The tables as text; with --html also writes the page.

    Raises:
        InputFileError: A folder holds no run, a run's file is damaged, or the page cannot be written.
    """
    runs = find_runs(given.folders)
    parts = [_text(suite, members) for suite, members in by_suite(runs).items()]
    if given.html is not None:
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
    from evals.report.comparison.grids import read_results
    from evals.report.comparison.page import page

    runs = read_results(given.folders)
    _write(given.comparison, page(runs), "--comparison")
    return f"The comparison with {len(runs)} runs is in {given.comparison}."


def survey(given: Namespace) -> str:
    """Writes the page of all suites, from committed results or from folders of runs.

    Raises:
        InputFileError: As `compare`; or what stands beside the results is damaged.
    """
    from evals.report.comparison.grids import read_results
    from evals.report.suites import page, read_lines

    runs = read_results(given.folders)
    _write(given.suites, page(runs, read_lines(given.folders)), "--suites")
    return f"All suites, with {len(runs)} runs, are in {given.suites}."


def _write(path: Path, text: str, option: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputFileError(
            f"The page {path} cannot be written: {error.strerror}.",
            f"Name a file you may write with {option}.",
        ) from error
