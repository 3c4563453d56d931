"""What kind of place a nearby search wants: words and types become category ids and a keyword."""

import re
from dataclasses import dataclass

from map_tools.kinds import concepts
from map_tools.kinds.tag_categories import raw_tag
from map_tools.text import normalise

FILLERS = frozenset(
    {
        "a",
        "an",
        "any",
        "around",
        "best",
        "close",
        "closest",
        "good",
        "here",
        "me",
        "near",
        "nearby",
        "nearest",
    }
    | {"of", "place", "places", "some", "the", "to"}
    | {
        "entries",
        "entry",
        "items",
        "listing",
        "listings",
        "result",
        "results",
        "spot",
        "spots",
        "thing",
        "things",
    }
)
"""Words of a query that name neither a kind of place nor a property of it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Category ids (none: any place) and a keyword that name, cuisine, brand, ... must fit."""

    categories: tuple[str, ...] = ()
    keyword: str | None = None


def read_wanted(query: str, kind: str | None = None, keyword: str | None = None) -> Wanted:
    """What is searched for.

    Args:
        query: Words such as "vegan restaurants" or a brand; or a tag of OpenStreetMap ("amenity=bench").
        kind: One or several types or category ids, separated by "|" or ",".
        keyword: A keyword that is already known; empty: there is none; None: it is read from the query.
    """
    if (tag := raw_tag(query)) is not None:
        kind, query = (f"{kind}|{tag}" if kind else tag), ""
    types = [part.strip() for part in re.split(r"[|,]", kind or "") if part.strip()]
    categories = [category for part in types for category in _ids(part)]
    whole = concepts.lookup(query)
    spans = [] if whole else concepts.find_in(query)
    if not categories:
        found = whole or (spans[0].value if spans else None)
        categories = list(found.ids) if found else []
    if keyword is None:
        keyword = _told_beside(query) if whole else _without(query, spans)
    return Wanted(categories=tuple(dict.fromkeys(categories)), keyword=keyword.strip() or None)


def _told_beside(query: str) -> str:
    """What words for a kind tell beyond it, where that can be searched by: a pizzeria is a restaurant with pizza."""
    cuisine = concepts.cuisine_in(query) if concepts.is_narrow(query) else None
    return (cuisine or "").replace("_", " ")


def _ids(part: str) -> tuple[str, ...]:
    """The ids a type stands for; an id outside the vocabulary stands for itself."""
    found = concepts.concept(part) or concepts.lookup(part)
    return found.ids if found else (part,)


def _without(query: str, spans: list[concepts.Span]) -> str:
    """The words of the query beside the kinds of place it mentions ("vegan")."""
    rest = query
    for span in sorted(spans, key=lambda each: each.start, reverse=True):
        rest = f"{rest[: span.start]} {rest[span.end :]}"
    return " ".join(word for word in rest.split() if normalise(word) not in FILLERS)
