"""What is finished of a batch: a folder beside the table of answers, until that table is written.

    answers.parquet.part/
    ├── batch.json     the table, the settings and the moment the answers are for
    ├── rows.jsonl     one line for each finished row, in the order they came
    └── sorting/       what does not fit into memory while the table is written

A kill loses what was under way and nothing else: the same command goes on where it stopped.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from map_tools.errors import InputFileError, LimitError, MapAgentError, OutputFileError, UsageError
from map_tools.files import Journal, write_json
from mapagent.core.answer import Answer, Status, Usage
from mapagent.interfaces.batch.table import InputTable, write_answers
from mapagent.interfaces.cli.show import as_record

FORMAT_VERSION = 1
SUFFIX = ".part"
BATCH_FILE = "batch.json"
ROWS_FILE = "rows.jsonl"
_TABLE = "answers.parquet"
_SORTING = "sorting"
_FINISHED = "finished"
_CONTINUE = "Make sure that there is space and that you may write there, and run the same command again."
INVALID = "invalid"
"""Status of a row that is no question."""
COLUMNS = {
    "status": "VARCHAR",
    "answer": "VARCHAR",
    "option": "VARCHAR",
    "option_index": "INTEGER",
    "unanswerable": "BOOLEAN",
    "reason": "VARCHAR",
    "confidence": "DOUBLE",
    "explanation": "VARCHAR",
    "warnings": "VARCHAR[]",
    "evidence": "VARCHAR",
    "plan": "VARCHAR",
    "program": "VARCHAR",
    "understood": "VARCHAR",
    "parts": "VARCHAR",
    "places": "VARCHAR",
    "candidates": "VARCHAR",
    "usage": "STRUCT(llm_calls INTEGER, tool_calls INTEGER, prompt_tokens INTEGER, completion_tokens INTEGER,"
    " cost_usd DOUBLE, latency_s DOUBLE)",
    "model": "VARCHAR",
    "provider": "VARCHAR",
    "map": "VARCHAR",
    "attribution": "VARCHAR",
    "base_map": "VARCHAR",
}
"""Columns of the table of answers with DuckDB's names of their types."""
_AS_TEXT = ("evidence", "plan", "parts", "places", "candidates")
"""Fields whose shape differs from row to row: JSON in a column of text."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a row.

    Attributes:
        line: One line of JSON with its end.
        cost_usd: What it cost.
        cut_short: It ended at the run's money and at no limit of its own, so it has to be asked again.
    """

    line: bytes
    cost_usd: float = 0.0
    cut_short: bool = False


def outcome_of(number: int, answer: Answer, *, cut_short: bool = False) -> Outcome:
    """The outcome of a row with an answer, of whatever status."""
    return _outcome(number, as_record(answer), cut_short=cut_short)


def invalid(number: int, error: MapAgentError) -> Outcome:
    """The outcome of a row that is no question."""
    return _outcome(number, as_record(failure(error)) | {"status": INVALID})


def failure(error: MapAgentError, usage: Usage | None = None) -> Answer:
    """The answer to a question that ended with an error or at a limit."""
    status = Status.LIMIT if isinstance(error, LimitError) else Status.ERROR
    return Answer(status=status, text="", reason=str(error), usage=usage or Usage())


def _outcome(number: int, record: dict[str, Any], *, cut_short: bool = False) -> Outcome:
    texts = {name: json.dumps(record[name], ensure_ascii=False) for name in _AS_TEXT}
    line = {"row": number, **record, **texts}
    return Outcome(f"{json.dumps(line)}\n".encode(), record["usage"]["cost_usd"], cut_short)


class Part:
    """The finished rows of a batch; use as a context manager.

    Args:
        folder: The folder.
        rows: The lines of finished rows, open for writing.
        now: The moment "now" stands for.
        total: Rows of the table of questions.

    Attributes:
        done: For each row 1 if it is finished.
        spent_usd: What the finished rows cost.
    """

    def __init__(self, folder: Path, rows: Journal, now: datetime, total: int) -> None:
        self.folder = folder
        self.now = now
        self.done = bytearray(total)
        self.spent_usd = 0.0
        self._rows = rows
        for number, line in enumerate(rows.lines(), 1):
            self._note(number, line)

    @classmethod
    def open(cls, out: Path, identity: Mapping[str, Any], *, now: datetime, total: int) -> Self:
        """Begins a batch beside `out`, or goes on with the same batch.

        Args:
            out: The table of answers.
            identity: What the answers depend on, as JSON.
            now: The moment "now" stands for, if it begins.
            total: Rows of the table of questions.

        Raises:
            UsageError: What is there is of another batch, or another process is working on it.
            InputFileError: What is there is damaged.
            OutputFileError: The folder cannot be written.
        """
        folder = part_of(out)
        with _writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        rows = Journal.open(folder / ROWS_FILE, remedy=_CONTINUE)
        try:
            known = read_batch(folder)
            if known is None:
                known = {"v": FORMAT_VERSION, "now": now.isoformat(), **identity}
                with _writing(folder):
                    write_json(folder / BATCH_FILE, known)
            _check(folder, known, identity)
            return cls(folder, rows, datetime.fromisoformat(known["now"]), total)
        except BaseException:
            rows.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._rows.close()

    def keep(self, number: int, outcome: Outcome) -> None:
        """Writes down a finished row.

        Raises:
            OutputFileError: It cannot be written.
        """
        self._rows.append(outcome.line)
        self.done[number] = 1
        self.spent_usd += outcome.cost_usd

    def finish(self, source: InputTable, out: Path) -> dict[str, int]:
        """Writes the table of answers in one step and removes this folder.

        Returns:
            How many rows there are of each status.

        Raises:
            OutputFileError: It cannot be written; what is finished stays.
        """
        import duckdb

        table = self.folder / _TABLE
        with _writing(self.folder):
            try:
                counts = write_answers(
                    source, self._rows.path, COLUMNS, table, scratch=self.folder / _SORTING
                )
            except duckdb.Error as error:
                first = str(error).partition("\n")[0]
                raise OutputFileError(f"The table {out} cannot be written: {first}.", _CONTINUE) from error
            if sum(counts.values()) != source.rows:
                raise MapAgentError(
                    f"{sum(counts.values())} rows were written for {source.rows} rows of {source.path}.",
                    f"Remove {self.folder} and run the batch again.",
                )
            _to_disk(table)
            (self.folder / _FINISHED).touch()
            table.replace(out)
        shutil.rmtree(self.folder, ignore_errors=True)
        return counts

    def _note(self, number: int, line: bytes) -> None:
        """Takes in a line that an earlier sitting wrote."""
        try:
            record = json.loads(line)
            row = range(len(self.done)).index(record["row"])  # an error unless it is one of the rows
            cost_usd = float(record["usage"]["cost_usd"])
            fresh = not self.done[row]
        except (ValueError, KeyError, TypeError) as error:
            raise self._damaged(number, "it is no finished row") from error
        if not fresh:
            raise self._damaged(number, f"row {row} is finished twice")
        self.done[row] = 1
        self.spent_usd += cost_usd

    def _damaged(self, number: int, problem: str) -> InputFileError:
        return InputFileError(
            f"{self._rows.path}, line {number}: {problem}.", f"Remove {self.folder} to begin the batch anew."
        )


def part_of(out: Path) -> Path:
    """The folder of what is finished."""
    return out.with_name(out.name + SUFFIX)


def check_free(out: Path) -> None:
    """Makes sure that no table is overwritten.

    Raises:
        UsageError: There is something already.
    """
    if out.exists():
        folder = part_of(out)
        if (folder / _FINISHED).exists() and not (folder / _TABLE).exists():
            shutil.rmtree(folder, ignore_errors=True)  # it was killed after its last step but one
        raise UsageError(f"{out} is there already.", "Name another file, or remove it; nothing was changed.")


def read_batch(folder: Path) -> dict[str, Any] | None:
    """What a batch was begun with; None if none was.

    Raises:
        InputFileError: It is damaged, or of another version.
    """
    file = folder / BATCH_FILE
    try:
        known: dict[str, Any] = json.loads(file.read_text("utf-8"))
        same = known["v"] == FORMAT_VERSION
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        same = False
    if not same:
        raise InputFileError(
            f"{file} is not of a batch of this version.", f"Remove {folder} to begin the batch anew."
        )
    return known


def _check(folder: Path, known: Mapping[str, Any], identity: Mapping[str, Any]) -> None:
    other = next((name for name in identity if known.get(name) != identity[name]), None)
    if other is not None:
        raise UsageError(
            f"{folder} holds another batch: its {other} is not that of this one"
            f" ({known.get(other)} there, {identity[other]} here).",
            "Run that one to its end, remove the folder, or write somewhere else; nothing was changed.",
        )


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputFileError(f"{folder} cannot be written: {error.strerror}.", _CONTINUE) from error


def _to_disk(path: Path) -> None:
    with path.open("rb") as stream:
        os.fsync(stream.fileno())
