"""The Places API (New): text search, nearby search, details.

Parameters and limits: https://developers.google.com/maps/documentation/places/web-service/text-search and
https://developers.google.com/maps/documentation/places/web-service/nearby-search.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.mask import FieldMask
from map_tools.testing.emulate.new.envelope import (
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
from map_tools.testing.emulate.new.shapes import PLACE_FIELDS, PRICE_LEVELS, whole_place
from map_tools.testing.emulate.place_format import Kind, categories_for, kind_of
from map_tools.testing.emulate.search import Box, Circle, Filters, PageToken, around, by_text, read_token
from map_tools.types import Place, RankBy

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
