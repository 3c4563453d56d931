"""One self-contained page about runs: tables, plots, paired tests, stages of errors, questions. No script."""

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from evals.errors.analysis import stage_counts
from evals.report.browse import browse
from evals.report.own_tables import own_tables
from evals.report.plots import Interval, Point, intervals_plot, scatter_plot
from evals.report.published import PublishedRow, published_rows
from evals.report.runs import FinishedRun, by_suite
from evals.report.table import STRICT, paired_rows, published_table_rows, run_rows

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
