"""A question with everything supplied with it."""

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, field_validator

from map_tools.errors import UsageError
from map_tools.types import Frozen, LatLng

MAX_OPTIONS = 26
MAX_CHARS = 20_000
"""Longest question, far more than any needs: the time to read a text grows with its length."""
YEARS = range(1900, 2200)
"""Years that moments may lie in: arithmetic near the calendar's first or last date would overflow."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_FENCES = ("```", "~~~")
_DATA = re.compile(
    r"^(?:```|~~~)|\"type\"\s*:\s*\"|\"coordinates\"\s*:|\b(?:POINT|LINESTRING|POLYGON)\s*Z?\s*\(",
    re.MULTILINE,
)


def _listed(given: Any) -> Any:
    return given if isinstance(given, list | tuple) else (given,)


Choice = Annotated[
    tuple[int, ...],
    Field(max_length=MAX_OPTIONS),
    BeforeValidator(_listed, json_schema_input_type=int | tuple[int, ...]),
]
"""Numbers of candidates; a single one need not be in a list."""


class Turn(Frozen):
    """A question of a conversation with its outcome.

    Attributes:
        text: The question.
        program: The program that was run for it; empty if none was.
        answer: Its answer in words; empty if there was none.
        choice: The choice that was made for it, as `Question.choice`.
        open: Whether its answer was ambiguous: the same question with a choice replaces it.
        chosen: The ids of the places chosen for ambiguous names, by name.
    """

    text: str
    program: str = ""
    answer: str = ""
    choice: tuple[int, ...] = ()
    open: bool = False
    chosen: Mapping[str, str] = {}


class Question(Frozen):
    """A map question.

    Attributes:
        text: The question in the user's words.
        options: The answers to choose from, as given: an empty string keeps its place and its letter, but is
            never chosen.
        context: Text that holds the facts to answer from, if supplied.
        image: A map picture the question is about.
        near: The user's position ("near me", "here").
        at: The moment "now" stands for; without a zone it is the local time of the place in question.
        choice: Which place is meant by a name that fits several: the number, from 1, of a candidate of the
            answer (`mapagent.core.answer.Answer.candidates`). Several numbers are for several such names, in the
            order in which the answers named them.
        earlier: What was asked before in the same conversation, in order (`mapagent.core.conversation`).
    """

    text: str
    options: tuple[str, ...] = ()
    context: str | None = None
    image: Path | None = None
    near: LatLng | None = None
    at: datetime | None = None
    choice: Choice = ()
    earlier: tuple[Turn, ...] = ()

    @field_validator("text")
    @classmethod
    def _not_empty(cls, text: str) -> str:
        if not text.strip():
            raise UsageError("The question is empty.", "Write what you want to know about the map.")
        return _readable("The question", text)

    @field_validator("options")
    @classmethod
    def _options(cls, options: tuple[str, ...]) -> tuple[str, ...]:
        if len(options) > MAX_OPTIONS:
            raise UsageError(f"{len(options)} options are too many.", f"Give at most {MAX_OPTIONS}.")
        return tuple(
            _readable(f"Option {letter}", text) for letter, text in zip(LETTERS, options, strict=False)
        )

    @field_validator("at")
    @classmethod
    def _of_these_times(cls, at: datetime | None) -> datetime | None:
        if at is not None and not YEARS.start <= at.year < YEARS.stop:
            raise UsageError(
                f"The moment {at:%Y-%m-%d} is out of range.",
                f"Give one from {YEARS.start} to {YEARS.stop - 1}.",
            )
        return at

    @field_validator("choice")
    @classmethod
    def _counted_from_1(cls, choice: tuple[int, ...]) -> tuple[int, ...]:
        wrong = next((number for number in choice if number < 1), None)
        if wrong is not None:
            raise UsageError(f"There is no candidate number {wrong}.", "Candidates count from 1.")
        return choice

    def with_data_apart(self) -> "Question":
        """The question without the data that was pasted into it, which becomes (part of) its supplied text.

        Data are paragraphs that hold a fenced block, GeoJSON or well-known text; the other paragraphs are the
        question. A question of one paragraph stays as it is.
        """
        paragraphs = _paragraphs(self.text)
        asked = [one for one in paragraphs if not _DATA.search(one)]
        if len(asked) in {0, len(paragraphs)}:
            return self
        data = "\n\n".join(one for one in paragraphs if _DATA.search(one))
        context = data if self.context is None else f"{self.context}\n\n{data}"
        return self.model_copy(update={"text": "\n\n".join(asked), "context": context})

    @property
    def said(self) -> tuple[str, ...]:
        """What the user wrote in the conversation, in order: the earlier questions and this one."""
        return (*(turn.text for turn in self.earlier), self.text)

    def live_options(self) -> tuple[tuple[int, str], ...]:
        """The options that can be chosen, each with its index in `options` (empty ones are dropped)."""
        return tuple((index, text.strip()) for index, text in enumerate(self.options) if text.strip())

    def letter(self, index: int) -> str:
        """The letter of an option by its index in `options`: A for 0."""
        return LETTERS[index]


def _paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, separated by empty lines outside fenced blocks."""
    paragraphs: list[list[str]] = [[]]
    fenced = False
    for line in text.splitlines():
        fenced ^= line.startswith(_FENCES)
        if line.strip() or fenced:
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return ["\n".join(lines) for lines in paragraphs if lines]


def _readable(what: str, text: str) -> str:
    """The text if it is valid and short enough: a command line or JSON string may hold undecodable bytes."""
    if len(text) > MAX_CHARS:
        raise UsageError(f"{what} is longer than {MAX_CHARS:,} characters.", "Say it in fewer words.")
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise UsageError(f"{what} is not UTF-8 text.", "Write it in UTF-8.")
    return text
