"""Lists of places around an anchor: "Nearby Restaurants of X are (in 1000 m radius): 1. <b>Y</b>(…) …"."""

import re

from map_tools.kinds.phrases import singular
from map_tools.text import normalise
from modules.context_reader.drafts import Cursor, NearbyDraft, PlaceDraft
from modules.context_reader.fields import put_field
from modules.context_reader.lines import Line, cut_coordinates, cut_measures, measures_in
from modules.context_reader.names import split_anchor
from modules.context_reader.parsers.places import (
    OMISSION,
    PlaceBlock,
    is_attribute,
    labelled_parts,
    read_attributes,
)
from modules.context_reader.vocabulary import forms, words

_SORTED = re.compile(r"by (?:ascending |increasing )?distance|nearest first|closest first", re.I)
_QUERY = re.compile(r"(?P<what>.+?) (?:in|near|nearby|around|at|of|close to) (?P<anchor>.+)", re.IGNORECASE)
_ITEM_DETAILS = re.compile(r"\(([^()]*:[^()]*)\)\s*$")

_DASH = re.compile(r"\s+[-–—]\s+")
_BRACKETS = re.compile(r"\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*$")
_BEFORE_DETAILS = re.compile(
    r" \| | [–—-] |\s*[:,] (?=(?:about |~)?\d[\d.,]* ?[a-z★]|rat(?:ing|ed)\b|distance\b)"
)


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


def read_item(line: Line) -> PlaceDraft:
    """Reads "<b>Name</b>(lat, lng)", "<b>Name</b> (address)", "Name - address", "Name (distance: 1 km)"."""
    draft = PlaceDraft(query="", raw=[line.raw])
    text, location = cut_coordinates(line.text)
    draft.put("location", location)
    if line.lead and text.startswith(line.lead):
        draft.query = line.lead.strip(" .")
        _put_rest(draft, text[len(line.lead) :])
        return draft
    _put_name(draft, _cut_details(draft, text))
    return draft


def _put_rest(draft: PlaceDraft, rest: str) -> None:
    """What follows an emphasised name: details or an address."""
    rest, measures = cut_measures(_cut_details(draft, rest))
    draft.distance_m = draft.distance_m if draft.distance_m is not None else measures.distance_m
    put_field(draft, "address", rest.strip(" :,-–—|()"))


def _cut_details(draft: PlaceDraft, text: str) -> str:
    """Takes "| 4.6 | 1.2 km", "— 4.8 (210)", "(rating: 4.6)" or an address in brackets off the end.

    Other brackets belong to the name. After a name that is known already all may be details.
    """
    found = _BRACKETS.search(text)
    bracketed = found is not None and bool(found.start() or draft.query)
    ways = [("", text)] if draft.query else []
    ways += [(text[: found.start()], found[1])] if found and bracketed else []
    ways += [(text[: at.start()], text[at.end() :]) for at in _BEFORE_DETAILS.finditer(text)]
    for name, rest in ways:
        if PlaceBlock(draft).absorb_words(rest.strip(" :,-–—|")):
            return _cut_details(draft, name) if name else ""
    if found and bracketed and "," in found[1] and not _DASH.search(text[: found.start()]):
        put_field(draft, "address", found[1])
        return text[: found.start()]
    return text


def _put_name(draft: PlaceDraft, text: str) -> None:
    """Splits "Name - address" at the first dash.

    A name may hold dashes itself ("Name - Branch - Street 5"): as nobody can tell where it ends, the longer
    readings are kept as other names.
    """
    parts = _DASH.split(text)
    draft.query = parts[0].strip(" .:")
    if len(parts) == 1:
        return
    put_field(draft, "address", _DASH.split(text, maxsplit=1)[1])
    for count in range(2, len(parts)):
        longer = " - ".join(parts[:count])
        if "," in longer:
            break
        if normalise(longer) != normalise(draft.query):
            draft.aliases.append(longer)
