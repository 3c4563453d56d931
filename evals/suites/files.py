"""A benchmark's file of JSON records as typed values, strictly: each error tells the line its record begins on.

The file is a JSON array or JSON lines.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ValidationError

from map_tools.errors import InputFileError, UsageError
from map_tools.validation import first_fault
from mapagent.core.question import Question

MAX_FILE_BYTES = 512 * 2**20
_DECODER = json.JSONDecoder()
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
"""The escape of half a character pair (RFC 8259, section 7); two halves together are a character."""


def read_records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line, record) for each record of the file.

    Raises:
        InputFileError: The file cannot be read, or a record is not a JSON object: with its line.
    """
    text = read_whole(path)
    records = _array(path, text) if text.lstrip()[:1] == "[" else _lines(path, text)
    halves = _HALF_PAIR.search(text) is not None
    for line, value in records:
        if not isinstance(value, dict):
            raise InputFileError(f"{path}, line {line}: a record is a JSON object.", "Correct this record.")
        if halves and not _can_be_written(value):
            raise InputFileError(f"{path}, line {line}: half of a character pair.", "Correct this record.")
        yield line, value


def read_whole(path: Path) -> str:
    """The text of a file.

    Raises:
        InputFileError: It cannot be read, is too large, or is not UTF-8.
    """
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
        if len(content) > MAX_FILE_BYTES:
            raise InputFileError(f"{path} is larger than {MAX_FILE_BYTES // 2**20} MB.", "Split it up.")
        return content.decode("utf-8-sig")
    except OSError as error:
        raise InputFileError(f"{path} cannot be read: {error.strerror}.", "Check --data.") from error
    except UnicodeDecodeError as error:
        raise InputFileError(f"{path} is not UTF-8 text.", "Convert it to UTF-8.") from error


def _lines(path: Path, text: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, _decode(path, line, 0, number)[0]


def _array(path: Path, text: str) -> Iterator[tuple[int, Any]]:
    """The elements one by one, so that an error is told with the line of its record."""
    at, line = text.index("[") + 1, 1 + text.count("\n", 0, text.index("["))
    expect_more = False
    while True:
        at, line = _skip(text, at, line)
        if text[at : at + 1] == "]" and not expect_more:
            break
        value, end = _decode(path, text, at, line)
        yield line, value
        line += text.count("\n", at, end)
        at, line = _skip(text, end, line)
        expect_more = text[at : at + 1] == ","
        if not expect_more and text[at : at + 1] != "]":
            raise InputFileError(f"{path}, line {line}: not JSON (a comma or ] is missing).", "Correct it.")
        at += expect_more
    if text[at + 1 :].strip():
        raise InputFileError(f"{path}, line {line}: there is more behind the end of the list.", "Correct it.")


def _skip(text: str, at: int, line: int) -> tuple[int, int]:
    """Past white space: the new position and its line."""
    start = at
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at, line + text.count("\n", start, at)


def _decode(path: Path, text: str, at: int, line: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, at) if at else _whole(text)
    except json.JSONDecodeError as error:
        where = line + text.count("\n", at, error.pos)
        raise InputFileError(
            f"{path}, line {where}: not JSON ({error.msg}).", "Correct this line."
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputFileError(f"{path}, line {line}: cannot be read ({error}).", "Correct it.") from error


def _can_be_written(value: Any) -> bool:
    """Whether no text in it holds half a pair, which is no character and cannot be stored."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _whole(line: str) -> tuple[Any, int]:
    return json.loads(line), len(line)


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
