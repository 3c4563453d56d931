"""The records of a JSON array or of JSON lines, each with the line it begins on."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from map_tools.errors import InputFileError

MAX_FILE_BYTES = 512 * 2**20
_DECODER = json.JSONDecoder()
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
"""The escape of half a character pair (RFC 8259, section 7); two halves together are a character."""


def read_records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line, record) for each record of the file.

    Raises:
        InputFileError: The file cannot be read, or a record is not a JSON object: with its line.
    """
    text = _read(path)
    records = _array(path, text) if text.lstrip()[:1] == "[" else _lines(path, text)
    halves = _HALF_PAIR.search(text) is not None
    for line, value in records:
        if not isinstance(value, dict):
            raise InputFileError(f"{path}, line {line}: a record is a JSON object.", "Correct this record.")
        if halves and not _can_be_written(value):
            raise InputFileError(f"{path}, line {line}: half of a character pair.", "Correct this record.")
        yield line, value


def _read(path: Path) -> str:
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
