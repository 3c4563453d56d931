"""Trip: travel times between all places of a trip (MapAgent paper, appendix C).

One matrix and one look-up for each place, all at once, however many places there are.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations, product
from typing import ClassVar

from pydantic import Field

from map_tools.errors import LimitError, NoRouteError, ToolError
from map_tools.facts import Fact, FailureFact, TravelFact
from map_tools.providers.base import Provider, asking_for
from map_tools.tools.base import ArriveBy, DepartAt, ToolContext, TravelParameters, failure_of, pair, times
from map_tools.tools.own import spot_of
from map_tools.tools.place_info import details_by_name, or_loss
from map_tools.tools.resolve import Resolved, resolution_facts, resolve_all, trouble, usable
from map_tools.types import Frozen, MatrixCell, Mode, Place, TravelMode

type Detailed = tuple[dict[str, Place], tuple[FailureFact, ...]]


class TripParameters(TravelParameters):
    """Arguments of Trip; `mode` is accepted for `travel_mode`."""

    current_location: str = Field(description="Where the trip starts.", min_length=1)
    visiting_places: tuple[str, ...] = Field(description="Places to visit.", min_length=1)
    travel_mode: Mode = Field(TravelMode.DRIVING, description="driving, walking, bicycling or transit.")
    details: bool = Field(default=True, description="Also fetch opening hours and the like of each place.")
    origins: tuple[str, ...] = Field(
        (), description="Measure only from these to the places to visit; left out: between all places."
    )
    depart_at: DepartAt = ""
    arrive_by: ArriveBy = ""


class Trip:
    """Measures travel between every two places of a trip, in both directions."""

    name: ClassVar[str] = "Trip"
    description: ClassVar[str] = (
        "Gives travel time and distance between every two of the places (the start and the places to visit), "
        "in both directions, and the details of each place. Use it for trips over several places."
    )
    parameters: ClassVar[type[Frozen]] = TripParameters

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """A `PlaceFact` for each place and a `TravelFact` (or failure) for each ordered pair.

        A place whose details are lacking has a failure beside its fact.
        """
        wanted = TripParameters.model_validate(arguments)
        starts = wanted.origins or (wanted.current_location, *wanted.visiting_places)
        stops = tuple(dict.fromkeys((*starts, *wanted.visiting_places)))
        source = asking_for(provider, ()) if wanted.details else provider
        resolved = await resolve_all(stops, source, context)
        places = usable(resolved)
        matrix, (details, lost) = await asyncio.gather(
            _matrix(places, provider, wanted.travel_mode, wanted),
            _details(places, source, context) if wanted.details else _unchanged(places),
        )
        complete = {
            text: _with_place(item, details[text]) if isinstance(item, Resolved) and text in details else item
            for text, item in resolved.items()
        }
        ways = product(wanted.origins, wanted.visiting_places) if wanted.origins else permutations(stops, 2)
        legs = (
            _leg(ends, complete, details, matrix, wanted.travel_mode) for ends in ways if ends[0] != ends[1]
        )
        return (*resolution_facts(complete), *lost, *legs)


type Cells = Mapping[tuple[str, str], MatrixCell]


async def _matrix(
    places: Mapping[str, Place], provider: Provider, mode: TravelMode, wanted: TripParameters
) -> Cells | FailureFact:
    origins = [name for name in wanted.origins or places if name in places]
    ends = [name for name in (wanted.visiting_places if wanted.origins else places) if name in places]
    if not origins or not ends or (not wanted.origins and len(places) < 2):
        return {}
    try:
        matrix = await provider.matrix(
            tuple(spot_of(places[name]) for name in origins),
            tuple(spot_of(places[name]) for name in ends),
            mode=mode,
            **times(provider, mode, wanted.depart_at, wanted.arrive_by),
        )
        return {
            (origin, end): matrix.rows[row][column]
            for row, origin in enumerate(origins)
            for column, end in enumerate(ends)
        }
    except (ToolError, LimitError) as error:
        return failure_of(error, "")


async def _details(places: Mapping[str, Place], provider: Provider, context: ToolContext) -> Detailed:
    """All places with their details, fetched at once, and those that could not be had."""
    found = await asyncio.gather(
        *(or_loss(details_by_name(text, place, provider, context), place) for text, place in places.items())
    )
    known = {text: place for text, (place, _) in zip(places, found, strict=True)}
    return known, tuple(lost for _, lost in found if lost is not None)


async def _unchanged(places: dict[str, Place]) -> Detailed:
    return places, ()


def _with_place(item: Resolved, place: Place) -> Resolved:
    return replace(item, place=place)


def _leg(
    ends: tuple[str, str],
    resolved: Mapping[str, Resolved | FailureFact],
    places: Mapping[str, Place],
    matrix: Cells | FailureFact,
    mode: TravelMode,
) -> TravelFact | FailureFact:
    """Travel from one stop to another, or why it is not known."""
    origin, destination = ends
    subject = pair(origin, destination)
    reason = trouble(resolved, ends)
    if reason is not None:
        return reason.model_copy(update={"subject": subject})
    if isinstance(matrix, FailureFact):
        return matrix.model_copy(update={"subject": subject})
    cell = matrix[origin, destination]
    if cell.duration_s is None and cell.distance_m is None:
        return FailureFact(
            code=NoRouteError.code,
            message=f"No {mode.value} way from {origin} to {destination} is known.",
            remedy="Try another mode of travel.",
            subject=subject,
        )
    return TravelFact(
        origin=origin,
        destination=destination,
        mode=mode,
        duration_s=cell.duration_s,
        distance_m=cell.distance_m,
        origin_place=places[origin],
        destination_place=places[destination],
        depart_at=cell.depart_at,
        arrive_at=cell.arrive_at,
        ferry=cell.ferry,
    )
