"""A place in the shapes of the Places API (New).

Fields: https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places#Place.
What is empty is left out, as protocol buffers do it; fields that the definition marks optional are not.
"""

from collections.abc import Mapping
from typing import Any

from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.legacy.shapes import MAX_REVIEWS, around_point
from map_tools.testing.emulate.place_format import (
    both_weeks,
    components_of,
    google_id,
    new_hours,
    primary_type_of,
    title_of,
    types_of,
)
from map_tools.types import LatLng, Place, Review

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
