"""Places of the Places API (New): facts → field masks, and replies → `Place`.

A request is billed at the highest tier any of its fields belongs to, so nothing is asked for that is not
wanted. Fields and tiers: https://developers.google.com/maps/documentation/places/web-service/data-fields.
The reply: https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places#Place
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from enum import IntEnum

from map_tools.providers.google.service import Json, day, position, text
from map_tools.providers.google_common.places import (
    GONE,
    Period,
    SpecialDay,
    by_date,
    categories_of,
    closed_for_good,
    cuisines_of,
    hours_of,
    week_minute,
    zone_at,
)
from map_tools.types import Hours, Place, Review


class Tier(IntEnum):
    """Price tiers of requests about places, cheapest first."""

    PRO = 0
    ENTERPRISE = 1
    ATMOSPHERE = 2

    @property
    def suffix(self) -> str:
        """How the tier's prices are called in `google_prices.toml` ("pro")."""
        return self.name.lower()


PRICE_LEVELS = {
    "PRICE_LEVEL_FREE": 0,
    "PRICE_LEVEL_INEXPENSIVE": 1,
    "PRICE_LEVEL_MODERATE": 2,
    "PRICE_LEVEL_EXPENSIVE": 3,
    "PRICE_LEVEL_VERY_EXPENSIVE": 4,
}
"""https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places#PriceLevel"""

BASE = ("id", "displayName", "types", "primaryType", "location", "formattedAddress", "businessStatus")
"""Asked for in every request: without name and position a result cannot be told from another (tier Pro)."""
SERVICE_FIELDS: Mapping[str, str] = {
    "takeout": "takeaway",
    "delivery": "delivery",
    "dineIn": "dine_in",
    "curbsidePickup": "curbside_pickup",
    "reservable": "reservable",
    "servesBreakfast": "serves_breakfast",
    "servesBrunch": "serves_brunch",
    "servesLunch": "serves_lunch",
    "servesDinner": "serves_dinner",
    "servesBeer": "serves_beer",
    "servesWine": "serves_wine",
    "servesCocktails": "serves_cocktails",
    "servesCoffee": "serves_coffee",
    "servesDessert": "serves_dessert",
    "servesVegetarianFood": "serves_vegetarian",
    "outdoorSeating": "outdoor_seating",
    "liveMusic": "live_music",
    "goodForChildren": "good_for_children",
    "goodForGroups": "good_for_groups",
    "allowsDogs": "allows_dogs",
    "restroom": "restroom",
}
"""Yes/no fields of a place and the service each tells of."""
GROUPED_SERVICES: Mapping[str, Mapping[str, str]] = {
    "accessibilityOptions": {"wheelchairAccessibleEntrance": "wheelchair"},
    "paymentOptions": {"acceptsCreditCards": "credit_cards"},
}
"""Fields that hold several yes/no facts, with those that tell of a service."""
FACT_FIELDS: Mapping[str, tuple[Tier, tuple[str, ...]]] = {
    "attributes": (Tier.PRO, ("postalAddress",)),
    "hours": (Tier.ENTERPRISE, ("regularOpeningHours", "currentOpeningHours")),
    "phone": (Tier.ENTERPRISE, ("internationalPhoneNumber",)),
    "price_level": (Tier.ENTERPRISE, ("priceLevel",)),
    "rating": (Tier.ENTERPRISE, ("rating", "userRatingCount")),
    "rating_count": (Tier.ENTERPRISE, ("userRatingCount",)),
    "website": (Tier.ENTERPRISE, ("websiteUri",)),
    "services": (Tier.ATMOSPHERE, (*SERVICE_FIELDS, *GROUPED_SERVICES)),
    "reviews": (Tier.ATMOSPHERE, ("reviews",)),
}


def place_fields(facts: Iterable[str]) -> tuple[str, ...]:
    """The fields of a place that bring these facts, in a fixed order (masks are part of cache keys)."""
    wanted = set(facts)
    added = (name for fact, (_, names) in FACT_FIELDS.items() if fact in wanted for name in names)
    return tuple(dict.fromkeys((*BASE, *added)))


def details_mask(facts: Iterable[str]) -> str:
    """The mask of a request for one place."""
    return ",".join(place_fields(facts))


def search_mask(facts: Iterable[str], *, paged: bool) -> str:
    """The mask of a search; `paged`: it may have further pages."""
    names = [f"places.{name}" for name in place_fields(facts)]
    return ",".join([*names, "nextPageToken"] if paged else names)


def tier_of(facts: Iterable[str]) -> Tier:
    """The tier that a request for these facts is billed at."""
    return max((FACT_FIELDS[fact][0] for fact in facts if fact in FACT_FIELDS), default=Tier.PRO)


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
