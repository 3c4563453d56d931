"""Finding places with the Places API (New): by text, by type around a position, by id.

A search by type gives 20 places. For more, a circle is searched as smaller ones: seven of half the radius cover
it, one in its middle and six around (the disk covering problem, https://mathworld.wolfram.com/DiskCoveringProblem.html).
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from map_tools.compute.geodesy import destination
from map_tools.errors import LimitError, ToolError
from map_tools.kinds import concepts
from map_tools.providers.google.places import details_mask, is_gone, read_place, search_mask, tier_of
from map_tools.providers.google.service import GoogleService, Json, point
from map_tools.providers.google_common.errors import PLACES, reading
from map_tools.providers.google_common.places import (
    BIAS_RADIUS_M,
    MAX_PAGES,
    MAX_RESULTS,
    Wanted,
    listed,
    search_types,
)
from map_tools.providers.google_common.terms import cost_of
from map_tools.providers.likeness import candidates
from map_tools.together import together
from map_tools.types import Candidate, LatLng, NearbyPlace, Place, RankBy

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
