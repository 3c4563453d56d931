"""What a tool of the server is, and how replies speak of places."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Protocol, Self

from pydantic import Field

from map_tools.facts import Fact
from map_tools.ids import ID_PREFIX
from map_tools.types import Frozen, Place
from mapagent.faces.mcp.replies import Outcome, Reply, clipped
from mapagent.faces.mcp.workbench import Workbench, failed

LONGEST_FIELD = 120
"""Characters of an address or of opening hours; the handle has the whole."""


class ServerTool(Protocol):
    """A tool of the server.

    Attributes:
        title: Its name for people.
        description: What it does, for a model that has to choose.
        arguments: What it takes; checked before it is called.
        result: What its structured content looks like.
        open_world: It may ask services beyond this machine, as far as the provider or the model is one.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    arguments: ClassVar[type[Frozen]]
    result: ClassVar[type[Reply]]
    open_world: ClassVar[bool]

    async def __call__(self, arguments: Any, bench: Workbench) -> Outcome:
        """Runs the tool; `arguments` is an instance of `arguments`.

        Raises:
            MapAgentError: It could not do what was asked.
        """
        ...


class PlaceBrief(Frozen):
    """A place in a reply; what the map does not state is left out."""

    id: str = Field(description="Can be given wherever a tool takes a place.")
    name: str
    lat: float | None = None
    lng: float | None = None
    distance_m: float | None = None
    kinds: tuple[str, ...] = ()
    address: str | None = None
    hours: str | None = None
    rating: float | None = None
    rating_count: int | None = None
    price_level: int | None = None

    @classmethod
    def of(cls, place: Place, distance_m: float | None = None) -> Self:
        """The place as replies tell it."""
        return cls(
            id=ID_PREFIX + place.id,
            name=clipped(place.name, LONGEST_FIELD),
            lat=_degrees(place.location.lat) if place.location else None,
            lng=_degrees(place.location.lng) if place.location else None,
            distance_m=None if distance_m is None else round(distance_m, 1),
            kinds=place.categories[:2],
            address=_text(place.address),
            hours=_text(place.hours.text if place.hours else None),
            rating=place.rating,
            rating_count=place.rating_count,
            price_level=place.price_level,
        )

    def line(self) -> str:
        """The place in one line."""
        away = None if self.distance_m is None else f"{self.distance_m:.0f} m"
        rated = None if self.rating is None else f"rated {self.rating:g}"
        parts = (self.name or "(unnamed)", away, ", ".join(self.kinds), self.address, self.hours, rated)
        return "; ".join(part for part in (*parts, self.id) if part)


def _degrees(value: float) -> float:
    """Seven decimals are a centimetre."""
    return round(value, 7)


def _text(value: str | None) -> str | None:
    return None if value is None else clipped(value, LONGEST_FIELD)


def main_fact[F: Fact](facts: tuple[Fact, ...], kind: type[F]) -> F:
    """The fact a tool was called for.

    Raises:
        ToolError: It is missing; the message says what the failures say.
    """
    found = next((fact for fact in facts if isinstance(fact, kind)), None)
    if found is None:
        raise failed(facts)
    return found


def whole(facts: Iterable[Fact]) -> Mapping[str, Any]:
    """Facts as they stand behind a handle."""
    return {"facts": [fact.model_dump(mode="json", exclude_none=True) for fact in facts]}
