"""What a tool of the server is, the small programs of the query language it runs, and how replies speak of places.

A tool that runs a program answers as the language does: kinds that mappers tag in several ways, outlines of
parks, what is not stated and what lies just outside are its business, and are told the same everywhere.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Protocol, Self

from pydantic import Field

from map_tools.errors import UsageError
from map_tools.kinds.wanted import field_of, property_of
from map_tools.types import ID_PREFIX, Frozen, Place, tells_own
from mapagent.core.answer import Answer, Candidate
from mapagent.core.rendering import clean
from mapagent.core.rendering import quoted as in_quotes
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


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_WORDS = re.compile(r"\w+([ -]\w+)*")
_NUMBER = re.compile(r"\d+(\.\d+)?")
_CONDITION = re.compile(r"([\w:.-]+)\s*(?:(>=|<=|=|>|<)\s*(.+))?")
_YES = frozenset({"yes", "true"})
_NO = frozenset({"no", "false"})


def quoted(text: str) -> str:
    """A text of a caller's as a program has it: clean, and whole, for what is cut off would change its meaning."""
    return in_quotes(clean(text), cut=False)


def listed(texts: Iterable[str]) -> str:
    """A list of texts."""
    return f"[{', '.join(map(quoted, texts))}]"


def call(operator: str, *values: str, **named: str | None) -> str:
    """A call of an operator with program text as arguments; those that are None are left out."""
    given = [f"{name}={value}" for name, value in named.items() if value is not None]
    return f"{operator}({', '.join((*values, *given))})"


def answer(value: str, parts: Mapping[str, str]) -> str:
    """The last line of a program."""
    return call("answer", value, **parts)


def condition(text: str) -> str:
    """What a place `p` must have, from "outdoor seating", "cuisine=italian", "fee=no" or "stars>=4".

    Raises:
        UsageError: It is nothing of the kind.
    """
    service = property_of(text) if _WORDS.fullmatch(text.strip()) else None
    if service is not None:
        return f"p.{field_of(service)}"
    read = _CONDITION.fullmatch(text.strip())
    if read is None:
        raise UsageError(
            f"'{text[:60]}' is no condition.", 'Write "wifi", "cuisine=italian", "fee=no" or "stars>=4".'
        )
    key, comparator, value = read[1], read[2], (read[3] or "").strip()
    field = f"p.{key}" if _NAME.fullmatch(key) else f"fact(p, {quoted(key)})"
    if comparator is None or (comparator == "=" and value.lower() in _YES):
        return field
    if comparator == "=" and value.lower() in _NO:
        return f"not {field}"
    if _NUMBER.fullmatch(value):
        return f"{field} {'==' if comparator == '=' else comparator} {value}"
    # "italian" is one of the words of "italian;pizza".
    return f"{quoted(value)} in {field}" if comparator == "=" else f"{field} {comparator} {quoted(value)}"
