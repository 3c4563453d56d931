"""The parts of an address line, as far as the line itself tells them."""

import re
from dataclasses import dataclass

from map_tools.types import Place

_POSTCODE = re.compile(r"\b(\d{4,6}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)\b")
_NUMBER_LAST = re.compile(r"(?P<street>.+?)\s+(?P<number>\d+\s?[a-zA-Z]?(?:[-/]\d+\w?)?)")
_NUMBER_FIRST = re.compile(r"(?P<number>\d+[a-zA-Z]?(?:[-/]\d+\w?)?)\s+(?P<street>.+)")


@dataclass(frozen=True, slots=True)
class Component:
    """One part of an address with Google's word for it ("route", "postal_code")."""

    text: str
    kind: str


def components_of(place: Place) -> list[Component]:
    """Street number, street, town and postcode of a place's address; what is not there is left out."""
    if not place.address:
        return []
    street, _, rest = place.address.partition(",")
    parts = _street_parts(street.strip())
    code = _POSTCODE.search(rest)
    town = _POSTCODE.sub("", rest).split(",")[0].strip()
    if town:
        parts.append(Component(town, "locality"))
    if code:
        parts.append(Component(code.group(), "postal_code"))
    return parts


def title_of(place: Place) -> str:
    """The name shown for a place: its own, or for a mere address the street with its number."""
    return place.name or (place.address or "").partition(",")[0]


def _street_parts(street: str) -> list[Component]:
    match = _NUMBER_LAST.fullmatch(street) or _NUMBER_FIRST.fullmatch(street)
    if match is None:
        return [Component(street, "route")] if street else []
    return [Component(match["number"], "street_number"), Component(match["street"], "route")]
