"""Properties that a place has, has not, or says nothing of: words for them, and how they are searched by.

The words are data: `data/properties.toml`. What is not said is not denied: a map that does not say whether a
café has Wi-Fi does not say that it has none.
"""

from collections.abc import Mapping
from functools import lru_cache

from map_tools.category_file import read_data
from map_tools.phrases import Phrase, PhraseIndex

HAS, LACKS = "+", "-"
"""Before a service: the word under which an index keeps those that have it, and those that have not."""


def property_of(words: str) -> str | None:
    """The service that a whole text names ("outdoor seating"), as in `Place.services`; None if it is none."""
    return _index().get(words)


def properties_in(text: str) -> list[Phrase[str]]:
    """All properties a text mentions with their places in it, the longest mention first."""
    return _index().find(text)


def without_properties(text: str) -> tuple[str, tuple[str, ...]]:
    """A text without the properties it mentions, and their services."""
    found = sorted(properties_in(text), key=lambda phrase: phrase.start)
    rest = text
    for phrase in reversed(found):
        rest = f"{rest[: phrase.start]} {rest[phrase.end :]}"
    return " ".join(rest.split()), tuple(dict.fromkeys(phrase.value for phrase in found))


def label_of(service: str) -> str:
    """What to call a property: "wifi", "outdoor seating"."""
    return service.removeprefix("serves_").replace("_", " ")


def stated(services: Mapping[str, bool]) -> set[str]:
    """The words of an index that say which properties a place has, and which it has not."""
    return {f"{HAS if offered else LACKS}{service}" for service, offered in services.items()}


@lru_cache(maxsize=1)
def _index() -> PhraseIndex[str]:
    data = read_data("properties.toml")
    mute = {service.strip() for service in data["mute"]["services"].split(",")}
    phrases: dict[str, str] = {}
    for service, words in data["services"].items():
        own = () if service in mute else (service, label_of(service))
        for word in (*own, *words.split(",")):
            phrases.setdefault(word.strip(), service)
    return PhraseIndex({phrase: service for phrase, service in phrases.items() if phrase})
