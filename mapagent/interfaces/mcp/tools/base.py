"""What a tool of the server is, and how replies speak of places."""

from typing import Any, ClassVar, Protocol, Self

from pydantic import Field

from map_tools.types import ID_PREFIX, Frozen, Place, tells_own
from mapagent.core.answer import Answer, Candidate
from mapagent.interfaces.mcp.replies import Outcome, Reply, clipped
from mapagent.interfaces.mcp.workbench import Workbench
from mapagent.interfaces.takeaway.features import answer_features

LONGEST_FIELD = 120
"""Characters of an address or of opening hours; the handle has the whole."""
DIGITS = 5
"""Decimals of a position in a reply: a metre."""


class ServerTool(Protocol):
    """A tool of the server.

    Attributes:
        title: Its name for people.
        description: What it does, for a model that has to choose.
        arguments: What it takes; checked before it is called.
        result: What its structured content looks like.
        open_world: It may ask services beyond this machine, as far as the provider or the model is one.
        drawn: Its outcomes have an answer, which a client may draw.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    arguments: ClassVar[type[Frozen]]
    result: ClassVar[type[Reply]]
    open_world: ClassVar[bool]
    drawn: ClassVar[bool]

    @property
    def description(self) -> str:
        """What it does."""
        ...

    async def __call__(self, arguments: Any, bench: Workbench) -> Outcome:
        """Runs the tool; `arguments` is an instance of `arguments`.

        Raises:
            MapAgentError: It could not do what was asked.
        """
        ...


class PlaceBrief(Frozen):
    """A place in a reply; what the map does not state is left out."""

    id: str = Field(description="Can be given wherever a place is.")
    name: str
    kind: str | None = None
    lat: float | None = None
    lng: float | None = None
    distance_m: float | None = Field(None, description="In a straight line.")
    address: str | None = None
    hours: str | None = None
    rating: float | None = None
    rating_count: int | None = None
    price_level: int | None = None

    @classmethod
    def of(cls, place: Place, distance_m: float | None = None) -> Self:
        """The place as replies tell it; of one of the user's own not where it is."""
        location = None if tells_own(place.id) else place.location
        return cls(
            id=reference(place),
            name=clipped(place.name, LONGEST_FIELD),
            kind=place.categories[0].replace("_", " ") if place.categories else None,
            lat=_degrees(location.lat) if location else None,
            lng=_degrees(location.lng) if location else None,
            distance_m=None if distance_m is None else round(distance_m, 1),
            address=_text(place.address),
            hours=_text(place.hours.text if place.hours else None),
            rating=place.rating,
            rating_count=place.rating_count,
            price_level=place.price_level,
        )

    def line(self, kind: str = "") -> str:
        """The place in one line, without its id; a kind that all of a list have is told once, by the list."""
        away = None if self.distance_m is None else f"{self.distance_m:.0f} m"
        rated = None if self.rating is None else f"rated {self.rating:g}"
        own = self.kind if self.kind != kind else None
        parts = (self.name or "(unnamed)", away, own, self.address, self.hours, rated)
        return "; ".join(part for part in parts if part)

    def brief(self) -> str:
        """Its name and its distance."""
        away = "" if self.distance_m is None else f" {self.distance_m:.0f} m"
        return f"{self.name or '(unnamed)'}{away}"

    @property
    def position(self) -> str:
        """Where it is, "LAT, LNG"; empty if that is not known."""
        if self.lat is None or self.lng is None:
            return ""
        return f"{self.lat:.{DIGITS}f}, {self.lng:.{DIGITS}f}"


class CandidateBrief(PlaceBrief):
    """A place that an ambiguous name may mean; `choice` takes its number."""

    number: int
    told: str = Field(description="The place in a line, with what tells it from the others.")

    @classmethod
    def numbered(cls, number: int, candidate: Candidate) -> "CandidateBrief":
        """The candidate as replies tell it."""
        brief = PlaceBrief.of(candidate.place)
        return cls(**dict(brief), number=number, told=candidate.told)

    def choice_line(self) -> str:
        """The candidate with its number and its id."""
        return f"{self.number}. {self.told}; {self.id}"


def reference(place: Place) -> str:
    """What tools take for the place: its id, or the name of one of the user's own, whose id is made of its position."""
    return place.name if tells_own(place.id) else ID_PREFIX + place.id


def candidates_of(answer: Answer) -> tuple[CandidateBrief, ...]:
    """The candidates of an answer, numbered as `choice` takes them."""
    return tuple(CandidateBrief.numbered(*pair) for pair in enumerate(answer.candidates, start=1))


def notes_of(answer: Answer) -> tuple[str, ...]:
    """What was taken for granted, then the warnings: what a tool's reply must say besides its result."""
    return (*(f"Assumed: {one}." for one in answer.assumptions), *answer.warnings)


def whole(answer: Answer) -> dict[str, Any]:
    """An answer as it stands behind a handle, with what there is to see of it as GeoJSON features."""
    return {
        "answer": answer.model_dump(mode="json", exclude_none=True),
        "features": answer_features(answer, {}),
    }


def _degrees(value: float) -> float:
    return round(value, DIGITS)


def _text(value: str | None) -> str | None:
    return None if value is None else clipped(value, LONGEST_FIELD)
