"""PlaceInfo: everything the map knows of one place (MapAgent paper, appendix C)."""

from collections.abc import Awaitable
from typing import ClassVar

from pydantic import Field

from map_tools.errors import LimitError, PlaceNotFoundError, ProviderError, ToolError
from map_tools.facts import Fact, FailureFact
from map_tools.providers.base import Provider, asking_for
from map_tools.tools.base import ToolContext, failure_of
from map_tools.tools.own import shape_of
from map_tools.tools.resolve import Resolved, Wanted, resolve
from map_tools.types import Frozen, Place, is_of_no_map


class PlaceInfoParameters(Frozen):
    """Arguments of PlaceInfo."""

    location_address: str = Field(description="Name or address of the place to look up.", min_length=1)
    facts: tuple[str, ...] = Field(
        (), description='Facts wanted ("hours", "rating", "reviews"); left out: all but reviews.'
    )
    shape: bool = Field(
        default=False, description="Also give the outline of an area or the course of a line."
    )
    near: str = Field("", description="Of several places of the name, the one nearest to this one is meant.")
    inside: str = Field("", description="The area that it lies in.")
    kind: tuple[str, ...] = Field((), description="Category ids, one of which it has.")
    wanted: Wanted = Field("", description="A place with an outline, or a street, river or railway.")


class PlaceInfo:
    """Looks up one place: address, position, opening hours, contact, rating, price, services, reviews."""

    name: ClassVar[str] = "PlaceInfo"
    description: ClassVar[str] = (
        "Looks up one place by name or address: its address, position, opening hours, phone, website, "
        "rating, price level, services and reviews, as far as the map has them."
    )
    parameters: ClassVar[type[Frozen]] = PlaceInfoParameters

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """One `PlaceFact` (with rivals if the name is ambiguous), or one `FailureFact`.

        A place whose details cannot be had comes as it was found, with a `FailureFact` about what is lacking.
        """
        wanted = PlaceInfoParameters.model_validate(arguments)
        subject = wanted.location_address
        try:
            source = asking_for(provider, wanted.facts)
            found = await _resolved(wanted, source, context)
            place, lost = await or_loss(details_by_name(subject, found.place, source, context), found.place)
            shape = await shape_of(place, provider) if wanted.shape else None
        except (ToolError, LimitError) as error:
            return (failure_of(error, subject),)
        fact = found.fact().model_copy(update={"place": place, "shape": shape})
        return (fact,) if lost is None else (fact, lost)


async def _resolved(wanted: PlaceInfoParameters, provider: Provider, context: ToolContext) -> Resolved:
    """The place that is wanted, by its name and what narrows the name down."""
    near = (await resolve(wanted.near, provider, context)).place if wanted.near else None
    inside = (await resolve(wanted.inside, provider, context, wanted="area")).place if wanted.inside else None
    return await resolve(
        wanted.location_address,
        provider,
        context,
        kind=wanted.kind,
        inside=inside.id if inside is not None else None,
        wanted=wanted.wanted,
        near=near.location if near is not None else None,
    )


async def details_by_name(text: str, place: Place, provider: Provider, context: ToolContext) -> Place:
    """All details of the place that these words were resolved to.

    Services change their ids: where the one just found is not known any more, the words are looked up anew.
    """
    try:
        return await details_of(place, provider)
    except PlaceNotFoundError:
        found = await resolve(text, provider, context)
        return await details_of(found.place, provider)


async def details_of(place: Place, provider: Provider) -> Place:
    """The place with all its details, fetched only where the search result lacks them."""
    if provider.capabilities.full_candidates or is_of_no_map(place.id):
        return place
    return await provider.place_details(place.id)


async def or_loss(details: Awaitable[Place], place: Place) -> tuple[Place, FailureFact | None]:
    """A place with its details; where they cannot be had, the place as it is, and what is lacking."""
    try:
        return await details, None
    except (ToolError, LimitError) as error:
        lost = failure_of(error, f"details of {place.name or place.id}")
        # The service told of the place a moment ago: that it is not known now is the service's failure.
        code = LimitError.code if isinstance(error, LimitError) else ProviderError.code
        return place, lost.model_copy(update={"code": code})
