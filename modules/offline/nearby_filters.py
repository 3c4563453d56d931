"""What a search requires of the places, and by what it orders them."""

import re

from map_tools.compute.quantities import parse_number
from modules.offline.analysis import Analysis
from modules.offline.conditions import comparison_at
from modules.offline.intents import Compare, Filters, HoursMeasure
from modules.offline.marks import SURE, Mention
from modules.offline.nearby_opening import opening_filters, shut_place
from modules.offline.ranking import OPEN_LONGER, Ranking
from modules.offline.route_vocabulary import street_like
from modules.offline.slots import Wanted, unwanted_cuisine

_FLOOR = re.compile(r"((?:level|floor)\s+\w+|(?:\w+\s)?floor)\s+of\s+(?:the\s+)?(.+)", re.I)
"""A part of an address and the place it is part of ("Level 2 of X")."""


_SAME_STREET = re.compile(r"\bthe same (?:street|road|avenue|lane|boulevard|square)\b", re.I)
_PLACED = frozenset({"on", "at", "in"})
"""Roles of a street that something lies on."""


def floor_of(text: str) -> tuple[str, str]:
    """The part of an address before a place, and the place: "Level 2 of X" is "Level 2" and "X"."""
    match = _FLOOR.match(text)
    return (match[1], match[2]) if match else ("", text)


def address_part(place: Mention) -> str:
    """What the address of something on this place contains: the street, or the floor of a building."""
    return floor_of(place.text)[0] or place.text


def _is_address(item: Mention) -> bool:
    """True for what may stand in an address, unlike "on empty"."""
    return item.strength >= SURE or street_like(item.text) or floor_of(item.text)[0] != ""


def filters_of(analysis: Analysis, found: Wanted, place: Mention | None) -> Filters:
    """The conditions the places must fulfil; `place` is what the search is centred on."""
    update: dict[str, object] = {}
    if analysis.winds:
        update["direction"] = analysis.winds[0].value
    if excluded := tuple(part.place for item in _left_out(analysis) for part in item.split()):
        update["exclude"] = excluded
    update |= opening_filters(analysis, found)
    streets = [place] if place is not None and place.role == "on" else analysis.by_role("on")
    if streets := [item for item in streets if _is_address(item)]:
        update["address_contains"] = address_part(streets[0])
    if _SAME_STREET.search(analysis.text):
        update |= _same_street(analysis)
    if any(mark.value == found.what.keyword for mark in analysis.cuisines):
        update["cuisine"] = found.what.keyword
    if (unwanted := unwanted_cuisine(analysis)) is not None:
        update["without_cuisine"] = unwanted.value
    if named := analysis.by_role("named"):
        update["name_contains"] = named[-1].text
    return analysis.filters.model_copy(update=update)


def _left_out(analysis: Analysis) -> list[Mention]:
    """What a question excludes; beside names in capitals a word in small letters is none ("not afford")."""
    written = any(item.strength >= SURE for item in analysis.places)
    said = [item for item in analysis.by_role("without") if item.strength >= SURE or not written]
    shut = shut_place(analysis)
    return said if shut is None else [*said, shut]


def _same_street(analysis: Analysis) -> dict[str, object]:
    """The street named before, or that of the place named; empty if there is neither."""
    named = [item for item in analysis.places if item.strength >= SURE]
    street = next((item for item in named if item.role in _PLACED and street_like(item.text)), None)
    if street is not None:
        return {"address_contains": street.text}
    owner = analysis.here or (named[0] if named else None)
    return {"same_street_as": owner.place} if owner is not None else {}


def rank_by(order: Ranking, filters: Filters, analysis: Analysis) -> str:
    """The `rank_by` of a search."""
    if order.by in {"rating", "rating_count", "price_level", "duration"}:
        return order.by
    if order.by == "hours":
        by = hours_compared(analysis, order)
        return "open_for" if by == "duration" else by
    if order.by == "distance_said":
        return "distance"
    return "any" if filters != Filters() or analysis.distances else "distance"


def hours_compared(analysis: Analysis, order: Ranking) -> HoursMeasure:
    """By what the opening hours are compared: how long they are, or one of their ends."""
    if analysis.has("sup.open_longest", "sup.open_shortest") or OPEN_LONGER.search(analysis.text):
        return "duration"
    if analysis.has("open.closes") and not analysis.has("open.opens"):
        return "closes"
    if analysis.has("open.opens") and not analysis.has("open.closes"):
        return "opens"
    return "closes" if order.pick is Compare.MAX else "opens"


def counted(analysis: Analysis, found: Wanted) -> tuple[int | None, int | None]:
    """The least and the most places there must be: "more than three cafes", "fewer than 5 museums"."""
    if not found.spans:
        return None, None
    start = min(low for low, _ in found.spans)
    before = [index for index, token in enumerate(analysis.tokens) if token.end <= start]
    number = parse_number(analysis.tokens[before[-1]].norm) if before else None
    if number is None or number != int(number):
        return None, None
    said, whole = comparison_at(analysis, before[-1], before[-1] + 1), int(number)
    bounds: dict[str | None, tuple[int | None, int | None]] = {
        "at_least": (whole, None),
        "more_than": (whole + 1, None),
        "at_most": (None, whole),
        "less_than": (None, whole - 1),
    }
    return bounds.get(said, (None, None))
