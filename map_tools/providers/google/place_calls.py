"""Finding places with the Places API (New)."""

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from map_tools.errors import LimitError, ToolError
from map_tools.providers.google.circles import outer_centers, outer_radius_m
from map_tools.providers.google.fields import details_mask, search_mask, tier_of
from map_tools.providers.google.places import is_gone, read_place
from map_tools.providers.google.searches import (
    MAX_PAGES,
    MAX_RESULTS,
    PAGE_SIZE,
    by_type,
    name_body,
    type_body,
    words_body,
)
from map_tools.providers.google.service import GoogleService
from map_tools.providers.google.values import Json
from map_tools.providers.google_common.errors import PLACES, reading
from map_tools.providers.google_common.listing import Wanted, listed
from map_tools.providers.google_common.prices import cost_of
from map_tools.providers.likeness import candidates
from map_tools.together import together
from map_tools.types import Candidate, LatLng, NearbyPlace, Place


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
