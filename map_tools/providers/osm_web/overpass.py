"""Asks Overpass: places around a position, inside an area, and by their objects.

The service: https://wiki.openstreetmap.org/wiki/Overpass_API. Queries are written in Overpass QL
(https://wiki.openstreetmap.org/wiki/Overpass_API/Overpass_QL).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from map_tools.compute.geodesy import distance_m
from map_tools.errors import LimitError, ProviderError, UnsupportedError
from map_tools.kinds.tag_categories import TagFilter, has_tag, tag_filters, told_by_name
from map_tools.maps.tags import keyword_words, keywords
from map_tools.providers.base import CutList
from map_tools.providers.http_clients import HttpClients, host_of, reading, refusal
from map_tools.providers.osm_web.places import Json, read_element
from map_tools.types import LatLng, NearbyPlace, Place
from map_tools.wire import Verdict, WireReply

FIRST_M, GROWTH = 1_000.0, 5.0
"""Where only the nearest places are wanted, a small circle is searched first: what a query costs the server
grows with its area."""
SHRINK, SHRINKS = 3.0, 4
"""Where a circle holds more than is fetched, a smaller one is searched, so many times."""
_GAVE_UP = b'"remark": "runtime error'
_TAG = re.compile(r"<[^>]+>")

QUERY_S = 25
"""How long the server may work on a query; what asks for less time is served sooner."""
MOST_ELEMENTS = 5_000
"""More are not fetched; where there are more, a smaller circle is searched."""
KEYWORD_KEYS = "name|name:en|brand|operator|network|cuisine|sport|religion|denomination"
"""Keys whose values `map_tools.maps.tags.keywords` reads."""
_PLAIN = re.compile(r"[\w:-]+")

_SHORT = {"node": "node", "way": "way", "relation": "rel"}


def judge(reply: WireReply) -> Verdict:
    """A query that ran out of time is reported inside a good reply; such a one is not to be kept."""
    return Verdict.FINAL if _GAVE_UP in reply.body else Verdict.GOOD


@dataclass(frozen=True, slots=True)
class Search:
    """What is searched for.

    Attributes:
        categories: Category ids; none: any kind.
        keyword: Words that must all occur; None for none.
    """

    categories: tuple[str, ...]
    keyword: str | None

    def selectors(self) -> tuple[str, ...]:
        """The tag filters to ask with."""
        return selectors(self.categories, self.keyword)

    def among(self, elements: Iterable[Json]) -> Iterator[Place]:
        """The places among elements that are what is searched for: the filters find more than that."""
        words = set(keyword_words(self.keyword or ""))
        for element in elements:
            place = read_element(element)
            if place is None or not words <= keywords(element["tags"]):
                continue
            is_one = (one in place.categories or has_tag(element["tags"], one) for one in self.categories)
            if not self.categories or any(is_one):
                yield place


class Overpass:
    """One server.

    Args:
        http_clients: The way to the network.
        url: The address of its interpreter.
    """

    def __init__(self, http_clients: HttpClients, url: str) -> None:
        self._http_clients = http_clients
        self._url = url

    async def nearby(
        self, at: LatLng, radius_m: float, search: Search, limit: int | None
    ) -> tuple[NearbyPlace, ...]:
        """The places in a circle, nearest first; see `Provider.nearby`.

        A `CutList` holds all that is nearer than some distance, and nothing beyond it.
        """
        found: tuple[NearbyPlace, ...] = ()
        for reach_m in _reaches(radius_m, limit):
            circle = await self._circle(at, reach_m, search)
            if circle is None:
                return CutList((found or await self._smaller(at, reach_m, search))[:limit])
            found = circle
            if limit is not None and len(found) >= limit:
                break
        return found[:limit]

    async def inside(self, kind: str, number: int, search: Search) -> tuple[Place, ...]:
        """The places inside the outline of an object, without itself.

        Raises:
            UnsupportedError: It has no outline.
            LimitError: There are too many.
        """
        selected = search.selectors()
        if not selected:
            return ()
        elements = await self._ask(query("(area.a)", selected, before=inside(kind, number)))
        if not any(element["type"] == "area" for element in elements):
            raise UnsupportedError(
                f"OpenStreetMap's {kind} {number} has no outline.", "Search within a radius instead."
            )
        objects = [element for element in elements if element["type"] != "area"]
        if len(objects) >= MOST_ELEMENTS:
            raise LimitError(
                f"More than {MOST_ELEMENTS} places lie inside this area.", "Ask for one kind of place."
            )
        others = (each for each in objects if (each["type"], each["id"]) != (kind, number))
        return tuple(search.among(others))

    async def of(self, kind: str, number: int) -> Place | None:
        """The place an object is ("way", 123); None if there is no such object, or it is no place."""
        elements = await self._ask(single(kind, number))
        return next((place for each in elements if (place := read_element(each)) is not None), None)

    async def _circle(self, at: LatLng, reach_m: float, search: Search) -> tuple[NearbyPlace, ...] | None:
        """All places of a circle, nearest first; None if there are more than are fetched."""
        selected = search.selectors()
        if not selected:
            return ()
        elements = await self._ask(query(around(at, reach_m), selected))
        if len(elements) >= MOST_ELEMENTS:
            return None
        away = [(place, distance_m(at, place.location)) for place in search.among(elements) if place.location]
        # A way counts for Overpass with its nearest node; here the point that stands for it does.
        near = [NearbyPlace(place=place, distance_m=far_m) for place, far_m in away if far_m <= reach_m]
        return tuple(sorted(near, key=lambda item: item.distance_m or 0.0))

    async def _smaller(self, at: LatLng, reach_m: float, search: Search) -> tuple[NearbyPlace, ...]:
        for _ in range(SHRINKS):
            reach_m /= SHRINK
            circle = await self._circle(at, reach_m, search)
            if circle is not None:
                return circle
        return ()

    async def _ask(self, text: str) -> list[Json]:
        reply = await self._http_clients.post(self._url, form={"data": text})
        if not reply.ok:
            raise refusal(self._url, reply.status, _said(reply))
        with reading(f"The server {host_of(self._url)}"):
            body = reply.json()
            remark = str(body.get("remark", ""))
            elements: list[Json] = list(body["elements"])
        if "runtime error" in remark:  # out of time or memory: the elements are not all there are
            raise ProviderError(
                f"The Overpass server gave up: {' '.join(remark.split()).rstrip('.')}.",
                "Ask for a smaller radius, or try again later.",
            )
        return elements


def _reaches(radius_m: float, limit: int | None) -> Iterator[float]:
    """The radii of the circles to search, one after the other until enough is found."""
    if limit is not None:
        reach_m = FIRST_M
        while reach_m * 2 < radius_m:
            yield reach_m
            reach_m *= GROWTH
    yield radius_m


def _said(reply: WireReply) -> str:
    """The words of an error page, which is HTML: "Error: line 1: parse error: ..."."""
    text = " ".join(_TAG.sub(" ", reply.text()).split())
    start = text.find("Error")
    return text[start : start + 120] if start >= 0 else ""


def around(at: LatLng, radius_m: float) -> str:
    """The filter for a circle."""
    return f"(around:{radius_m:.0f},{at.lat:.6f},{at.lng:.6f})"


def selectors(categories: Iterable[str], keyword: str | None) -> tuple[str, ...]:
    """The tag filters, each a superset of a part of what is wanted; none if nothing can be.

    Args:
        categories: Category ids; none given: any kind.
        keyword: Words that must all occur; with categories they are looked for in the reply.
    """
    wanted = tuple(categories)
    if wanted:
        return tuple(_by_tags(tag_filters((*wanted, *told_by_name(wanted)))))
    words = keyword.lower().split() if keyword else []
    if not words:
        return ('["name"]',)
    return tuple(_by_word(max(words, key=len)))


def query(area: str, selected: Iterable[str], *, before: str = "") -> str:
    """A query for the objects that one of the selectors finds in an area.

    Args:
        area: The filter for where ("(around:...)", "(area.a)").
        selected: Tag filters.
        before: Statements that define what `area` speaks of.
    """
    parts = "".join(f"nwr{area}{selector};" for selector in selected)
    return f"[out:json][timeout:{QUERY_S}];{before}({parts});out tags center {MOST_ELEMENTS};"


def inside(kind: str, number: int) -> str:
    """Statements that make the outline of an object the area `a`, and print it if there is one."""
    return f"{_SHORT[kind]}({number});map_to_area->.a;.a out ids;"


def single(kind: str, number: int) -> str:
    """A query for one object."""
    return f"[out:json][timeout:{QUERY_S}];{_SHORT[kind]}({number});out tags center;"


def _by_tags(filters: Iterable[TagFilter]) -> Iterator[str]:
    for each in sorted(filters, key=lambda one: (one.key, one.also)):
        also = "".join(_having(key, [value]) for key, value in each.also)
        if each.values is None:
            yield f'["{each.key}"]{also}'
            continue
        plain = sorted(value for value in each.values if _PLAIN.fullmatch(value))
        if plain:
            yield _having(each.key, plain) + also


def _having(key: str, values: Iterable[str]) -> str:
    """The filter for a tag; several values of one stand behind each other: "cafe;bar"."""
    return f'["{key}"~"(^|; *)({"|".join(values)})( *;|$)"]'


def _by_word(word: str) -> Iterator[str]:
    """A word as it is written, and in the form words are compared in (no accents, singular)."""
    forms = sorted({form for form in (word, *keyword_words(word)) if _PLAIN.fullmatch(form)})
    if forms:
        either = "|".join(forms)
        yield f'[~"^({KEYWORD_KEYS})$"~"{either}",i]'
        yield f'[~"^diet:({either})$"~"^(yes|only)$"]'
