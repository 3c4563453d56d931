"""Printed cells and the figures of committed results in one table: ours in rows of their own, or in columns.

GS-QA's templates go by output type, MapQA's types by Geo-ReAct's numbers.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from evals.metrics.statistics import mean
from evals.report.committed import FORMAT_VERSION, as_json
from evals.report.runs import find_runs
from evals.report.table import NONE, PrintedTable, decimals
from evals.runner.folder import RUN_FILE
from evals.runner.identity import RunRecord
from map_tools.errors import InputFileError
from mapagent.runtime.config import digest

ID_CHARS = 8
_OWN_MAP = {"gsqa": "osm:gsqa", "mapqa": "osm:mapqa", "recommend-mapqa": "osm:mapqa"}
"""The map a suite makes of the places published with its benchmark; over others, questions are generated."""
_WISHES = "recommend"
_EMBEDDED = "osm:"
_REMEDY = "Write it anew with `python -m evals.report.committed`."


@dataclass(frozen=True, slots=True)
class ShownRun:
    """One run.

    Attributes:
        source: Name of the results it stands in, without an ending.
        id: The first characters of the digest of its run record.
        about: Its run record: what was run.
        summary, measured: Its figures (`evals.runner.records`, `evals.report.committed`).
        right: Id of each question → whether it was answered rightly.
        stages: Id of each wrong answer → where it went wrong.
        refused: Ids of the questions it gave no answer to.
    """

    source: str
    id: str
    about: RunRecord
    summary: Mapping[str, Any]
    measured: Mapping[str, Any]
    right: Mapping[str, bool]
    stages: Mapping[str, str]
    refused: frozenset[str]

    @property
    def method(self) -> str:
        """The method, with the map it asked if the suite may ask several."""
        suite, asked = self.about.suite, self.about.provider
        told = asked and asked != _OWN_MAP.get(suite)
        return f"{self.about.method} ({asked})" if told else self.about.method

    @property
    def label(self) -> str:
        """Method and model."""
        return f"{self.method} · {self.about.model}"

    @property
    def judged(self) -> int:
        """How many questions the figures are over: recommendations leave out what their gold cannot tell."""
        return int(self.summary["n"]) if self.about.suite.startswith(_WISHES) else self.about.items

    @property
    def on_the_benchmark(self) -> bool:
        """False for questions that were generated over another map."""
        return self.about.provider == _OWN_MAP.get(self.about.suite, self.about.provider)

    @property
    def command(self) -> str:
        """The command that makes such a run, as far as its record tells: paths are not kept."""
        chosen, asked = self.about.selection, self.about.provider
        own = _OWN_MAP.get(self.about.suite)
        given = asked != own if own else asked.startswith(_EMBEDDED)
        switches = {
            "--map": asked.removeprefix(_EMBEDDED) if given else None,
            "--base-url": "URL" if self.about.settings.get("base_url_set") else None,
            "--protocol": self.about.protocol if self.about.protocol != "fair" else None,
            "--limit": chosen.get("limit"),
            "--seed": chosen.get("seed"),
            "--sample": "FILE" if chosen.get("sampled") else None,
        }
        words = ["mapagent eval", self.about.suite, "--data PATH"]
        words += ["--method", self.about.method, "--model", self.about.model]
        words += [f"{name} {value}" for name, value in switches.items() if value is not None]
        return " ".join([*words, *(["--exclude-defective"] if chosen.get("exclude_defective") else [])])

    def figure(self, *path: str) -> float | None:
        """A figure of the summary; None if the run does not have it."""
        return _dig(self.summary, path)

    def kept(self, *path: str) -> float | None:
        """A figure of what is measured beside the summary; None if the run does not have it."""
        return _dig(self.measured, path)


def read_results(paths: Iterable[Path]) -> tuple[ShownRun, ...]:
    """All runs of result files, of the result files in folders, and of folders of runs.

    Raises:
        InputFileError: A path does not exist or holds no run, or a file is damaged or of another version.
    """
    return tuple(run for path in paths for run in _read(path))


def _read(path: Path) -> list[ShownRun]:
    if path.is_dir() and any(path.rglob(RUN_FILE)):
        return list(_shown(path.name, as_json(find_runs([path]))))
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    runs = [run for file in files for run in _shown_file(file, wanted=file == path)]
    if not runs:
        raise InputFileError(
            f"There is no result in {path}.", "Name a file, or a folder, of committed results."
        )
    return runs


def _shown_file(file: Path, *, wanted: bool) -> Iterator[ShownRun]:
    """The runs of a file; one that was named (`wanted`) must have runs, others of a folder need not."""
    try:
        data = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputFileError(f"{file} cannot be read: {error}.", _REMEDY) from error
    if not _has_runs(data):
        if wanted:
            raise InputFileError(f"{file} holds no runs.", _REMEDY)
        return
    if data.get("v") != FORMAT_VERSION:
        raise InputFileError(f"{file} is of version {data.get('v')}, not {FORMAT_VERSION}.", _REMEDY)
    try:
        yield from _shown(file.stem, data)
    except (ValidationError, KeyError, TypeError) as error:
        raise InputFileError(f"{file} is damaged: {error}.", _REMEDY) from error


def _has_runs(data: Any) -> bool:
    runs = data.get("runs") if isinstance(data, dict) else None
    return isinstance(runs, list) and bool(runs) and isinstance(runs[0], dict) and "run" in runs[0]


def _shown(source: str, data: Mapping[str, Any]) -> Iterator[ShownRun]:
    for entry in data["runs"]:
        stages = entry["wrong"]
        yield ShownRun(
            source=source,
            id=digest([json.dumps(entry["run"], sort_keys=True).encode()])[:ID_CHARS],
            about=RunRecord.model_validate(entry["run"]),
            summary=entry["summary"],
            measured=entry.get("measured", {}),
            right=dict.fromkeys(entry["right"], True) | dict.fromkeys(stages, False),
            stages=stages,
            refused=frozenset(entry["refused"]),
        )


def _dig(values: Mapping[str, Any], path: Iterable[str]) -> float | None:
    found: Any = values
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return None if found is None else float(found)


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


type Figure = Callable[[ShownRun, str], float | None]
"""A figure of a run for a template or type."""

OUTPUTS = {
    "names": tuple(f"T{number}" for number in range(1, 13)),
    "locations": tuple(f"T{number}" for number in range(13, 21)),
    "directions": ("T21", "T22"),
    "counts": ("T23", "T24"),
    "distances": ("T25", "T26"),
    "areas": ("T27",),
    "lengths": ("T28",),
}
"""Our names of GS-QA's output types, and their templates (GS-QA, table 3)."""
MEAN = "Avg"
"""The row of a printed table with the mean of the others."""
M_TYPES = dict(zip((f"M{number}" for number in range(1, 10)), (1, 4, 2, 3, 5, 6, 9, 8, 7), strict=True))
"""Geo-ReAct's number of a type of MapQA → the benchmark's number (docs/benchmark-audit.md)."""
M_NUMERIC = "M9"
M_ENTITY = tuple(name for name in M_TYPES if name != M_NUMERIC)


def category(name: str) -> str:
    """The category of a template, or of a type of MapQA by Geo-ReAct's number."""
    return f"type {M_TYPES[name]}" if name in M_TYPES else name


def by_template(figure: str) -> Figure:
    """A figure of `evals.suites.scoring.gsqa`."""
    return lambda run, template: run.figure("metrics", "by_template", template, figure)


def kept(figure: str) -> Figure:
    """A figure of `evals.report.committed`."""
    return lambda run, name: run.kept("by_category", category(name), figure)


def their_accuracy(run: ShownRun, name: str) -> float | None:
    """Accuracy of a type of MapQA by Geo-ReAct's rules: containment, and the stored (planar) distance."""
    if name == M_NUMERIC:
        return run.figure("metrics", "type7_planar", "agreement")
    return run.kept("by_category", category(name), "contained")


def output_mean(run: ShownRun, output: str, figure: Figure) -> float | None:
    """The mean over the templates of an output type."""
    return average(figure(run, template) for template in OUTPUTS[output])


def row_figure(table: PrintedTable, run: ShownRun, name: str, figure: Figure) -> float | None:
    """A figure of ours for the row of a template, or for the last row: the mean of the others."""
    if name != MEAN:
        return figure(run, name)
    return average(figure(run, row[0]) for row in table.rows if row[0] != MEAN)


def column_mean(table: PrintedTable, column: str, rows: Iterable[str]) -> float | None:
    """The mean of the printed figures of some rows."""
    wanted = frozenset(rows)
    return average(table.figures(row).get(column) for row in table.rows if row[0] in wanted)
