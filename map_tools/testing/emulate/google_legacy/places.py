"""The legacy endpoints about places: text search, nearby search, find place, details, geocoding, time zone.

Parameters and limits: https://developers.google.com/maps/documentation/places/web-service/legacy/search,
https://developers.google.com/maps/documentation/geocoding/requests-geocoding and
https://developers.google.com/maps/documentation/timezone/requests-timezone.
"""

import re
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from map_tools.clock import local_zone
from map_tools.kinds.wanted import read_wanted
from map_tools.testing.emulate.backend import Backend, position_in
from map_tools.testing.emulate.google_legacy.envelope import (
    INVALID_REQUEST,
    OK,
    ZERO_RESULTS,
    Json,
    LegacyStatusError,
    Parameters,
    address_components,
    attributions,
    found_place,
    geometry,
    whole_place,
)
from map_tools.testing.emulate.place_format import FieldMask, Kind, google_id, kind_of, title_of, types_of
from map_tools.testing.emulate.search import (
    MAX_RADIUS_M,
    Box,
    Circle,
    Filters,
    PageToken,
    around,
    by_text,
    read_token,
)
from map_tools.types import LatLng, Place, RankBy

_SEARCH_PARAMETERS = (
    *("query", "location", "radius", "type", "keyword", "name"),
    *("rankby", "opennow", "minprice", "maxprice"),
)
"""What makes a search the one it is: a page token holds these."""
_ALIASES = {
    "address_component": "address_components",
    "photo": "photos",
    "review": "reviews",
    "type": "types",
}
"""Field names of requests that differ from those of replies."""
_FIELDS = frozenset(
    {
        *("address_components", "adr_address", "business_status", "formatted_address", "geometry", "icon"),
        *("icon_background_color", "icon_mask_base_uri", "name", "permanently_closed", "photos", "place_id"),
        *("plus_code", "types", "url", "utc_offset", "vicinity", "wheelchair_accessible_entrance"),
        *("formatted_phone_number", "international_phone_number", "opening_hours", "website"),
        *("current_opening_hours", "secondary_opening_hours", "curbside_pickup", "delivery", "dine_in"),
        *("editorial_summary", "price_level", "rating", "reservable", "reviews", "user_ratings_total"),
        *("serves_beer", "serves_breakfast", "serves_brunch", "serves_dinner", "serves_lunch"),
        *("serves_vegetarian_food", "serves_wine", "takeout"),
    }
)
"""https://developers.google.com/maps/documentation/places/web-service/legacy/details#fields"""
_BIAS = re.compile(r"(?P<kind>point|circle|rectangle|ipbias)(?::(?P<rest>.*))?")
_MAX_PRICE = 4
_REVERSE_RADIUS_M = 250.0
"""How far from a position an address may lie that is given for it."""
_REVERSE_LOOKED_AT = 60
_MOST_RESULTS = 5


async def text_search(backend: Backend, given: Parameters) -> Json:
    """`textsearch`: places for free words, 20 a page."""
    asked, offset = _page(backend, given)
    query, kinds = asked.text("query"), _kinds(asked)
    if not query and not kinds:
        raise LegacyStatusError(INVALID_REQUEST, "The parameter 'query' is missing.")
    center = asked.position("location")
    bias = None if center is None else Circle(center, asked.number("radius") or MAX_RADIUS_M)
    places = await by_text(
        backend,
        query or asked.text("type").replace("_", " "),
        bias=bias,
        categories=tuple(category for kind in kinds for category in kind.categories),
        filters=_filters(asked, kinds),
    )
    return _paged(backend, asked, places, offset, address_field="formatted_address")


async def nearby_search(backend: Backend, given: Parameters) -> Json:
    """`nearbysearch`: places of one type or with a keyword in a circle, 20 a page."""
    asked, offset = _page(backend, given)
    center = asked.position("location")
    by_distance = asked.text("rankby") == "distance"
    kinds = _kinds(asked)
    words = " ".join(filter(None, (asked.text("keyword"), asked.text("name"))))
    radius_m = asked.number("radius")
    _check_nearby(center, radius_m, by_distance=by_distance, narrowed=bool(words or asked.text("type")))
    categories = tuple(category for kind in kinds for category in kind.categories)
    wanted = read_wanted(words, "|".join(categories) or None)
    places = await around(
        backend,
        Circle(center or LatLng(lat=0, lng=0), radius_m or MAX_RADIUS_M),
        categories=wanted.categories,
        keyword=wanted.keyword,
        rank=RankBy.DISTANCE if by_distance else RankBy.PROMINENCE,
        filters=_filters(asked, kinds),
    )
    return _paged(backend, asked, places, offset, address_field="vicinity")


async def find_place(backend: Backend, given: Parameters) -> Json:
    """`findplacefromtext`: the best place for a name, an address or a phone number."""
    text, kind = given.needed("input"), given.needed("inputtype")
    if kind not in {"textquery", "phonenumber"}:
        raise LegacyStatusError(INVALID_REQUEST, f"The input type '{kind}' is unknown.")
    mask = _mask(given.text("fields") or "place_id")
    places = await by_text(backend, text, bias=_bias(given.text("locationbias")))
    if kind == "phonenumber":
        places = [place for place in places if _digits(place.phone or "") == _digits(text)]
    if not places:
        return {"candidates": [], "status": ZERO_RESULTS}
    shown = whole_place(places[0], backend)
    if "opening_hours" in shown:  # a search says no more than this of the hours
        shown["opening_hours"] = {"open_now": shown["opening_hours"]["open_now"]}
    return {"candidates": [mask.applied(shown)], "status": OK}


async def details(backend: Backend, given: Parameters) -> Json:
    """`details`: everything about a place, or the fields asked for."""
    old_name = given.text("placeid")  # what the `googlemaps` client still sends
    place = await backend.place(old_name or given.needed("place_id"))
    result = _mask(given.text("fields") or "*").applied(whole_place(place, backend))
    return {"html_attributions": attributions(backend), "result": result, "status": OK}


def _page(backend: Backend, given: Parameters) -> tuple[Parameters, int]:
    """The search a request means, and how many results were given before: a page token overrides the rest."""
    text = given.text("pagetoken")
    if not text:
        return given, 0
    token = read_token(text)
    if token is None or not token.is_ready(backend.clock.now(), backend.token_delay_s):
        raise LegacyStatusError(INVALID_REQUEST)
    return Parameters({name: str(value) for name, value in token.search.items()}), token.offset


def _paged(
    backend: Backend, asked: Parameters, places: Sequence[Place], offset: int, *, address_field: str
) -> Json:
    past = offset + backend.page_size
    results = [found_place(place, backend, address_field=address_field) for place in places[offset:past]]
    reply: Json = {
        "html_attributions": attributions(backend),
        "results": results,
        "status": OK if results else ZERO_RESULTS,
    }
    if past < len(places):
        search = {name: asked.text(name) for name in _SEARCH_PARAMETERS if asked.text(name)}
        reply["next_page_token"] = PageToken(search, past, backend.clock.now()).text()
    return reply


def _check_nearby(
    center: LatLng | None, radius_m: float | None, *, by_distance: bool, narrowed: bool
) -> None:
    """The rules of `location`, `radius` and `rankby`."""
    if center is None:
        raise LegacyStatusError(INVALID_REQUEST, "The parameter 'location' is missing.")
    if by_distance and radius_m is not None:
        raise LegacyStatusError(INVALID_REQUEST, "With 'rankby=distance' there must be no 'radius'.")
    if by_distance and not narrowed:
        raise LegacyStatusError(
            INVALID_REQUEST, "With 'rankby=distance' a 'keyword', 'name' or 'type' is needed."
        )
    if not by_distance and (radius_m is None or not 0 < radius_m <= MAX_RADIUS_M):
        raise LegacyStatusError(
            INVALID_REQUEST, f"The parameter 'radius' must be over 0 and at most {MAX_RADIUS_M:.0f}."
        )


def _kinds(asked: Parameters) -> tuple[Kind, ...]:
    """What `type` narrows a search to: one type only; one that is not known is passed over."""
    first = re.split(r"[|,]", asked.text("type"))[0]
    kind = kind_of(first)
    return () if kind is None else (kind,)


def _filters(asked: Parameters, kinds: tuple[Kind, ...]) -> Filters:
    low, high = asked.number("minprice"), asked.number("maxprice")
    prices: frozenset[int] = frozenset()
    if low is not None or high is not None:
        last = _MAX_PRICE if high is None else min(int(high), _MAX_PRICE)
        prices = frozenset(range(int(low or 0), last + 1))
    cuisines = tuple(kind for kind in kinds if kind.cuisine)
    return Filters(kinds=cuisines, open_now=asked.flag("opennow"), prices=prices)


def _bias(text: str) -> Circle | None:
    """`locationbias`: "point:LAT,LNG", "circle:RADIUS@LAT,LNG" or "rectangle:S,W|N,E"; "ipbias" is none."""
    match = _BIAS.fullmatch(text)
    if not text or (match and match["kind"] == "ipbias"):
        return None
    rest = (match["rest"] or "") if match else ""
    corners = [position_in(part) for part in rest.rpartition("@")[2].split("|")]
    first, last = corners[0], corners[-1]
    if match is None or first is None or last is None:
        raise LegacyStatusError(INVALID_REQUEST, f"The location bias '{text}' is not understood.")
    return Circle(Box(first, last).center if match["kind"] == "rectangle" else first)


def _mask(text: str) -> FieldMask:
    """The fields asked for ("name,geometry/location")."""
    names = [name.strip().split("/") for name in text.split(",") if name.strip()]
    mask = FieldMask.of(("/".join([_ALIASES.get(first, first), *rest]) for first, *rest in names), "/")
    unknown = sorted(mask.top - _FIELDS)
    if unknown:
        raise LegacyStatusError(
            INVALID_REQUEST, f"Error while parsing 'fields' parameter: Unsupported field name '{unknown[0]}'."
        )
    return mask


def _digits(phone: str) -> str:
    return "".join(char for char in phone if char.isdigit())


async def geocode(backend: Backend, given: Parameters) -> Json:
    """`geocode`: places for an address, or addresses for a position or a place id."""
    point, text, place_id = given.position("latlng"), given.text("address"), given.text("place_id")
    if point is not None:
        places = await _addresses_at(backend, point)
    elif place_id:
        places = [await backend.place(place_id)]
    elif text:
        found = await backend.provider.find_place(text, limit=_MOST_RESULTS)
        places = [candidate.place for candidate in found if candidate.score >= found[0].score]
    else:
        raise LegacyStatusError(INVALID_REQUEST, "One of 'address', 'latlng' and 'place_id' is needed.")
    results = [_result(place) for place in places if place.location is not None]
    return {"results": results, "status": OK if results else ZERO_RESULTS}


async def time_zone(backend: Backend, given: Parameters) -> Json:
    """`timezone`: the zone at a position and its offsets at a moment. `timeZoneName` is an abbreviation."""
    point, moment = given.position("location"), given.moment("timestamp", backend)
    if point is None or moment is None:
        missing = "location" if point is None else "timestamp"
        raise LegacyStatusError(INVALID_REQUEST, f"The parameter '{missing}' is missing.")
    zone = local_zone(point)
    local = moment.astimezone(ZoneInfo(zone))
    offset, saving = local.utcoffset(), local.dst()
    total_s = int(offset.total_seconds()) if offset is not None else 0
    saving_s = int(saving.total_seconds()) if saving is not None else 0
    return {
        "dstOffset": saving_s,
        "rawOffset": total_s - saving_s,
        "status": OK,
        "timeZoneId": zone,
        "timeZoneName": local.tzname() or zone,
    }


async def _addresses_at(backend: Backend, point: LatLng) -> list[Place]:
    """Places with an address around a position, the nearest first."""
    found = await backend.provider.nearby(
        point, radius_m=_REVERSE_RADIUS_M, rank=RankBy.DISTANCE, limit=_REVERSE_LOOKED_AT
    )
    return [item.place for item in found if item.place.address][:_MOST_RESULTS]


def _result(place: Place) -> Json:
    """A geocoded place; `formatted_address` is its name where it has no address (a town, a park)."""
    shape = geometry(place) or {}
    exact = any(part["types"] == ["street_number"] for part in address_components(place))
    return {
        "address_components": address_components(place),
        "formatted_address": place.address or title_of(place),
        "geometry": shape | {"location_type": "ROOFTOP" if exact else "GEOMETRIC_CENTER"},
        "place_id": google_id(place.id),
        "types": list(types_of(place)),
    }
