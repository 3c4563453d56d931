"""Reads places of the Places API (New) into `Place`.

The reply: https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places#Place
"""

from collections.abc import Iterator
from datetime import date

from map_tools.providers.google.fields import GROUPED_SERVICES, SERVICE_FIELDS
from map_tools.providers.google.values import Json, day, position, text
from map_tools.providers.google_common.opening import (
    Period,
    SpecialDay,
    by_date,
    closed_for_good,
    hours_of,
    week_minute,
)
from map_tools.providers.google_common.place_types import categories_of, cuisines_of
from map_tools.providers.google_common.zones import zone_at
from map_tools.types import Hours, Place, Review

PRICE_LEVELS = {
    "PRICE_LEVEL_FREE": 0,
    "PRICE_LEVEL_INEXPENSIVE": 1,
    "PRICE_LEVEL_MODERATE": 2,
    "PRICE_LEVEL_EXPENSIVE": 3,
    "PRICE_LEVEL_VERY_EXPENSIVE": 4,
}
"""https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places#PriceLevel"""
GONE = "CLOSED_PERMANENTLY"


def read_place(reply: Json) -> Place:
    """A place with whatever the reply holds of it."""
    types = tuple(filter(None, (reply.get("primaryType"), *reply.get("types", ()))))
    at = position(reply.get("location"))
    return Place(
        id=reply["id"],
        name=text(reply.get("displayName")),
        location=at,
        categories=categories_of(types),
        address=reply.get("formattedAddress") or None,
        phone=reply.get("internationalPhoneNumber") or None,
        website=reply.get("websiteUri") or None,
        rating=reply.get("rating"),
        rating_count=reply.get("userRatingCount"),
        price_level=PRICE_LEVELS.get(reply.get("priceLevel", "")),
        hours=closed_for_good(reply.get("businessStatus"), _hours(reply)),
        services=dict(_services(reply)),
        reviews=tuple(map(_review, reply.get("reviews", ()))),
        timezone=zone_at(at),
        attributes=dict(_attributes(reply, types)),
    )


def is_gone(reply: Json) -> bool:
    """True for a business that has closed for good: nobody looks for it nearby."""
    return reply.get("businessStatus") == GONE


def _hours(reply: Json) -> Hours | None:
    usual = reply.get("regularOpeningHours")
    if usual is None:
        return None
    return hours_of(
        tuple(map(_period, usual.get("periods", ()))),
        tuple(usual.get("weekdayDescriptions", ())),
        _special_days(reply.get("currentOpeningHours") or {}),
    )


def _period(period: Json) -> Period:
    end = period.get("close")
    return Period(_minute(period["open"]), None if end is None else _minute(end))


def _minute(end: Json) -> int:
    return week_minute(end.get("day", 0), end.get("hour", 0), end.get("minute", 0))


def _special_days(current: Json) -> tuple[SpecialDay, ...]:
    """Days of the coming week whose hours are not the usual ones."""
    days = tuple(filter(None, (day(each.get("date")) for each in current.get("specialDays", ()))))
    if not days:
        return ()
    periods: dict[date, list[Period]] = {}
    for period in current.get("periods", ()):
        opens_on = day(period["open"].get("date"))
        if opens_on is not None:
            periods.setdefault(opens_on, []).append(_period(period))
    return by_date(periods, days)


def _services(reply: Json) -> Iterator[tuple[str, bool]]:
    for name, service in SERVICE_FIELDS.items():
        if name in reply:
            yield service, reply[name]
    for group, members in GROUPED_SERVICES.items():
        for name, service in members.items():
            if name in reply.get(group, {}):
                yield service, reply[group][name]


def _attributes(reply: Json, types: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    cuisines = cuisines_of(types)
    if cuisines:
        yield "cuisine", ";".join(cuisines)
    postcode = (reply.get("postalAddress") or {}).get("postalCode")
    if postcode:
        yield "addr:postcode", postcode


def _review(review: Json) -> Review:
    return Review(
        text=text(review.get("text")) or text(review.get("originalText")),
        author=(review.get("authorAttribution") or {}).get("displayName", ""),
        rating=review.get("rating"),
    )
