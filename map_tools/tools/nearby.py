"""Nearby: places of a kind around or inside a place (MapAgent paper, appendix C)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, ClassVar

from pydantic import Field

from map_tools.compute.geodesy import distance_m
from map_tools.errors import LimitError, PlaceNotFoundError, ToolError, UnsupportedError
from map_tools.facts import Fact, FailureFact, NearbyFact, called
from map_tools.kinds import concepts
from map_tools.kinds.tag_categories import is_known_tag, is_left_out, likely_tag, raw_tag
from map_tools.kinds.wanted import Wanted, read_wanted, without_properties
from map_tools.own_places import OwnPlace
from map_tools.providers.base import Bounded, CutList, Provider, asking_for
from map_tools.text import normalise
from map_tools.tools.base import ToolContext, failure_of
from map_tools.tools.candidates import listed_once
from map_tools.tools.own import own_list, spot_of
from map_tools.tools.place_info import details_of, or_loss
from map_tools.tools.resolve import Resolved, resolve
from map_tools.types import Frozen, NearbyPlace, Place

DEFAULT_RADIUS_M = 20_000
"""The paper's default for the radius (appendix C)."""
MAX_RADIUS_M = 200_000
DETAILED = 20
"""Places of a list that are looked up one by one where that is wanted and the list says less."""
_WITHHELD = "“{}” are places of your own, and a language model is not told their names."
_UNTOLD = "Ask without a model, or name one of them in the question."
MAX_LIMIT = 200
"""The longest list that is asked for."""
DESTINATION_SHARE = 5
"""Of so many features around a place at least one has a name and is no street; of three in the middle of Helsinki."""
SAME_SPOT_M = 100
"""A result with the anchor's own name this close to it is the anchor once more."""


type _Search = Callable[[NearbyParameters, Place, Wanted, Provider], Awaitable[tuple[NearbyPlace, ...]]]


class NearbyParameters(Frozen):
    """Arguments of Nearby. `radius` is in metres."""

    query: str = Field(description='What to look for, such as "cafe" or "vegan restaurant".', min_length=1)
    location: str = Field(
        description="The place to search around; empty for all of a map that ends somewhere."
    )
    type: str | None = Field(None, description='Type of place ("cafe"); several separated by "|".')
    categories: tuple[str, ...] = Field(
        (), description="Category ids that are already known; the query and type are then not read for them."
    )
    radius: Annotated[float, Field(gt=0, le=MAX_RADIUS_M)] = Field(
        DEFAULT_RADIUS_M, description="Radius of the circle in metres."
    )
    keyword: str | None = Field(
        None, description="A property or name the places must have; left out, it is read from the query."
    )
    inside: bool = Field(
        default=False, description="Search within the area of the location, not in a circle."
    )
    everything: bool = Field(default=False, description="Return all places, for counting.")
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = Field(20, description="How many places to return.")
    facts: tuple[str, ...] = Field(
        (), description='Facts wanted of each place ("hours", "rating"); left out: all but reviews.'
    )
    details: bool = Field(
        default=False, description="Look up hours, services and the like of the first places one by one."
    )


class Nearby:
    """Lists places of a kind, nearest first, with distance and all facts at hand."""

    name: ClassVar[str] = "Nearby"
    description: ClassVar[str] = (
        "Lists places of a kind around a location (or, with inside=true, within an area such as a district), "
        "nearest first, with distance, rating and number of reviews where the map has them."
    )
    parameters: ClassVar[type[Frozen]] = NearbyParameters

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """A `PlaceFact` for the anchor and a `NearbyFact`; or a failure about the anchor's words.

        Places whose details were wanted and are lacking have a failure each.
        """
        asked = NearbyParameters.model_validate(arguments)
        own = context.own.of_kind(asked.query)
        if own and not context.own.listed:
            return (failure_of(UnsupportedError(_WITHHELD.format(asked.query), _UNTOLD), asked.query),)
        if own and not asked.location:
            return (await _own(asked, None, own, provider),)
        if not asked.location:
            return await _everywhere(asked, provider)
        try:
            anchor = await resolve(asked.location, provider, context, wanted="area" if asked.inside else "")
        except (ToolError, LimitError) as error:
            return (failure_of(error, asked.location),)
        ambiguity = anchor.ambiguity()
        if ambiguity is not None:
            return (anchor.fact(), ambiguity)
        try:
            if own:
                return (anchor.fact(), await _own(asked, anchor.place, own, provider))
            items, wanted, services = await _searched(asked, anchor.place, provider)
            unread = None if items else await _unread(asked, anchor.place, wanted, provider)
        except (ToolError, LimitError) as error:
            return (anchor.fact(), failure_of(error, asked.location))
        if unread is not None:
            return (anchor.fact(), unread)
        kept, not_stated = _having(items, services)
        found, lost = await _detailed(asked, kept, provider)
        fact = _fact(asked, anchor, wanted, found)
        if services:
            fact = fact.model_copy(update={"having": services, "not_stated": not_stated})
        return (anchor.fact(), fact, *lost)


async def _searched(
    asked: NearbyParameters, anchor: Place, provider: Provider
) -> tuple[tuple[NearbyPlace, ...], Wanted, tuple[str, ...]]:
    """What is around or inside a place, what was looked for, and the services that are still to be judged."""
    wanted, services = _with_properties(asked, provider)
    search = _inside if asked.inside else _around
    every = asked.model_copy(update={"everything": asked.everything or bool(services)})
    if wanted == Wanted():
        return await _destinations(search, every, anchor, provider), wanted, services
    items = await search(every, anchor, wanted, provider)
    if not items and (raw := _raw_kind(wanted)) is not None:
        items = await search(asked, anchor, raw, provider)
        wanted = raw if items else wanted  # words that nothing is called are no kind
    await _check_none(wanted, items, provider)
    return CutList(items) if _leaves_out(provider, wanted) else items, wanted, services


async def _destinations(
    search: _Search, asked: NearbyParameters, anchor: Place, provider: Provider
) -> tuple[NearbyPlace, ...]:
    """What has a name and is no street, where no kind is asked for: people mean neither signals nor benches."""
    # A map lists some of those for each place; a service has few of them, and each page of it may cost.
    limit = min(MAX_LIMIT, DESTINATION_SHARE * asked.limit) if isinstance(provider, Bounded) else asked.limit
    found = await search(asked.model_copy(update={"limit": limit}), anchor, Wanted(), provider)
    kept = tuple(one for one in found if one.place.name and not _is_passed_by(one.place.categories))
    is_cut = isinstance(found, CutList) or (not asked.everything and not asked.inside and len(found) > limit)
    return CutList(kept) if is_cut else kept


def _is_passed_by(categories: Sequence[str]) -> bool:
    return concepts.is_street(categories) or concepts.is_nameless(categories)


def _leaves_out(provider: Provider, wanted: Wanted) -> bool:
    """Whether a map has only some of what is wanted, so that a list is never whole."""
    kinds = wanted.categories
    return bool(kinds) and isinstance(provider, Bounded) and all(map(is_left_out, kinds))


async def _check_none(wanted: Wanted, found: Sequence[object], provider: Provider) -> None:
    """Raises where an empty list says nothing: the map leaves such things out, or knows no such tag."""
    if found:
        return
    if not wanted.keyword and _leaves_out(provider, wanted):
        kind = concepts.label_of(wanted.categories[0])
        raise UnsupportedError(
            f"None ({kind}) is listed here, but most are on no list: maps keep only a few of them.",
            "Search for another kind.",
        )
    tag = next(iter(wanted.categories), "")
    if raw_tag(tag) is None or is_known_tag(tag):
        return
    if not isinstance(provider, Bounded) or not await provider.everywhere(categories=(tag,)):
        raise PlaceNotFoundError(f"Nothing on this map is tagged “{tag}”.", likely_tag(tag))


async def _own(
    asked: NearbyParameters, anchor: Place | None, own: Sequence[OwnPlace], provider: Provider
) -> NearbyFact:
    """What a list of the user's own has around or inside a place."""
    return await own_list(
        own,
        provider,
        what=asked.query,
        anchor=anchor,
        location=asked.location,
        radius_m=None if asked.inside else asked.radius,
        limit=None if asked.everything or asked.inside or anchor is None else asked.limit,
    )


def _raw_kind(wanted: Wanted) -> Wanted | None:
    """Words that are no kind of the vocabulary and no name, as a kind that mappers have written ("saddle", "hut")."""
    if wanted.categories or not wanted.keyword:
        return None
    return Wanted(categories=("_".join(normalise(wanted.keyword).split()),))


async def _unread(
    asked: NearbyParameters, anchor: Place, wanted: Wanted, provider: Provider
) -> FailureFact | None:
    """Why there is none of a kind with words beside it, where there are some without them: they may not be names.

    A cuisine is looked for as such, and so is a keyword of its own: of these "none" is true. Services whose lists
    do not say all that they know are given the words, and are not asked again.
    """
    known = asked.keyword is not None or asked.categories or not wanted.categories
    known = known or not provider.capabilities.full_candidates
    if known or not wanted.keyword or concepts.cuisine_in(wanted.keyword) is not None:
        return None
    search = _inside if asked.inside else _around
    others = await search(asked, anchor, Wanted(categories=wanted.categories), provider)
    if not others:
        return None
    kind = concepts.label_of(wanted.categories[0])
    is_cut = len(others) > asked.limit and not asked.inside
    number = f"at least {len(others)}" if is_cut else f"{len(others)}"
    error = UnsupportedError(
        f"Of {number} places ({kind}) none has “{wanted.keyword}” for a name, brand or cuisine; "
        "times and other conditions are not searched by.",
        f"Search for “{kind}” alone and read what each one states.",
    )
    return failure_of(error, asked.query)


def _wanted(asked: NearbyParameters) -> Wanted:
    """Known categories are complete with their keyword; a query that is its own keyword is a name and no kind."""
    if asked.categories or (asked.keyword and asked.keyword == asked.query):
        return Wanted(categories=asked.categories, keyword=asked.keyword or None)
    return read_wanted(asked.query, asked.type, asked.keyword)


def _with_properties(asked: NearbyParameters, provider: Provider) -> tuple[Wanted, tuple[str, ...]]:
    """What is searched for, and the services it must have.

    A property that is no word of a name is judged by what places state, where lists state it; other services
    are given the words, for they know more than they list.
    """
    if asked.categories or not provider.capabilities.full_candidates:
        return _wanted(asked), ()
    query, of_query = without_properties(asked.query)
    keyword, of_keyword = without_properties(asked.keyword or "")
    services = tuple(dict.fromkeys((*of_query, *of_keyword)))
    plain = asked.model_copy(update={"query": query or asked.query, "keyword": keyword or None})
    wanted = _wanted(plain) if services else None
    if (
        wanted is None
        or not wanted.categories
        or (concepts.lookup(asked.query) is not None and not of_keyword)
    ):
        return _wanted(asked), ()
    return wanted, services


def _having(items: tuple[NearbyPlace, ...], services: tuple[str, ...]) -> tuple[tuple[NearbyPlace, ...], int]:
    """Those that state all services, and of how many it is not stated; those that deny one are left out."""
    if not services:
        return items, 0
    verdicts = [[item.place.services.get(service) for service in services] for item in items]
    kept = [item for item, stated in zip(items, verdicts, strict=True) if all(stated)]
    open_ones = sum(None in stated and False not in stated for stated in verdicts)
    return type(items)(kept), open_ones


async def _everywhere(asked: NearbyParameters, provider: Provider) -> tuple[Fact, ...]:
    """All places of a kind on a map that ends somewhere."""
    wanted = _wanted(asked)
    try:
        if not isinstance(provider, Bounded):
            raise UnsupportedError("This map has no end.", "Say near which place to search.")
        places = await provider.everywhere(categories=wanted.categories, keyword=wanted.keyword)
        if not places and (raw := _raw_kind(wanted)) is not None:
            places = await provider.everywhere(categories=raw.categories)
            wanted = raw if places else wanted
        await _check_none(wanted, places, provider)
    except (ToolError, LimitError) as error:
        return (failure_of(error, asked.query),)
    items = tuple(NearbyPlace(place=place, distance_m=None) for place in places)
    return (
        NearbyFact(
            anchor="",
            what=asked.query,
            categories=wanted.categories,
            items=items,
            sorted_by_distance=False,
            complete=not _leaves_out(provider, wanted),
        ),
    )


async def _around(
    asked: NearbyParameters, anchor: Place, wanted: Wanted, provider: Provider
) -> tuple[NearbyPlace, ...]:
    source = asking_for(provider, asked.facts)
    # Two more than wanted: one may be the anchor itself, the other tells whether the list was cut.
    limit = None if asked.everything else asked.limit + 2
    found = await source.nearby(
        spot_of(anchor),
        radius_m=asked.radius,
        categories=wanted.categories,
        keyword=wanted.keyword,
        limit=limit,
    )
    once = listed_once(found)
    return CutList(once) if len(once) < len(found) == limit else once


async def _detailed(
    asked: NearbyParameters, found: tuple[NearbyPlace, ...], provider: Provider
) -> tuple[tuple[NearbyPlace, ...], tuple[FailureFact, ...]]:
    """The list, its first places with all their details if those are wanted, and what could not be had."""
    if asked.inside or not asked.details or provider.capabilities.full_candidates:
        return found, ()
    source = asking_for(provider, asked.facts)
    details = await asyncio.gather(
        *(or_loss(details_of(item.place, source), item.place) for item in found[:DETAILED])
    )
    known = [
        item.model_copy(update={"place": place}) for item, (place, _) in zip(found, details, strict=False)
    ]
    lost = tuple(one for _, one in details if one is not None)
    return type(found)([*known, *found[DETAILED:]]), lost


async def _inside(
    asked: NearbyParameters, anchor: Place, wanted: Wanted, provider: Provider
) -> tuple[NearbyPlace, ...]:
    if not provider.capabilities.areas:
        raise UnsupportedError(
            f"This map does not know the outline of {called(anchor, asked.location)}.",
            "Search within a radius instead.",
        )
    places = await provider.inside(anchor.id, categories=wanted.categories, keyword=wanted.keyword)
    items = [NearbyPlace(place=place, distance_m=_distance(anchor, place)) for place in places]
    items.sort(key=lambda item: float("inf") if item.distance_m is None else item.distance_m)
    return listed_once(tuple(items))


def _fact(
    asked: NearbyParameters, anchor: Resolved, wanted: Wanted, found: tuple[NearbyPlace, ...]
) -> NearbyFact:
    others = tuple(item for item in found if not _is_anchor(item, anchor.place))
    kept = others if asked.everything else others[: asked.limit]
    return NearbyFact(
        anchor=asked.location,
        anchor_place=anchor.place,
        what=asked.query,
        categories=wanted.categories,
        radius_m=None if asked.inside else asked.radius,
        inside=asked.inside,
        items=kept,
        complete=len(kept) == len(others) and not isinstance(found, CutList),
    )


def _distance(anchor: Place, place: Place) -> float | None:
    if anchor.location is None or place.location is None:
        return None
    return distance_m(anchor.location, place.location)


def _is_anchor(item: NearbyPlace, anchor: Place) -> bool:
    """True for the anchor itself: the same entry, or another entry of its name on the same spot."""
    if item.place.id == anchor.id:
        return True
    near = item.distance_m is not None and item.distance_m <= SAME_SPOT_M
    return near and bool(anchor.name) and normalise(item.place.name) == normalise(anchor.name)
