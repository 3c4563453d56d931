"""Lists of places around an anchor: "Nearby Restaurants of X are (in 1000 m radius): 1. <b>Y</b>(…) …"."""

import re

from map_tools.kinds.phrases import singular
from modules.context_reader.blocks import OMISSION, PlaceBlock, is_attribute, labelled_parts
from modules.context_reader.drafts import Cursor, NearbyDraft
from modules.context_reader.items import read_item
from modules.context_reader.lines import Line
from modules.context_reader.measures import cut_coordinates, measures_in
from modules.context_reader.pairs import split_anchor
from modules.context_reader.places import read_attributes
from modules.context_reader.vocabulary import forms, words

_SORTED = re.compile(r"by (?:ascending |increasing )?distance|nearest first|closest first", re.I)
_QUERY = re.compile(r"(?P<what>.+?) (?:in|near|nearby|around|at|of|close to) (?P<anchor>.+)", re.IGNORECASE)
_ITEM_DETAILS = re.compile(r"\(([^()]*:[^()]*)\)\s*$")


def read_nearby(cursor: Cursor) -> bool:
    """Reads the title of a list and its items; a title that says there are none gives an empty list."""
    line = cursor.peek()
    draft = _title(cursor, line) if line else None
    if line is None or draft is None:
        return False
    draft.raw = line.raw
    cursor.advance()
    _read_items(cursor, draft)
    cursor.entries.append(draft)
    return True


def _title(cursor: Cursor, line: Line) -> NearbyDraft | None:
    text = line.title
    below = cursor.peek(1)
    lists = line.announces or (below is not None and _is_first_item(below))
    found = forms().match("nearby", text) if lists else None
    if found is None:
        found = forms().match("none_nearby", text)
    if found is None:
        return None
    groups = {key: value.strip() for key, value in found.groupdict().items() if value}
    parts = _what_and_anchor(groups, cursor.known)
    if parts is None:
        return None
    anchor, location = cut_coordinates(parts[1])
    note = groups.get("note", "")
    return NearbyDraft(
        anchor=anchor or parts[1],
        anchor_location=location,
        what=singular_words(groups.get("type") or parts[0]),
        sorted_by_distance=_SORTED.search(note) is not None,
        radius_m=measures_in(groups.get("distance") or note).distance_m,
    )


def _what_and_anchor(groups: dict[str, str], known: frozenset[str]) -> tuple[str, str] | None:
    if "pair" in groups:
        return split_anchor(groups["pair"], known)
    if "query" in groups:
        found = _QUERY.fullmatch(groups["query"])
        return (found["what"], found["anchor"]) if found else (groups["query"], "")
    return groups["what"], groups["anchor"]


def singular_words(what: str) -> str:
    """The words for one place of a kind: "Places of Worship" → "place of worship"."""
    parts = what.strip(" \"'").replace("_", " ").lower().split()
    while len(parts) > 1 and parts[0] in words().openers:
        parts = parts[1:]
    head = parts.index("of") - 1 if "of" in parts[1:] else len(parts) - 1
    return " ".join(singular(part) if index == head else part for index, part in enumerate(parts))


def _is_first_item(line: Line) -> bool:
    return (not line.plain and not is_attribute(line)) or _has_details(line)


def _has_details(line: Line) -> bool:
    """True for "Name ( distance: 0.4 km, rating: 4.6)": an item even without a bullet."""
    found = _ITEM_DETAILS.search(line.text)
    return found is not None and labelled_parts(found[1].strip()) is not None


def _read_items(cursor: Cursor, draft: NearbyDraft) -> None:
    first = cursor.peek()
    while (line := cursor.peek()) is not None and first is not None:
        if OMISSION.fullmatch(line.text):
            draft.complete = False
            cursor.advance()
            continue
        if not _is_item(line, first):
            return
        item = read_item(line)
        cursor.advance()
        block = PlaceBlock(item, item=line)
        read_attributes(cursor, block)
        cursor.misses += block.odd
        if item.name:
            draft.items.append(item)
        else:
            cursor.misses.append(line)


def _is_item(line: Line, first: Line) -> bool:
    if _has_details(line):
        return True
    if line.plain or is_attribute(line) or line.indent > first.indent + 1:
        return False
    if line.number is None and first.number is not None:
        return False
    return line.announces is False or bool(line.lead)
