"""What a spatial database can do beside the calls of every provider: whole lists, all places of a name."""

from typing import Literal, Protocol, runtime_checkable

from map_tools.providers.base import Spot
from map_tools.types import Frozen, NearbyPlace, Place, Shape

Relation = Literal["around", "inside", "touching"]
"""Around a spot; inside an area, outlines by the point that stands for them; or with any part in it."""


class FeatureSearch(Frozen):
    """What is looked for among all features of a database.

    Attributes:
        words: A kind in words, with what it must be like ("Thai restaurant with outdoor seating"), or a name.
        center: Where distances are from.
        area: The area that is searched: the id of a place, or an outline.
        radius_m: Greatest distance from the centre; None: any.
        sector: Middle and half of the directions, in degrees, as seen from the centre. Features that are more
            than points may lie outside of it: which of their points counts is for the caller to say.
        limit: How many of the nearest are wanted; None: all.
    """

    words: str
    relation: Relation = "around"
    center: Spot | None = None
    area: str | Shape | None = None
    radius_m: float | None = None
    sector: tuple[float, float] | None = None
    limit: int | None = None


class FeatureList(Frozen):
    """What was found.

    Attributes:
        items: By distance where there is a centre, else in the order of the tables.
        complete: There are no more.
        kinds: What the words were taken for, as conditions on columns; empty where they are a name.
    """

    items: tuple[NearbyPlace, ...]
    complete: bool = True
    kinds: tuple[str, ...] = ()


class NamedPlaces(Frozen):
    """All places that words can mean; `exact`: the words are their name to the letter."""

    places: tuple[Place, ...]
    exact: bool = True


@runtime_checkable
class SearchesFeatures(Protocol):
    """A provider that searches all of its features as a spatial database does."""

    async def named(self, words: str, *, region: bool = False) -> NamedPlaces:
        """All places that words mean: a name, with city and state behind commas, an id, a corner.

        Args:
            words: The words.
            region: Whether something with an outline is wanted.

        Raises:
            PlaceNotFoundError: Nothing is called like this.
        """
        ...

    async def features(self, search: FeatureSearch) -> FeatureList:
        """All features that a search finds.

        Raises:
            UnsupportedError: The area has no outline.
        """
        ...
