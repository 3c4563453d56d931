"""A kind of place without a name: "the town hall", "the Opera" is the one of the map, or of where one is.

It is the only one of its kind, or the one that is clearly better known than the rest; of several that are
equally well known none is chosen.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from map_tools.compute.geodesy import distance_m
from map_tools.kinds import concepts
from map_tools.kinds.category_file import Concept
from map_tools.kinds.concepts import is_ground
from map_tools.maps.search.names import canonical, spellings_of, without_article
from map_tools.one_place import is_singular, kinship, own_kinds
from map_tools.providers.base import Bounded, Provider
from map_tools.types import LatLng, Place

KNOWN_FROM = 5.0
"""What is less known than this is known to nobody but its visitors."""
CLEARLY_BETTER = 2.0
"""One is clearly better known if it is so many times as well known as the next one."""
CLEARLY_NEARER = 4
"""... and clearly nearer if the next one is so many times as far."""
_ENTRIES = {"wikipedia": 3.0, "wikidata": 2.0}
_FACT, _MOST_FACTS = 0.1, 30
"""What an article in an encyclopedia, an entry in its database, and each fact of a place count; a name in another
language counts 1."""


@dataclass(frozen=True, slots=True)
class Definite:
    """A kind that a text names and nothing else.

    Attributes:
        kind: The kind.
        word: The words for it, in canonical form, if they tell more than the kind ("opera", of the theatres).
        article: They have an article in front.
    """

    kind: Concept
    word: str
    article: bool


def definite_in(text: str) -> Definite | None:
    """The kind a whole text names; None if it says more, or less."""
    plain = without_article(text)
    kind = concepts.lookup(plain)
    if kind is None:
        return None
    word = canonical(plain) if concepts.is_narrow(plain) else ""
    return Definite(kind, word, article=plain != text.strip())


async def of_the_kind(
    definite: Definite, provider: Provider, *, near: LatLng | None, inside: str | None
) -> tuple[Place, ...]:
    """The places that may be meant, the likeliest first; one if it is clear which.

    Args:
        definite: The kind.
        provider: The source of places; one that cannot tell all of its map gives none.
        near: Where one is.
        inside: The id of an area they must lie in.
    """
    ids = definite.kind.ids
    if inside is not None:
        places = await provider.inside(inside, categories=ids)
    elif isinstance(provider, Bounded):
        places = await provider.everywhere(categories=ids)
    else:
        return ()
    ranked = _each_once(sorted(_telling(definite, places), key=_known, reverse=True))
    known = [_known(place) for place in ranked[:2]]
    if len(ranked) < 2 or (is_singular(ids) and _is_clear(*known)):
        return tuple(ranked[:1])
    if near is not None:
        ranked.sort(key=lambda place: _away_m(near, place))
        if _away_m(near, ranked[0]) * CLEARLY_NEARER <= _away_m(near, ranked[1]) < float("inf"):
            return tuple(ranked[:1])
    return tuple(ranked)


def is_another(definite: Definite, text: str, place: Place) -> bool:
    """Whether a place is of quite another kind, and only its name has the words: Cathedral Square is no cathedral."""
    kinds = (definite.kind.id, *concepts.umbrellas_of(definite.kind.id))
    called = canonical(text) in map(canonical, (place.name, *place.aliases))
    return not called and kinship(kinds, place.categories) == 0


def _telling(definite: Definite, places: Sequence[Place]) -> list[Place]:
    """Those whose names say the word, if the kind alone does not; else those of the kind itself, or all."""
    named = [place for place in places if place.name]
    if definite.word:
        called = [place for place in named if _says(definite.word, (place.name, *place.aliases))]
        return called or [place for place in named if _says(definite.word, place.attributes.values())]
    own = [place for place in named if definite.kind.id in own_kinds(place.categories)]
    return own or named or list(places)


def _each_once(places: Sequence[Place]) -> list[Place]:
    """Without the further pieces of a river or street, which bear its name."""
    found: dict[str, Place] = {}
    for number, place in enumerate(places):
        key = canonical(place.name) if is_ground(place.categories) and place.name else str(number)
        found.setdefault(key, place)
    return list(found.values())


def _says(words: str, texts: Iterable[str]) -> bool:
    """True if a text holds what tells the words from their kind, or compounds of it ("Staatsoper")."""
    telling = words.split()[:-1] or [words]  # an opera house, an art museum
    wanted = [tuple(spellings_of(word)) for word in telling]
    parts = [canonical(text).split() for text in texts]
    return any(
        all(any(part.startswith(each) or part.endswith(each) for part in own) for each in wanted)
        for own in parts
    )


def _known(place: Place) -> float:
    """How well a place is known, as far as a map tells."""
    written = max((count for key, count in _ENTRIES.items() if key in place.attributes), default=0.0)
    facts = min(len(place.attributes), _MOST_FACTS)
    return written + len(place.aliases) + _FACT * facts + (place.rating_count or 0)


def _is_clear(best: float, second: float) -> bool:
    return best >= KNOWN_FROM and best >= CLEARLY_BETTER * second


def _away_m(near: LatLng, place: Place) -> float:
    return float("inf") if place.location is None else distance_m(near, place.location)
