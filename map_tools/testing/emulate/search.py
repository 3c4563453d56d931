"""Place searches of both generations: what a text or a type asks for, asked of a provider, page by page.

The token of the next page holds the whole search and where to go on, so the server keeps nothing between two
requests.
"""

import base64
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from map_tools.compute.geodesy import distance_m
from map_tools.compute.hours import OpenState, open_state
from map_tools.errors import PlaceNotFoundError
from map_tools.kinds import concepts
from map_tools.kinds.wanted import read_wanted
from map_tools.testing.emulate.backend import MOST_RESULTS, Backend
from map_tools.testing.emulate.place_format import Kind, primary_type_of, types_of
from map_tools.types import LatLng, Place, RankBy

_MAX_JSON_CHARS = 20_000
"""A token longer than this is none of ours (a bomb of zeros, say)."""
MAX_RADIUS_M = 50_000.0
"""The largest circle of a search
(https://developers.google.com/maps/documentation/places/web-service/nearby-search#location-restriction)."""
_SURE_SCORE = 0.92
"""A name that fits this well is meant, although its words may also name a kind of place."""
_SIFTED = 400
"""Places looked at where a filter may drop most of them."""
_WHERE = re.compile(r"(?P<what>.+?)\s+(?:near|nearby|in|around|at|close to)\s+(?P<where>.+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of latitudes and longitudes; it may cross the antimeridian."""

    low: LatLng
    high: LatLng

    def holds(self, point: LatLng) -> bool:
        """True if the point is in it."""
        within = self.low.lng <= point.lng <= self.high.lng
        around = self.low.lng > self.high.lng and (point.lng >= self.low.lng or point.lng <= self.high.lng)
        return self.low.lat <= point.lat <= self.high.lat and (within or around)

    @property
    def center(self) -> LatLng:
        """Its middle."""
        width = (self.high.lng - self.low.lng) % 360
        lng = (self.low.lng + width / 2 + 180) % 360 - 180
        return LatLng(lat=(self.low.lat + self.high.lat) / 2, lng=lng)


@dataclass(frozen=True, slots=True)
class Filters:
    """What results must have; None or empty: anything goes.

    `kinds`: one of these, `banned`: none of these types; `primary` and `primary_banned` likewise of the
    primary type. `prices` are levels from 0 to 4; places without a price are dropped where prices are asked
    for.
    """

    kinds: tuple[Kind, ...] = ()
    banned: frozenset[str] = frozenset()
    primary: frozenset[str] = frozenset()
    primary_banned: frozenset[str] = frozenset()
    open_now: bool = False
    prices: frozenset[int] = frozenset()
    min_rating: float = 0.0
    box: Box | None = None

    def keep(self, places: Iterable[Place], backend: Backend) -> list[Place]:
        """The places that have all of it, in their order."""
        return [place for place in places if self._fits(place) and self._is_open(place, backend)]

    def _fits(self, place: Place) -> bool:
        types, primary = set(types_of(place)), {primary_type_of(place)}
        kind = not self.kinds or any(each.fits(place) for each in self.kinds)
        main = not self.primary or bool(self.primary & primary)
        banned = bool(self.banned & types or self.primary_banned & primary)
        price = not self.prices or place.price_level in self.prices
        rated = not self.min_rating or (place.rating or 0.0) >= self.min_rating
        where = self.box is None or (place.location is not None and self.box.holds(place.location))
        return kind and main and not banned and price and rated and where

    def _is_open(self, place: Place, backend: Backend) -> bool:
        if not self.open_now:
            return True
        return place.hours is not None and open_state(place.hours, backend.local_now(place)) is OpenState.OPEN


NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True)
class Circle:
    """Where a search looks first (a bias), or nowhere else (a restriction)."""

    center: LatLng
    radius_m: float = MAX_RADIUS_M


async def around(
    backend: Backend,
    circle: Circle,
    *,
    categories: tuple[str, ...] = (),
    keyword: str | None = None,
    rank: RankBy = RankBy.PROMINENCE,
    filters: Filters = NO_FILTERS,
) -> list[Place]:
    """Places within a circle, at most `MOST_RESULTS`, in the provider's order."""
    found = await backend.provider.nearby(
        circle.center,
        radius_m=min(circle.radius_m, MAX_RADIUS_M),
        categories=categories,
        keyword=keyword,
        rank=rank,
        limit=MOST_RESULTS if filters == NO_FILTERS else _SIFTED,
    )
    return filters.keep((item.place for item in found), backend)[:MOST_RESULTS]


async def by_text(
    backend: Backend,
    text: str,
    *,
    bias: Circle | None = None,
    categories: tuple[str, ...] = (),
    by_distance: bool = False,
    filters: Filters = NO_FILTERS,
) -> list[Place]:
    """Places for free words: a name or address, or a kind of place around the bias or a place named.

    Args:
        backend: What is emulated from.
        text: "Market Hall", "12 Pier Road", "vegan restaurant", "cafes near Market Hall".
        bias: Where to look first.
        categories: A kind that is already known; the text is then a name or property of it.
        by_distance: Sort by the distance from the bias.
        filters: What results must have.
    """
    center = bias.center if bias else None
    candidates = await backend.provider.find_place(text, near=center, limit=MOST_RESULTS) if text else ()
    named = [candidate.place for candidate in candidates]
    is_name = not categories and concepts.lookup(text) is None
    if not (is_name and candidates and candidates[0].score >= _SURE_SCORE):
        named = await _of_a_kind(backend, text, center, categories) or named
    kept = filters.keep(named, backend)[:MOST_RESULTS]
    if by_distance and center is not None:
        kept.sort(key=lambda place: distance_m(center, place.location) if place.location else float("inf"))
    return kept


async def _of_a_kind(
    backend: Backend, text: str, center: LatLng | None, categories: tuple[str, ...]
) -> list[Place]:
    """Places of the kind the text names, around the place it names or else the bias."""
    what, anchor = await _split(backend, text, center)
    wanted = read_wanted(what, "|".join(categories) or None)
    if anchor is None or not wanted.categories:
        return []
    return await around(backend, Circle(anchor), categories=wanted.categories, keyword=wanted.keyword)


async def _split(backend: Backend, text: str, center: LatLng | None) -> tuple[str, LatLng | None]:
    """Splits "cafes near Market Hall" into the kind and the anchor's position; others stay as they are."""
    match = _WHERE.fullmatch(text)
    if match is None or not concepts.find_in(match["what"]):
        return text, center
    try:
        anchor = await backend.first_match(match["where"], center)
    except PlaceNotFoundError:
        return text, center
    return match["what"], anchor.location


@dataclass(frozen=True, slots=True)
class PageToken:
    """Where a search goes on.

    Attributes:
        search: The parameters of the search.
        offset: How many results were given already.
        issued: When the token was made.
    """

    search: Mapping[str, Any]
    offset: int
    issued: datetime

    def text(self) -> str:
        """The token as a client sees it."""
        body = json.dumps([dict(self.search), self.offset, self.issued.isoformat()], sort_keys=True)
        return base64.urlsafe_b64encode(zlib.compress(body.encode())).decode().rstrip("=")

    def is_ready(self, now: datetime, delay_s: float) -> bool:
        """True once the token may be used."""
        return now - self.issued >= timedelta(seconds=delay_s)


def read_token(text: str) -> PageToken | None:
    """A token a client sent; None for one that this emulator never gave."""
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        body = zlib.decompressobj().decompress(packed, _MAX_JSON_CHARS)
        search, offset, issued = json.loads(body)
        token = PageToken(dict(search), int(offset), datetime.fromisoformat(issued))
    except (zlib.error, ValueError, TypeError, RecursionError):
        return None
    return token if token.offset >= 0 and token.issued.tzinfo is not None else None
