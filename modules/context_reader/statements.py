"""Statements of services: "Serves Dinner", "Does not serve lunch", "Takeout: Yes", "dine-in, no delivery"."""

import re
from collections.abc import Iterator
from functools import lru_cache

from map_tools.text import normalise
from modules.context_reader.vocabulary import words

_MOST_WORDS = 9
"""A longer piece of a sentence is about more than one service."""
_PARTS = re.compile(r"[,;/•|·]|\band\b")


def service_in(text: str) -> tuple[str, bool] | None:
    """The service a statement is about and whether it is offered; None if it is no such statement."""
    phrase = normalise(text)
    if len(phrase) > 60:
        return None
    offered = True
    while phrase:
        key = words().services.get(phrase)
        if key is not None:
            return key, offered
        shorter, negated = _shorten(phrase)
        if shorter == phrase:
            return None
        phrase, offered = shorter, offered and not negated
    return None


def labelled_service(label: str, value: str) -> tuple[str, bool] | None:
    """Reads "Takeout: Yes"; None if the label is no service or the value no answer."""
    found = service_in(label)
    offered = words().truth.get(normalise(value) or value.strip())
    if found is None or offered is None:
        return None
    return found[0], offered if found[1] else not offered


def services_in(text: str) -> Iterator[tuple[str, bool]]:
    """All services of a list such as "dine-in, takeout, no delivery"."""
    whole = service_in(text)
    if whole is not None:
        yield whole
        return
    for part in _PARTS.split(text):
        found = service_in(part)
        if found is not None:
            yield found


def _shorten(phrase: str) -> tuple[str, bool]:
    """Takes one filling or negating phrase off an end; says whether it was a negating one."""
    parts = phrase.split()
    for size in (3, 2, 1):
        if size > len(parts):
            continue
        head, tail = " ".join(parts[:size]), " ".join(parts[-size:])
        if head in words().negative:
            return " ".join(parts[size:]), True
        if tail in words().negative:
            return " ".join(parts[:-size]), True
        if head in words().filler:
            return " ".join(parts[size:]), False
        if tail in words().filler:
            return " ".join(parts[:-size]), False
    return phrase, False


def loose_service_in(text: str) -> tuple[str, bool] | None:
    """As `service_in`, with a word that says no anywhere, and words that praise: "dogs are not allowed"."""
    phrase = f" {normalise(text)} "
    if len(phrase.split()) > _MOST_WORDS:
        return None
    negated = next(
        (f" {word} " for word in sorted(words().negative, key=len, reverse=True) if f" {word} " in phrase),
        None,
    )
    bare = phrase.replace(negated, " ", 1) if negated else phrase
    key = next((key for told, key in _telling().items() if f" {told} " in f" {bare.strip()} "), None)
    return None if key is None else (key, negated is None)


@lru_cache(maxsize=1)
def _telling() -> dict[str, str]:
    """Phrases that tell of a service in any short piece, the longest first; a bare "lunch" does not."""
    telling = {
        phrase: key
        for phrase, key in words().services.items()
        if " " in phrase or not key.startswith(("serves_", "reserv"))
    }
    return dict(sorted(telling.items(), key=lambda item: -len(item[0])))
