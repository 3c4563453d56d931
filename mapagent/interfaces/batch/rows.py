"""What a row of the table of questions says, and how it becomes a question."""

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from map_tools.errors import InputFileError, UsageError
from mapagent.core.question import Question
from mapagent.interfaces.batch.table import InputTable
from mapagent.interfaces.cli.command import moment, position

QUESTION = "question"
_TEXT = ("VARCHAR",)
COLUMNS = {
    QUESTION: _TEXT,
    "options": ("VARCHAR[]",),
    "context": _TEXT,
    "image": _TEXT,
    "near": _TEXT,
    "at": (
        *_TEXT,
        "TIMESTAMP",
        "TIMESTAMP_S",
        "TIMESTAMP_MS",
        "TIMESTAMP_NS",
        "TIMESTAMP WITH TIME ZONE",
    ),
}
"""The columns that are read, with the types each may have; moments that know their zone are read in UTC."""
_ALL_NULL = ("INTEGER", "INTEGER[]")
"""What DuckDB writes for a column, or a list, that holds nothing but NULL."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it stands in the table; None where it says nothing.

    Attributes:
        number: Its place in the table, from 0.
        near: "LAT,LON" in degrees.
        at: A moment in ISO 8601.
        image: Path of a picture, from the folder of the table if it is relative.
    """

    number: int
    question: str | None
    options: list[str | None] | None = None
    context: str | None = None
    image: str | None = None
    near: str | None = None
    at: str | None = None


def read_rows(table: InputTable) -> Iterator[Row]:
    """The rows of a table in its order.

    Raises:
        InputFileError: The table is damaged.
    """
    present = {name: "VARCHAR[]" if name == "options" else "VARCHAR" for name in _present(table)}
    for number, *values in table.read(present):
        yield Row(number, **dict(zip(present, values, strict=True)))


def check_columns(table: InputTable) -> None:
    """Finds out before anything is asked whether the columns can be read.

    Raises:
        InputFileError: There is no column `question`, or a column has another type.
    """
    if QUESTION not in table.columns:
        raise InputFileError(
            f"The table {table.path} has no column '{QUESTION}'.",
            f"It has {', '.join(table.columns)}; rename the one with the questions.",
        )
    for name in _present(table):
        kind, allowed = table.columns[name], COLUMNS[name]
        if kind not in allowed and kind not in _ALL_NULL:
            raise InputFileError(
                f"The column '{name}' of {table.path} is of the type {kind}.",
                f"It should be {' or '.join(allowed)}.",
            )


def question_of(row: Row, folder: Path) -> Question:
    """The question of a row.

    Args:
        row: The row.
        folder: Where relative paths of pictures begin.

    Raises:
        UsageError: Something in the row is not what it should be; says what.
    """
    return Question(
        text=row.question or "",
        options=tuple(option or "" for option in row.options or ()),
        context=_said(row.context),
        image=_as(folder.joinpath, "image", row.image),
        near=_as(position, "near", row.near),
        at=_as(moment, "at", row.at),
    )


def _present(table: InputTable) -> list[str]:
    return [name for name in COLUMNS if name in table.columns]


def _said(text: str | None) -> str | None:
    """The text of an optional column; blank counts as nothing."""
    return text if text and not text.isspace() else None


def _as[T](read: Callable[[str], T], column: str, text: str | None) -> T | None:
    """The value of an optional column, read as the command line reads it."""
    said = _said(text)
    try:
        return read(said) if said is not None else None
    except ArgumentTypeError as error:
        raise UsageError(f"{column}: {error}.") from error
