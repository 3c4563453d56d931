"""What all legacy endpoints share: parameters, statuses and the envelope of a reply.

A logical error is a reply like any other, with HTTP 200 and a `status` that says what is wrong
(https://developers.google.com/maps/documentation/places/web-service/legacy/search-nearby#PlacesSearchStatus).
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from map_tools.errors import LimitError, NoRouteError, PlaceNotFoundError, ToolError, UnsupportedError
from map_tools.testing.emulate.backend import Backend, position_in
from map_tools.types import LatLng

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
