"""The folder of a run: run.json, results.jsonl, summary.json and traces, safe to kill and to resume.

A record is one line, written whole and flushed. What a kill leaves is at most half a line at the end; it is
cut off when the run is resumed, and that question is asked again. Nothing of another run is overwritten.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from pydantic import ValidationError

from evals.runner.identity import RunRecord
from evals.runner.records import FORMAT_VERSION, Record, as_line, from_line
from map_tools.errors import InputFileError, OutputFileError, UsageError
from map_tools.files import Journal, write_json

RUN_FILE = "run.json"
RESULTS_FILE = "results.jsonl"
SUMMARY_FILE = "summary.json"
TRACES = "traces"
_CONTINUE = "Make sure that there is space and that you may write there, and continue with --resume."


class RunFolder:
    """A run's folder, opened for writing by one process at a time; use as a context manager.

    Args:
        path: The folder.
        results: Its results, one line each.
        done: Records of the questions that are finished.
    """

    def __init__(self, path: Path, results: Journal, done: Mapping[str, Record]) -> None:
        self.path = path
        self.done = dict(done)
        self._results = results

    @classmethod
    def open(cls, path: Path, record: RunRecord, *, resume: bool) -> Self:
        """Begins a run in an empty or new folder, or resumes the same run.

        Raises:
            UsageError: The folder holds a run and `resume` is not given, it holds another run, something
                that is no run, or another process is writing to it. Nothing is changed then.
            InputFileError: A file of the run is damaged (with its line), or the folder cannot be written.
        """
        try:
            path.mkdir(parents=True, exist_ok=True)
            known = read_run(path)
            _check(path, known, record, resume=resume)
        except OSError as error:
            raise InputFileError(
                f"The folder {path} cannot be written: {error.strerror}.", "Choose another with --out."
            ) from error
        results = Journal.open(path / RESULTS_FILE, remedy=_CONTINUE)
        try:
            done = {record.id: record for record in _parse(results.path, results.lines())}
            if known is None:
                with _writing(path):
                    write_json(path / RUN_FILE, record.model_dump(mode="json"))
        except BaseException:
            results.close()
            raise
        return cls(path, results, done)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets another process write."""
        self._results.close()

    def append(self, record: Record) -> None:
        """Writes one record; it is on its way to the disk when this returns, and survives a kill.

        Raises:
            OutputFileError: It cannot be written.
        """
        self._results.append(as_line(record))
        self.done[record.id] = record

    def write_trace(self, item_id: str, text: str) -> None:
        """Keeps what a question was answered with; texts stay here and never enter the results.

        Raises:
            OutputFileError: It cannot be written.
        """
        folder = self.path / TRACES
        with _writing(folder):
            folder.mkdir(exist_ok=True)
            (folder / f"{quote(item_id, safe='')}.json").write_text(text, encoding="utf-8")

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        """Writes summary.json in one step.

        Raises:
            OutputFileError: It cannot be written.
        """
        with _writing(self.path):
            write_json(self.path / SUMMARY_FILE, summary)


def read_run(path: Path) -> RunRecord | None:
    """The run record of a folder; None if the folder holds no run.

    Raises:
        InputFileError: run.json is not a run record of this version.
    """
    file = path / RUN_FILE
    try:
        return RunRecord.model_validate_json(file.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (ValidationError, UnicodeDecodeError) as error:
        raise InputFileError(
            f"{file} is not a run record of this version.", "Choose another folder with --out."
        ) from error


def read_results(path: Path) -> tuple[Record, ...]:
    """All finished records of a run's folder, half a line at the end left out.

    Raises:
        InputFileError: The file is missing, a line is damaged, or an id occurs twice: with its line.
    """
    file = path / RESULTS_FILE
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputFileError(
            f"{file} cannot be read: {error.strerror}.", "Name the folder of a run."
        ) from error
    return tuple(_parse(file, content[: content.rfind(b"\n") + 1].splitlines()))


def read_trace(path: Path, item_id: str) -> dict[str, Any] | None:
    """What was kept of a question; None if nothing was."""
    file = path / TRACES / f"{quote(item_id, safe='')}.json"
    try:
        trace: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return trace


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputFileError(
            f"The folder {folder} cannot be written: {error.strerror}.", _CONTINUE
        ) from error


def _check(path: Path, known: RunRecord | None, record: RunRecord, *, resume: bool) -> None:
    if known is None:
        strange = [entry.name for entry in path.iterdir() if not _may_be_there(entry)]
        if strange:
            raise UsageError(
                f"The folder {path} holds '{sorted(strange)[0]}' and is no run's folder.",
                "Choose another with --out; nothing was changed.",
            )
        return
    if not resume:
        raise UsageError(
            f"The folder {path} holds a run of '{known.method}' over {known.suite}.",
            "Continue it with --resume, or choose another folder with --out; nothing was changed.",
        )
    name = known.difference(record)
    if name:
        raise UsageError(
            f"The folder {path} holds another run: its {name} is not that of this one"
            f" ({_short(getattr(known, name))} there, {_short(getattr(record, name))} here).",
            "Choose another folder with --out; nothing was changed.",
        )


def _may_be_there(entry: Path) -> bool:
    """Hidden files, and what a run leaves that was killed before it had begun."""
    return entry.name.startswith(".") or (entry.name == RESULTS_FILE and entry.stat().st_size == 0)


def _short(value: Any) -> str:
    text = str(value) or "none"
    return text if len(text) <= 60 else f"{text[:24]}…"


def _parse(file: Path, lines: Iterable[bytes]) -> Iterator[Record]:
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        try:
            record = from_line(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            raise InputFileError(
                f"{file}, line {number}: {where}: {first['msg']}.",
                f"It should be a record of format {FORMAT_VERSION}; choose another folder.",
            ) from error
        if record.v != FORMAT_VERSION or record.id in seen:
            what = f"the id {record.id} occurs twice" if record.id in seen else f"format {record.v}"
            raise InputFileError(f"{file}, line {number}: {what}.", "Choose another folder with --out.")
        seen.add(record.id)
        yield record
