"""What a map tool is: typed parameters in, typed facts out, over any provider."""

from collections.abc import Mapping
from typing import ClassVar, Protocol

from pydantic import ConfigDict, Field

from map_tools.errors import LimitError, ToolError
from map_tools.facts import Fact, FailureFact
from map_tools.own_places import NO_OWN_PLACES, OwnPlaces
from map_tools.providers.base import Provider
from map_tools.types import Frozen, LatLng, Place

HERE_WORDS = frozenset(
    {"here", "me", "my location", "my position", "current location", "my current location"}
)
"""Words for the user's own position."""


class ToolContext(Frozen):
    """Where and for whom a tool runs.

    Attributes:
        here: The user's own position, for "here" and "me" as a place.
        near: Bias for names: prefer the candidate nearest to it.
        known: Places by id that earlier calls told of; an id among them is not asked for again.
        own: The user's own places, whose names come before those of the map.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    here: LatLng | None = None
    near: LatLng | None = None
    known: Mapping[str, Place] = Field(default_factory=dict)
    own: OwnPlaces = NO_OWN_PLACES


class MapTool(Protocol):
    """One of the map tools. Failures come back as `FailureFact`, so one missing place loses nothing else.

    Wherever a tool takes a place, it takes a name or an address, "LAT,LON", one of `HERE_WORDS`, or
    `ID_PREFIX` (`map_tools.ids`) and an id.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    parameters: ClassVar[type[Frozen]]

    async def __call__(self, arguments: Frozen, provider: Provider, context: ToolContext) -> tuple[Fact, ...]:
        """Runs the tool; `arguments` is an instance of `parameters`."""
        ...


def pair(origin: str, destination: str) -> str:
    """How a failure names a way between two places: "A → B"."""
    return f"{origin} → {destination}"


def failure_of(error: ToolError | LimitError, subject: str) -> FailureFact:
    """An error as a fact about `subject` (the words of the question it concerns)."""
    return FailureFact(code=error.code, message=error.message, remedy=error.remedy, subject=subject)
