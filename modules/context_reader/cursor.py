"""Walks through the lines of a text, and gathers what the parsers find."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from map_tools.types import LatLng
from modules.context_reader.drafts import Finding, PlaceDraft
from modules.context_reader.lines import Line


@dataclass(slots=True)
class NearbyDraft:
    """A list of places in the making; anchors are looked up when the whole text is read."""

    anchor: str
    what: str
    items: list[PlaceDraft] = field(default_factory=list)
    sorted_by_distance: bool = False
    radius_m: float | None = None
    anchor_location: LatLng | None = None
    complete: bool = True
    raw: str = ""


@dataclass(slots=True)
class HereDraft:
    """A statement of where the user is."""

    name: str
    raw: str


type Entry = Finding | PlaceDraft | NearbyDraft | HereDraft


@dataclass(slots=True)
class Cursor:
    """The position in the text and what was found so far.

    Attributes:
        lines: All lines of the text.
        known: Normalised names the text gives to places in titles and lists.
        entries: What was found, in the order of the text.
        misses: Lines that nothing understands.
    """

    lines: Sequence[Line]
    known: frozenset[str] = frozenset()
    at: int = 0
    entries: list[Entry] = field(default_factory=list)
    misses: list[Line] = field(default_factory=list)

    def peek(self, offset: int = 0) -> Line | None:
        """The line at the position (or some lines on), None past the end."""
        index = self.at + offset
        return self.lines[index] if index < len(self.lines) else None

    def advance(self) -> None:
        """Goes to the next line."""
        self.at += 1
