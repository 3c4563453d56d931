"""One item of a list of places: a name and what stands beside it on the same line."""

import re

from map_tools.text import normalise
from modules.context_reader.blocks import PlaceBlock
from modules.context_reader.drafts import PlaceDraft
from modules.context_reader.fields import put_field
from modules.context_reader.lines import Line
from modules.context_reader.measures import cut_coordinates, cut_measures

_DASH = re.compile(r"\s+[-–—]\s+")
_BRACKETS = re.compile(r"\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*$")
_INLINE = re.compile(
    r"\s*[:,|–—-]\s+(?=(?:about |~)?\d[\d.,]* ?[a-z★]|rat(?:ing|ed)\b|distance\b|address\b)", re.IGNORECASE
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
    for cut in (_cut_columns, _cut_brackets, _cut_inline):
        text = cut(draft, text)
    _put_name(draft, text)
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
    rest = _cut_brackets(draft, rest)
    rest, measures = cut_measures(rest)
    draft.distance_m = draft.distance_m if draft.distance_m is not None else measures.distance_m
    if rest.strip(" :,-–—|()"):
        put_field(draft, "address", rest.strip(" :,-–—|"))


def _cut_columns(draft: PlaceDraft, text: str) -> str:
    """Takes "| 4.6 | 1.2 km" and "— 4.8 (210) — 300 m" off the end."""
    for separator in (" | ", " — ", " – ", " - "):
        name, _, rest = text.partition(separator)
        if rest and PlaceBlock(draft).absorb_words(rest):
            return name
    return text


def _cut_brackets(draft: PlaceDraft, text: str) -> str:
    """Takes details or an address in brackets off the end; other brackets belong to the name."""
    found = _BRACKETS.search(text)
    if found is None or not found.start():
        return text
    inner = found[1].strip()
    if PlaceBlock(draft).absorb_words(inner):
        return text[: found.start()]
    if "," in inner and not _DASH.search(text[: found.start()]):
        put_field(draft, "address", inner)
        return text[: found.start()]
    return text


def _cut_inline(draft: PlaceDraft, text: str) -> str:
    """Takes "…: 200 m away, rating 4.5" off the end."""
    found = _INLINE.search(text)
    if found is None:
        return text
    known = PlaceBlock(draft).absorb_words(text[found.end() :])
    return text[: found.start()] if known else text


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
