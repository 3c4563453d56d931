"""Values stated for a place: fields, services and tags, typed by their form; what is not stated is None."""

import re
from collections.abc import Mapping
from typing import Any

from map_tools.kinds.concepts import label_of
from map_tools.text import normalise
from map_tools.types import Place
from modules.query.interpreter.address_line import address_parts
from modules.query.values.amount import LENGTH, Amount, parse_amount
from modules.query.values.things import point

_SERVICES = {
    "vegan": "serves_vegan",
    "vegetarian": "serves_vegetarian",
    "dog": "dogs",
    "wifi": "wifi",
    "internet_access": "wifi",
    "reservation": "reservable",
}
"""Fields that sources state as a service of another name (`map_tools.maps.places`)."""
_SERVING = frozenset({"serve", "food"})
"""Words that do not distinguish services."""
_PLAIN: Mapping[str, str] = {
    **{name: name for name in ("address", "phone", "website", "email")},
    "rating": "rating",
    "reviews": "rating_count",
    "price": "price_level",
}
_ADDRESS_PARTS = {
    "street": "addr:street",
    "city": "addr:city",
    "district": "addr:suburb",
    "postcode": "addr:postcode",
    "housenumber": "addr:housenumber",
}
_FREE_TEXT = frozenset(
    {"description", "note", "name", "operator", "brand", "inscription", "opening_hours", "phone"}
)
"""Keys whose values are words even where they look like numbers."""

_COUNTS = frozenset({"rating", "reviews", "stars", "capacity"})
"""Keys whose values are numbers, whatever words or signs stand behind them."""
_COUNTED = re.compile(r"(\d+(?:[.,]\d+)?)[^\d.,]*(?:(?:/|\bof) ?\d+)?")
"""A number with the like of "stars", "/5" or the S of "4S": a superior hotel is of the class that it is superior in
(https://wiki.openstreetmap.org/wiki/Key:stars)."""


def stated(place: Place, name: str) -> Any:
    """The value stated for a field or key of a place; None if there is none."""
    if name in _PLAIN:
        value = getattr(place, _PLAIN[name])
        if value is None and name == "price":
            return _key(place, name)  # an amount of money, as pictures show it
        unit = _PLAIN[name] if name == "price" else ""
        return Amount.of(float(value), unit=unit) if isinstance(value, int | float) else value
    match name:
        case "name":
            return place.name or None
        case "kind":
            return kind_of(place)
        case "lat" | "lng":
            return None if place.location is None else Amount.of(getattr(place.location, name))
        case "location":
            return None if place.location is None else point(place.location)
        case "opening_hours":
            return None if place.hours is None else place.hours.text
    found = _key(place, name)
    if found is None and place.address and name.removeprefix("addr:") in _ADDRESS_PARTS:
        told = address_parts(place.address).get(name.removeprefix("addr:"))
        return street_of(place) if told is None and name == "street" else told
    return found


def kind_of(place: Place) -> str | None:
    """The first kind of a place, as one says it; None if it has none."""
    return label_of(place.categories[0]) if place.categories else None


def street_of(place: Place) -> str | None:
    """The street of an address in one line: the part with a house number, else the first one without numbers."""
    if not place.address:
        return None
    told = address_parts(place.address).get("street")
    if told is not None:
        return told
    first = place.address.split(",")[0]
    words = [word for word in first.split() if not word[0].isdigit()]
    return " ".join(words) or None


def _key(place: Place, name: str) -> Any:
    """A service or a tag, typed by its look: yes and no, numbers, amounts, words."""
    service = _SERVICES.get(name, name)
    if service in place.services:
        return place.services[service]
    wanted = _bare(service)
    for key, offered in place.services.items():
        if _bare(key) == wanted:
            return offered
    key = _ADDRESS_PARTS.get(name, name)
    text = place.attributes.get(key)
    if text is None:
        text = next(
            (value for other, value in place.attributes.items() if normalise(other) == normalise(name)), None
        )
    if text is None and name in {"vegan", "vegetarian"}:
        return _diet(place, name)
    return None if text is None else typed(key, text)


def _bare(key: str) -> frozenset[str]:
    """The words that distinguish a service from others: "serve dinner" is "serves_dinner", and so is "dinner"."""
    words = frozenset(word.removesuffix("s") for word in normalise(key).split())
    return words - _SERVING or words


def _diet(place: Place, name: str) -> Any:
    value = place.attributes.get(f"diet:{name}")
    return None if value is None else value in {"yes", "only"}


def typed(key: str, text: str) -> Any:
    """A tag's value: yes or no, a number, an amount with its unit, else words."""
    if text in {"yes", "no"}:
        return text == "yes"
    if key in _FREE_TEXT or key.startswith(("addr:", "name", "ref")):
        return text
    counted = _COUNTED.fullmatch(text.strip()) if key in _COUNTS else None
    if counted is not None:
        return Amount.of(float(counted[1].replace(",", ".")))
    try:
        value = float(text)
    except ValueError:
        return text if key in _COUNTS else parse_amount(text) or text
    if key in {"height", "width", "length", "ele"}:
        return Amount.of(value, LENGTH)
    return Amount.of(value)
