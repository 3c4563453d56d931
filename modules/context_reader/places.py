"""Blocks about one place."""

from map_tools.text import normalise
from modules.context_reader.blocks import (
    OMISSION,
    PlaceBlock,
    is_attribute,
    is_labelled,
    labelled_parts,
    split_label,
)
from modules.context_reader.drafts import Cursor, PlaceDraft
from modules.context_reader.fields import field_of
from modules.context_reader.lines import Line
from modules.context_reader.travel import is_travel
from modules.context_reader.vocabulary import forms

_MAX_NAME_CHARS = 160


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
