"""`find_nearby`: places of a kind around, or inside, a place."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from map_tools.facts import NearbyFact
from map_tools.tools.nearby import MAX_RADIUS_M, Nearby
from map_tools.types import Frozen
from mapagent.faces.mcp.replies import Outcome, Reply
from mapagent.faces.mcp.tools.base import PlaceBrief, main_fact, whole
from mapagent.faces.mcp.workbench import Workbench

NEARBY_RADIUS_M = 1_000
"""A walk of about a quarter of an hour: the paper's 20 km is too much for a reply that a model reads."""


class FindNearbyArguments(Frozen):
    """What to look for, and where."""

    query: str = Field(description='What to look for: "cafe", "vegan restaurant", "pharmacy".', min_length=1)
    location: str = Field(
        description='The place to search around: a name or address, "LAT,LON", or an id from another reply.',
        min_length=1,
    )
    radius: Annotated[float, Field(gt=0, le=MAX_RADIUS_M)] = Field(
        NEARBY_RADIUS_M, description="Radius of the circle in metres."
    )
    inside: bool = Field(
        default=False, description="Search within the outline of the location (a district, a park) instead."
    )
    keyword: str | None = Field(None, description="A property or name the places must have.")
    limit: Annotated[int, Field(ge=1, le=200)] = Field(20, description="How many places at most.")


class FindNearbyReply(Reply):
    """Places, nearest first."""

    shortened: ClassVar[tuple[str, ...]] = ("places",)

    anchor: PlaceBrief | None = Field(None, description="What the location was found to be.")
    places: tuple[PlaceBrief, ...] = Field((), description="Nearest first, with distances in metres.")
    complete: bool = Field(default=True, description="False if there are more than were asked for or listed.")

    def lines(self) -> Iterator[str]:
        """One place a line."""
        yield from (f"- {place.line()}" for place in self.places)


class FindNearby:
    """Lists places of a kind, nearest first."""

    name: ClassVar[str] = "find_nearby"
    title: ClassVar[str] = "Find places nearby"
    description: ClassVar[str] = (
        "Lists places of a kind around a location (or, with inside=true, within a district or park), nearest "
        "first, with straight-line distances in metres and what the map knows of each."
    )
    arguments: ClassVar[type[Frozen]] = FindNearbyArguments
    result: ClassVar[type[Reply]] = FindNearbyReply
    open_world: ClassVar[bool] = True

    async def __call__(self, arguments: FindNearbyArguments, bench: Workbench) -> Outcome:
        """The places of the `NearbyFact`."""
        facts = await bench.call(Nearby.name, arguments.model_dump(exclude_none=True))
        found = main_fact(facts, NearbyFact)
        reply = FindNearbyReply(
            summary=_summary(found),
            anchor=PlaceBrief.of(found.anchor_place) if found.anchor_place else None,
            places=tuple(PlaceBrief.of(item.place, item.distance_m) for item in found.items),
            complete=found.complete,
            warnings=bench.notices(facts),
            attribution=bench.provider.terms.attribution,
        )
        return Outcome(reply, whole(facts))


def _summary(found: NearbyFact) -> str:
    where = f"in {found.anchor}" if found.inside else f"within {found.radius_m or 0:.0f} m of {found.anchor}"
    if not found.items:
        return f"The map has no {found.what} {where}."
    more = "" if found.complete else " or more"
    first = found.items[0]
    away = "" if first.distance_m is None else f", {first.distance_m:.0f} m away"
    name = first.place.name or "(unnamed)"
    return f"{len(found.items)}{more} × {found.what} {where}; the nearest is {name}{away}."
