"""What a search for places wants, as its words say it: kinds of place, a keyword, and properties of the places.

The words for properties are data: `data/properties.toml`. What is not said is not denied: a map that does not say
whether a café has Wi-Fi does not say that it has none.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from map_tools.kinds import concepts
from map_tools.kinds.category_file import read_data
from map_tools.kinds.phrases import Phrase, PhraseIndex
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

_LINKS = frozenset(
    {"a", "an", "and", "for", "has", "having", "in", "of", "offering", "that", "the", "which", "with"}
)
"""Words that join a property to what has it."""

_FIELDS = {"dogs": "dog", "reservable": "reservation"}


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


def property_of(words: str) -> str | None:
    """The service that a whole text names ("outdoor seating"), as in `Place.services`; None if it is none."""
    return _index().get(words)


def field_of(service: str) -> str:
    """What programs call a service: "wifi", "vegan", "dog"."""
    return _FIELDS.get(service, service.removeprefix("serves_"))


def properties_in(text: str) -> list[Phrase[str]]:
    """All services a text mentions with their places in it, the longest mention first."""
    return _index().find(text)


def without_properties(text: str) -> tuple[str, tuple[str, ...]]:
    """A text without the properties it mentions, and their services: "cafe with wifi" gives "cafe" and "wifi".

    Diets stay in it: maps say them as cuisines.
    """
    mentioned = (phrase for phrase in properties_in(text) if concepts.cuisine_in(phrase.value) is None)
    found = sorted(mentioned, key=lambda phrase: phrase.start)
    rest = text
    for phrase in reversed(found):
        rest = f"{rest[: phrase.start]} {rest[phrase.end :]}"
    words = rest.split()
    while found and words and words[-1].lower() in _LINKS:
        words.pop()
    while found and words and words[0].lower() in _LINKS:
        words.pop(0)
    return " ".join(words), tuple(dict.fromkeys(phrase.value for phrase in found))


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


@lru_cache(maxsize=1)
def _index() -> PhraseIndex[str]:
    data = read_data("properties.toml")
    mute = {service.strip() for service in data["mute"]["services"].split(",")}
    phrases: dict[str, str] = {}
    for service, words in data["services"].items():
        own = () if service in mute else (service, service.removeprefix("serves_").replace("_", " "))
        for word in (*own, *words.split(",")):
            phrases.setdefault(word.strip(), service)
    return PhraseIndex({phrase: service for phrase, service in phrases.items() if phrase})
