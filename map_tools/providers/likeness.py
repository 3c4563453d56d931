"""Which places bear the name that was asked for.

Geocoders rank their results without a score, and some give something for almost every text. A wrong place is
worse than none, so a result counts only if its name or address can mean the words, or if it is the only one
(`candidates`). A search that forgives slips also finds "Central Station" for "Central Park", so matches that are
not close get a second look: each telling word of the name must have a counterpart in what is known of the place
(`can_mean`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from rapidfuzz import fuzz

from map_tools.compute.geodesy import away_m
from map_tools.kinds import concepts
from map_tools.kinds.concepts import AREA_KINDS, plain_area
from map_tools.text import normalise, similarity
from map_tools.types import Candidate, LatLng, Place

WORTH_A_LOOK = 0.7
"""A name or address less alike than this is looked at no further."""
ONLY_ONE = 0.7
"""Score of a result that is the only one but is called otherwise: a name in another language or a nickname,
which the geocoder knows and we do not."""
IN_ADDRESS = 0.97
"""Score of a name whose further words all stand in the address ("X, Main Street"); under an exact name."""

SURE_SCORE = 0.95
"""Matches from here on need no second look."""
SLIPPED = 88
"""Whole names at or above this rapidfuzz ratio differ by slips alone; below it every word is looked at, since
"Casa da Musica" and "Casa da Guitarra" share most of their letters."""
ALIKE = 75
"""Two words at or above this rapidfuzz ratio are the same word with a slip."""
ALIKE_SHORT = 80
"""A short word with another letter is another word ("gare", "mare")."""
LOOSE_SCORE = 0.75
"""Below this the place's own name must not say something else either."""
MIN_PART_CHARS = 4
"""A shorter word says too little when it is only part of the other ("bar" in "barber")."""
_QUALIFIER = re.compile(r",| (?:in|at|near|on|by) ", re.IGNORECASE)
_SMALL_WORDS = frozenset(
    {
        *("a", "an", "and", "at", "by", "of", "on", "s", "the"),
        *("da", "das", "de", "del", "des", "di", "do", "dos", "du", "e", "el", "la", "las", "le", "les", "y"),
        *("der", "die", "van", "von"),
    }
)


def candidates(
    text: str, places: Sequence[Place], *, near: LatLng | None, limit: int
) -> tuple[Candidate, ...]:
    """The results that can be meant, best first; equally good ones in the geocoder's order."""
    found = list(_named(text, places))
    if not found and len(places) == 1 and AREA_KINDS.isdisjoint(places[0].categories):
        found = [(places[0], ONLY_ONE)]
    found.sort(key=lambda item: -item[1])
    return tuple(
        Candidate(place=place, score=score, distance_m=away_m(near, place)) for place, score in found[:limit]
    )


def _named(text: str, places: Iterable[Place]) -> Iterable[tuple[Place, float]]:
    for place in places:
        score = _score(text, place)
        if score >= WORTH_A_LOOK and can_mean(text, place, score):
            yield place, score


def _score(text: str, place: Place) -> float:
    """0 to 1: how well the words fit name and address."""
    wanted, name = normalise(text), normalise(place.name)
    address = normalise(place.address or "")
    best = max(similarity(wanted, name), similarity(wanted, address))
    words, own = set(wanted.split()), set(name.split())
    if own and own < words and (words - own).issubset(address.split()):
        return max(best, IN_ADDRESS)
    return best


def can_mean(text: str, place: Place, score: float) -> bool:
    """True if `text` can be a name of `place`, which a search found with this score.

    What follows a comma or "in" says where the place lies; a map need not know the words for that.
    """
    if score >= SURE_SCORE:
        return True
    head = _QUALIFIER.split(text, maxsplit=1)[0]
    if not AREA_KINDS.isdisjoint(place.categories):
        head = plain_area(head) or head
    wanted = normalise(head)
    names = [normalise(name) for name in (place.name, *place.aliases)]
    if _is_only_where(head, place, names):
        return False
    if any(_slipped(wanted, name) for name in names):
        return True
    words = [word for word in wanted.split() if word not in _SMALL_WORDS]
    kinds = {
        word
        for category in place.categories
        for name in concepts.words_for(category)
        for word in name.split()
    }
    whole = any(len(name) >= MIN_PART_CHARS and set(name.split()) < set(words) for name in names)
    if whole and kinds.intersection(words):  # its full name and its kind, with a description
        return True
    known = kinds.union(_known_words(place, names))
    if not all(_has_counterpart(word, known) for word in words):
        return False
    return score >= LOOSE_SCORE or any(_says_no_more(name, words) for name in names)


def _slipped(wanted: str, name: str) -> bool:
    """True if two whole names differ by slips alone; sorted by word, one without its space is torn apart."""
    return max(fuzz.ratio(wanted, name), fuzz.token_sort_ratio(wanted, name)) >= SLIPPED


def _is_only_where(head: str, place: Place, names: list[str]) -> bool:
    """True for a town or district of which the text names something: "Munich city hall" is not Munich."""
    if AREA_KINDS.isdisjoint(place.categories):
        return False
    asked = (span for span in concepts.find_in(head) if AREA_KINDS.isdisjoint(span.value.ids))
    words = [normalise(head[span.start : span.end]) for span in asked]
    return any(not any(word in name for name in names) for word in words)


def _says_no_more(name: str, words: list[str]) -> bool:
    """True if each telling word of a name occurs among the words asked for."""
    telling = [word for word in name.split() if word not in _SMALL_WORDS]
    return all(_has_counterpart(word, set(words)) for word in telling)


def _known_words(place: Place, names: list[str]) -> Iterator[str]:
    for name in names:
        yield from name.split()
    for fact in (place.address or "", *place.attributes.values()):
        yield from normalise(fact).split()


def _has_counterpart(word: str, known: set[str]) -> bool:
    if word in known:
        return True
    if len(word) >= MIN_PART_CHARS and any(word in other for other in known):
        return True
    least = ALIKE if len(word) > MIN_PART_CHARS else ALIKE_SHORT
    return any(fuzz.ratio(word, other) >= least for other in known)
