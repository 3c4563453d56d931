"""What all legacy endpoints share: parameters, statuses, the envelope of a reply, and the shape of a place.

A logical error is a reply like any other, with HTTP 200 and a `status` that says what is wrong
(https://developers.google.com/maps/documentation/places/web-service/legacy/search-nearby#PlacesSearchStatus).
Fields of a place: https://developers.google.com/maps/documentation/places/web-service/legacy/details#Place.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from map_tools.errors import LimitError, NoRouteError, PlaceNotFoundError, ToolError, UnsupportedError
from map_tools.testing.emulate.backend import Backend, position_in
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

OK = "OK"
ZERO_RESULTS = "ZERO_RESULTS"
NOT_FOUND = "NOT_FOUND"
INVALID_REQUEST = "INVALID_REQUEST"

_FARTHEST_S = 6e10
"""Seconds from 1970 to the edge of the calendar, with room for every time zone."""

type Json = dict[str, Any]


class LegacyStatusError(Exception):
    """Ends a legacy request with a status other than OK."""

    def __init__(self, status: str, message: str = "") -> None:
        super().__init__(status)
        self.status = status
        self.message = message


class Parameters:
    """The query parameters of a legacy request."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given

    def text(self, name: str) -> str:
        """A text; empty if it is missing. "None" is what the `googlemaps` client sends for no value."""
        value = self._given.get(name, "").strip()
        return "" if value == "None" else value

    def needed(self, name: str) -> str:
        """A text that must be there.

        Raises:
            LegacyStatusError: It is missing.
        """
        value = self.text(name)
        if not value:
            raise LegacyStatusError(INVALID_REQUEST, f"The parameter '{name}' is missing.")
        return value

    def flag(self, name: str) -> bool:
        """True for "true" and for a bare name without a value."""
        return name in self._given and self.text(name).lower() in {"", "true", "1"}

    def number(self, name: str) -> float | None:
        """A number; None if it is missing.

        Raises:
            LegacyStatusError: It is no number.
        """
        value = self.text(name)
        if not value:
            return None
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise LegacyStatusError(INVALID_REQUEST, f"The parameter '{name}' is no number: '{value}'.")
        return number

    def position(self, name: str) -> LatLng | None:
        """A position "lat,lng"; None if it is missing.

        Raises:
            LegacyStatusError: It is no position.
        """
        value = self.text(name)
        if not value:
            return None
        found = position_in(value)
        if found is None:
            raise LegacyStatusError(INVALID_REQUEST, f"The parameter '{name}' is no position: '{value}'.")
        return found

    def moment(self, name: str, backend: Backend) -> datetime | None:
        """Seconds since 1970 or "now"; None if it is missing.

        Raises:
            LegacyStatusError: It is neither.
        """
        if self.text(name) == "now":
            return backend.clock.now()
        seconds = self.number(name)
        if seconds is None:
            return None
        if abs(seconds) > _FARTHEST_S:
            raise LegacyStatusError(INVALID_REQUEST, f"The parameter '{name}' is too far from the present.")
        return datetime.fromtimestamp(seconds, UTC)


def attributions(backend: Backend) -> list[str]:
    """`html_attributions`: who made the data, as a link where the terms have an address."""
    terms = backend.provider.terms
    if not terms.attribution:
        return []
    if not terms.attribution_url:
        return [terms.attribution]
    return [f'<a href="{terms.attribution_url}">{terms.attribution}</a>']


def status_of(error: ToolError | LimitError) -> LegacyStatusError:
    """A provider's error as a legacy status."""
    if isinstance(error, PlaceNotFoundError):
        return LegacyStatusError(NOT_FOUND)
    if isinstance(error, NoRouteError):
        return LegacyStatusError(ZERO_RESULTS)
    if isinstance(error, UnsupportedError):
        return LegacyStatusError(ZERO_RESULTS)
    if isinstance(error, LimitError):
        return LegacyStatusError(INVALID_REQUEST, str(error))
    return LegacyStatusError("UNKNOWN_ERROR", str(error))


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
