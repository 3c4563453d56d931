"""Reads a supplied text as a whole: known names first, then block by block, then what belongs together."""

from collections.abc import Callable
from dataclasses import dataclass

from map_tools.facts import NoteFact
from map_tools.text import normalise
from modules.context_reader.assembly import assemble
from modules.context_reader.blocks import OMISSION
from modules.context_reader.drafts import Cursor, Finding, PlaceDraft
from modules.context_reader.lines import Line, read_lines
from modules.context_reader.marked import read_marked
from modules.context_reader.nearby import read_nearby
from modules.context_reader.places import place_title, read_place
from modules.context_reader.routes import read_routes
from modules.context_reader.situation import read_situation
from modules.context_reader.structured import cut_structured
from modules.context_reader.travel import read_travel
from modules.context_reader.vocabulary import forms

MAX_TEXT_CHARS = 200_000
"""The lines after so many characters are not read but stay one quotable note, so that the work is bounded."""

type Parser = Callable[[Cursor], bool]

_PARSERS: tuple[Parser, ...] = (
    read_situation,
    read_routes,
    read_nearby,
    read_travel,
    read_place,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says.

    Attributes:
        findings: Facts with their lines, in the order of the text; a note for each line nothing understands.
        lines: How many lines there are (empty ones do not count).
        misses: The lines nothing understands, as written.
    """

    findings: tuple[Finding, ...]
    lines: int
    misses: tuple[str, ...]


def read_text(text: str) -> Reading:
    """Reads a text. Never fails: what is not understood becomes a note."""
    end = len(text) if len(text) <= MAX_TEXT_CHARS else text.rfind("\n", 0, MAX_TEXT_CHARS) + 1
    rest, structured = cut_structured(text[:end])
    lines = read_lines(rest)
    cursor = Cursor(lines=lines, known=_known_names(lines))
    while (line := cursor.peek()) is not None:
        if any(parser(cursor) for parser in _PARSERS):
            continue
        if not _says_nothing(line):
            cursor.misses.append(line)
        cursor.advance()
    known = [one.query for one in (*structured, *cursor.entries) if isinstance(one, PlaceDraft)]
    entries, cursor.misses = read_marked(lines, cursor.misses, known)
    cursor.entries += entries
    if unread := text[end:].strip():
        cursor.misses.append(Line(raw=unread, text=unread))
    notes = [Finding(NoteFact(text=line.text), line.raw) for line in cursor.misses]
    return Reading(
        findings=(*assemble([*structured, *cursor.entries]), *notes),
        lines=len(read_lines(text)),
        misses=tuple(line.raw for line in cursor.misses),
    )


def _known_names(lines: tuple[Line, ...]) -> frozenset[str]:
    names = [line.lead for line in lines if line.lead and not line.plain]
    for index, line in enumerate(lines):
        title = place_title(line, lines[index + 1] if index + 1 < len(lines) else None)
        if title:
            names.append(title)
    return frozenset(filter(None, map(normalise, names)))


def _says_nothing(line: Line) -> bool:
    """Headings ("All Location Info:") and rows of dots need no fact."""
    return OMISSION.fullmatch(line.text) is not None or forms().match("section", line.title) is not None
