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
_BEFORE_DETAILS = re.compile(
    r" \| | [–—-] |\s*[:,] (?=(?:about |~)?\d[\d.,]* ?[a-z★]|rat(?:ing|ed)\b|distance\b)"
)


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
