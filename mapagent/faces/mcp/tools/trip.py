"""`trip`: travel between all places of a trip."""

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from map_tools.facts import Fact, FailureFact, PlaceFact, TravelFact
from map_tools.tools.trip import Trip as TripTool
from map_tools.tools.trip import TripParameters
from map_tools.types import Frozen
from mapagent.faces.mcp.replies import Outcome, Reply, clipped
from mapagent.faces.mcp.tools.base import PlaceBrief, whole
from mapagent.faces.mcp.workbench import Workbench, failed
from mapagent.facttext import fact_text


class LegBrief(Frozen):
    """Travel from one place to another."""

    origin: str
    destination: str
    duration_s: float | None = None
    distance_m: float | None = None


class TripReply(Reply):
    """The places of a trip and the ways between every two of them."""

    shortened: ClassVar[tuple[str, ...]] = ("places", "failures", "legs")

    mode: str
    legs: tuple[LegBrief, ...] = Field(description="For each ordered pair, in seconds and metres.")
    places: tuple[PlaceBrief, ...] = Field((), description="The places, with opening hours where known.")
    failures: tuple[str, ...] = Field((), description="What could not be found out, and what to do.")

    def lines(self) -> Iterator[str]:
        """Legs, places, failures."""
        for leg in self.legs:
            minutes = "time unknown" if leg.duration_s is None else f"{leg.duration_s / 60:.1f} min"
            metres = "" if leg.distance_m is None else f", {leg.distance_m:.0f} m"
            yield f"- {leg.origin} → {leg.destination}: {minutes}{metres}"
        yield from (f"- {place.line()}" for place in self.places)
        yield from (f"- not known: {failure}" for failure in self.failures)


class Trip:
    """Measures travel between every two places of a trip."""

    name: ClassVar[str] = "trip"
    title: ClassVar[str] = "Measure a trip"
    description: ClassVar[str] = (
        "Gives travel time and distance between every two of the places (the start and the places to visit), "
        "in both directions, and the opening hours of each. For the best order or a whole schedule use "
        "ask_map, which computes it."
    )
    arguments: ClassVar[type[Frozen]] = TripParameters
    result: ClassVar[type[Reply]] = TripReply
    open_world: ClassVar[bool] = True

    async def __call__(self, arguments: TripParameters, bench: Workbench) -> Outcome:
        """The legs of the `TravelFact`s; a missing place loses only its own legs."""
        facts = await bench.call(TripTool.name, arguments.model_dump(mode="json"))
        legs = tuple(_leg(fact) for fact in facts if isinstance(fact, TravelFact))
        if not legs:
            raise failed(facts)
        places = tuple(PlaceBrief.of(fact.place) for fact in facts if isinstance(fact, PlaceFact))
        failures = _failures(facts)
        missing = f"; {len(failures)} things could not be found out" if failures else ""
        reply = TripReply(
            summary=f"{len(legs)} ways between {len(places)} places, {arguments.travel_mode.value}{missing}.",
            mode=arguments.travel_mode.value,
            legs=legs,
            places=places,
            failures=failures,
            warnings=bench.notices(facts),
            attribution=bench.provider.terms.attribution,
        )
        return Outcome(reply, whole(facts))


def _leg(fact: TravelFact) -> LegBrief:
    return LegBrief(
        origin=clipped(fact.origin),
        destination=clipped(fact.destination),
        duration_s=fact.duration_s,
        distance_m=fact.distance_m,
    )


def _failures(facts: tuple[Fact, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clipped(fact_text(fact)) for fact in facts if isinstance(fact, FailureFact)))
