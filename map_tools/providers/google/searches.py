"""Requests for places: by text, by type around a position, by id."""

from collections.abc import Mapping
from typing import Any

from map_tools.kinds import concepts
from map_tools.providers.google.values import point
from map_tools.providers.google_common.listing import Wanted
from map_tools.providers.google_common.place_types import search_types
from map_tools.types import LatLng, RankBy

PAGE_SIZE = 20
"""Most results of one reply (https://developers.google.com/maps/documentation/places/web-service/text-search
and .../nearby-search: `pageSize`, `maxResultCount`)."""
MAX_PAGES = 3
MAX_RESULTS = MAX_PAGES * PAGE_SIZE
"""A text search ends after 60 results, without a token even where there is more (`nextPageToken` in
https://developers.google.com/maps/documentation/places/web-service/text-search)."""
BIAS_RADIUS_M = 20_000
"""The circle around the user within which a name is preferred; results outside it are found as well."""


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
