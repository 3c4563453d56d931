"""What a map tool is: typed parameters in, typed facts out, over any provider."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar, Protocol

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from map_tools.errors import LimitError, ToolError, UnsupportedError
from map_tools.facts import Fact, FailureFact
from map_tools.own_places import NO_OWN_PLACES, OwnPlaces
from map_tools.providers.base import Provider
from map_tools.types import Frozen, LatLng, Place, TravelMode

HERE_WORDS = frozenset(
    {"here", "me", "my location", "my position", "current location", "my current location"}
)
"""Words for the user's own position."""


def _iso(text: str) -> str:
    if text:
        datetime.fromisoformat(text)
    return text


LocalTime = Annotated[str, AfterValidator(_iso)]
"""A moment as ISO 8601, in the local time of the map where it has no offset; empty: none."""
DepartAt = Annotated[
    LocalTime, Field(description="When one leaves by public transport: local time as ISO 8601.")
]
ArriveBy = Annotated[
    LocalTime, Field(description="When one has to be there by public transport: the last departure for it.")
]


class TravelParameters(Frozen):
    """Arguments of a tool that travels; `mode` is accepted for `travel_mode`.

    The Route tool of the MapAgent paper lists both (appendix C).
    """

    @model_validator(mode="before")
    @classmethod
    def _mode_alias(cls, values: Any) -> Any:
        if not isinstance(values, dict) or "mode" not in values:
            return values
        merged = {key: value for key, value in values.items() if key != "mode"}
        merged.setdefault("travel_mode", values["mode"])
        return merged


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
    `ID_PREFIX` (`map_tools.types`) and an id.
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


def moment_of(text: LocalTime) -> datetime | None:
    """The moment that a text means."""
    return datetime.fromisoformat(text) if text else None


def times(provider: Provider, mode: TravelMode, depart_at: str, arrive_by: str) -> dict[str, Any]:
    """The times of a way as arguments of the provider's calls (`map_tools.providers.base.KeepsTimetables`).

    Without a timetable a departure changes nothing.

    Raises:
        UnsupportedError: An arrival is wanted, and there is no timetable to tell the departure for it.
    """
    if mode is TravelMode.TRANSIT and provider.capabilities.timetables:
        given = {"depart_at": depart_at, "arrive_by": arrive_by}
        return {name: datetime.fromisoformat(moment) for name, moment in given.items() if moment}
    if arrive_by:
        raise UnsupportedError(
            f"When to leave to be there at a time is not known here ({mode.value}).", "Give a departure."
        )
    return {}


def failure_of(error: ToolError | LimitError, subject: str) -> FailureFact:
    """An error as a fact about `subject` (the words of the question it concerns)."""
    return FailureFact(code=error.code, message=error.message, remedy=error.remedy, subject=subject)
