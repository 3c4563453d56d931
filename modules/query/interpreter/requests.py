"""What a program still needs to know: requests with exact keys, and the replies to them.

Nothing is alike here but what is equal: names are settled in `PlaceRequest` alone, everything else speaks of
things by their ids.
"""

from dataclasses import dataclass
from typing import Any

from map_tools.facts import FailureFact
from map_tools.types import TravelMode


@dataclass(frozen=True, slots=True)
class PlaceRequest:
    """A place to be found by its name; `kind` are category ids, `near` and `inside` references of places.

    `wanted`: "area" if something with an outline is wanted, "line" if a street, river or railway is.
    """

    text: str
    near: str = ""
    inside: str = ""
    kind: tuple[str, ...] = ()
    wanted: str = ""


@dataclass(frozen=True, slots=True)
class DetailsRequest:
    """Everything that is known of a place."""

    reference: str


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """Places of a kind around a place, inside an area, or on the whole map.

    Attributes:
        what: The words of the program.
        categories, keyword: What they mean.
        center: Reference of the place or area; empty: the whole map.
        radius_m: None inside an area and on the whole map.
        limit: How many of the nearest are wanted; None: all of them.
        touching: What reaches into the area counts too.
        outline: The area as well-known text, where it is no place of the map.
        sector: Middle and half of the directions in degrees, as seen from the centre: what is wanted lies in
            them. Only a source that is asked as a database is told so.
    """

    what: str
    categories: tuple[str, ...]
    keyword: str
    center: str
    radius_m: float | None = None
    inside: bool = False
    limit: int | None = None
    touching: bool = False
    outline: str = ""
    sector: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class CellRequest:
    """Time and length of the way from one place to another.

    `depart` and `arrive` are local times as ISO 8601, where the source goes by a timetable; else empty.
    """

    origin: str
    destination: str
    mode: TravelMode
    depart: str = ""
    arrive: str = ""


@dataclass(frozen=True, slots=True)
class ReachRequest:
    """The area that one reaches from a place within a time."""

    origin: str
    within_s: float
    mode: TravelMode


@dataclass(frozen=True, slots=True)
class DeparturesRequest:
    """What leaves from a stop from a local time (ISO 8601) on."""

    stop: str
    at: str


@dataclass(frozen=True, slots=True)
class RoutesRequest:
    """The ways from one place to another with their steps; times as for `CellRequest`."""

    origin: str
    destination: str
    mode: TravelMode
    via: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    alternatives: bool = False
    depart: str = ""
    arrive: str = ""


@dataclass(frozen=True, slots=True)
class ShapeRequest:
    """The outline of an area, or the course of a line."""

    reference: str


@dataclass(frozen=True, slots=True)
class ModuleRequest:
    """Work for a module of the inventory: a recommendation, a look at a picture.

    Attributes:
        module: Its name.
        name: What it is to do.
        arguments: With what; hashable values by name.
    """

    module: str
    name: str
    arguments: tuple[tuple[str, Any], ...]

    def argument(self, name: str) -> Any:
        """An argument by its name; None if it is not given."""
        return dict(self.arguments).get(name)


type Request = (
    PlaceRequest
    | DetailsRequest
    | SearchRequest
    | CellRequest
    | ReachRequest
    | DeparturesRequest
    | RoutesRequest
    | ShapeRequest
    | ModuleRequest
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of a request.

    Attributes:
        fact: What was found; None if nothing was.
        failure: Why nothing was found.
        evidence: The ids of the evidence that says so.
        more: Further facts that came with it, such as details that could not be had.
    """

    fact: Any = None
    failure: FailureFact | None = None
    evidence: tuple[str, ...] = ()
    more: tuple[Any, ...] = ()
