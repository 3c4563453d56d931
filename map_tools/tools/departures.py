"""Departures: what leaves from a stop next, by its timetable."""

from typing import ClassVar

from pydantic import Field

from map_tools.errors import LimitError, ToolError, UnsupportedError
from map_tools.facts import DeparturesFact, Fact
from map_tools.providers.base import Provider, TellsDepartures
from map_tools.tools.base import LocalTime, ToolContext, failure_of, moment_of
from map_tools.tools.resolve import resolve
from map_tools.types import Frozen


class DeparturesParameters(Frozen):
    """Arguments of Departures."""

    stop: str = Field(description="The stop or station.", min_length=1)
    at: LocalTime = Field("", description="From when on: local time as ISO 8601; left out: now.")


class Departures:
    """Finds what leaves from a stop."""

    name: ClassVar[str] = "Departures"
    description: ClassVar[str] = "Finds the next departures from a stop of public transport."
    parameters: ClassVar[type[Frozen]] = DeparturesParameters

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """A `PlaceFact` for the stop and a `DeparturesFact`, or a `FailureFact` about the stop."""
        wanted = DeparturesParameters.model_validate(arguments)
        try:
            found = await resolve(wanted.stop, provider, context)
            ambiguity = found.ambiguity()
            if ambiguity is not None:
                return (found.fact(), ambiguity)
            if not isinstance(provider, TellsDepartures):
                raise UnsupportedError(f"The provider '{provider.name}' has no timetables.")
            rides, complete = await provider.departures(found.place, at=moment_of(wanted.at))
        except (ToolError, LimitError) as error:
            return (failure_of(error, wanted.stop),)
        return (
            found.fact(),
            DeparturesFact(stop=wanted.stop, stop_place=found.place, rides=rides, complete=complete),
        )
