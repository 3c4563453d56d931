"""A place in the shapes of the legacy Places API.

Fields: https://developers.google.com/maps/documentation/places/web-service/legacy/details#Place
"""

from typing import Any

from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.place_format import (
    both_weeks,
    components_of,
    google_id,
    legacy_hours,
    regular_week,
    title_of,
    types_of,
)
from map_tools.types import LatLng, Place, Review

VIEWPORT_DEG = 0.00135
"""Half the height and width of the viewport around a point, about 150 m; the documentation names none."""
MAX_REVIEWS = 5
"""https://developers.google.com/maps/documentation/places/web-service/legacy/details#Place-reviews"""
SERVICES = {
    "wheelchair": "wheelchair_accessible_entrance",
    "takeaway": "takeout",
    "delivery": "delivery",
    "indoor_seating": "dine_in",
    "reservable": "reservable",
    "serves_breakfast": "serves_breakfast",
    "serves_lunch": "serves_lunch",
    "serves_dinner": "serves_dinner",
    "serves_brunch": "serves_brunch",
    "serves_beer": "serves_beer",
    "serves_wine": "serves_wine",
    "serves_vegetarian": "serves_vegetarian_food",
}
"""Our services and the fields that tell them."""


def position(point: LatLng) -> dict[str, float]:
    """A position."""
    return {"lat": round(point.lat, 7), "lng": round(point.lng, 7)}


def box(low: LatLng, high: LatLng) -> dict[str, Any]:
    """A rectangle."""
    return {"northeast": position(high), "southwest": position(low)}


def around_point(point: LatLng) -> tuple[LatLng, LatLng]:
    """The corners of the viewport of a point."""
    lat, lng = point.lat, point.lng
    return (
        LatLng(lat=max(-90, lat - VIEWPORT_DEG), lng=(lng - VIEWPORT_DEG + 180) % 360 - 180),
        LatLng(lat=min(90, lat + VIEWPORT_DEG), lng=(lng + VIEWPORT_DEG + 180) % 360 - 180),
    )


def found_place(place: Place, backend: Backend, *, address_field: str) -> dict[str, Any]:
    """A search result; `address_field` is "vicinity" nearby and "formatted_address" elsewhere."""
    result = _common(place) | {"reference": google_id(place.id)}
    if place.address:
        result[address_field] = place.address
    week = None if place.hours is None else regular_week(place.hours, backend.local_now(place))
    if week is not None:
        result["opening_hours"] = {"open_now": week.open_now}
    return result


def whole_place(place: Place, backend: Backend) -> dict[str, Any]:
    """All fields of a place's details."""
    offset = backend.local_now(place).utcoffset() if backend.zone_of(place) else None
    optional = {
        "adr_address": place.address,
        "formatted_address": place.address,
        "vicinity": place.address,
        "formatted_phone_number": place.phone,
        "international_phone_number": place.phone if place.phone and place.phone.startswith("+") else None,
        "website": place.website,
        "utc_offset": None if offset is None else int(offset.total_seconds() // 60),
        "reviews": [_review(review) for review in place.reviews[:MAX_REVIEWS]] or None,
        "address_components": address_components(place) or None,
    }
    services = {SERVICES[name]: there for name, there in place.services.items() if name in SERVICES}
    told = {field: value for field, value in optional.items() if value is not None}
    return _common(place) | _hours(place, backend) | told | services


def address_components(place: Place) -> list[dict[str, Any]]:
    """The parts of the address."""
    return [
        {"long_name": part.text, "short_name": part.text, "types": [part.kind]}
        for part in components_of(place)
    ]


def geometry(place: Place) -> dict[str, Any] | None:
    """Position and viewport; None for a place of unknown position, of which Google knows none."""
    if place.location is None:
        return None
    return {"location": position(place.location), "viewport": box(*around_point(place.location))}


def _common(place: Place) -> dict[str, Any]:
    fields = {
        "business_status": "OPERATIONAL",
        "geometry": geometry(place),
        "name": title_of(place) or None,
        "place_id": google_id(place.id),
        "price_level": place.price_level,
        "rating": place.rating,
        "types": list(types_of(place)),
        "user_ratings_total": place.rating_count,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _hours(place: Place, backend: Backend) -> dict[str, Any]:
    weeks = both_weeks(place.hours, backend.local_now(place))
    if weeks is None:
        return {}
    usual, current = weeks
    return {
        "opening_hours": legacy_hours(usual),
        "current_opening_hours": legacy_hours(current, dated=True),
    }


def _review(review: Review) -> dict[str, Any]:
    rated = {} if review.rating is None else {"rating": review.rating}
    return {"author_name": review.author, "text": review.text, "translated": False} | rated
