"""Finding places with the older Places API, and reading them into `Place`.

The reply: https://developers.google.com/maps/documentation/places/web-service/details#Place. A search tells
less of a place than its details: no hours, no contact, no services.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Any

from map_tools.errors import LimitError, ToolError
from map_tools.kinds import concepts
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
    legacy_search_types,
    listed,
    week_minute,
    zone_at,
)
from map_tools.providers.google_common.terms import LEGACY_PLACES, cost_of, reading
from map_tools.providers.google_legacy.client import LegacyClient
from map_tools.providers.likeness import candidates
from map_tools.together import together
from map_tools.types import Candidate, Hours, LatLng, NearbyPlace, Place, RankBy, Review
from map_tools.wire import Cost

type Json = Mapping[str, Any]
MAX_TYPES = 6
"""Types one question is asked for: each needs a search of its own, so a wider kind of place is cut."""
FOUND_FIELDS = ["business_status", "formatted_address", "geometry", "name", "place_id", "types"]
_PHONE = re.compile(r"\+[\d][\d ()./-]{6,}")
"""Phone numbers must be in the international form
(https://developers.google.com/maps/documentation/places/web-service/search-find-place, `input`)."""
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


class PlaceCalls:
    """The calls about places.

    Args:
        client: The way to Google.
        language: Language of every reply.
        region: Two-letter country code, or None.
    """

    def __init__(self, client: LegacyClient, language: str, region: str | None) -> None:
        self._client = client
        self._language = language
        self._region = region

    async def named(self, text: str, near: LatLng | None, limit: int) -> tuple[Candidate, ...]:
        """Places by name, address or phone number; see `Provider.find_place`."""
        wanted = text.strip()
        if not wanted:
            return ()
        if _PHONE.fullmatch(wanted):
            return await self._phoned(wanted, near, limit)
        reply = await self._client.call(
            LEGACY_PLACES,
            "places",
            cost_of("legacy_text_search"),
            query=wanted,
            location=_pair(near) if near else None,
            radius=BIAS_RADIUS_M if near else None,
            language=self._language,
            region=self._region,
        )
        with reading(LEGACY_PLACES):
            places = tuple(map(read_place, reply["results"]))
        return candidates(wanted, places, near=near, limit=limit)

    async def details(self, place_id: str, facts: frozenset[str]) -> Place:
        """A place with these facts; `PlaceNotFoundError` if Google has none of this id."""
        reply = await self._client.call(
            LEGACY_PLACES,
            "place",
            details_cost(facts),
            subject=f"place with the id '{place_id}'",
            place_id=place_id,
            fields=details_fields(facts),
            language=self._language,
        )
        with reading(LEGACY_PLACES):
            return read_place(reply["result"])

    async def around(self, wanted: Wanted) -> tuple[NearbyPlace, ...]:
        """Places of a kind around a position; see `Provider.nearby`."""
        searches, cut = _searches(wanted)
        found = await together(self._pages(wanted, search) for search in searches)
        places = chain.from_iterable(part for part, _ in found)
        return listed(places, wanted, cut=cut or any(more for _, more in found))

    async def _phoned(self, number: str, near: LatLng | None, limit: int) -> tuple[Candidate, ...]:
        """Whoever has this number: it is as sure as a name."""
        reply = await self._client.call(
            LEGACY_PLACES,
            "find_place",
            cost_of("legacy_find_place"),
            input=number,
            input_type="phonenumber",
            fields=FOUND_FIELDS,
            language=self._language,
        )
        with reading(LEGACY_PLACES):
            places = [read_place(each) for each in reply["candidates"]]
        named = (candidates(place.name, (place,), near=near, limit=1) for place in places[:limit])
        return tuple(chain.from_iterable(named))

    async def _pages(self, wanted: Wanted, search: Mapping[str, Any]) -> tuple[list[Place], bool]:
        """The places of page after page, until there are enough or they lie beyond the circle."""
        cost = cost_of("legacy_nearby_search")
        reply: Json = await self._client.call(
            LEGACY_PLACES, "places_nearby", cost, language=self._language, **search
        )
        places, told, token = _page(reply)
        for _ in range(MAX_PAGES - 1):
            if not token or wanted.is_full(places):
                break
            try:
                reply = await self._client.next_page(LEGACY_PLACES, "places_nearby", cost, token)
            except (ToolError, LimitError):  # what is there already is kept, and said to be a part
                return places, True
            more, number, token = _page(reply)
            places += more
            told += number
        return places, not wanted.is_full(places) and (bool(token) or told >= MAX_RESULTS)


def _page(reply: Json) -> tuple[list[Place], int, str]:
    """The places of a page, how many it told of, and the token of the next one (empty: there is none)."""
    with reading(LEGACY_PLACES):
        found = reply["results"]
        return existing(found), len(found), reply.get("next_page_token", "")


def _searches(wanted: Wanted) -> tuple[Sequence[Mapping[str, Any]], bool]:
    """The searches that answer a question together, and whether they leave something out."""
    types = legacy_search_types(wanted.categories)
    if wanted.keyword is None and types:
        kinds = [{"type": name, **_where(wanted, narrowed=True)} for name in types[:MAX_TYPES]]
        return kinds, len(types) > MAX_TYPES
    label = concepts.label_of(wanted.categories[0]) if wanted.categories and len(types) != 1 else ""
    words = " ".join(part for part in (wanted.keyword, label) if part)
    kind = {"keyword": words or None, "type": types[0] if len(types) == 1 else None}
    return [{**kind, **_where(wanted, narrowed=bool(words))}], False


def _where(wanted: Wanted, *, narrowed: bool) -> dict[str, Any]:
    """Nearest first where Google allows it, that is with a type or keyword; then it takes no radius."""
    if wanted.rank is RankBy.DISTANCE and narrowed:
        return {"location": _pair(wanted.at), "rank_by": "distance"}
    return {"location": _pair(wanted.at), "radius": round(wanted.circle_m)}


def _pair(at: LatLng) -> tuple[float, float]:
    return at.lat, at.lng


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
