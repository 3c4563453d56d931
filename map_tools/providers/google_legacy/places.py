"""Reads places of the older Places API into `Place`.

The reply: https://developers.google.com/maps/documentation/places/web-service/details#Place. A search tells
less of a place than its details: no hours, no contact, no services.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from map_tools.providers.google_common.opening import (
    Period,
    SpecialDay,
    by_date,
    closed_for_good,
    hours_of,
    week_minute,
)
from map_tools.providers.google_common.place_types import categories_of, cuisines_of
from map_tools.providers.google_common.prices import cost_of
from map_tools.providers.google_common.zones import zone_at
from map_tools.types import Hours, LatLng, Place, Review
from map_tools.wire import Cost

type Json = Mapping[str, Any]

GONE = "CLOSED_PERMANENTLY"

SERVICE_FIELDS: Mapping[str, str] = {
    "takeout": "takeaway",
    "delivery": "delivery",
    "dine_in": "dine_in",
    "curbside_pickup": "curbside_pickup",
    "reservable": "reservable",
    "serves_breakfast": "serves_breakfast",
    "serves_brunch": "serves_brunch",
    "serves_lunch": "serves_lunch",
    "serves_dinner": "serves_dinner",
    "serves_beer": "serves_beer",
    "serves_wine": "serves_wine",
    "serves_vegetarian_food": "serves_vegetarian",
    "wheelchair_accessible_entrance": "wheelchair",
}
"""Yes/no fields of a place and the service each tells of."""

BASE = ("business_status", "formatted_address", "geometry", "name", "place_id", "type")
CONTACT: Mapping[str, tuple[str, ...]] = {
    "hours": ("current_opening_hours", "opening_hours"),
    "phone": ("international_phone_number",),
    "website": ("website",),
}
ATMOSPHERE: Mapping[str, tuple[str, ...]] = {
    "price_level": ("price_level",),
    "rating": ("rating", "user_ratings_total"),
    "rating_count": ("user_ratings_total",),
    "reviews": ("reviews",),
    "services": tuple(SERVICE_FIELDS),
}
FREE: Mapping[str, tuple[str, ...]] = {"attributes": ("address_component",)}
"""Fields by fact and by what they are billed as
(https://developers.google.com/maps/documentation/places/web-service/place-data-fields)."""


def details_fields(facts: frozenset[str]) -> list[str]:
    """The fields that bring these facts, sorted (they are part of cache keys)."""
    groups = {**FREE, **CONTACT, **ATMOSPHERE}
    return sorted({*BASE, *(name for fact in facts for name in groups.get(fact, ()))})


def details_cost(facts: frozenset[str]) -> Cost:
    """What details with these facts are billed."""
    if not facts.isdisjoint(ATMOSPHERE):
        return cost_of("legacy_details_atmosphere")
    return cost_of("legacy_details" if facts.isdisjoint(CONTACT) else "legacy_details_contact")


def read_place(reply: Json) -> Place:
    """A place with whatever the reply holds of it."""
    types = tuple(reply.get("types", ()))
    at = read_position((reply.get("geometry") or {}).get("location"))
    return Place(
        id=reply["place_id"],
        name=reply.get("name", ""),
        location=at,
        categories=categories_of(types),
        address=reply.get("formatted_address") or reply.get("vicinity") or None,
        phone=reply.get("international_phone_number") or None,
        website=reply.get("website") or None,
        rating=reply.get("rating"),
        rating_count=reply.get("user_ratings_total"),
        price_level=reply.get("price_level"),
        hours=closed_for_good(reply.get("business_status"), _hours(reply)),
        services={service: reply[name] for name, service in SERVICE_FIELDS.items() if name in reply},
        reviews=tuple(map(_review, reply.get("reviews", ()))),
        timezone=zone_at(at),
        attributes=dict(_attributes(reply, types)),
    )


def read_position(value: Json | None) -> LatLng | None:
    """`{"lat", "lng"}`."""
    return LatLng(lat=value["lat"], lng=value["lng"]) if value else None


def existing(results: Sequence[Json]) -> list[Place]:
    """The places that have not closed for good."""
    return [read_place(each) for each in results if each.get("business_status") != GONE]


def _hours(reply: Json) -> Hours | None:
    usual = reply.get("opening_hours") or {}
    periods = tuple(map(_period, usual.get("periods", ())))
    special = _special_days(reply.get("current_opening_hours") or {})
    return hours_of(periods, tuple(usual.get("weekday_text", ())), special)


def _period(period: Json) -> Period:
    end = period.get("close")
    return Period(_minute(period["open"]), None if end is None else _minute(end))


def _minute(end: Json) -> int:
    """A day (0 = Sunday) and a time "HHMM"."""
    clock = end["time"]
    return week_minute(end["day"], int(clock[:2]), int(clock[2:]))


def _special_days(current: Json) -> tuple[SpecialDay, ...]:
    """Days of the coming week whose hours are not the usual ones."""
    days = [date.fromisoformat(each["date"]) for each in current.get("special_days", ()) if "date" in each]
    periods: dict[date, list[Period]] = {}
    for period in current.get("periods", ()) if days else ():
        if "date" in period["open"]:
            periods.setdefault(date.fromisoformat(period["open"]["date"]), []).append(_period(period))
    return by_date(periods, days)


def _attributes(reply: Json, types: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    cuisines = cuisines_of(types)
    if cuisines:
        yield "cuisine", ";".join(cuisines)
    for part in reply.get("address_components", ()):
        if "postal_code" in part.get("types", ()):
            yield "addr:postcode", part["long_name"]


def _review(review: Json) -> Review:
    return Review(
        text=review.get("text", ""), author=review.get("author_name", ""), rating=review.get("rating")
    )
