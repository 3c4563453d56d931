"""Two descriptions of a place, a semantic and a spatial one (appendix B.2.2), from what the map states.

The paper has a model summarise reviews. Here tags, opening hours and computed surroundings are put in words;
descriptions and reviews that a source has are added as they are. All of it is data, never an instruction.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import time, timedelta
from functools import lru_cache
from itertools import islice

from map_tools.compute.hours import Interval, intervals_on
from map_tools.kinds.concepts import label_of
from map_tools.types import Hours, Place
from modules.query.values.moment import ANY_MONDAY
from modules.recommender.surroundings import words_for

VERSION = "3"
"""Of the wording and the vocabulary of descriptions: vectors of other wordings are never mixed with them."""

MAX_SENTENCES = 24
"""What is read of all that a source tells of a place: its descriptions first, then reviews."""
MAX_SENTENCE_CHARS = 400

_STATED = ("cuisine", "stars", "historic", "dress_code")
_TOLD = ("description:en", "description", "short_description")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
_FLAGS = ("microbrewery", "fireplace", "live_music", "sauna")
_SPATIAL_FLAGS = ("outdoor_seating", "summer_terrace", "rooftop", "beer_garden")
_PRICES = ("free", "cheap, inexpensive", "moderate, reasonable", "expensive, upmarket", "luxurious")
"""Words for Google's price levels 0 to 4."""
_WELL_RATED = 4.5
_EARLY, _LATE_HOUR = time(9), 23
"""Opening by 9 is in time for breakfast; closing at 23 h or after midnight is late."""


def semantic_sentences(place: Place) -> tuple[str, ...]:
    """What the place is like, wherever it lies: a sentence of what the map states, then what is told."""
    return (", ".join(part for part in _semantic_parts(place) if part), *_told(place))


def semantic_description(place: Place) -> str:
    """The semantic sentences as one text."""
    return ". ".join(semantic_sentences(place))


def whole_description(place: Place) -> str:
    """What the place is like, with all that a source tells of it uncut."""
    stated, *_ = semantic_sentences(place)
    return ". ".join((stated, *_texts(place)))


def spatial_sentences(place: Place, around: Sequence[str]) -> tuple[str, ...]:
    """Where the place lies, apart from its distance to anything the question names: at least one sentence.

    What a source tells of a place may be of either kind ("a view over the park"), so it belongs to both.

    Args:
        place: The place.
        around: The keys of what lies around it (`modules.recommender.surroundings`).
    """
    street = (place.address or "").partition(",")[0]
    parts = (*map(words_for, around), *_said(place, _SPATIAL_FLAGS), street)
    return (", ".join(part for part in parts if part), *_told(place))


def _semantic_parts(place: Place) -> Iterator[str]:
    yield place.name
    yield ", ".join(map(label_of, place.categories))
    stated = (place.attributes[key] for key in _STATED if key in place.attributes)
    yield ", ".join(value.replace(";", ", ").replace("_", " ") for value in stated)
    services = (name for name, offered in place.services.items() if offered)
    yield ", ".join(name.removeprefix("serves_").replace("_", " ") for name in services)
    yield ", ".join(_said(place, _FLAGS))
    yield f"chain {place.attributes['brand']}" if "brand" in place.attributes else "independent"
    yield "" if place.hours is None else _times(place.hours)
    yield "" if place.price_level is None else _PRICES[place.price_level]
    yield "excellent, highly rated" if (place.rating or 0) >= _WELL_RATED else ""


def _told(place: Place) -> tuple[str, ...]:
    """The sentences of a place's descriptions and reviews."""
    sentences = (
        sentence.strip()[:MAX_SENTENCE_CHARS]
        for text in _texts(place)
        for sentence in _SENTENCE_END.split(text)
    )
    return tuple(islice((sentence for sentence in sentences if sentence), MAX_SENTENCES))


def _texts(place: Place) -> tuple[str, ...]:
    """A place's descriptions and reviews."""
    told = (*(place.attributes.get(key, "") for key in _TOLD), *(review.text for review in place.reviews))
    return tuple(text for text in told if text)


def _said(place: Place, keys: Sequence[str]) -> Iterator[str]:
    """The words of the flags a place has, as a service or as a tag."""
    for key in keys:
        if place.services.get(key) or place.attributes.get(key) == "yes":
            yield key.replace("_", " ")


@lru_cache(maxsize=16_384)
def _times(hours: Hours) -> str:
    """What the hours of an ordinary week say in words."""
    week = [span for day in range(7) for span in intervals_on(hours, ANY_MONDAY + timedelta(days=day))]
    early = any(span.opens.time() <= _EARLY for span in week)
    late = any(_ends_late(span) for span in week)
    return ", ".join(["open early for breakfast"] * early + ["open late at night"] * late)


def _ends_late(span: Interval) -> bool:
    return span.closes.date() > span.opens.date() or span.closes.hour >= _LATE_HOUR
