"""Writes queries in Overpass QL (https://wiki.openstreetmap.org/wiki/Overpass_API/Overpass_QL)."""

import re
from collections.abc import Iterable, Iterator

from map_tools.kinds.tag_categories import TagFilter, tag_filters, told_by_name
from map_tools.maps.tags import keyword_words
from map_tools.types import LatLng

QUERY_S = 25
"""How long the server may work on a query; what asks for less time is served sooner."""
MOST_ELEMENTS = 5_000
"""More are not fetched; where there are more, a smaller circle is searched."""
KEYWORD_KEYS = "name|name:en|brand|operator|network|cuisine|sport|religion|denomination"
"""Keys whose values `map_tools.maps.tags.keywords` reads."""
_PLAIN = re.compile(r"[\w:-]+")


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


_SHORT = {"node": "node", "way": "way", "relation": "rel"}


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
