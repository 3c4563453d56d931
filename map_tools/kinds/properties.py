"""Properties that a place has, has not, or says nothing of, and the words for them.

The words are data: `data/properties.toml`. What is not said is not denied: a map that does not say whether a
café has Wi-Fi does not say that it has none.
"""

from functools import lru_cache

from map_tools.kinds import concepts
from map_tools.kinds.category_file import read_data
from map_tools.kinds.phrases import Phrase, PhraseIndex

_LINKS = frozenset(
    {"a", "an", "and", "for", "has", "having", "in", "of", "offering", "that", "the", "which", "with"}
)
"""Words that join a property to what has it."""

_FIELDS = {"dogs": "dog", "reservable": "reservation"}


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
