"""Finding places with the Places API (New): by text, by type around a position, by id; replies → `Place`.

A request is billed at the highest tier any of its fields belongs to, so nothing is asked for that is not
wanted. Fields and tiers: https://developers.google.com/maps/documentation/places/web-service/data-fields.
The reply: https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places#Place

A search by type gives 20 places. For more, a circle is searched as smaller ones: seven of half the radius cover
it, one in its middle and six around (the disk covering problem, https://mathworld.wolfram.com/DiskCoveringProblem.html).
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from enum import IntEnum
from typing import Any
from urllib.parse import quote

from map_tools.compute.geodesy import destination
from map_tools.errors import LimitError, ToolError
from map_tools.kinds import concepts
from map_tools.providers.google.service import GoogleService, Json, day, point, position, text
from map_tools.providers.google_common.places import (
    BIAS_RADIUS_M,
    GONE,
    MAX_PAGES,
    MAX_RESULTS,
    Period,
    SpecialDay,
    Wanted,
    by_date,
    categories_of,
    closed_for_good,
    cuisines_of,
    hours_of,
    listed,
    search_types,
    week_minute,
    zone_at,
)
from map_tools.providers.google_common.terms import PLACES, cost_of, reading
from map_tools.providers.likeness import candidates
from map_tools.together import together
from map_tools.types import Candidate, Hours, LatLng, NearbyPlace, Place, RankBy, Review


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


PAGE_SIZE = 20
"""Most results of one reply (https://developers.google.com/maps/documentation/places/web-service/text-search
and .../nearby-search: `pageSize`, `maxResultCount`)."""
OUTER = 6
MARGIN = 1.01
"""The circles are a little larger, for the globe is not flat: at 50 km the error is far below 1 %."""


class PlaceCalls:
    """The calls about places.

    Args:
        service: The way to Google.
        locale: `languageCode` and `regionCode` of every request.
        facts: What searches bring of each place, beside what they always bring.
    """

    def __init__(self, service: GoogleService, locale: Mapping[str, str], facts: frozenset[str]) -> None:
        self._service = service
        self._locale = locale
        self._facts = facts

    async def named(self, text: str, near: LatLng | None, limit: int) -> tuple[Candidate, ...]:
        """Places by name or address; see `Provider.find_place`."""
        if not text.strip():
            return ()
        found, _ = await self._text_search(name_body(text, near, limit, self._locale), paged=False)
        with reading(PLACES):
            places = tuple(map(read_place, found))
        return candidates(text, places, near=near, limit=limit)

    async def details(self, place_id: str, facts: frozenset[str]) -> Place:
        """A place with these facts; `PlaceNotFoundError` if Google has none of this id."""
        reply = await self._service.ask(
            PLACES,
            f"/v1/places/{quote(place_id, safe='')}",
            mask=details_mask(facts),
            cost=cost_of(f"place_details_{tier_of(facts).suffix}"),
            params=self._locale,
            subject=f"place with the id '{place_id}'",
        )
        with reading(PLACES):
            return read_place(reply)

    async def around(self, wanted: Wanted) -> tuple[NearbyPlace, ...]:
        """Places of a kind around a position; see `Provider.nearby`."""
        found, cut = await (self._of_type(wanted) if by_type(wanted) else self._of_words(wanted))
        return listed(found, wanted, cut=cut)

    async def _of_type(self, wanted: Wanted) -> tuple[list[Place], bool]:
        """All places of the circle, or the 20 that come first, and whether there may be more.

        The search has no further pages. Where all are wanted and the first reply covers the inner half of the
        circle, six more requests cover the rest; in denser surroundings that would be in vain.
        """
        inner, full = await self._one_reply(wanted)
        if not full or wanted.limit is not None or not wanted.covers_half(inner):
            return inner, full
        radius_m = outer_radius_m(wanted.circle_m)
        around = [wanted.moved(at, radius_m) for at in outer_centers(wanted.at, wanted.circle_m)]
        try:
            replies = await together(map(self._one_reply, around))
        except (ToolError, LimitError):  # what is there already is kept, and said to be a part
            return inner, True
        if any(part_full for _, part_full in replies):
            return inner, True
        return [*inner, *(place for part, _ in replies for place in part)], False

    async def _one_reply(self, wanted: Wanted) -> tuple[list[Place], bool]:
        """The places of one reply, and whether it was full: then it may be cut."""
        reply = await self._service.ask(
            PLACES,
            "/v1/places:searchNearby",
            mask=search_mask(self._facts, paged=False),
            cost=cost_of(f"nearby_search_{tier_of(self._facts).suffix}"),
            body=type_body(wanted, self._locale),
        )
        with reading(PLACES):
            found = reply.get("places", ())
            return _existing(found), len(found) >= PAGE_SIZE

    async def _of_words(self, wanted: Wanted) -> tuple[list[Place], bool]:
        """The places of page after page, until there are enough or they lie beyond the circle."""
        places: list[Place] = []
        token, told = "", 0
        for _ in range(MAX_PAGES):
            try:
                found, token = await self._text_search(words_body(wanted, self._locale, token), paged=True)
            except (ToolError, LimitError):
                if not places:
                    raise
                break  # what is there already is kept, and said to be a part
            with reading(PLACES):
                places += _existing(found)
            told += len(found)
            if wanted.is_full(places) or (not token and told < MAX_RESULTS):
                return places, False
            if not token:
                break  # Google ends here even where there is more
        return places, True

    async def _text_search(self, body: Json, *, paged: bool) -> tuple[Sequence[Json], str]:
        """The places of one reply and the token of the next page (empty: there is none)."""
        reply = await self._service.ask(
            PLACES,
            "/v1/places:searchText",
            mask=search_mask(self._facts, paged=paged),
            cost=cost_of(f"text_search_{tier_of(self._facts).suffix}"),
            body=body,
        )
        with reading(PLACES):
            return reply.get("places", ()), reply.get("nextPageToken", "")


def _existing(found: Sequence[Json]) -> list[Place]:
    """The places that have not closed for good."""
    return [read_place(each) for each in found if not is_gone(each)]


def by_type(wanted: Wanted) -> bool:
    """True if a search by types can answer it; only a text search knows keywords and other kinds of place."""
    return wanted.keyword is None and bool(search_types(wanted.categories) or not wanted.categories)


def type_body(wanted: Wanted, locale: Mapping[str, str]) -> dict[str, Any]:
    """The body of `places:searchNearby`."""
    body: dict[str, Any] = {
        "maxResultCount": PAGE_SIZE,
        "rankPreference": "DISTANCE" if wanted.rank is RankBy.DISTANCE else "POPULARITY",
        "locationRestriction": _circle(wanted.at, wanted.circle_m),
        **locale,
    }
    types = search_types(wanted.categories)
    return {"includedTypes": list(types), **body} if types else body


def words_body(wanted: Wanted, locale: Mapping[str, str], page: str) -> dict[str, Any]:
    """The body of `places:searchText` for a keyword or a kind of place without a type.

    Args:
        wanted: What is searched for.
        locale: Language and region.
        page: Token of a further page; empty for the first.
    """
    label = concepts.label_of(wanted.categories[0]) if wanted.categories else ""
    body: dict[str, Any] = {
        "textQuery": " ".join(part for part in (wanted.keyword, label) if part),
        "pageSize": PAGE_SIZE,
        "rankPreference": "DISTANCE" if wanted.rank is RankBy.DISTANCE else "RELEVANCE",
        "locationBias": _circle(wanted.at, wanted.circle_m),
        **locale,
    }
    types = search_types(wanted.categories)
    if len(types) == 1:
        body |= {"includedType": types[0], "strictTypeFiltering": True}
    return body | {"pageToken": page} if page else body


def name_body(text: str, near: LatLng | None, limit: int, locale: Mapping[str, str]) -> dict[str, Any]:
    """The body of `places:searchText` for a name or an address."""
    body: dict[str, Any] = {"textQuery": text, "pageSize": max(1, min(limit, PAGE_SIZE)), **locale}
    return body if near is None else body | {"locationBias": _circle(near, BIAS_RADIUS_M)}


def _circle(at: LatLng, radius_m: float) -> dict[str, Any]:
    return {"circle": {"center": point(at), "radius": radius_m}}


def outer_centers(center: LatLng, radius_m: float) -> tuple[LatLng, ...]:
    """The middles of the six circles that cover what lies outside half the radius."""
    away_m = radius_m * math.sqrt(3) / 2
    return tuple(destination(center, index * 360 / OUTER, away_m) for index in range(OUTER))


def outer_radius_m(radius_m: float) -> float:
    """Their radius."""
    return radius_m / 2 * MARGIN
