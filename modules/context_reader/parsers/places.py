"""Blocks about one place: a title, and the lines below it with labelled values, days and services."""

import re
from dataclasses import dataclass, field

from map_tools.text import normalise
from modules.context_reader.drafts import Cursor, PlaceDraft
from modules.context_reader.fields import field_of, is_unknown, labelled_service, put_field
from modules.context_reader.lines import Line
from modules.context_reader.parsers.travel import is_travel
from modules.context_reader.values import put_labelled, put_value
from modules.context_reader.vocabulary import forms, words

OMISSION = re.compile(r"[.…*\s]{2,}|…|\[?\(?(?:and so on|etc\.?|and more|more)\)?\]?")
"""A line that only says that something was left out."""

_LABEL = re.compile(r"([^:{}]{1,60}?)(?:\s*:(?!//)|\s=(?=\s))\s*(.*)", re.DOTALL)
_NEXT_LABEL = re.compile(r"\s*[|;,]\s*(?=([A-Za-z][A-Za-z _/-]{1,40}?)\s*:(?!//))")
_PIECES = re.compile(r"[|;]|, |\s[–—-]\s")
_LABEL_WITHOUT_COLON = re.compile(r"\b(rating|rated|distance)\s+(?=\d)", re.IGNORECASE)
_MAX_LABEL_WORDS = 5
_MAX_PLAIN_LABEL_WORDS = 3
_LISTS = ("hours", "services", "reviews", "types")
"""Fields whose values may stand in lines of their own below the label."""

_MAX_NAME_CHARS = 160


def split_label(text: str) -> tuple[str, str] | None:
    """Splits "Label: value"; None if there is no label."""
    found = _LABEL.fullmatch(text)
    return (found[1].strip(), found[2].strip()) if found else None


def is_day(text: str) -> bool:
    """True if the text begins with the name of a day ("Monday", "Mon-Fri", "Daily")."""
    first = normalise(text[:24]).split(" ", 1)[0]
    return first in words().days


def is_attribute(line: Line) -> bool:
    """True if the line begins with a label that is known to belong to a place."""
    parts = split_label(line.text)
    return parts is not None and (field_of(parts[0]) is not None or is_day(parts[0]))


def is_labelled(line: Line) -> bool:
    """True if the line is a short label, known or not, with a value."""
    parts = split_label(line.text)
    return parts is not None and bool(parts[1]) and len(parts[0].split()) <= _MAX_PLAIN_LABEL_WORDS


def labelled_parts(text: str) -> list[tuple[str, str]] | None:
    """Reads "Rating: 4.6, Total reviewer: 94"; None unless the text begins with a known label."""
    starts = [0, *(found.end() for found in _NEXT_LABEL.finditer(text) if field_of(found[1]) is not None)]
    pieces = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    parts = [split_label(piece.strip(" |;,")) for piece in pieces]
    known = [part for part in parts if part is not None]
    return known if len(known) == len(parts) and field_of(known[0][0]) is not None else None


@dataclass(slots=True)
class PlaceBlock:
    """Takes the lines of one place in, one after the other.

    Attributes:
        draft: The place they belong to.
        item: The list item the place is, if it is one: lines of its own level are its neighbours.
        odd: Lines that belong to the block but say nothing that is understood.
    """

    draft: PlaceDraft
    item: Line | None = None
    odd: list[Line] = field(default_factory=list)
    _open: str | None = None

    def absorb(self, line: Line) -> bool:
        """Takes the line in; False if it does not belong to this place."""
        if not self._understood(line):
            return False
        self.draft.raw.append(line.raw)
        return True

    def is_apart(self, line: Line) -> bool:
        """True for a line that only a label would make part of this place: an item, or one after a gap."""
        if line.number is not None or line.lead or (line.plain and line.blank_before):
            return True
        return self.item is not None and self.item.bulleted and line.indent <= self.item.indent

    def absorb_unknown(self, line: Line) -> bool:
        """Takes in a bulleted "Label: value" with a label nobody knows as an attribute."""
        parts = split_label(line.text)
        if parts is None or not parts[1] or len(parts[0].split()) > _MAX_LABEL_WORDS:
            self.odd.append(line)
            return True
        put_labelled(self.draft, *parts)
        self.draft.raw.append(line.raw)
        return True

    def absorb_words(self, text: str) -> bool:
        """Reads words beside a name: "( distance: 0.4 km, rating: 4.6)", "4.5 stars, 200 m away".

        Returns:
            False, and nothing is taken in, unless every part is understood.
        """
        inner = text.strip().strip("()[]|,; ")
        inner = _LABEL_WITHOUT_COLON.sub(r"\1: ", inner)
        trial = PlaceBlock(PlaceDraft(query=self.draft.query))
        pieces = [piece.strip() for piece in _PIECES.split(inner) if piece.strip()]
        if pieces and all(
            trial._fields(piece) or put_value(trial.draft, piece, beside=True) for piece in pieces
        ):
            self.draft.merge(trial.draft)
            return True
        return self._fields(inner)

    def _fields(self, text: str) -> bool:
        parts = labelled_parts(text)
        for label, value in parts or ():
            put_field(self.draft, field_of(label) or "", value)
        return parts is not None

    def _understood(self, line: Line) -> bool:
        if OMISSION.fullmatch(line.text):
            if self.item is not None and self._open is None:
                return False  # the list is cut, not the item
            self.draft.hours_cut = self.draft.hours_cut or self._open == "hours"
            return True
        if is_day(line.text) and any(char.isdigit() or char == ":" for char in line.text):
            self._open = "hours"
            self.draft.hours.append(line.text.rstrip("., "))
            return True
        if self._labelled(line) or self._listed(line):
            return True
        return not self.is_apart(line) and put_value(self.draft, line.text)

    def _labelled(self, line: Line) -> bool:
        pair = split_label(line.text)
        service = pair is not None and labelled_service(*pair) is not None
        parts = labelled_parts(line.text) or ([pair] if pair and service else [])
        for label, value in parts:
            if value:
                put_labelled(self.draft, label, value)
            self._open = name if not value and (name := field_of(label)) in _LISTS else None
        return bool(parts)

    def _listed(self, line: Line) -> bool:
        """An item under a label without a value: "Services:" … "- Delivery"."""
        if self._open is None or line.plain:
            return False
        if is_unknown(line.text):
            return True
        put_field(self.draft, self._open, line.text)
        return True


def read_place(cursor: Cursor) -> bool:
    """Reads a block: a title and the lines below it."""
    line = cursor.peek()
    title = place_title(line, cursor.peek(1)) if line else None
    if line is None or title is None:
        return False
    block = PlaceBlock(PlaceDraft(query=title, raw=[line.raw]))
    if _label_field(line) == "name":
        block.absorb(line)
    cursor.advance()
    read_attributes(cursor, block)
    cursor.entries.append(block.draft)
    cursor.misses += block.odd
    return True


def read_attributes(cursor: Cursor, block: PlaceBlock) -> None:
    """Takes the lines of a place in, up to the first that belongs to something else."""
    while (line := cursor.peek()) is not None:
        if _begins_another(line, block):
            return
        if not block.absorb(line):
            apart = line.blank_before or block.is_apart(line) or is_travel(line)
            if apart or (line.plain and not is_labelled(line)):
                return
            block.absorb_unknown(line)
        cursor.advance()


def place_title(line: Line, below: Line | None) -> str | None:
    """The name of the place whose block begins with this line; None if none begins.

    A line is a title if it says so ("Information of X:"), or if a labelled value stands right below it.
    """
    if _label_field(line) == "name":
        parts = labelled_parts(line.text)
        return (parts[0][1].strip(" .") or None) if parts else None
    has_block = below is not None and not below.blank_before and is_attribute(below)
    if not (has_block or line.announces):
        return None
    found = forms().match("place", line.title)
    if found is not None:
        return found["name"].strip(" \"'")
    if (
        not has_block
        or is_attribute(line)
        or len(line.text) > _MAX_NAME_CHARS
        or OMISSION.fullmatch(line.text)
    ):
        return None
    return None if forms().match("section", line.title) else (line.lead or line.title).strip("[] ") or None


def _begins_another(line: Line, block: PlaceBlock) -> bool:
    """True if a block of another place begins here."""
    if _label_field(line) != "name":
        return forms().match("place", line.title) is not None and line.announces
    parts = labelled_parts(line.text)
    name = parts[0][1] if parts else ""
    return not block.draft.empty and normalise(name) != normalise(block.draft.name)


def _label_field(line: Line) -> str | None:
    parts = split_label(line.text)
    return field_of(parts[0]) if parts else None
