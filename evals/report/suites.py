"""The page of all suites: figures over questions developed on beside those over unseen ones, with the gap between them.

Which questions are unseen stands in `suites.toml` beside the results, with what was measured without a run record.
The same results always give the same text.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from evals.metrics.statistics import wilson
from evals.report.comparison.grids import ShownRun, text
from evals.report.table import NONE, markdown, percent
from map_tools.errors import InputFileError
from map_tools.types import Frozen

LINES_FILE = "suites.toml"


class Figures(Frozen):
    """What became of some questions.

    Attributes:
        n, right: How many were judged, and how many of these were answered rightly.
        asked: How many were asked, if not all of them were judged.
        wrong, refused: Of all asked: wrong answers, and refusals where there was an answer; None if nobody
            told the two apart.
    """

    n: int = Field(ge=0)
    right: int = Field(ge=0)
    asked: int | None = None
    wrong: int | None = Field(default=None, ge=0)
    refused: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _possible(self) -> Self:
        asked = self.asked or self.n
        if self.right > self.n or self.right + (self.wrong or 0) + (self.refused or 0) > asked:
            raise ValueError(f"more answers than the {self.n} questions")
        return self

    @property
    def share(self) -> float | None:
        """Right answers of all judged; None without any."""
        return self.right / self.n if self.n else None


class Line(Frozen):
    """What is known of a file of results.

    Attributes:
        why: Why its questions count as developed on, or as unseen.
        unseen: Patterns of the ids of the questions that nothing was developed on.
        against: Name of the results over questions developed on that these are held against, if they are others.
    """

    why: str
    unseen: tuple[str, ...] = ()
    against: str = ""

    def holds(self, item_id: str) -> bool:
        """True if the question is unseen."""
        return any(fnmatchcase(item_id, pattern) for pattern in self.unseen)


_UNTOLD = Line(why="nobody has said that it is unseen.")


class Told(Frozen):
    """Figures of a page that no run record tells.

    Attributes:
        model: Class of the model.
        developed, unseen: At least one of them.
        llm_calls, tokens: A question. `cost_usd`: the run.
        page, lines: Where they stand, from the folder of the results, and the lines word by word.
        why: What one has to know about them.
    """

    suite: str
    model: str
    method: str
    developed: Figures | None = None
    unseen: Figures | None = None
    llm_calls: float | None = None
    tokens: float | None = None
    cost_usd: float | None = None
    day: str
    command: str = ""
    page: str
    lines: tuple[str, ...]
    why: str = ""

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.developed is None and self.unseen is None:
            raise ValueError(f"{self.suite}, {self.method}: neither developed nor unseen is given")
        return self


class Lines(Frozen):
    """All that stands beside results.

    Attributes:
        models: Name of a model → its class, in the order of the rows; other models are called by their name.
        results: Name of a file of results, without its ending → what is known of it.
    """

    models: Mapping[str, str] = {}
    results: Mapping[str, Line] = {}
    told: tuple[Told, ...] = ()

    def of(self, source: str) -> Line:
        """The line of a file of results; one without a line counts as developed on."""
        return self.results.get(source, _UNTOLD)


def read_lines(paths: Iterable[Path]) -> Lines:
    """What stands beside the results in folders, or beside files of results; nothing has to.

    Raises:
        InputFileError: A file is damaged, or has a line about results that are not there.
    """
    folders = dict.fromkeys(path if path.is_dir() else path.parent for path in paths)
    found = [_read(folder) for folder in folders if (folder / LINES_FILE).is_file()]
    return Lines(
        models={name: model for one in found for name, model in one.models.items()},
        results={name: line for one in found for name, line in one.results.items()},
        told=tuple(told for one in found for told in one.told),
    )


def _read(folder: Path) -> Lines:
    file = folder / LINES_FILE
    try:
        lines = Lines.model_validate(tomllib.loads(file.read_text("utf-8")))
    except (OSError, ValueError) as error:
        raise InputFileError(f"{file} cannot be read: {error}.", "Mend it.") from error
    for name in (*lines.results, *(line.against for line in lines.results.values() if line.against)):
        if not (folder / f"{name}.json").is_file():
            raise InputFileError(f"{file} names the results {name}, which are not there.", "Mend the name.")
    return lines


LEAD = "everyday"
"""The suite whose figure is the first line."""
FITTING_POINTS = 5.0
"""A loss of more points from questions developed on to unseen ones is called fitting."""
NOT_MEASURED = "not measured here"
_SHARES = ("right", "95 %", "wrong", "refused")
_HEADS = (
    *("model", "method", "developed on: n", *_SHARES, "unseen: n", *_SHARES),
    *("gap", "calls", "tokens", "USD", "day", "results", "command"),
)
_HEAD = f"""
All suites, from the results in this folder and what `{LINES_FILE}` says about them. Made by `mapagent eval
report docs/results --suites docs/results/suites.md`; [how to make it again](../evaluation.md#all-suites).

*Developed on*: somebody has looked at these questions, or at what went wrong with them, while working on the
program. *Unseen*: nobody has. *Gap*: right of the unseen minus right of those developed on, in points; a loss
of more than {FITTING_POINTS:g} is marked as fitting. Results count as developed on unless `{LINES_FILE}` says
why not.

*Wrong*: an answer, but not the right one. *Refused*: no answer, though there is one; a refusal of what cannot
be answered is right. Where a suite judges fewer questions than it asks ("80 of 112"), right is of those judged,
wrong and refused of all asked. Intervals are Wilson's. Calls of the model and tokens are means over questions;
USD is the whole run; replies from the cache of an earlier run count as neither. Two values: developed on /
unseen. A dash: not recorded. Models: none; 1.5B is Qwen2.5-Coder-1.5B-Instruct, with “cascade” asked only where
the reader is in doubt; the strong stand-in is a strong language model that answered in a server's place."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A method over a suite; `tail` has the cells behind the gap, `notes` what is said below the table."""

    suite: str
    model: str
    method: str
    developed: Figures | None
    unseen: Figures | None
    tail: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def cells(self) -> tuple[str, ...]:
        figures = (*_cells(self.developed), *_cells(self.unseen))
        return (self.model, self.method, *figures, _gap(self.developed, self.unseen), *self.tail)


def page(runs: Sequence[ShownRun], lines: Lines) -> str:
    """The whole page.

    Raises:
        InputFileError: A line has a pattern without questions, or parts a run that does not judge all it asks.
    """
    order = {model: place for place, model in enumerate(dict.fromkeys(lines.models.values()))}
    rows = sorted(
        (*_rows(runs, lines), *map(_told, lines.told)), key=lambda row: order.get(row.model, len(order))
    )
    head = "\n\n".join(" ".join(part.split()) for part in _HEAD.strip().split("\n\n"))
    parts = [_first(rows), head]
    for suite in sorted({row.suite for row in rows}, key=lambda name: (name != LEAD, name)):
        own = [row for row in rows if row.suite == suite]
        parts += [f"## {suite}", markdown([_HEADS, *(row.cells for row in own)])]
        if notes := dict.fromkeys(note for row in own for note in row.notes):
            parts.append("\n".join(f"- {note}" for note in notes))
    return "\n\n".join(parts) + "\n"


def _first(rows: Iterable[_Row]) -> str:
    """The heading: the figure of the leading suite's largest run."""
    row = max((row for row in rows if row.suite == LEAD), key=lambda row: _whole(row).n, default=None)
    if row is None:
        return "# All suites"
    whole = _whole(row)
    told = f"# `{LEAD}`: {percent(whole.share)} right (95 %: {_interval(whole)}) of {whole.n} questions"
    if row.developed is None or row.unseen is None:
        return told
    unseen = row.unseen
    return f"{told}; of the {unseen.n} unseen ones {percent(unseen.share)} ({_interval(unseen)})"


def _whole(row: _Row) -> Figures:
    parts = [part for part in (row.developed, row.unseen) if part]
    return Figures(n=sum(part.n for part in parts), right=sum(part.right for part in parts))


def _rows(runs: Sequence[ShownRun], lines: Lines) -> Iterator[_Row]:
    """A row for each run, or for two: one over questions developed on, and the one that is held against it."""
    _check_patterns(runs, lines)
    parted = [(run, *_parts(run, lines)) for run in runs]
    known = {_key(run, run.source): (run, developed) for run, developed, unseen in parted if unseen is None}
    held: list[ShownRun] = []
    for run, developed, unseen in sorted(parted, key=lambda part: part[1] is not None):
        other = known.get(_key(run, lines.of(run.source).against)) if developed is None else None
        if other:
            held.append(other[0])
            yield _row((other[0], run), other[1], unseen, lines)
        elif run not in held:
            yield _row((run,), developed, unseen, lines)


def _check_patterns(runs: Sequence[ShownRun], lines: Lines) -> None:
    for source in dict.fromkeys(run.source for run in runs):
        ids = [item_id for run in runs if run.source == source for item_id in run.right]
        for pattern in lines.of(source).unseen:
            if not any(fnmatchcase(item_id, pattern) for item_id in ids):
                raise InputFileError(
                    f'{LINES_FILE}: no question of {source} is called like "{pattern}".', "Mend the pattern."
                )


def _parts(run: ShownRun, lines: Lines) -> tuple[Figures | None, Figures | None]:
    """The figures over questions developed on and over unseen ones."""
    unseen = set(filter(lines.of(run.source).holds, run.right))
    counts = _counts(run, run.right.keys())
    whole = counts.model_copy(
        update={"n": run.summary["n"], "right": run.summary["correct"], "asked": counts.n}
    )
    if not unseen:
        return whole, None
    if len(unseen) == len(run.right):
        return None, whole
    if whole.n != counts.n:
        raise InputFileError(
            f"{LINES_FILE} parts the questions of {run.source}, where {whole.n} of {counts.n} are judged: "
            "which ones is not recorded.",
            "Measure the parts in runs of their own.",
        )
    return _counts(run, run.right.keys() - unseen), _counts(run, unseen)


def _counts(run: ShownRun, ids: AbstractSet[str]) -> Figures:
    right = sum(run.right[item_id] for item_id in ids)
    refused = sum(item_id in run.refused and not run.right[item_id] for item_id in ids)
    return Figures(n=len(ids), right=right, wrong=len(ids) - right - refused, refused=refused)


def _key(run: ShownRun, source: str) -> tuple[str, ...]:
    """What two runs have in common of which one is held against the other."""
    return (source, run.about.suite, run.method, run.about.model)


def _row(runs: Sequence[ShownRun], developed: Figures | None, unseen: Figures | None, lines: Lines) -> _Row:
    about = runs[-1].about
    return _Row(
        suite=about.suite,
        model=lines.models.get(about.model, about.model),
        method=runs[-1].method,
        developed=developed,
        unseen=unseen,
        tail=tuple(
            " / ".join(dict.fromkeys(cells)) for cells in zip(*(_tail(run) for run in runs), strict=True)
        ),
        notes=tuple(_note(run.source, lines) for run in runs),
    )


def _tail(run: ShownRun) -> tuple[str, ...]:
    return (
        text(run.figure("llm_calls_mean"), 1),
        text(run.figure("tokens_mean"), 0),
        text(run.figure("cost_usd"), 4),
        str(run.measured.get("finished", NONE)),
        f"[{run.source}]({run.source}.md)",
        f"`{run.command}`",
    )


def _note(source: str, lines: Lines) -> str:
    line = lines.of(source)
    unseen = ", ".join(f"`{pattern}`" for pattern in line.unseen)
    return f"`{source}`: {f'unseen: {unseen}' if unseen else 'developed on'}; {line.why}"


def _told(told: Told) -> _Row:
    link = f"[{Path(told.page).stem}]({told.page})"
    cost = (text(told.llm_calls, 1), text(told.tokens, 0), text(told.cost_usd, 4))
    tail = (*cost, told.day, link, f"`{told.command}`" if told.command else NONE)
    notes = (f"{link}: {told.why}",) if told.why else ()
    return _Row(told.suite, told.model, told.method, told.developed, told.unseen, tail, notes)


def _cells(figures: Figures | None) -> tuple[str, ...]:
    if figures is None:
        return (NOT_MEASURED, *(NONE for _ in _SHARES))
    asked = figures.asked or figures.n
    others = (None if count is None else count / asked for count in (figures.wrong, figures.refused))
    n = str(figures.n) if asked == figures.n else f"{figures.n} of {asked}"
    return (n, percent(figures.share), _interval(figures), *map(percent, others))


def _interval(figures: Figures) -> str:
    ends = wilson(figures.right, figures.n)
    return NONE if ends is None else f"{100 * ends[0]:.1f}–{100 * ends[1]:.1f}"


def _gap(developed: Figures | None, unseen: Figures | None) -> str:
    if developed is None or unseen is None or developed.share is None or unseen.share is None:
        return NONE
    points = round(100 * (unseen.share - developed.share), 9)  # 80 % to 75 % is 5 points, not a little more
    return f"**{points:+.1f}: fitting**" if points < -FITTING_POINTS else f"{points:+.1f}"
