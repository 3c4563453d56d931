"""What operators work with: the facts known so far, requests for more, the situation, and the program's own functions.

Requests are keys: only equal ones are the same. Names are resolved by `PlaceRequest` alone; everything else refers to
things by their ids.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from map_tools.errors import LimitError
from map_tools.facts import FailureFact
from modules.query.language import syntax
from modules.query.values.amount import Amount
from modules.query.values.things import Choice, Function, Thing
from modules.query.values.unknown import WAIT, Unknown, Waiting, Why

if TYPE_CHECKING:
    from modules.query.language.syntax import Lambda

from map_tools.types import TravelMode

_WHYS: Mapping[str, Why] = {
    "place_not_found": Why.NOT_FOUND,
    "ambiguous": Why.AMBIGUOUS,
    "no_route": Why.NO_ROUTE,
    "unsupported": Why.UNSUPPORTED,
    "limit": Why.LIMIT,
}
"""What the codes of failures (`map_tools.errors`) mean for a value."""
MAX_STEPS = 200_000
"""Maximum number of nodes that a run may evaluate, over all rounds."""


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
        categories, keyword: The meaning of these words.
        center: Reference of the place or area; empty: the whole map.
        radius_m: None inside an area and on the whole map.
        limit: How many of the nearest are wanted; None: all of them.
        touching: Whether what reaches into the area counts too.
        outline: The area as well-known text, where it is no place of the map.
        sector: The directions, seen from the centre, in which results must lie: middle and half the width, in
            degrees. Only a source that is queried as a database gets it.
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
    """The area that can be reached from a place within a time."""

    origin: str
    within_s: float
    mode: TravelMode


@dataclass(frozen=True, slots=True)
class DeparturesRequest:
    """Departures from a stop, from a local time (ISO 8601) on."""

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
        name: The task.
        arguments: Its arguments; hashable values by name.
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
    """The reply to a request.

    Attributes:
        fact: What was found; None if nothing was.
        failure: Why nothing was found.
        evidence: The ids of its evidence.
        more: Further facts that came with it, such as failures to get details.
    """

    fact: Any = None
    failure: FailureFact | None = None
    evidence: tuple[str, ...] = ()
    more: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Situation:
    """Where, when and over what a program runs.

    Attributes:
        now: The present moment in the local time of the map, without a zone; None if none is known.
        here: Where the asker is: a position, or a place that a supplied text tells.
        options: The options of the question.
        text: The supplied text.
        instant: The present moment as an instant, where places may lie in several time zones.
        facts: The attributes of places that the source of facts provides at all; None: not known.
        full: Whether places found by name or by a search have all their details already.
        timetables: Whether ways by public transport depend on when one leaves or arrives.
        bounded: Whether the map is finite, so that all places of a kind on it can be listed.
        map_name: Name of the map.
        database: The source searches all of its features (`map_tools.spatial_db.port.SearchesFeatures`).
        side_deg: How far off north "north of" may be: 45°, in a spatial database an octant's 22.5° (GS-QA, section 3).
        halves: Whether "north of" means anywhere further north: in a picture, and in data that say so
            (`map_tools.spatial_db.port.HALVES`).
        picture: What was read from the picture of the question.
        bindings: Values that a program begins with, by name (`modules.query.operator_kit`).
    """

    now: datetime | None = None
    here: Thing | None = None
    options: tuple[Choice, ...] = ()
    text: str = ""
    instant: datetime | None = None
    facts: frozenset[str] | None = None
    full: bool = True
    timetables: bool = False
    bounded: bool = False
    map_name: str = ""
    database: bool = False
    side_deg: float = 45.0
    halves: bool = False
    picture: Any = None
    bindings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def only_picture(self) -> bool:
        """Whether there is a picture and no source beside it, so that names are those of its marks."""
        return self.picture is not None and self.facts is None


@dataclass(frozen=True, slots=True)
class Derived:
    """The evaluation of one node of a program.

    Attributes:
        path: Which member of which list each lambda around it was called with, outermost first: the lambda's
            number and the member's index, in turns.
        node: Its number.
        operator: The operator, "." and a field, or the kind of the node ("lambda", "comparison", "look-up").
        evidence: The ids of the evidence it rests on, that of the nodes below it included.
        result: Its value.
        subject: Of a lambda: the member it was called with. Of a look-up: the words that stand at the node where
            a place is wanted.
    """

    path: tuple[int, ...]
    node: int
    operator: str
    evidence: tuple[str, ...]
    result: Any
    subject: Any = None


class Facts:
    """The replies so far, and the requests still open. Facts are only ever added."""

    def __init__(self) -> None:
        self.known: dict[Request, Reply] = {}
        self.wanted: dict[Request, int] = {}
        """Requests still to be fetched, each with the statement that asked first."""

    def take(self, replies: Mapping[Request, Reply]) -> None:
        """Adds replies."""
        for request, reply in replies.items():
            self.known.setdefault(request, reply)
        self.wanted = {one: by for one, by in self.wanted.items() if one not in self.known}


class Calls(Protocol):
    """The part of the evaluator that operators may use."""

    def apply(self, function: Function, item: Any, index: int) -> Any:
        """The value of a function for a thing; `WAIT` while facts are missing."""
        ...

    def look_up(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """The value of another operator."""
        ...

    def peek(self, node: syntax.Expr, function: Function) -> Any:
        """The value of a part of a function that does not contain its parameter; leaves no derivation.

        Raises:
            Waiting: Facts for it are missing.
        """
        ...

    def phrase(self, function: "Lambda") -> str:
        """A function of the program in words."""
        ...


class Context:
    """Given to each operator as its first argument."""

    def __init__(self, facts: Facts, situation: Situation, calls: Calls) -> None:
        self.facts = facts
        self.situation = situation
        self.calls = calls
        self.warnings: list[str] = []
        self.assumptions: list[str] = []
        self.explanations: list[str] = []
        self.derivation: list[Derived] = []
        self.statement = 0
        self.muted = False
        """While set, missing facts are not requested: what can be said without them is evaluated."""
        self.steps = 0
        self.sure = 1.0
        """Confidence of the modules in what they found, 0 to 1."""
        self.rankings: list[tuple[Any, tuple[Any, ...]]] = []
        """Things that were chosen, each with its runners-up."""
        self.lines: list[tuple[Amount, Thing, Thing]] = []
        """Straight lines that were measured, each with its ends."""
        self._used: list[dict[str, None]] = []

    def need(self, request: Request) -> Reply:
        """The reply to a request.

        Raises:
            Waiting: It is not there yet; it will be fetched.
        """
        reply = self.facts.known.get(request)
        if reply is None:
            if not self.muted:
                self.facts.wanted.setdefault(request, self.statement)
            raise Waiting
        if self._used:
            self._used[-1].update(dict.fromkeys(reply.evidence))
        return reply

    def apply(self, function: Function, items: Sequence[Any]) -> list[Any]:
        """The values of a function for all members of a list.

        Raises:
            Waiting: Facts for some of them are missing; all are asked for.
        """
        values = [self.calls.apply(function, item, index) for index, item in enumerate(items)]
        if any(value is WAIT for value in values):
            raise Waiting
        return values

    def each(self, items: Iterable[Any], work: Callable[[Any], Any]) -> list[Any]:
        """The result of `work` for each member of a list.

        Raises:
            Waiting: Facts for some of them are missing; all are asked for.
        """
        values, waiting = [], False
        for item in items:
            try:
                values.append(work(item))
            except Waiting:
                waiting = True
        if waiting:
            raise Waiting
        return values

    def ranked(self, chosen: Any, others: Iterable[Any]) -> None:
        """Records the runners-up of a choice, for when the chosen one is not among the options."""
        self.rankings.append((chosen, tuple(others)))

    def sureness(self, share: float | None) -> None:
        """Records the confidence of a module in what it found, 0 to 1."""
        if share is not None:
            self.sure = min(self.sure, share)

    def warn(self, text: str) -> None:
        """Notes something that the asker should know, once."""
        if text and text not in self.warnings:
            self.warnings.append(text)

    def assume(self, text: str) -> None:
        """Notes something that was taken for granted, once."""
        if text and text not in self.assumptions:
            self.assumptions.append(text)

    def explain(self, text: str) -> None:
        """Notes why something was chosen, once."""
        if text and text not in self.explanations:
            self.explanations.append(text)

    def count_step(self) -> None:
        """Counts a node.

        Raises:
            LimitError: There were too many.
        """
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise LimitError(
                f"The program takes more than {MAX_STEPS} steps.",
                "Narrow its searches with within= or inside=.",
            )

    def begin(self) -> None:
        """Begins a node: evidence used from now on belongs to it."""
        self._used.append({})

    def end(self, path: tuple[int, ...], node: int, operator: str, result: Any, subject: Any = None) -> None:
        """Ends the node that began last, with its result."""
        used = self._used.pop()
        if result is not WAIT:
            self.derivation.append(Derived(path, node, operator, tuple(used), result, subject))
        if self._used:
            self._used[-1].update(used)


def unknown_of(failure: FailureFact) -> Unknown:
    """The value for a failure."""
    reason = f"{failure.message} {failure.remedy}".strip()
    return Unknown(_WHYS.get(failure.code, Why.FAILED), reason)
