"""Tools that programs call and models are not shown: names and lists of a spatial database, many shapes.

`ResolveLocation` has the name of Geo-ReAct's tool that does the same (section 4.1.2); `SearchFeatures` is
what its GetPOIFilter and CalculateMetric do together where a list is wanted.
"""

import asyncio
from typing import ClassVar

from pydantic import Field

from map_tools.compute.shape_text import parse_position
from map_tools.compute.shapes import contains
from map_tools.errors import LimitError, PlaceNotFoundError, ToolError, UnsupportedError
from map_tools.facts import Fact, FailureFact, NearbyFact, PlaceFact
from map_tools.providers.base import HasShapes, Provider, Spot
from map_tools.providers.features import FeatureSearch, Relation, SearchesFeatures
from map_tools.text import normalise
from map_tools.tools.base import HERE_WORDS, ToolContext, failure_of
from map_tools.tools.own import shape_of
from map_tools.tools.resolve import resolve
from map_tools.types import ID_PREFIX, Frozen, Place, Shape, is_of_no_map, is_own


class LocationParameters(Frozen):
    """Arguments of ResolveLocation: words, and what they must be."""

    location: str = Field(description="A name, perhaps with city and state behind commas.", min_length=1)
    region: bool = Field(default=False, description="Something with an outline is wanted.")
    inside: str = Field("", description="The area that it lies in.")
    kind: tuple[str, ...] = Field((), description="Category ids, one of which it has.")


class ResolveLocation:
    """Finds all places that words can mean: which one is meant is not guessed here."""

    name: ClassVar[str] = "ResolveLocation"
    description: ClassVar[str] = "Maps the name or the id of a place to all places that it can mean."
    parameters: ClassVar[type[Frozen]] = LocationParameters

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """One `PlaceFact`, whose rivals are the other places of the name; or one `FailureFact`."""
        asked = LocationParameters.model_validate(arguments)
        words = asked.location
        try:
            if _is_fixed(words) or context.own.called(words) is not None:
                return (
                    (await resolve(words, provider, context, wanted="area" if asked.region else "")).fact(),
                )
            found = await _database(provider).named(words, region=asked.region)
            places = await _inside(asked.inside, found.places, provider, context)
        except (ToolError, LimitError) as error:
            return (failure_of(error, words),)
        if asked.kind:
            places = tuple(one for one in places if not set(asked.kind).isdisjoint(one.categories))
        if not places:
            return (failure_of(PlaceNotFoundError(f"Nothing like this is called '{words}' here."), words),)
        first, *others = places
        return (PlaceFact(query=words, place=first, score=1.0 if found.exact else 0.9, rivals=tuple(others)),)


class SearchParameters(Frozen):
    """Arguments of SearchFeatures (`FeatureSearch`); places are given as in all map tools."""

    query: str
    location: str = Field("", description="The spot or area; empty for everything.")
    relation: Relation = "around"
    outline: str = Field("", description="The area as well-known text, instead of a location.")
    radius: float | None = Field(None, gt=0)
    sector: tuple[float, float] | None = None
    limit: int | None = Field(None, ge=1)


class SearchFeatures:
    """Lists all features of a kind around a spot, inside an area, or reaching into it."""

    name: ClassVar[str] = "SearchFeatures"
    description: ClassVar[str] = (
        "Lists all features of a kind around a spot, inside an area or reaching into it."
    )
    parameters: ClassVar[type[Frozen]] = SearchParameters

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """One `NearbyFact`, whose categories are empty where the words are a name; or one `FailureFact`."""
        asked = SearchParameters.model_validate(arguments)
        try:
            anchor = (await resolve(asked.location, provider, context)).place if asked.location else None
            if anchor is not None and is_own(anchor.id) and asked.relation != "around":
                raise UnsupportedError(f"'{anchor.name}' is a place of your own, a point without an outline.")
            area = anchor.id if anchor is not None else Shape(kind="area", wkt=asked.outline)
            found = await _database(provider).features(
                FeatureSearch(
                    words=asked.query,
                    relation=asked.relation,
                    center=_spot(anchor),
                    area=None if asked.relation == "around" else area,
                    radius_m=asked.radius,
                    sector=asked.sector,
                    limit=asked.limit,
                )
            )
        except (ToolError, LimitError) as error:
            return (failure_of(error, asked.location or asked.query),)
        around = asked.relation == "around"
        return (
            NearbyFact(
                anchor=asked.location,
                anchor_place=anchor,
                what=asked.query,
                categories=found.kinds,
                radius_m=asked.radius,
                inside=not around,
                items=found.items,
                sorted_by_distance=around and anchor is not None,
                complete=found.complete,
            ),
        )


class ShapesParameters(Frozen):
    """Arguments of Shapes."""

    locations: tuple[str, ...] = Field(min_length=1)


class Shapes:
    """Looks up the outlines or courses of several places at once."""

    name: ClassVar[str] = "Shapes"
    description: ClassVar[str] = "Looks up the outlines of areas and the courses of lines, several at once."
    parameters: ClassVar[type[Frozen]] = ShapesParameters

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """For each location a `PlaceFact` with its shape, or a `FailureFact` about it."""
        asked = ShapesParameters.model_validate(arguments)
        return tuple(await asyncio.gather(*(_shaped(one, provider, context) for one in asked.locations)))


async def _shaped(location: str, provider: Provider, context: ToolContext) -> PlaceFact | FailureFact:
    try:
        found = await resolve(location, provider, context)
        shape = await shape_of(found.place, provider)
    except (ToolError, LimitError) as error:
        return failure_of(error, location)
    return found.fact().model_copy(update={"shape": shape})


def _is_fixed(words: str) -> bool:
    """Whether the words are an id, a position, or the user's own."""
    return words.startswith(ID_PREFIX) or normalise(words) in HERE_WORDS or parse_position(words) is not None


def _database(provider: Provider) -> SearchesFeatures:
    if not isinstance(provider, SearchesFeatures):
        raise UnsupportedError(
            f"The provider '{provider.name}' is no spatial database.", "Use the map tools."
        )
    return provider


def _spot(anchor: Place | None) -> Spot | None:
    """A bare position where the anchor is no place of the map."""
    if anchor is None or anchor.location is None or not is_of_no_map(anchor.id):
        return anchor
    return anchor.location


async def _inside(
    area: str, places: tuple[Place, ...], provider: Provider, context: ToolContext
) -> tuple[Place, ...]:
    """Those of some places that lie in an area; all where none is given."""
    if not area or not isinstance(provider, HasShapes):
        return places
    outline = await provider.shape((await resolve(area, provider, context)).place.id)
    if outline is None:
        return places

    return tuple(one for one in places if one.location is not None and contains(outline, one.location))
