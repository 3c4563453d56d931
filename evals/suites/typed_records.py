"""A benchmark's file of JSON records as typed values, strictly: each error tells its line."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ValidationError

from evals.suites.json_records import read_records
from map_tools.errors import InputFileError, UsageError
from map_tools.validation import first_fault
from mapagent.question import Question


def _can_be_asked(text: str) -> str:
    try:
        return Question(text=text).text
    except UsageError as error:
        raise ValueError(error.message) from error


type AskedText = Annotated[str, AfterValidator(_can_be_asked)]
"""The words of a question: neither empty nor too long, and readable."""


def read_typed[M: BaseModel](
    data: Path, model: type[M], names: Sequence[str], *, flaw: Callable[[M], str] | None = None
) -> tuple[M, ...]:
    """All records of a file in its order; `model` has an `id`.

    Args:
        data: The file, or the folder it lies in.
        model: What a record is.
        names: What the file is called inside a folder.
        flaw: Says what is wrong with a record as a whole; empty if nothing is.

    Raises:
        InputFileError: The file is missing or empty, or a record is malformed or repeats an id; the
            message names its line.
    """
    path = file_of(data, names)
    lines: dict[str, int] = {}
    records: list[M] = []
    for line, values in read_records(path):
        try:
            record = model.model_validate(values)
        except ValidationError as error:
            raise _malformed(path, line, values.get("id", "?"), error) from error
        name = str(values["id"])
        if flaw is not None and (said := flaw(record)):
            raise InputFileError(f"{path}, line {line} (id {name}): {said}.", "Correct this record.")
        if name in lines:
            raise InputFileError(
                f"{path}, line {line}: the id {name} was used before, in line {lines[name]}.",
                "Give each record its own id.",
            )
        lines[name] = line
        records.append(record)
    if not records:
        raise InputFileError(f"{path} holds no questions.", "Check --data.")
    return tuple(records)


def file_of(data: Path, names: Sequence[str]) -> Path:
    """The file of the records: itself, or the one inside a folder.

    Raises:
        InputFileError: The folder holds no such file, or several.
    """
    if not data.is_dir():
        return data
    found = [data / name for name in names if (data / name).is_file()]
    if len(found) != 1:
        raise InputFileError(
            f"The folder {data} holds {len(found)} files of questions ({', '.join(names)}).",
            "Name the file itself with --data.",
        )
    return found[0]


def _malformed(path: Path, line: int, name: object, error: ValidationError) -> InputFileError:
    fault = first_fault(error)
    where = fault.where or "the record"
    return InputFileError(
        f"{path}, line {line} (id {name}): {where}: {fault.reason}.", "Correct this record."
    )
