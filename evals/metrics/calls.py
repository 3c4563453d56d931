"""Measures of tool calls against gold ones: which were made, with which parameters, in which order.

A trace has a call for each tool that was run. What one tool does in one call and another in several is made
comparable first: a trip over many places and a route over stops are taken apart into the *legs* between two places,
and the tools that search a database count as the map tools they stand for. So one table of travel times is as good
as a route for each way of it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations, product
from typing import Any

from pydantic import Field, ValidationError

from map_tools.kinds import concepts
from map_tools.text import normalise
from map_tools.tools import INNER_TOOLS, TOOLS, Route
from map_tools.tools.base import HERE_WORDS
from map_tools.tools.route import RouteParameters, TripParameters
from map_tools.types import ID_PREFIX, Frozen
from mapagent.runtime.trace import Span

TOOL_SPAN = "tool"
"""The span of a tool call in a trace."""
_HERE = "here"
_OUTER = {
    "SearchFeatures": ("Nearby", {"query": "query", "location": "location"}),
    "ResolveLocation": ("PlaceInfo", {"location": "location_address"}),
}
"""The map tools that the tools of a database stand for, with the names of the parameters they have in common."""

type Same = Callable[[Any, Any], bool]
"""Whether two values of a parameter mean the same."""


class Call(Frozen):
    """A tool call.

    Attributes:
        round: Of a gold call: those of a round need the replies of the rounds before, and nothing of each other.
    """

    tool: str = Field(min_length=1)
    parameters: Mapping[str, Any] = Field(default_factory=dict)
    round: int = Field(default=1, ge=1)


def calls_of(spans: Iterable[Span]) -> tuple[Call, ...]:
    """The tool calls of a trace in the order in which they were made."""
    return tuple(
        Call(tool=span.attributes["tool"], parameters=span.attributes["arguments"])
        for span in spans
        if span.name == TOOL_SPAN
    )


def comparable(call: Call) -> Iterator[Call]:
    """The call as it is compared: the legs of a route or trip; else itself, its parameters as the tool reads them.

    Parameters that the tool refuses stay as they are, and equal no gold ones but by their words.
    """
    outer, names = _OUTER.get(call.tool, ("", {}))
    if outer:
        told = {names[name]: value for name, value in call.parameters.items() if name in names}
        yield call.model_copy(update={"tool": outer, "parameters": told})
        return
    tool = TOOLS.get(call.tool) or INNER_TOOLS.get(call.tool)
    try:
        read = None if tool is None else tool.parameters.model_validate(dict(call.parameters))
    except ValidationError:
        read = None
    if isinstance(read, RouteParameters):
        stops = (read.origin, *read.waypoints, read.destination)
        yield from (_leg(call, ends, read) for ends in pairwise(stops))
    elif isinstance(read, TripParameters):
        stops = tuple(dict.fromkeys((read.current_location, *read.visiting_places)))
        ways = product(read.origins, read.visiting_places) if read.origins else permutations(stops, 2)
        yield from (_leg(call, ends, read) for ends in ways if ends[0] != ends[1])
    elif read is not None:
        yield call.model_copy(update={"parameters": read.model_dump(mode="json", exclude_unset=True)})
    else:
        yield call


def _leg(call: Call, ends: tuple[str, str], read: RouteParameters | TripParameters) -> Call:
    avoid = sorted(read.avoid) if isinstance(read, RouteParameters) else []
    parameters = {
        "origin": ends[0],
        "destination": ends[1],
        "travel_mode": read.travel_mode.value,
        "avoid": avoid,
        "depart_at": read.depart_at,
        "arrive_by": read.arrive_by,
    }
    return Call(tool=Route.name, parameters=parameters, round=call.round)


class Spellings:
    """When two values of a parameter mean the same, for one question.

    Places may be given by name, id or position, kinds in any words for them; case, accents and the order of a list
    of things to avoid do not count.

    Args:
        places: Other ways to write a place ("id:osm:n1", "43.7,7.4"), by its name; that of the asker's position
            ("here") may be those of a place.
    """

    def __init__(self, places: Mapping[str, Sequence[str]]) -> None:
        self._names: dict[str, str] = {}
        for name, others in places.items():
            texts = [_bare(text) for text in (name, *others)]
            known = next((self._names[text] for text in texts if text in self._names), texts[0])
            self._names |= dict.fromkeys(texts, known)

    def same(self, made: Any, gold: Any) -> bool:
        """Whether they mean the same."""
        if isinstance(gold, str) and isinstance(made, str):
            if self._name(made) == self._name(gold):
                return True
            places = {_bare(made), _bare(gold)} & self._names.keys()
            return not places and _kind(made) == _kind(gold) != ""
        if isinstance(gold, list | tuple) and isinstance(made, list | tuple):
            return len(made) == len(gold) and all(map(self.same, made, gold))
        return bool(made == gold)

    def _name(self, text: str) -> str:
        bare = _bare(text)
        return self._names.get(bare, bare)


def _bare(text: str) -> str:
    plain = text.strip().removeprefix(ID_PREFIX)
    if plain.casefold() in HERE_WORDS:
        return _HERE
    try:
        lat, lng = map(float, plain.split(","))
    except ValueError:
        return plain if ":" in plain else normalise(plain)
    return f"{lat:.4f},{lng:.4f}"  # about 10 m


def _kind(text: str) -> str:
    found = concepts.concept(text) or concepts.lookup(text)
    return "" if found is None else found.id


def parameters_right(made: Mapping[str, Any], gold: Mapping[str, Any], same: Same) -> float:
    """The share of the gold parameters, as far as either call states them, that have the right value.

    What the gold does not name (how many replies, how much detail) is for whoever calls.
    """
    stated = [name for name in gold if gold[name] or made.get(name)]
    if not stated:
        return 1.0
    return sum(same(made.get(name), gold[name]) for name in stated) / len(stated)


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the calls of a run compare with the gold ones; see `compare`.

    Attributes:
        complete: The share of the gold calls whose tool was called for them.
        ordered: Of the gold calls that need others first, the share made behind all of those; 1 without any.
        tool_use: The mean over the gold calls of `parameters_right`, 0 for one that was not made.
    """

    complete: float
    ordered: float
    tool_use: float

    @property
    def planning(self) -> float:
        """Whether the right calls were made in the right order."""
        return self.complete * self.ordered


def compare(made: Iterable[Call], gold: Iterable[Call], same: Same) -> Comparison:
    """Gives each gold call the call of its tool with the most right parameters, each call once, the best first.

    Raises:
        ValueError: There are no gold calls.
    """
    ours = [part for call in made for part in comparable(call)]
    wanted = [part for call in gold for part in comparable(call)]
    if not wanted:
        raise ValueError("Calls are compared with gold ones, and there are none.")
    pairs = sorted(
        (-parameters_right(call.parameters, one.parameters, same), number, place)
        for number, one in enumerate(wanted)
        for place, call in enumerate(ours)
        if call.tool == one.tool
    )
    places: dict[int, int] = {}
    right: list[float] = []
    for minus, number, place in pairs:
        if number not in places and place not in places.values():
            places[number] = place
            right.append(-minus)
    return Comparison(
        complete=len(places) / len(wanted),
        ordered=_ordered([(one.round, places.get(number)) for number, one in enumerate(wanted)]),
        tool_use=sum(right) / len(wanted),
    )


def _ordered(placed: Sequence[tuple[int, int | None]]) -> float:
    """Of the calls of later rounds, the share made behind all those of earlier ones.

    Args:
        placed: The round of each gold call, and the place of the call that was made for it.
    """
    later = [(place, number) for number, place in placed if number > 1 and place is not None]
    if not later:
        return 1.0
    kept = sum(
        all(before < place for number, before in placed if before is not None and number < own)
        for place, own in later
    )
    return kept / len(later)


def at_most(gold: float, made: float) -> float:
    """How economical it was: 1 for no more than the gold, half for twice as much; 0 where nothing was done."""
    return min(1.0, gold / made) if made else float(gold == 0)
