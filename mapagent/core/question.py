"""A question with everything supplied with it; its pictures are checked before anything else is done with them.

Pillow's decoders: https://pillow.readthedocs.io/en/stable/handbook/image-file-formats.html.
"""

import re
import struct
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, field_validator

from map_tools.errors import InputFileError, UsageError
from map_tools.types import Frozen, LatLng

MAX_BYTES = 20_000_000
MAX_PIXELS = 50_000_000
"""A picture is decoded as a whole: 50 million pixels take 200 MB, and are far more than any screen has."""
MAX_SIDE_PX, MAX_RATIO = 30_000, 80
"""Longest side, and greatest ratio of the sides; no screenshot exceeds them. To be read, a strip is enlarged."""
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
"""Formats of screenshots and photographs; Pillow's rarer decoders are not exposed to untrusted files."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Properties of a checked picture; `width_px` and `height_px` are those before any scaling."""

    format: str
    width_px: int
    height_px: int


def check_image(path: Path) -> Picture:
    """Opens and decodes a picture within the limits.

    Raises:
        InputFileError: The file is missing, unreadable, too large, cut short, or no picture.
    """
    with opened(path) as image:
        return Picture(image.format or "", image.width, image.height)


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """Yields a checked picture as a Pillow image, fully decoded, since much damage shows only then.

    Damaged metadata shows when it is used: such errors raised in the `with` block are errors of the file, too.

    Raises:
        InputFileError: As for `check_image`.
    """
    _check_file(path)
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about big pictures, where our own limit is lower, and damage
            with Image.open(path, formats=FORMATS) as image:
                if image.width * image.height > MAX_PIXELS:
                    raise _too_many_pixels(path)
                long, short = max(image.size), min(image.size)
                if long > MAX_SIDE_PX or long > MAX_RATIO * short:
                    raise InputFileError(
                        f"The picture {path} is a strip of {image.width} x {image.height} pixels.",
                        f"Cut it: no side over {MAX_SIDE_PX} px or {MAX_RATIO} times as long as the other.",
                    )
                image.load()
                yield image
    except Image.DecompressionBombError as error:
        raise _too_many_pixels(path) from error
    except UnidentifiedImageError as error:
        raise InputFileError(f"{path} is not a picture.", f"Give one of {', '.join(FORMATS)}.") from error
    except (OSError, SyntaxError, ValueError, EOFError, struct.error) as error:
        raise InputFileError(
            f"The picture {path} is damaged or cannot be read: {error}.", "Save it again."
        ) from error


def _check_file(path: Path) -> None:
    try:
        if not path.is_file():
            raise InputFileError(f"There is no picture '{path}'.", "Give the path of a picture file.")
        size = path.stat().st_size
    except OSError as error:
        raise InputFileError(
            f"The picture {path} cannot be read: {error.strerror}.", "Name a file you may read."
        ) from error
    if size > MAX_BYTES:
        raise InputFileError(
            f"The picture {path} is larger than {MAX_BYTES // 1_000_000} MB.", "Save it smaller."
        )


def _too_many_pixels(path: Path) -> InputFileError:
    return InputFileError(
        f"The picture {path} has more than {MAX_PIXELS // 1_000_000} million pixels.", "Save it smaller."
    )


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
