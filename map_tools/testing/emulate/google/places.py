"""The Places API (New): text search, nearby search, details, and the shape of a place.

Parameters and limits: https://developers.google.com/maps/documentation/places/web-service/text-search and
https://developers.google.com/maps/documentation/places/web-service/nearby-search; fields:
https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places#Place.
What is empty is left out, as protocol buffers do it; fields that the definition marks optional are not.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.google.envelope import (
    INVALID_ARGUMENT,
    Area,
    Json,
    RectangleBody,
    RpcError,
    SearchNearbyBody,
    SearchTextBody,
    read_body,
    read_mask,
)
from map_tools.testing.emulate.google_legacy.envelope import MAX_REVIEWS, around_point
from map_tools.testing.emulate.place_format import (
    FieldMask,
    Kind,
    both_weeks,
    categories_for,
    components_of,
    google_id,
    kind_of,
    new_hours,
    primary_type_of,
    title_of,
    types_of,
)
from map_tools.testing.emulate.search import Box, Circle, Filters, PageToken, around, by_text, read_token
from map_tools.types import LatLng, Place, RankBy, Review

LANGUAGE = "en"
PRICE_LEVELS = (
    "PRICE_LEVEL_FREE",
    "PRICE_LEVEL_INEXPENSIVE",
    "PRICE_LEVEL_MODERATE",
    "PRICE_LEVEL_EXPENSIVE",
    "PRICE_LEVEL_VERY_EXPENSIVE",
)
"""Names of the price levels 0 to 4."""
SERVICES = {
    "takeaway": "takeout",
    "delivery": "delivery",
    "indoor_seating": "dineIn",
    "reservable": "reservable",
    "serves_breakfast": "servesBreakfast",
    "serves_lunch": "servesLunch",
    "serves_dinner": "servesDinner",
    "serves_brunch": "servesBrunch",
    "serves_beer": "servesBeer",
    "serves_wine": "servesWine",
    "serves_vegetarian": "servesVegetarianFood",
    "outdoor_seating": "outdoorSeating",
    "live_music": "liveMusic",
    "dogs": "allowsDogs",
    "toilets": "restroom",
}
"""Our services and the fields that tell them."""
_NESTED_SERVICES = {
    "wheelchair": ("accessibilityOptions", "wheelchairAccessibleEntrance"),
    "wheelchair_toilets": ("accessibilityOptions", "wheelchairAccessibleRestroom"),
    "credit_cards": ("paymentOptions", "acceptsCreditCards"),
}
PLACE_FIELDS = frozenset(
    {
        *("name", "id", "displayName", "types", "primaryType", "primaryTypeDisplayName", "formattedAddress"),
        *("shortFormattedAddress", "postalAddress", "addressComponents", "plusCode", "location", "viewport"),
        *("rating", "userRatingCount", "priceLevel", "priceRange", "businessStatus", "nationalPhoneNumber"),
        *("internationalPhoneNumber", "websiteUri", "googleMapsUri", "googleMapsLinks", "utcOffsetMinutes"),
        *("timeZone", "editorialSummary", "generativeSummary", "reviewSummary", "neighborhoodSummary"),
        *("reviews", "photos", "attributions", "regularOpeningHours", "currentOpeningHours"),
        *("regularSecondaryOpeningHours", "currentSecondaryOpeningHours", "adrFormatAddress"),
        *("iconMaskBaseUri", "iconBackgroundColor"),
        *SERVICES.values(),
        *("curbsidePickup", "servesCocktails", "servesDessert", "servesCoffee", "menuForChildren"),
        *("goodForChildren", "goodForGroups", "goodForWatchingSports", "paymentOptions", "parkingOptions"),
        *("accessibilityOptions", "evChargeOptions", "evChargeAmenitySummary", "fuelOptions"),
        "subDestinations",
        *("containingPlaces", "addressDescriptor", "movedPlace", "movedPlaceId", "pureServiceAreaBusiness"),
    }
)
"""All fields of a place; one that is not here cannot be asked for."""


def point(at: LatLng) -> dict[str, float]:
    """A position; the two coordinates are sent also where they are 0."""
    return {"latitude": round(at.lat, 7), "longitude": round(at.lng, 7)}


def viewport(low: LatLng, high: LatLng) -> dict[str, Any]:
    """A rectangle."""
    return {"low": point(low), "high": point(high)}


def text(words: str) -> dict[str, str]:
    """A text with its language."""
    return {"text": words, "languageCode": LANGUAGE}


def whole_place(place: Place, backend: Backend) -> dict[str, Any]:
    """All fields of a place; a field mask chooses among them."""
    identifier, primary, zone = google_id(place.id), primary_type_of(place), backend.zone_of(place)
    offset = backend.local_now(place).utcoffset() if zone else None
    fields: Mapping[str, Any] = {
        "name": f"places/{identifier}",
        "id": identifier,
        "displayName": text(title_of(place)) if title_of(place) else None,
        "types": list(types_of(place)),
        "primaryType": primary,
        "primaryTypeDisplayName": text(primary.replace("_", " ").capitalize()) if primary else None,
        "formattedAddress": place.address,
        "shortFormattedAddress": (place.address or "").partition(",")[0] or None,
        "addressComponents": _components(place) or None,
        "location": point(place.location) if place.location else None,
        "viewport": viewport(*around_point(place.location)) if place.location else None,
        "rating": place.rating or None,
        "userRatingCount": place.rating_count,
        "priceLevel": None if place.price_level is None else PRICE_LEVELS[place.price_level],
        "businessStatus": "OPERATIONAL",
        "nationalPhoneNumber": place.phone,
        "internationalPhoneNumber": place.phone if place.phone and place.phone.startswith("+") else None,
        "websiteUri": place.website,
        "utcOffsetMinutes": None if offset is None else int(offset.total_seconds() // 60),
        "timeZone": {"id": zone} if zone else None,
        "reviews": [_review(each, identifier, at) for at, each in enumerate(place.reviews[:MAX_REVIEWS])]
        or None,
        "attributions": _attributions(backend) or None,
    }
    told = {name: value for name, value in fields.items() if value is not None}
    return told | _hours(place, backend) | _services(place)


def _components(place: Place) -> list[dict[str, Any]]:
    return [
        {"longText": part.text, "shortText": part.text, "types": [part.kind], "languageCode": LANGUAGE}
        for part in components_of(place)
    ]


def _hours(place: Place, backend: Backend) -> dict[str, Any]:
    weeks = both_weeks(place.hours, backend.local_now(place))
    if weeks is None:
        return {}
    usual, current = weeks
    return {
        "regularOpeningHours": new_hours(usual),
        "currentOpeningHours": new_hours(current, dated=True),
    }


def _services(place: Place) -> dict[str, Any]:
    told: dict[str, Any] = {
        SERVICES[name]: there for name, there in place.services.items() if name in SERVICES
    }
    for name, (group, field) in _NESTED_SERVICES.items():
        if name in place.services:
            told.setdefault(group, {})[field] = place.services[name]
    return told


def _review(review: Review, place_id: str, index: int) -> dict[str, Any]:
    rated = {} if review.rating is None else {"rating": review.rating}
    return {
        "name": f"places/{place_id}/reviews/{index}",
        "text": text(review.text),
        "originalText": text(review.text),
        "authorAttribution": {"displayName": review.author},
    } | rated


def _attributions(backend: Backend) -> list[dict[str, str]]:
    terms = backend.provider.terms
    if not terms.attribution:
        return []
    link = {"providerUri": terms.attribution_url} if terms.attribution_url else {}
    return [{"provider": terms.attribution} | link]


_SERVICE = "places.googleapis.com"
_SEARCH_FIELDS = {
    "places": PLACE_FIELDS,
    "routingSummaries": frozenset[str](),
    "contextualContents": frozenset[str](),
    "nextPageToken": frozenset[str](),
    "searchUri": frozenset[str](),
}


async def search_nearby(backend: Backend, body: Any, mask_text: str) -> Json:
    """`places:searchNearby`: places of some types in a circle, at most 20, without pages."""
    mask = read_mask(mask_text, _SEARCH_FIELDS, service=_SERVICE)
    asked = read_body(SearchNearbyBody, body)
    kinds = _kinds(asked.included_types)
    primary = _kinds(asked.included_primary_types)
    filters = Filters(
        kinds=kinds,
        banned=frozenset(asked.excluded_types),
        primary=frozenset(asked.included_primary_types),
        primary_banned=frozenset(asked.excluded_primary_types),
    )
    _kinds((*asked.excluded_types, *asked.excluded_primary_types))  # unknown ones are refused as well
    circle = asked.location_restriction.circle
    if circle.radius <= 0:
        raise RpcError(INVALID_ARGUMENT, "Invalid location_restriction.circle.radius: 0.")
    places = await around(
        backend,
        Circle(circle.center.lat_lng(), circle.radius),
        categories=categories_for((*kinds, *primary)),
        rank=RankBy.DISTANCE if asked.rank_preference == "DISTANCE" else RankBy.PROMINENCE,
        filters=filters,
    )
    most = min(asked.max_result_count or backend.page_size, backend.page_size)
    return _listed(places[:most], backend, mask)


async def search_text(backend: Backend, body: Any, mask_text: str) -> Json:
    """`places:searchText`: places for free words, in pages."""
    mask = read_mask(mask_text, _SEARCH_FIELDS, service=_SERVICE)
    asked = read_body(SearchTextBody, body)
    search = asked.model_dump(mode="json", exclude={"page_token", "page_size", "max_result_count"})
    offset = _offset(asked.page_token, search)
    places = await _found(backend, asked)
    size = min(asked.page_size or asked.max_result_count or backend.page_size, backend.page_size)
    past = offset + size
    token = PageToken(search, past, backend.clock.now()).text() if past < len(places) else None
    return _listed(places[offset:past], backend, mask, token)


async def get_place(backend: Backend, place_id: str, mask_text: str) -> Json:
    """`GET places/ID`: the fields asked for of one place."""
    mask = read_mask(mask_text, PLACE_FIELDS, service=_SERVICE)
    found: Json = mask.applied(whole_place(await backend.place(place_id), backend))
    return found


async def _found(backend: Backend, asked: SearchTextBody) -> list[Place]:
    kinds = _kinds((asked.included_type,) if asked.included_type else ())
    prices = _prices(asked.price_levels)
    box, bias = _where(asked.location_bias, asked.location_restriction)
    narrow = tuple(kind for kind in kinds if kind.cuisine or asked.strict_type_filtering)
    return await by_text(
        backend,
        asked.text_query,
        bias=bias,
        categories=categories_for(kinds),
        by_distance=asked.rank_preference == "DISTANCE",
        filters=Filters(
            kinds=narrow, open_now=asked.open_now, prices=prices, min_rating=asked.min_rating, box=box
        ),
    )


def _where(bias: Area | None, restriction: Area | None) -> tuple[Box | None, Circle | None]:
    """The rectangle nothing may lie outside of, and where to look first."""
    if bias is not None and restriction is not None:
        raise RpcError(INVALID_ARGUMENT, "Give location_bias or location_restriction, not both.")
    if restriction is not None:
        if restriction.rectangle is None:
            raise RpcError(INVALID_ARGUMENT, "location_restriction must have a rectangle.")
        box = _box(restriction.rectangle)
        return box, Circle(box.center)
    if bias is None:
        return None, None
    if bias.circle is not None:
        return None, Circle(bias.circle.center.lat_lng(), bias.circle.radius)
    return None, None if bias.rectangle is None else Circle(_box(bias.rectangle).center)


def _box(rectangle: RectangleBody) -> Box:
    return Box(rectangle.low.lat_lng(), rectangle.high.lat_lng())


def _offset(page_token: str, search: Json) -> int:
    """How many results were given before; the search must be the one the token came with."""
    if not page_token:
        return 0
    token = read_token(page_token)
    if token is None or dict(token.search) != search:
        raise RpcError(INVALID_ARGUMENT, "The page_token is invalid, or the request differs from its own.")
    return token.offset


def _listed(places: Sequence[Place], backend: Backend, mask: FieldMask, token: str | None = None) -> Json:
    """The reply of a search; no results is no list."""
    reply: Json = {"places": [whole_place(place, backend) for place in places]} if places else {}
    if token is not None:
        reply["nextPageToken"] = token
    shown: Json = mask.applied(reply)
    return shown


def _kinds(types: Iterable[str]) -> tuple[Kind, ...]:
    """What types search for.

    Raises:
        RpcError: There is no such type.
    """
    found = {name: kind_of(name) for name in types}
    unknown = [name for name, kind in found.items() if kind is None]
    if unknown:
        raise RpcError(INVALID_ARGUMENT, f"Unsupported types: {', '.join(unknown)}.")
    return tuple(kind for kind in found.values() if kind is not None)


def _prices(names: Iterable[str]) -> frozenset[int]:
    unknown = [name for name in names if name not in PRICE_LEVELS[1:]]
    if unknown:
        raise RpcError(INVALID_ARGUMENT, f"Invalid value at 'price_levels': {unknown[0]}.")
    return frozenset(PRICE_LEVELS.index(name) for name in names)
