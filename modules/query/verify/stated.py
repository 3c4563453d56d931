"""What the cited evidence states of places: their fields, tags of the map, opening hours."""

from collections.abc import Mapping
from typing import Any

from map_tools.ids import is_of_no_map, tells_own
from map_tools.kinds.concepts import is_ground, label_of
from map_tools.text import normalise
from map_tools.types import Hours, Place
from modules.query.interpreter.address_line import address_parts
from modules.query.values.amount import LENGTH, NUMBER, SIZE, Amount
from modules.query.values.things import Thing, point
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import measuring
from modules.query.verify.cited import WIDEST_M, Cited
from modules.query.verify.computing import read_amount

_STREET_WITHIN_M = 100.0
_OF_ADDRESS = frozenset({"street", "city", "postcode", "housenumber"})


def stated(place: Place, name: str) -> Any:
    """What a place states of a field or of a key of the map; None if nothing."""
    plain = {"reviews": "rating_count", "price": "price_level"}.get(name, name)
    if plain in {"address", "phone", "website", "email", "rating", "rating_count", "price_level"}:
        value = getattr(place, plain)
        return Amount.of(float(value)) if isinstance(value, int | float) else value
    if name == "opening_hours":
        return None if place.hours is None else place.hours.text
    if name in {"lat", "lng"}:
        return None if place.location is None else Amount.of(getattr(place.location, name))
    if name == "location":
        return None if place.location is None else point(place.location)
    if name == "kind":
        return label_of(place.categories[0]) if place.categories else None
    found = (place.name or None) if name == "name" else _tag(place, name)
    if found is None and name.removeprefix("addr:") in _OF_ADDRESS and place.address:
        # How an address is taken apart is the reading of words, of which there is one.
        told = address_parts(place.address).get(name.removeprefix("addr:"))
        words = place.address.split(",")[0].split()
        first = " ".join(word for word in words if not word[0].isdigit()) or None
        return first if told is None and name == "street" else told
    return found


def _tag(place: Place, name: str) -> Any:
    service = {
        "vegan": "serves_vegan", "vegetarian": "serves_vegetarian", "dog": "dogs", "internet_access": "wifi",
        "reservation": "reservable",
    }.get(name, name)  # fmt: skip
    offered = _keyed(place.services, service, service)
    if offered is None:
        same = [value for other, value in place.services.items() if _served(other) == _served(service)]
        offered = same[0] if same else None
    if offered is not None:
        return offered
    key = {
        "street": "addr:street",
        "city": "addr:city",
        "district": "addr:suburb",
        "postcode": "addr:postcode",
        "housenumber": "addr:housenumber",
    }
    text = _keyed(place.attributes, key.get(name, name), name)
    if text is not None:
        return _typed(key.get(name, name), text)
    diet = place.attributes.get(f"diet:{name}") if name in {"vegan", "vegetarian"} else None
    return None if diet is None else diet in {"yes", "only"}


def _served(key: str) -> list[str]:
    """What a service serves, whether its key says so or not, one or many."""
    words = [word.rstrip("s") for word in normalise(key).split()]
    return sorted(word for word in words if word not in {"serve", "food"}) or words


def _keyed(table: Mapping[str, Any], key: str, name: str) -> Any:
    """The value of a key, else of one that is spelt alike."""
    if key in table:
        return table[key]
    return next((value for other, value in table.items() if normalise(other) == normalise(name)), None)


def _typed(key: str, text: str) -> Any:
    """A tag as yes or no, a number, an amount, or words."""
    if text in {"yes", "no"}:
        return text == "yes"
    words = {"description", "note", "name", "operator", "brand", "inscription", "opening_hours", "phone"}
    if key in words or key.startswith(("addr:", "name", "ref")):
        return text
    if key in {"rating", "reviews", "stars", "capacity"}:
        return _first_number(text)
    try:
        number = float(text)
    except ValueError:
        return read_amount(text) or text
    return Amount.of(number, LENGTH if key in {"height", "width", "length", "ele"} else NUMBER)


def _first_number(text: str) -> Amount | str:
    """The only number of a text, or the first of "4 of 5"; words and signs behind it are left out."""
    spaced = "".join(char if char.isdigit() or char in ".," else " " for char in text.strip()).split()
    scaled = len(spaced) == 2 and ("/" in text or " of " in text)
    if text.strip()[:1].isdigit() and (len(spaced) == 1 or scaled):
        try:
            return Amount.of(float(spaced[0].replace(",", ".")))
        except ValueError:
            return text
    return text


def place_field(thing: Thing, name: str, cited: Cited) -> Any:
    """A field of a place: as it is known, else as its details tell."""
    special = dict(thing.extra)
    if name in special:
        return special[name]
    if tells_own(thing.id) and name in {"lat", "lng", "location"}:
        return Unknown(Why.NOT_STATED, f"The position of {thing.name} stays with its owner.")
    is_long = thing.is_shaped or is_ground(thing.place.categories)
    if name in {"size", "perimeter"} or (name == "length" and is_long):
        return _extent(thing, name, cited)
    found = stated(thing.place, name)
    details = cited.details(thing) if found is None and not is_of_no_map(thing.id) else None
    found = stated(details, name) if details is not None else found
    found = _street_near(thing, cited) if found is None and name == "address" else found
    return Unknown(Why.NOT_STATED, f"The {name} of {thing.name} is not stated.") if found is None else found


def _street_near(thing: Thing, cited: Cited) -> str | None:
    """The nearest street, if it is listed and near enough to be the one that a place stands at."""
    fact = cited.listed("street", thing.reference, WIDEST_M)
    first = fact.items[0] if fact is not None and fact.items else None
    near = first is not None and first.distance_m is not None and first.distance_m <= _STREET_WITHIN_M
    return first.place.name or None if near and first is not None else None


def _extent(thing: Thing, name: str, cited: Cited) -> Any:
    told = thing.place.extent if thing.shape is None else None
    worked_out = None if told is None else {"size": told.area_m2, "length": told.length_m}.get(name)
    if worked_out is not None:
        return Amount.of(worked_out, SIZE if name == "size" else LENGTH)
    shape = cited.shape(thing)
    if shape is not None and shape.kind == ("line" if name == "length" else "area"):
        value = measuring.size_m2(shape) if name == "size" else measuring.length_m(shape)
        return Amount.of(value, SIZE if name == "size" else LENGTH)
    return Unknown(Why.NOT_STATED, f"{thing.name} has no {name}.")


def hours_of(thing: Thing, cited: Cited) -> Hours | Unknown:
    """The opening hours that are told of a place."""
    details = cited.details(thing) if thing.place.hours is None and not is_of_no_map(thing.id) else None
    found = thing.place.hours if details is None else details.hours
    return (
        Unknown(Why.NOT_STATED, f"The opening hours of {thing.name} are not stated.")
        if found is None
        else found
    )
