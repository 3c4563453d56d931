"""The folder of a run: run.json, results.jsonl, summary.json and traces, safe to kill and to resume.

A record is one line, written whole and flushed. What a kill leaves is at most half a line at the end; it is
cut off when the run is resumed, and that question is asked again. Nothing of another run is overwritten.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from pydantic import ValidationError

from evals.runner.identity import RunRecord
from evals.runner.records import FORMAT_VERSION, Record, as_line, from_line
from map_tools.errors import InputFileError, UsageError

RUN_FILE = "run.json"
RESULTS_FILE = "results.jsonl"
SUMMARY_FILE = "summary.json"
TRACES = "traces"


class RunFolder:
    """A run's folder, opened for writing by one process at a time; use as a context manager.

    Args:
        path: The folder.
        done: Records of the questions that are finished.
    """

    def __init__(self, path: Path, done: Mapping[str, Record], results: int) -> None:
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
            descriptor = _lock(path)
        except OSError as error:
            raise InputFileError(
                f"The folder {path} cannot be written: {error.strerror}.", "Choose another with --out."
            ) from error
        try:
            done = _recover(path, descriptor)
            if known is None:
                write_json(path / RUN_FILE, record.model_dump(mode="json"))
        except BaseException:
            os.close(descriptor)
            raise
        return cls(path, done, descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets another process write."""
        os.close(self._results)

    def append(self, record: Record) -> None:
        """Writes one record; it is on its way to the disk when this returns, and survives a kill."""
        line = as_line(record)
        while line:
            line = line[os.write(self._results, line) :]
        self.done[record.id] = record

    def write_trace(self, item_id: str, text: str) -> None:
        """Keeps what a question was answered with; texts stay here and never enter the results."""
        folder = self.path / TRACES
        folder.mkdir(exist_ok=True)
        (folder / f"{quote(item_id, safe='')}.json").write_text(text, encoding="utf-8")

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        """Writes summary.json in one step."""
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
    return tuple(_parse(file, content[: _whole(content)]))


def read_trace(path: Path, item_id: str) -> dict[str, Any] | None:
    """What was kept of a question; None if nothing was."""
    file = path / TRACES / f"{quote(item_id, safe='')}.json"
    try:
        trace: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return trace


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    """Writes beside and renames, so that a reader never sees half a file."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(path)


def _check(path: Path, known: RunRecord | None, record: RunRecord, *, resume: bool) -> None:
    if known is None:
        strange = [entry.name for entry in path.iterdir() if not entry.name.startswith(".")]
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


def _short(value: Any) -> str:
    text = str(value) or "none"
    return text if len(text) <= 60 else f"{text[:24]}…"


def _lock(path: Path) -> int:
    """Opens results.jsonl for appending and keeps others from doing so."""
    descriptor = os.open(path / RESULTS_FILE, os.O_CREAT | os.O_RDWR | os.O_APPEND, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        raise UsageError(
            f"Another process is writing to {path}.", "Wait for it, or choose another folder with --out."
        ) from error
    return descriptor


def _recover(path: Path, descriptor: int) -> dict[str, Record]:
    """The finished records; half a line that a kill left at the end is cut off."""
    content = (path / RESULTS_FILE).read_bytes()
    whole = _whole(content)
    records = {record.id: record for record in _parse(path / RESULTS_FILE, content[:whole])}
    if whole < len(content):
        os.ftruncate(descriptor, whole)
    return records


def _whole(content: bytes) -> int:
    """Length of the part that ends with a line's end."""
    return content.rfind(b"\n") + 1


def _parse(file: Path, content: bytes) -> Iterator[Record]:
    seen: set[str] = set()
    for number, line in enumerate(content.splitlines(), 1):
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
