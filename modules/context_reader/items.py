"""One item of a list of places: a name and what stands beside it on the same line."""

import re

from map_tools.text import normalise
from modules.context_reader.blocks import PlaceBlock
from modules.context_reader.drafts import PlaceDraft
from modules.context_reader.fields import put_field
from modules.context_reader.lines import Line
from modules.context_reader.measures import cut_coordinates, cut_measures
from modules.context_reader.values import put_values

_HEAD = re.compile(r"([^,.;:(]{2,60})[,.;:] (.+)")
"""A name, and the rest of the sentence that an item is."""
_DASH = re.compile(r"\s+[-–—]\s+")
_BRACKETS = re.compile(r"\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*$")
_BEFORE_DETAILS = re.compile(
    r" \| | [–—-] |\s*[:,] (?=(?:about |~)?\d[\d.,]* ?[a-z★]|rat(?:ing|ed)\b|distance\b)"
)


def read_item(line: Line) -> PlaceDraft:
    """Reads "<b>Name</b>(lat, lng)", "<b>Name</b> (address)", "Name - address", "Name (distance: 1 km)"."""
    draft = PlaceDraft(query="", raw=[line.raw])
    if line.lead and line.text.startswith(line.lead):
        draft.query = line.lead.strip(" .")
        _put_rest(draft, line.text[len(line.lead) :])
        return draft
    text, location = cut_coordinates(line.text)
    draft.put("location", location)
    _put_name(draft, _cut_details(draft, text))
    head = _HEAD.match(draft.query)
    if head is not None and draft.empty:
        put_values(draft, f", {head[2]}")
        draft.query = draft.query if draft.empty else head[1].strip()
    return draft


def _put_rest(draft: PlaceDraft, rest: str) -> None:
    """What follows an emphasised name: coordinates, details or an address."""
    rest, location = cut_coordinates(rest.strip())
    draft.put("location", location)
    rest = rest.strip(" :,-–—|")
    if not rest:
        return
    if rest.startswith("(") and rest.endswith(")"):
        rest = rest[1:-1].strip()
    if PlaceBlock(draft).absorb_words(rest):
        return
    rest = _cut_details(draft, rest)
    rest, measures = cut_measures(rest)
    draft.distance_m = draft.distance_m if draft.distance_m is not None else measures.distance_m
    if rest.strip(" :,-–—|()"):
        put_field(draft, "address", rest.strip(" :,-–—|"))


def _cut_details(draft: PlaceDraft, text: str) -> str:
    """Takes "| 4.6 | 1.2 km", "— 4.8 (210)", "(rating: 4.6)" or an address in brackets off the end.

    Other brackets belong to the name.
    """
    found = _BRACKETS.search(text)
    inner = found[1].strip() if found and found.start() else ""
    ways = [(text[: at.start()], text[at.end() :]) for at in _BEFORE_DETAILS.finditer(text)]
    for name, rest in [(text[: found.start()], inner), *ways] if found and inner else ways:
        if PlaceBlock(draft).absorb_words(rest):
            return _cut_details(draft, name)
    if found and "," in inner and not _DASH.search(text[: found.start()]):
        put_field(draft, "address", inner)
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
