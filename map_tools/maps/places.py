"""Makes a `Place` of a feature's OpenStreetMap tags.

What people think of a place OpenStreetMap has no tags for; only synthetic maps hold such.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from map_tools.compute.hours import from_osm
from map_tools.maps.info import MapInfo
from map_tools.maps.tags import address_line, main_name, other_names
from map_tools.overture import provenance
from map_tools.types import Hours, LatLng, Place, Review

_OPINION = "synthetic:"
_RATING, _COUNT, _PRICE, _REVIEWS = (f"{_OPINION}{name}" for name in ("rating", "count", "price", "reviews"))
FACTS = ("rating", "rating_count", "price_level", "reviews")
"""The attributes of `Place` that the tags fill."""


_YES = frozenset(
    {"yes", "only", "designated", "customers", "free", "wlan", "wifi", "required", "recommended"}
)
_NO = frozenset({"no", "none"})

_SERVICES = {
    "wheelchair": "wheelchair",
    "takeaway": "takeaway",
    "delivery": "delivery",
    "drive_through": "drive_through",
    "outdoor_seating": "outdoor_seating",
    "indoor_seating": "indoor_seating",
    "internet_access": "wifi",
    "wifi": "wifi",
    "reservation": "reservable",
    "diet:vegan": "serves_vegan",
    "diet:vegetarian": "serves_vegetarian",
    "diet:halal": "halal",
    "diet:kosher": "kosher",
    "diet:gluten_free": "gluten_free",
    "smoking": "smoking",
    "toilets": "toilets",
    "toilets:wheelchair": "wheelchair_toilets",
    "dog": "dogs",
    "air_conditioning": "air_conditioning",
    "parking": "parking",
    "atm": "atm",
    "breakfast": "serves_breakfast",
    "lunch": "serves_lunch",
    "dinner": "serves_dinner",
    "brunch": "serves_brunch",
    "payment:cash": "cash",
    "payment:credit_cards": "credit_cards",
    "payment:cards": "credit_cards",
    "changing_table": "changing_table",
    "live_music": "live_music",
    "swimming_pool": "swimming_pool",
    "self_service": "self_service",
    "fee": "fee",
}
"""OpenStreetMap keys with a yes or no answer, and the service they tell of
(https://wiki.openstreetmap.org/wiki/Map_features)."""

_IMPLIED = {
    "vegetarian": ("serves_vegetarian",),
    "vegan": ("serves_vegan",),
    "halal": ("halal",),
    "kosher": ("kosher",),
}
"""Cuisines that are diets (https://wiki.openstreetmap.org/wiki/Key:diet)."""

PHONE = ("phone", "contact:phone", "contact:mobile", "phone:mobile")
WEBSITE = ("website", "contact:website", "url")
EMAIL = ("email", "contact:email")
_TOLD_ELSEWHERE = frozenset({"name", "opening_hours", *PHONE, *WEBSITE, *EMAIL})
_ASKED_FOR = frozenset({"addr:postcode", "addr:street", "addr:city", "addr:suburb"})
"""Parts of the address that are asked for by themselves: its line does not say where each of them ends."""
_MAX_ID_DIGITS = 18
"""Numbers of objects have 64 bits (https://wiki.openstreetmap.org/wiki/Elements)."""
_TOLD_PREFIXES = ("addr:", "name:", "alt_name", "old_name", "short_name", "official_name", _OPINION)


def place_of(
    place_id: str, tags: Mapping[str, str], categories: tuple[str, ...], location: LatLng, timezone: str
) -> Place:
    """The place a feature is; OpenStreetMap has no ratings, prices or reviews, so it has none."""
    return Place(
        id=place_id,
        name=main_name(tags),
        location=location,
        categories=categories,
        address=address_line(tags),
        phone=_first(tags, PHONE),
        website=_first(tags, WEBSITE),
        email=_first(tags, EMAIL),
        hours=_hours(tags),
        services=_services(tags),
        timezone=timezone,
        aliases=other_names(tags),
        attributes=_attributes(tags),
    )


def place_on(
    info: MapInfo,
    thing: tuple[str, int],
    categories: tuple[str, ...],
    tags: Mapping[str, str],
    at: LatLng,
    *,
    merged_from: tuple[str, ...] = (),
) -> Place:
    """The place a feature of a map is; one of a synthetic map has opinions too (`synthetic:...`).

    Args:
        info: The map.
        thing: Kind ("n", "w", "r") and number of the OpenStreetMap object; "o" is a place of Overture Maps.
        categories: Its category ids, the most specific first.
        tags: Its tags.
        at: The point that stands for it.
        merged_from: Ids of further objects that are this place.
    """
    key = f"osm:{thing[0]}{thing[1]}"
    if thing[0] == provenance.KIND:
        key = provenance.place_id(tags[provenance.ID_TAG])
    place = place_of(key, tags, categories, at, info.timezone)
    more = from_tags(tags) if info.facts else {}
    if merged_from:
        more["merged_from"] = merged_from
    return place.model_copy(update=more) if more else place


def thing_of(place_id: str) -> tuple[str, int] | None:
    """Kind and number of the object that a place id such as "osm:n123" names; None if it names none."""
    scheme, _, key = place_id.partition(":")
    number = key[1:]
    if scheme != "osm" or key[:1] not in {"n", "w", "r"} or not number.isdecimal():
        return None
    return (key[0], int(number)) if len(number) <= _MAX_ID_DIGITS else None


def _hours(tags: Mapping[str, str]) -> Hours | None:
    raw = tags.get("opening_hours")
    if not raw:
        return None

    return from_osm(raw)


def _first(tags: Mapping[str, str], keys: tuple[str, ...]) -> str | None:
    return next((tags[key] for key in keys if tags.get(key)), None)


def _services(tags: Mapping[str, str]) -> dict[str, bool]:
    """Services the tags or the cuisine tell of; a value that is neither yes nor no tells nothing."""
    services: dict[str, bool] = {}
    for key, service in _SERVICES.items():
        value = tags.get(key)
        if value is None:
            continue
        if value in _NO:
            services.setdefault(service, False)
        elif value in _YES:
            services[service] = True
    for cuisine in tags.get("cuisine", "").split(";"):
        for service in _IMPLIED.get(cuisine.strip(), ()):
            services.setdefault(service, True)
    if services.get("serves_vegan"):  # what is vegan is vegetarian
        services.setdefault("serves_vegetarian", True)
    return services


def _attributes(tags: Mapping[str, str]) -> dict[str, str]:
    return {
        key: value
        for key, value in tags.items()
        if key in _ASKED_FOR or (key not in _TOLD_ELSEWHERE and not key.startswith(_TOLD_PREFIXES))
    }


def to_tags(
    *, rating: float | None, rating_count: int | None, price_level: int | None, reviews: Sequence[Review]
) -> dict[str, str]:
    """The tags for attributes of a place; none for what is not known."""
    said = [review.model_dump(mode="json") for review in reviews]
    values = {
        _RATING: rating,
        _COUNT: rating_count,
        _PRICE: price_level,
        _REVIEWS: json.dumps(said, ensure_ascii=False) if said else None,
    }
    return {tag: str(value) for tag, value in values.items() if value is not None}


def from_tags(tags: Mapping[str, str]) -> dict[str, Any]:
    """Attributes of a place by name, as far as the tags of a synthetic map tell them."""
    found: dict[str, Any] = {}
    if _RATING in tags:
        found["rating"] = float(tags[_RATING])
    if _COUNT in tags:
        found["rating_count"] = int(tags[_COUNT])
    if _PRICE in tags:
        found["price_level"] = int(tags[_PRICE])
    if _REVIEWS in tags:
        found["reviews"] = tuple(map(Review.model_validate, json.loads(tags[_REVIEWS])))
    return found
