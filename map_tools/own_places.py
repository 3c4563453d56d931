"""The user's own places: a name that no map has for it ("home", "work"), or a list of one's own ("client sites").

They are known to map tools alone. A provider is asked with their positions and is never told their names.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Annotated

from pydantic import Field

from map_tools.compute.geodesy import distance_m
from map_tools.errors import UnsupportedError
from map_tools.kinds.phrases import PhraseIndex
from map_tools.text import normalise
from map_tools.types import OWN_PREFIX, Extent, Frozen, LatLng, Place

MAX_NAME_CHARS = 100
OWNERS = frozenset({"my", "our"})
"""Words in front of a name that say whose place it is, and are no part of it."""
ARTICLE = "the"
OWN_KIND = "own"
"""The category of lists of own places, which no map has."""
_ID_BYTES = 8
_POSITION = re.compile(r"-?\d{1,2}\.\d{6},-?\d{1,3}\.\d{6}")
"""A position as messages write it (`LatLng.__str__`)."""


class OwnPlace(Frozen):
    """A place as the user named it.

    Attributes:
        name: Its name.
        location: Where it is.
        kind: The list that it belongs to; empty for one that stands by itself.
        found_as: What was looked up on a map to find it, for showing to the user alone.
    """

    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARS)]
    location: LatLng
    kind: Annotated[str, Field(max_length=MAX_NAME_CHARS)] = ""
    found_as: str = ""

    @property
    def id(self) -> str:
        """Its id, which tells nothing of it to who does not know it."""
        told = f"{normalise(self.kind)}\n{normalise(self.name)}\n{self.location}"
        return OWN_PREFIX + blake2b(told.encode(), digest_size=_ID_BYTES).hexdigest()

    def place(self) -> Place:
        """It as tools tell of it: a point with a name."""
        return Place(id=self.id, name=self.name, location=self.location, extent=Extent(kind="point"))


@dataclass(frozen=True)
class OwnPlaces:
    """Own places as names and kinds lead to them. Names are equal or not: none is guessed.

    Attributes:
        places: All of them.
        listed: Whether lists of them may be given: not where a language model reads what comes out, for it would be
            told names that nobody said.
    """

    places: Sequence[OwnPlace] = ()
    listed: bool = True

    def called(self, text: str, *, near: LatLng | None = None) -> Place | None:
        """The place of this name, whatever its case and accents, and with "my", "our" or "the" in front; None: none.

        One that stands by itself comes before the members of lists.

        Args:
            text: The name.
            near: Of several members of lists that have it, the nearest to this is meant.

        Raises:
            UnsupportedError: Several members of lists have the name, and nothing tells which is meant.
        """
        found = next((self._named[key] for key in _keys(text) if key in self._named), ())
        single = [one for one in found if not one.kind] or found
        if not single:
            return None
        if len(single) > 1 and near is None:
            raise UnsupportedError(
                f"'{text}' is the name of {len(single)} places of your own.",
                "Give them names of their own with `mapagent places`, or ask for the nearest of their kind.",
            )
        if near is None:
            return single[0].place()
        return min(single, key=lambda one: distance_m(near, one.location)).place()

    def with_id(self, place_id: str) -> Place | None:
        """The place with an id; None if there is none."""
        found = self._by_id.get(place_id)
        return None if found is None else found.place()

    def of_kind(self, words: str) -> tuple[OwnPlace, ...]:
        """The list that words name, singular or plural; nothing if they name none.

        A kind that maps have too ("shops") is the user's only with "my" or "our" in front.
        """
        from map_tools.kinds import concepts

        bare, whose = _without_owner(words)
        kind = self._kinds.get(bare)
        if kind is None or (not whose and concepts.lookup(bare) is not None):
            return ()
        return tuple(one for one in self.places if one.kind == kind)

    def named_in(self, text: str) -> tuple[str, ...]:
        """The names that stand in a text, each once."""
        said = f" {normalise(text)} "
        return tuple(dict.fromkeys(one.name for one in self.places if f" {bare_name(one.name)} " in said))

    def without_positions(self, message: str) -> str:
        """A message with names where it tells positions of own places."""
        return _POSITION.sub(lambda found: self._by_position.get(found[0], found[0]), message)

    @cached_property
    def _named(self) -> dict[str, tuple[OwnPlace, ...]]:
        named: dict[str, tuple[OwnPlace, ...]] = {}
        for one in self.places:
            for key in _keys(one.name):
                named[key] = (*named.get(key, ()), one)
        return named

    @cached_property
    def _by_id(self) -> dict[str, OwnPlace]:
        return {one.id: one for one in self.places}

    @cached_property
    def _by_position(self) -> dict[str, str]:
        return {str(one.location): one.name for one in self.places}

    @cached_property
    def _kinds(self) -> PhraseIndex[str]:
        return PhraseIndex({_without_owner(one.kind)[0]: one.kind for one in self.places if one.kind})


NO_OWN_PLACES = OwnPlaces()


def bare_name(name: str) -> str:
    """What two names have in common that lead to the same place; empty for one without letters and digits."""
    return _keys(name)[-1]


def _keys(name: str) -> tuple[str, ...]:
    """A name in the forms that lead to it: as it is, and without who has it or an article."""
    whole = normalise(name)
    first, _, rest = whole.partition(" ")
    return (whole, rest) if rest and (first in OWNERS or first == ARTICLE) else (whole,)


def _without_owner(words: str) -> tuple[str, bool]:
    """Words without "my" or "our" in front, and whether one stood there."""
    first, _, rest = words.strip().partition(" ")
    return (rest.strip(), True) if rest and first.casefold() in OWNERS else (words.strip(), False)
