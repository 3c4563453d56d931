"""The file of MapEval-Textual and MapEval-API: one format, one file (github.com/MapEval, dataset.json)."""

from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, StrictInt, model_validator

from evals.suites.typed_records import AskedText, file_of, read_typed
from map_tools.types import Frozen
from mapagent.question import MAX_OPTIONS

UNANSWERABLE = "unanswerable"
NO_OPTION = -1
"""`correct` of a question that the context does not answer."""
FILE_NAMES = ("dataset.json", "dev.json", "holdout.json")
"""What the file is called inside a folder given as --data."""


class Options(Frozen):
    """The answer part of a record: `correct` is an index into `options`, or -1."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    type: Literal["mcq"]
    options: tuple[str, ...] = Field(min_length=2, max_length=MAX_OPTIONS)
    correct: StrictInt = Field(ge=NO_OPTION)

    @model_validator(mode="after")
    def _in_range(self) -> "Options":
        if self.correct >= len(self.options):
            raise ValueError(f"'correct' is {self.correct}, but there are {len(self.options)} options")
        return self


class MapEvalRecord(Frozen):
    """One question as in the source.

    `classification` is null exactly for what cannot be answered. `twin_of` is no part of the source: it names
    the question that an unanswerable twin was made from (`mapagent generate twins`).
    """

    id: StrictInt | str
    question: AskedText
    answer: Options
    context: str = ""
    classification: Literal["nearby", "poi", "routing", "trip", "unanswerable"] | None
    twin_of: StrictInt | str | None = None

    @property
    def answerable(self) -> bool:
        """True if one of the options is right."""
        return self.answer.correct != NO_OPTION

    @property
    def category(self) -> str:
        """What it is counted under."""
        return self.classification or UNANSWERABLE if self.answerable else UNANSWERABLE

    @property
    def defect(self) -> str:
        """Why the right option cannot be told from the others; empty if it can."""
        if not self.answerable:
            return ""
        options = [text.strip().casefold() for text in self.answer.options]
        right = options[self.answer.correct]
        if not right:
            return "the right option is empty"
        return "the right option is listed twice" if options.count(right) > 1 else ""


def read_mapeval(data: Path) -> tuple[MapEvalRecord, ...]:
    """All records in the file's order.

    Args:
        data: The file, or the folder it lies in.

    Raises:
        InputFileError: The file is missing, or a record is malformed, a duplicate or of an unknown category;
            the message names its line.
    """
    return read_typed(data, MapEvalRecord, FILE_NAMES, flaw=_flaw)


def data_file(data: Path) -> Path:
    """The file of the questions: itself, or the one inside a folder.

    Raises:
        InputFileError: There is no such file, or several.
    """
    return file_of(data, FILE_NAMES)


def _flaw(record: MapEvalRecord) -> str:
    missing = record.answerable and record.classification is None
    return "'classification' is missing" if missing else ""
