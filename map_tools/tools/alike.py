"""How sure it is that a place is the one that a text names."""

import re

from map_tools.kinds import concepts
from map_tools.kinds.concepts import LINEAR
from map_tools.maps.search.names import canonical
from map_tools.one_place import kinship
from map_tools.text import normalise
from map_tools.types import Place

FAINT = 0.75
"""The score of a place that may well be another one than the text names."""
_BETWEEN = re.compile(r"\s[-–—]\s|[–—]")


def sureness(text: str, place: Place, score: float) -> float:
    """The score, but little where a name says more than the text, and the place, or its name, is of another kind.

    "Bank of England" is hardly the pub "The Old Bank of England", "Vancouver Airport" no "Vancouver Heliport" and
    "London Bridge station" no "London Blackfriars".
    """
    head = text.partition(",")[0]
    kinds = [(head[span.start : span.end], span.value.ids) for span in concepts.find_in(head)]
    names = [{*canonical(name).split()} for name in (place.name, *place.aliases)]
    if not kinds or any(name <= {*canonical(text).split()} for name in names):
        return score
    unsaid = [ids for words, ids in kinds if not any({*canonical(words).split()} <= name for name in names)]
    said = tuple(category for span in concepts.find_in(place.name) for category in span.value.ids)
    fits = any(_is_one(ids, place.categories) for _, ids in kinds) and all(
        _is_one(ids, place.categories) and (not said or _is_one(ids, said)) for ids in unsaid
    )
    return score if fits else min(score, FAINT)


def _is_one(kinds: tuple[str, ...], categories: tuple[str, ...]) -> bool:
    return any(kinship((kind, *concepts.umbrellas_of(kind)), categories) for kind in kinds)


def is_end_of(text: str, place: Place) -> bool:
    """Whether a line is called after its ends ("Feldkirch – Buchs"), and a text names but one of them."""
    ends = [*map(normalise, _BETWEEN.split(place.name))]
    words = {*normalise(text).split()}
    return (
        len(ends) > 1
        and not LINEAR.isdisjoint(place.categories)
        and any(words.isdisjoint(end.split()) for end in ends)
    )
